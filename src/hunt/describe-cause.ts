/**
 * Causes in words, as each report of a hunt shows them:
 *
 *     FAILS with 1 fault: 2 tables are booked
 *       call 2 (POST chat "booked as number 1", attempt 1): server-error or cut
 *       also call 3 (POST chat "Please book a table for two.", attempt 1): hang
 *       | Error: 2 tables are booked
 *       Replay: { replay: '1q307jmytm5:1:server-error:retryAfter=0s' }
 */
import { countOf } from '../core/lib/text/wording.ts'
import { messageOf } from '../play/index.ts'
import type { Paint } from '../terminal/text.ts'
import type { Cause, FindingGroup, GroupedAttempt } from './causes.ts'
import type { PlayedFinding } from './drive.ts'
import { isFlaky, type Refinement } from './search/experiments.ts'
import { faultFields, faultText, isFaultClass } from './search/fault-classes.ts'
import { isNthOfKind, isOfModel, outageStart, type PlannedFault } from './search/fault-set.ts'
import { type KnownCalls, knownCall, labelOf } from './search/known-calls.ts'

/** A cause in words. */
export interface DescribedFinding {
  /** `1 fault`, `2 faults, 3 of 5 times`, or `1 fault, not confirmed (1 of 1)`. */
  readonly size: string
  /** A line for each call: `call 2 (POST chat "Summarise...", every attempt): cut; before=finish`, then what repeats it. */
  readonly faults: readonly string[]
  /** The failure of the first of them: `It ended with exit code 1.` */
  readonly error: string
  /** The last lines of its output then, or those from its first error on. */
  readonly output: readonly string[]
}

/**
 * Describes findings with one cause: the first group, and in a line each those that repeat it.
 * @param skipOption the option that leaves out outages: `--skip-outages`
 */
export function describeCause({ groups, isOutage }: Cause, known: KnownCalls, skipOption: string): DescribedFinding {
  const [group, ...repeats] = groups
  const first = group.findings[0]!
  const { faults, failures, tries } = first
  const howOften = isFlaky(first) ? `, ${failures} of ${tries} times` : ''
  // The calls that only faults led to, and that the scenario has no rule for.
  const unscripted = first.unscripted.map((id) => {
    const { rule } = knownCall(id, known)
    const remedy = rule === '' ? 'add a rule for it' : `add a rule: ${rule}`
    return `${nameCall(id, known)} was answered by the echo, because no rule of the scenario matches it. If the model would say something else, ${remedy}`
  })
  const outage = `An outage: the service never comes back. If your app then shows a clear error, let the test accept it, or skip outages (${skipOption}).`
  return {
    size: countOf(faults.length, 'fault') + (tries === 1 ? ', not confirmed (1 of 1)' : howOften),
    faults: [
      ...describeGroup(group, known),
      ...describeRepeats(repeats, known),
      ...unscripted,
      ...(isOutage ? [outage] : []),
    ],
    error: messageOf(first.error),
    output: first.output,
  }
}

/** A line for each call that has a fault, in the order of the calls, which is not that of the faults in a set. */
function describeGroup({ attempts, findings }: FindingGroup<PlayedFinding>, known: KnownCalls): string[] {
  const ids = [...known.keys()]
  const lines = attempts
    .map((attempt, index) => ({ attempt, refinement: findings[0]!.refinements?.[index] }))
    .sort((one, other) => ids.indexOf(one.attempt.call) - ids.indexOf(other.attempt.call))
    .map(({ attempt, refinement }) => describeAttempt(attempt, known, refinement))
  const combinations = attempts.reduce((product, { faults }) => product * faults.length, 1)
  if (combinations > findings.length) lines.push(`${findings.length} of these ${combinations} combinations`)
  return [...lines, ...new Set(findings.flatMap(({ detail = [] }) => detail))]
}

/** `FAILS with 1 fault: It ended with exit code 1.` */
export const titleOf = ({ size, error }: Pick<DescribedFinding, 'size' | 'error'>): string =>
  `FAILS with ${size}: ${error}`

