/** Findings in words. */
import { type FailingSet, isFlaky, isUnconfirmed, type Refinement } from './experiments.ts'
import { faultFields, faultText, isFaultClass } from './fault-classes.ts'
import { isNthOfKind, type PlannedFault } from './fault-set.ts'
import type { FindingGroup, GroupPlace } from './finding-groups.ts'
import { type KnownCalls, knownCall } from './known-calls.ts'

/** `call 2 (POST chat "Summarise...", every attempt): cut; before=finish`. */
export const describeFault = ({ call, attempt, fault }: PlannedFault, known: KnownCalls): string =>
  describePlace({ call, attempt, faults: [fault] }, known)

/** `2 faults, 3 of 5 times`, and a line for each call: `call 1 (POST chat "Hello", attempt 1): bad-request, cut or hang`. */
export function describeGroup(
  { places, findings }: FindingGroup,
  known: KnownCalls,
): { readonly size: string; readonly lines: readonly string[] } {
  const [first] = findings
  const count = places.length === 1 ? '1 fault' : `${places.length} faults`
  const lines = places.map((place, index) => describePlace(place, known, first!.refinements?.[index]))
  const possible = places.reduce((product, { faults }) => product * faults.length, 1)
  const some = possible > findings.length ? [`${findings.length} of these ${possible} combinations`] : []
  const details = new Set(findings.flatMap(({ detail }) => detail ?? []))
  return { size: count + describeTries(first!), lines: [...lines, ...some, ...details] }
}

/** `, 3 of 5 times`, or `, not confirmed (1 of 1)`; '' if it failed each time. */
export function describeTries(finding: Pick<FailingSet, 'failures' | 'tries'>): string {
  if (isUnconfirmed(finding)) return ', not confirmed (1 of 1)'
  return isFlaky(finding) ? `, ${finding.failures} of ${finding.tries} times` : ''
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
