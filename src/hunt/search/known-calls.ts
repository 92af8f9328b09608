/**
 * The calls of a run, read from the journal: which call of other runs each one is, and which planned fault it got.
 *
 * Say a chat with the body `{ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] }` is the third call of a run,
 * the second with its model, and the first one again. These tell it apart, by its body (`exact`) and by its place (`coarse`):
 *
 *                exact                                coarse
 *     id         1q307jmytm5                          chat gpt-4o #2                           the call in all runs
 *     attempt    2                                    1                                        among calls of this id
 *     positions  * #3, chat gpt-4o #2                 the same                                 for outages
 *     when       { request: { model, messages } }     { endpoint: 'chat', model: 'gpt-4o' }    for the rule of a fault
 *     isCounted  false: the condition `attempt`       true: `skip` and `times` of the rule     who counts attempts
 *
 * With `ignore`, it is the body without what is ignored, and `isCounted` is true. `describe-call.ts` has its description.
 */
import { isPlannedRule } from '../../core/decide/call/rule-usage.ts'
import type { JournalEntry } from '../../core/journal/entry.ts'
import { hashName } from '../../core/lib/random/hash.ts'
import { faultIn } from '../../core/protocol/plan/plan.ts'
import { compileIgnore } from '../../core/scenario/compile/ignore.ts'
import { findBodyDifferences } from '../../core/scenario/conditions/request-condition.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { type CallDescription, describeCall } from './describe-call.ts'
import { faultsOfClass } from './fault-classes.ts'
import { ALL_CALLS, type FaultSet, faultFinder, outagesOf } from './fault-set.ts'
import type { SeenCall } from './known-runs.ts'

export const IDENTITIES = ['exact', 'coarse'] as const

/** By their whole body, or by their endpoint, model and position in the run. */
export type IdentityName = (typeof IDENTITIES)[number]

export interface IdentityOptions {
  readonly identity?: IdentityName | undefined
  /** Paths and patterns of the body that may change, as in a scenario. */
  readonly ignore?: readonly string[] | undefined
}

/** A rule of `faults` in a scenario. */
export type SourceFault = NonNullable<ScenarioSource['faults']>[number]

/** The part of a rule that picks a call out. */
export interface CallRule {
  readonly when: NonNullable<SourceFault['when']>
  /** True if attempts are counted by the rule itself (`skip`, `times`), and not with the condition `attempt`. */
  readonly isCounted: boolean
}

/** A call that a hunt can break. */
export interface KnownCall extends CallDescription, CallRule {
  /** True if its answer was seen without a fault, so that `content` is certain. */
  readonly isCertain: boolean
}

/** The calls that were seen, by their names. */
export type KnownCalls = ReadonlyMap<string, KnownCall>

/** @throws when no run has shown the call. */
export function knownCall(id: string, known: KnownCalls): KnownCall {
  const call = known.get(id)
  if (call === undefined) throw new Error(`expected a call that was seen, got ${id}`)
  return call
}

/**
 * The calls of a run. Calls that are answered without a body, such as GET, do not count.
 * @param planned the faults of the run
 * @param known gets the calls that are new, and those that are certain only now
 */
export function observeCalls(
  entries: readonly JournalEntry[],
  planned: FaultSet,
  known: Map<string, KnownCall>,
  identity: IdentityOptions,
): SeenCall[] {
  const identify = identifyCalls(identity)
  const faultOf = faultFinder(planned)
  const outages = outagesOf(planned)
  return entries.flatMap((entry): SeenCall | [] => {
    // Asked for each call: positions count those too that a hunt does not break.
    const { id, attempt, positions, when, isCounted } = identify(entry)
    if (!isHunted(entry)) return []
    const expected = faultOf(id, attempt, positions)
    const isCertain = expected === undefined && entry.status === 200
    const knownBefore = known.get(id)
    if (knownBefore === undefined || (isCertain && !knownBefore.isCertain))
      known.set(id, { ...describeCall(entry), when, isCounted, isCertain })
    const call: SeenCall = { id, attempt, positions }
    if (expected === undefined) return entry.unmatched ? { ...call, isUnscripted: true } : call

    const appliedRule = faultIn(entry.reason)?.from
    const hasApplied = appliedRule !== undefined && isPlannedRule(appliedRule, planned.length)
    const starts = outages.flatMap(({ fault, call: start }) => (fault === expected ? [start] : []))
    if (hasApplied) return { ...call, fault: nameApplied(expected, id, starts[0], known) }
    // An outage skips calls that its fault does not suit, but it must suit the one with which it begins.
    const isSkipped = starts.some((start) => start !== id)
    return isSkipped ? call : { ...call, refused: expected }
  })
}