/**
 * A finding as a block of text: its title, the faults, what the app printed, and how to repeat it.
 * @param printed lines of its output. Default: none
 * @param repeat lines that say how to repeat it. Default: none
 */
export function blockOf(
  finding: Pick<DescribedFinding, 'size' | 'error' | 'faults'>,
  printed: readonly string[] = [],
  repeat: readonly string[] = [],
  paint: Paint = (_, text) => text,
): string {
  const lines = [...finding.faults, ...printed.map((line) => paint('dim', `| ${line}`)), ...repeat]
  return [paint('red', titleOf(finding)), ...lines.map((line) => `  ${line}`)].join('\n')
}

/** `call 2 (POST chat "Summarise...", every attempt): cut; before=finish`. */
export const describeFault = ({ call, attempt, fault }: PlannedFault, known: KnownCalls): string =>
  describeAttempt({ call, attempt, faults: [fault] }, known)

/** The faults on one call, with what became of others of the class: `also with 502, 503` and `not with 504`. */
function describeAttempt(
  { call, attempt, faults }: GroupedAttempt,
  known: KnownCalls,
  { fails, passes }: Refinement = { fails: [], passes: [] },
): string {
  const [first = '', ...others] = faults
  const name = nameCall(call, known, `, ${describeExtent({ call, attempt })}`)
  // One fault is shown with its options. Of several, the classes say more.
  if (others.length > 0) return `${name}: ${faults.slice(0, -1).join(', ')} or ${faults.at(-1)}`
  const text = faultText(faultFields(first, knownCall(call, known)))
  // The class `bad-request` stands for `invalid-request`, and `hang` for the fault of that name.
  const hasOtherName = isFaultClass(first) && !`${text};`.startsWith(`${first};`)
  const listOf = (variants: readonly string[]): string => variants.join(', ').replace(/; retryAfter=\w+/g, '')
  const remarks = [
    ...(hasOtherName ? [text] : []),
    ...(fails.length > 0 ? [`also with ${listOf(fails)}`] : []),
    ...(passes.length > 0 ? [`not with ${listOf(passes)}`] : []),
  ]
  return `${name}: ${hasOtherName ? first : text}${remarks.length > 0 ? ` (${remarks.join('; ')})` : ''}`
}

/** `call 2 (POST chat "Summarise...")`, with more in the brackets. */
const nameCall = (id: string, known: KnownCalls, more = ''): string =>
  `call ${[...known.keys()].indexOf(id) + 1} (${labelOf(id, known)}${more})`

/** `attempt 1`, `every attempt` or `from this call on`. */
function describeExtent({ call, attempt }: Pick<PlannedFault, 'call' | 'attempt'>): string {
  const isOutage = outageStart({ attempt }) !== undefined
  if (isOutage) return isOfModel({ attempt }) ? 'from this call on, of its model' : 'from this call on'
  if (attempt === 'every') return isNthOfKind(call) ? 'from here on' : 'every attempt'
  return isNthOfKind(call) ? 'once' : `attempt ${attempt}`
}

/** Most groups of findings that are shown as repeating a cause. Others are counted. */
const MAX_REPEATS = 3

/** `also call 2 (POST chat "Hello", every attempt): hang`, `also after a retry or a fallback: 56 sets`. */
function describeRepeats(groups: readonly FindingGroup[], known: KnownCalls): string[] {
  const onOneCall = groups.filter(({ attempts }) => attempts.length === 1)
  const onSeveral = groups.filter(({ attempts }) => attempts.length > 1)
  const countSets = (where: string, counted: readonly FindingGroup[]): string[] =>
    counted.length === 0 ? [] : [`also ${where}: ${countOf(counted.flatMap(({ findings }) => findings).length, 'set')}`]
  return [
    ...onOneCall.slice(0, MAX_REPEATS).map(({ attempts }) => `also ${describeAttempt(attempts[0]!, known)}`),
    ...countSets('on other calls or attempts', onOneCall.slice(MAX_REPEATS)),
    ...countSets('after a retry or a fallback', onSeveral),
  ]
}
