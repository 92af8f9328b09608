/** Causes: findings that come from the same place in the app are one. Here they are found, and put into words. */
import { dirname } from 'node:path'
import { countOf } from '../core/lib/text/wording.ts'
import { messageOf } from '../play/index.ts'
import type { Paint } from '../terminal/text.ts'
import type { PlayedFinding } from './drive.ts'
import { type FindingGroup, type GroupPlace, groupFindings, isFlaky, type Refinement } from './search/experiments.ts'
import { faultFields, faultText, isFaultClass } from './search/fault-classes.ts'
import {
  ALL,
  isLasting,
  isNthOfKind,
  isSameKind,
  nthOfKind,
  outageStart,
  type PlannedFault,
} from './search/fault-set.ts'
import { type KnownCalls, knownCall, labelOf } from './search/known-calls.ts'

/** Findings with one cause. */
export interface Cause<One extends PlayedFinding = PlayedFinding> {
  /** The group that shows it best, then those that repeat it: on like calls, for longer, or after a retry. */
  readonly groups: readonly [FindingGroup<One>, ...FindingGroup<One>[]]
  /** True if the app fails only under faults that never end, so that no client gets an answer. */
  readonly isOutage: boolean
}

/** A line of a stack that is the app's: `at ask (/app/agent.js:12:3)`, `File "agent.py", line 12`. */
const FRAME = /^\s*(?:\|\s*)?(?:at .*?([^\s()]+:\d+):\d+\)?|File "([^"]+", line \d+).*|❯ (?:.* )?(\S+:\d+):\d+)$/gm
const FOREIGN = /node_modules|node:|<anonymous>|site-packages|\/lib\/python/
const MOCK = dirname(import.meta.dirname)
/** Messages of a run that the hunt had to end. */
const ENDLESS = /^It (?:made more than|used|had not ended)/
const DOES_NOT_END = 'It does not end.'

/**
 * The name of what made a run fail: the place in the app that threw, or the error without what differs from run to run.
 * @param trace a stack, or what a command has printed
 */