/**
 * The name of the fault that a call got: the planned one, unless that is a class which means another fault here than on the
 * call with which an outage began. An outage of `cut` that began with a stream is `cut; after=2` there, and so it is on a
 * call without a stream, on which `cut` would be `half-body`.
 */
function nameApplied(planned: string, id: string, outageStart: string | undefined, known: KnownCalls): string {
  const [faultHere] = faultsOfClass(planned, knownCall(id, known))
  const [applied] = faultsOfClass(planned, knownCall(outageStart ?? id, known))
  return applied === faultHere ? planned : applied
}

/**
 * Names the calls of one run: by their whole bodies, without what is ignored of them, or by their position in the run. The
 * function counts attempts and positions. For right positions, give it every call, in the order in which they arrived.
 */
export function identifyCalls({ identity = 'exact', ignore: ignored = [] }: IdentityOptions) {
  const ignore = ignored.length === 0 ? undefined : compileIgnore(ignored)
  const counts = new Map<string, number>()
  /** Counts as the rules of a scenario do: for each key, or session of it. */
  const count = ({ caller, session = '' }: JournalEntry, name: string): number => {
    const key = JSON.stringify([caller, session, name])
    const counted = (counts.get(key) ?? 0) + 1
    counts.set(key, counted)
    return counted
  }
  return (entry: JournalEntry): CallRule & Required<Pick<SeenCall, 'id' | 'attempt' | 'positions'>> => {
    const { endpoint, model, request, attempt, body = {} } = entry
    const positions = [ALL_CALLS, `${endpoint} ${model}`].map((kind) => `${kind} #${count(entry, kind)}`)
    if (identity === 'coarse') {
      const when = { endpoint, ...(model !== '' && { model }) } as CallRule['when']
      return { id: positions[1]!, attempt: 1, positions, when, isCounted: true }
    }
    // The mock counts the attempts of a request, by its whole body.
    if (ignore === undefined) return { id: request, attempt, positions, when: { request: body }, isCounted: false }
    const compared = ignore(body)
    const id = hashName(JSON.stringify([endpoint, compared]))
    return { id, attempt: count(entry, id), positions, when: { request: compared }, isCounted: true }
  }
}

/** True for a call that a hunt can break. */
export const isHunted = ({ method, endpoint }: JournalEntry): boolean => method === 'POST' && endpoint !== 'unknown'

/** The label of a call; like calls are told apart by what differs: `POST chat "Hello", model: 'gpt-4o-mini'`. */
export function labelOf(id: string, known: KnownCalls): string {
  const { label, when } = knownCall(id, known)
  const [, twin] = [...known].find(([other, call]) => other !== id && call.label === label) ?? []
  // A call that is named by its position has no body to compare.
  if (twin?.when.request === undefined || when.request === undefined) return label
  const [change] = bodyDifferences(twin, { when })
  if (change === undefined) return label
  return `${label}, ${change.field.replace(/^request\./, '')}: ${change.describe().found}`
}

/** The differences of what tells two calls apart: their bodies, or their conditions. */
export function bodyDifferences(...calls: readonly [Pick<KnownCall, 'when'>, Pick<KnownCall, 'when'>]) {
  const [one, other] = calls.map(({ when }): unknown => when.request ?? when)
  return findBodyDifferences(one, other, (first, second) => JSON.stringify(first) === JSON.stringify(second))
}
