/** Findings in words. */
import { countOf } from '../core/lib/text/wording.ts'
import type { PlayedFinding } from './drive.ts'
import { messageOf } from './played-run.ts'
import { type FindingGroup, type GroupPlace, isFlaky, type Refinement } from './search/experiments.ts'
import { faultFields, faultText, isFaultClass } from './search/fault-classes.ts'
import { isNthOfKind, type PlannedFault } from './search/fault-set.ts'
import { type KnownCalls, knownCall } from './search/known-calls.ts'

/** `call 2 (POST chat "Summarise...", every attempt): cut; before=finish`. */
export const describeFault = ({ call, attempt, fault }: PlannedFault, known: KnownCalls): string =>
  describePlace({ call, attempt, faults: [fault] }, known)

/** A finding in words. */
export interface DescribedFinding {
  /** `1 fault`, or `2 faults, 3 of 5 times`. */
  readonly size: string
  /** A line for each call: `call 2 (POST chat "Summarise...", every attempt): cut; before=finish` */
  readonly faults: readonly string[]
  /** The failure of the first of them: `It ended with exit code 1.` */
  readonly error: string
  /** The last lines of its output then, or those from its first error on. */
  readonly output: readonly string[]
}

/** Describes findings with one cause. */
export function describeGroup({ places, findings }: FindingGroup<PlayedFinding>, known: KnownCalls): DescribedFinding {
  const first = findings[0]!
  const { refinements, failures, tries, error, output } = first
  const lines = places.map((place, index) => describePlace(place, known, refinements?.[index]))
  const possible = places.reduce((product, { faults }) => product * faults.length, 1)
  const some = possible > findings.length ? [`${findings.length} of these ${possible} combinations`] : []
  const details = new Set(findings.flatMap(({ detail }) => detail ?? []))
  const flaky = isFlaky(first) ? `, ${failures} of ${tries} times` : ''
  const often = tries === 1 ? ', not confirmed (1 of 1)' : flaky
  const size = countOf(places.length, 'fault') + often
  return { size, faults: [...lines, ...some, ...details], error: messageOf(error), output }
}

/** The faults on one call, with what became of others of the class: `also with 502, 503` and `not with 504`. */
function describePlace(
  { call, attempt, faults }: GroupPlace,
  known: KnownCalls,
  { fails, passes }: Refinement = { fails: [], passes: [] },
): string {
  const found = knownCall(call, known)
  const number = [...known.keys()].indexOf(call) + 1
  const [first = '', ...others] = faults
  // One fault is shown with its options. Of several, the classes say more.
  const text =
    others.length === 0 ? faultText(faultFields(first, found)) : `${faults.slice(0, -1).join(', ')} or ${faults.at(-1)}`
  const hasOtherName = others.length === 0 && isFaultClass(first) && !`${text};`.startsWith(`${first};`)
  const listOf = (variants: readonly string[]): string => variants.join(', ').replace(/; retryAfter=\w+/g, '')
  const details = [
    ...(hasOtherName ? [text] : []),
    ...(fails.length > 0 ? [`also with ${listOf(fails)}`] : []),
    ...(passes.length > 0 ? [`not with ${listOf(passes)}`] : []),
  ]
  const shown = `${hasOtherName ? first : text}${details.length > 0 ? ` (${details.join('; ')})` : ''}`
  const once = isNthOfKind(call) ? 'once' : `attempt ${attempt}`
  const always = isNthOfKind(call) ? 'from here on' : 'every attempt'
  return `call ${number} (${found.label}, ${attempt === 'every' ? always : once}): ${shown}`
}