export function causeOf(error: string, trace: string): string {
  if (ENDLESS.test(error)) return DOES_NOT_END
  const frames = [...trace.matchAll(FRAME)].map(([, js, python, vitest]) => js ?? python ?? vitest!)
  const own = frames.filter((frame) => !FOREIGN.test(frame) && !frame.includes(MOCK))
  // Python prints the innermost call last.
  const place = trace.includes('Traceback (') ? own.at(-1) : own[0]
  // An error that the app lets through: many libraries leave no line of the app in its stack.
  const outermost = frames.findLast((frame) => frame.includes('node_modules'))
  return place ?? outermost ?? error.replace(/(["'`]).*\1/gs, '$1$1').replace(/\d+/g, '0')
}

/** The causes of findings: those of outages last. Of a cause, the smallest findings come first, and faults that end. */
export function groupCauses<One extends PlayedFinding>(findings: readonly One[]): Cause<One>[] {
  const rank = (finding: PlayedFinding): number =>
    100 * Number(finding.tries === 1 || isFlaky(finding)) + 10 * finding.faults.length + lastingIn(finding)
  const byCause = new Map<string, One[]>()
  for (const finding of findings.toSorted((one, other) => rank(one) - rank(other)))
    byCause.set(finding.cause, [...(byCause.get(finding.cause) ?? []), finding])
  const causes = [...byCause.values()].map((members): Cause<One> => {
    const [first, ...others] = groupFindings(members)
    const isOutage = members.every((one) => lastingIn(one) > 0 && one.cause !== DOES_NOT_END)
    return { groups: [first!, ...others], isOutage }
  })
  return causes.sort((one, other) => Number(one.isOutage) - Number(other.isOutage))
}

const lastingIn = ({ faults }: PlayedFinding): number => faults.filter(isLasting).length

/** `call 2 (POST chat "Summarise...", every attempt): cut; before=finish`. */
export const describeFault = ({ call, attempt, fault }: PlannedFault, known: KnownCalls): string =>
  describePlace({ call, attempt, faults: [fault] }, known)

/** A finding in words. */
export interface DescribedFinding {
  /** `1 fault`, or `2 faults, 3 of 5 times`. */
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
  const [group, ...others] = groups
  const { findings } = group
  const { refinements, faults, failures, tries, error, output, unscripted } = findings[0]!
  // In the order of the calls, which is not that of the faults in a set.
  const ids = [...known.keys()]
  const order = group.places.toSorted((one, other) => ids.indexOf(one.call) - ids.indexOf(other.call))
  const lines = order.map((place) => describePlace(place, known, refinements?.[group.places.indexOf(place)]))
  const possible = order.reduce((product, place) => product * place.faults.length, 1)
  const some = possible > findings.length ? [`${findings.length} of these ${possible} combinations`] : []
  const details = new Set(findings.flatMap(({ detail }) => detail ?? []))
  const flaky = isFlaky(findings[0]!) ? `, ${failures} of ${tries} times` : ''
  const often = tries === 1 ? ', not confirmed (1 of 1)' : flaky
  const echoes = unscripted.map((id) => {
    const { rule } = knownCall(id, known)
    const remedy = rule === '' ? 'add a rule for it' : `add a rule: ${rule}`
    return `${nameCall(id, known)} was answered by the echo, because no rule of the scenario matches it. If the model would say something else, ${remedy}`
  })
  const advice = `An outage: the service never comes back. If your app then shows a clear error, let the test accept it, or skip outages (${skipOption}).`
  return {
    size: countOf(faults.length, 'fault') + often,
    faults: [
      ...lines,
      ...some,
      ...details,
      ...describeRepeats(others, known),
      ...echoes,
      ...(isOutage ? [advice] : []),
    ],
    error: messageOf(error),
    output,
  }
}

export const titleOf = ({ size, error }: Pick<DescribedFinding, 'size' | 'error'>): string =>
  `FAILS with ${size}: ${error}`

/**
 * A finding as a block of text: its title, the faults, what the app printed, and how to repeat it.
 * @param printed lines of its output
 * @param repeat lines that say how to repeat it
 */
export function blockOf(
  finding: Pick<DescribedFinding, 'size' | 'error' | 'faults'>,
  printed: readonly string[],
  repeat: readonly string[],
  paint: Paint = (_, text) => text,
): string {
  const lines = [...finding.faults, ...printed.map((line) => paint('dim', `| ${line}`)), ...repeat]
  return [paint('red', titleOf(finding)), ...lines.map((line) => `  ${line}`)].join('\n')
}

const MAX_REPEATS = 3

/** `also call 2 (POST chat "Hello", every attempt): hang`, `also after a retry or a fallback: 56 sets`. */
function describeRepeats(groups: readonly FindingGroup[], known: KnownCalls): string[] {
  const alone = groups.filter(({ places }) => places.length === 1)
  const shown = alone.slice(0, MAX_REPEATS).map(({ places }) => `also ${describePlace(places[0]!, known)}`)
  const count = (where: string, some: readonly FindingGroup[]): string[] =>
    some.length === 0 ? [] : [`also ${where}: ${countOf(some.flatMap(({ findings }) => findings).length, 'set')}`]
  const together = groups.filter(({ places }) => places.length > 1)
  return [
    ...shown,
    ...count('on other calls or attempts', alone.slice(MAX_REPEATS)),
    ...count('after a retry or a fallback', together),
  ]
}

/** `call 2 (POST chat "Summarise...")`, with more in the brackets. */
const nameCall = (id: string, known: KnownCalls, more = ''): string =>
  `call ${[...known.keys()].indexOf(id) + 1} (${labelOf(id, known)}${more})`

/** The faults on one call, with what became of others of the class: `also with 502, 503` and `not with 504`. */
function describePlace(
  { call, attempt, faults }: GroupPlace,
  known: KnownCalls,
  { fails, passes }: Refinement = { fails: [], passes: [] },
): string {
  const found = knownCall(call, known)
  const [first = '', ...others] = faults
  const place = nameCall(call, known, `, ${describeExtent({ call, attempt })}`)
  // One fault is shown with its options. Of several, the classes say more.
  if (others.length > 0) return `${place}: ${faults.slice(0, -1).join(', ')} or ${faults.at(-1)}`
  const text = faultText(faultFields(first, found))
  const hasOtherName = isFaultClass(first) && !`${text};`.startsWith(`${first};`)
  const listOf = (variants: readonly string[]): string => variants.join(', ').replace(/; retryAfter=\w+/g, '')
  const details = [
    ...(hasOtherName ? [text] : []),
    ...(fails.length > 0 ? [`also with ${listOf(fails)}`] : []),
    ...(passes.length > 0 ? [`not with ${listOf(passes)}`] : []),
  ]
  return `${place}: ${hasOtherName ? first : text}${details.length > 0 ? ` (${details.join('; ')})` : ''}`
}

function describeExtent({ call, attempt }: Pick<PlannedFault, 'call' | 'attempt'>): string {
  const start = outageStart({ attempt })
  if (start !== undefined)
    return isSameKind(start, nthOfKind(ALL, 1)) ? 'from this call on' : 'from this call on, of its model'
  if (attempt === 'every') return isNthOfKind(call) ? 'from here on' : 'every attempt'
  return isNthOfKind(call) ? 'once' : `attempt ${attempt}`
}
