/**
 * The calls of a run, read from the journal: which call of other runs each one is, and what a hunt remembers of it. Sets of
 * faults on these calls as the rules of a scenario, and the rules that a scenario applied as a set of faults.
 */
import { isPlannedRule, parseFaultRule } from '../../core/decide/call/rule-usage.ts'
import { turnReader } from '../../core/dialects/read-turn.ts'
import type { JournalEntry } from '../../core/journal/entry.ts'
import { hashName } from '../../core/lib/random/hash.ts'
import { shorten } from '../../core/lib/text/wording.ts'
import { faultNamed } from '../../core/protocol/faults/read-fault.ts'
import { placesIn } from '../../core/protocol/faults/responses-events.ts'
import { faultIn } from '../../core/protocol/plan/plan.ts'
import { parseCallCount } from '../../core/scenario/compile/call-count.ts'
import { compileIgnore } from '../../core/scenario/compile/ignore.ts'
import { findBodyDifferences } from '../../core/scenario/conditions/request-condition.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import {
  type AnswerKind,
  type CallTraits,
  type FaultFields,
  faultFields,
  faultsOfClass,
  faultText,
  isFaultClass,
} from './fault-classes.ts'
import {
  ALL,
  type FaultSet,
  faultFinder,
  isSameKind,
  nthOfKind,
  outageStart,
  outagesOf,
  type PlannedFault,
  startOf,
  withFault,
} from './fault-set.ts'
import type { SeenCall } from './known-runs.ts'

export const IDENTITIES = ['exact', 'coarse'] as const

/** By their whole body, or by their endpoint, model and place in the run. */
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
export interface KnownCall extends CallTraits, CallRule {
  /** For reports: `POST chat "Summarise..."`. */
  readonly label: string
  /** A rule for a scenario that would match it: `{ when: { user: "Summarise" }, say: ... }`; '' if its last text is none. */
  readonly rule: string
  /** A hash of its body without what repeats earlier answers: the same for calls that carry on with other answers. */
  readonly asked: string
  /** True if its answer was seen without a fault, so that `content` is certain. */
  readonly isCertain: boolean
  /** The bytes of each event of its answer; empty unless it is a stream. */
  readonly eventSizes: readonly number[]
}

/** The calls that were seen, by their names. */
export type KnownCalls = ReadonlyMap<string, KnownCall>

/** @throws when no run has shown the call. */
export function knownCall(id: string, known: KnownCalls): KnownCall {
  const found = known.get(id)
  if (found === undefined) throw new Error(`expected a call that was seen, got ${id}`)
  return found
}

/** The scenario of a hunt: what the hunt ignores, the scenario ignores. */
export const ignoring = (source: ScenarioSource, ignore: readonly string[] = []): ScenarioSource =>
  ignore.length === 0 ? source : { ...source, ignore: [...new Set([...(source.ignore ?? []), ...ignore])] }

/**
 * Names the calls of one run: by their whole bodies, without what is ignored of them, or by their place in the run. The
 * function is given the calls one by one, in the order in which they arrived.
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
  return (entry: JournalEntry): CallRule & Required<Pick<SeenCall, 'id' | 'attempt' | 'places'>> => {
    const { endpoint, model, request, attempt, body = {} } = entry
    const places = [ALL, `${endpoint} ${model}`].map((kind) => nthOfKind(kind, count(entry, kind)))
    if (identity === 'coarse') {
      const when = { endpoint, ...(model !== '' && { model }) } as CallRule['when']
      return { id: places[1]!, attempt: 1, places, when, isCounted: true }
    }
    // The mock counts the attempts of a request, by its whole body.
    if (ignore === undefined) return { id: request, attempt, places, when: { request: body }, isCounted: false }
    const compared = ignore(body)
    const id = hashName(JSON.stringify([endpoint, compared]))
    return { id, attempt: count(entry, id), places, when: { request: compared }, isCounted: true }
  }
}

/** The calls of a run. Adds what is new to `known`. Calls that are answered without a body, such as GET, do not count. */
export function observeCalls(
  entries: readonly JournalEntry[],
  planned: FaultSet,
  known: Map<string, KnownCall>,
  identity: IdentityOptions,
): SeenCall[] {
  const identify = identifyCalls(identity)
  const faultOf = faultFinder(planned)
  return entries.flatMap((entry): SeenCall | [] => {
    // Outages count every call, also those that a hunt does not break alone.
    const { id, attempt, places, when, isCounted } = identify(entry)
    if (!isHunted(entry)) return []
    const expected = faultOf(id, attempt, places)
    const isCertain = expected === undefined && entry.status === 200
    if (!known.has(id) || (isCertain && !known.get(id)!.isCertain))
      known.set(id, { ...describe(entry), when, isCounted, isCertain })
    const call = { id, attempt, places, ...(entry.unmatched && expected === undefined && { isUnscripted: true }) }
    if (expected === undefined) return call
    const from = faultIn(entry.reason)?.from
    if (from !== undefined && isPlannedRule(from, planned.length)) {
      // The class of an outage may mean another fault on this call than on the one with which it began.
      const start = outagesOf(planned).find(({ fault }) => fault === expected)?.call ?? id
      const [there, here] = [start, id].map((one) => faultsOfClass(expected, knownCall(one, known))[0])
      return { ...call, fault: there === here ? expected : there! }
    }
    // An outage skips calls that its fault does not suit.
    return outagesOf(planned).some(({ fault, call: first }) => fault === expected && first !== id)
      ? call
      : { ...call, refused: expected }
  })
}

/** True for a call that a hunt can break. */
export const isHunted = ({ method, endpoint }: JournalEntry): boolean => method === 'POST' && endpoint !== 'unknown'

function describe(entry: JournalEntry): Omit<KnownCall, 'isCertain' | keyof CallRule> {
  const { endpoint, body = {} } = entry
  const isStream = body.stream === true
  // The text that tells calls apart best: the last message, or the input.
  const { messages } = turnReader(endpoint)(body)
  const last = messages.at(-1)
  const own = messages.flatMap(({ role, content }) => (role === 'assistant' ? [] : [{ role, content }]))
  const rest = {
    ...body,
    ...(last !== undefined && { messages: own, input: undefined, previous_response_id: undefined }),
  }
  const prompt = (last === undefined ? body.input : last.content) ?? ''
  return {
    isStream,
    eventSizes: isStream ? sizesOf(entry) : [],
    content: contentOf(entry),
    asked: hashName(JSON.stringify([endpoint, rest])),
    label: `POST ${endpoint} ${shorten(JSON.stringify(prompt))}`,
    rule:
      typeof last?.content === 'string'
        ? `{ when: { ${last.role === 'user' ? 'user' : 'toolResult'}: ${JSON.stringify(last.content.slice(0, RULE_TEXT))} }, say: ... }`
        : '',
  }
}

/** Most characters of a text in a rule that a report proposes. */
const RULE_TEXT = 40

/** The label of a call; like calls are told apart by what differs: `POST chat "Hello", model: 'gpt-4o-mini'`. */
export function labelOf(id: string, known: KnownCalls): string {
  const { label, when } = knownCall(id, known)
  const [, like] = [...known].find(([other, call]) => other !== id && call.label === label) ?? []
  if (like?.when.request === undefined || when.request === undefined) return label
  const [change] = bodyDifferences(like, { when })
  return change === undefined
    ? label
    : `${label}, ${change.field.replace(/^request\./, '')}: ${change.describe().found}`
}

/** The differences of what tells two calls apart: their bodies, or their conditions. */
export function bodyDifferences(...calls: readonly [Pick<KnownCall, 'when'>, Pick<KnownCall, 'when'>]) {
  const [one, other] = calls.map(({ when }): unknown => when.request ?? when)
  return findBodyDifferences(one, other, (first, second) => JSON.stringify(first) === JSON.stringify(second))
}

/** The bytes between the places at which `cut` counts: those of each event, or up to each place of a response. */
function sizesOf({ endpoint, timeline = [] }: JournalEntry): readonly number[] {
  const sends = timeline.flatMap((step) => (step.type === 'send' ? [step] : []))
  if (endpoint !== 'responses') return sends.map(({ bytes }) => bytes)
  let start = 0
  return [...placesIn(sends.length, (index) => sends[index]!.data ?? '')].map((end) => {
    const size = sends.slice(start, end).reduce((sum, { bytes }) => sum + bytes, 0)
    start = end
    return size
  })
}

const CALLS = /"tool_calls":\[|"type":\s*"function_call"/

function contentOf({ endpoint, body = {}, timeline = [] }: JournalEntry): AnswerKind {
  if (endpoint === 'embeddings') return 'embeddings'
  if (timeline.some((step) => step.type === 'send' && CALLS.test(step.data ?? ''))) return 'tool calls'
  return turnReader(endpoint)(body).format.type === 'text' ? 'text' : 'json'
}

/** The scenario with the planned faults before its own. A fault on one attempt goes before one on every attempt. */
export function withFaults(source: ScenarioSource, planned: FaultSet, known: KnownCalls): ScenarioSource {
  if (planned.length === 0) return source
  // Faults on one attempt go before those on every attempt. Of the latter, the one that begins last goes first.
  const rank = (fault: PlannedFault): number => (fault.attempt === 'every' ? 1e9 - startOf(fault) : startOf(fault))
  const others = planned.filter((fault) => outageStart(fault) === undefined)
  const rules = [...outagesOf(planned), ...others.sort((one, other) => rank(one) - rank(other))].map((fault) => {
    const call = knownCall(fault.call, known)
    const outage = outageStart(fault)
    if (outage !== undefined) return { ...faultFields(fault.fault, call), ...outageFields(outage) } as SourceFault
    const { when, isCounted } = call
    const attempt = fault.attempt !== 'every' && { attempt: fault.attempt }
    const place = isCounted ? { when, ...countFields(fault, planned) } : { when: { ...when, ...attempt } }
    return { ...faultFields(fault.fault, call), ...place } as SourceFault
  })
  return { ...source, faults: [...rules, ...(source.faults ?? [])] }
}

/** The conditions and the schedule of a rule for all calls from one on: `from chat gpt-4o #2`. */
function outageFields(start: string): Pick<SourceFault, 'when' | 'skip'> {
  const [, endpoint = ALL, model = '', place] = /^(\S+) ?(.*) #(\d+)$/.exec(start) ?? []
  const when = { ...(endpoint !== ALL && { endpoint }), ...(model !== '' && { model }) } as CallRule['when']
  return { ...(endpoint !== ALL && { when }), ...skipped(Number(place) - 1) }
}

const skipped = (count: number): Pick<SourceFault, 'skip'> => (count > 0 ? { skip: count } : {})

/** The schedule of a rule that counts the calls that its conditions match, from which earlier rules take some. */
function countFields(fault: PlannedFault, planned: FaultSet): Pick<SourceFault, 'skip' | 'times'> {
  const start = startOf(fault)
  const takenBefore = planned.filter(
    (one) => typeof one.attempt === 'number' && isSameKind(one.call, fault.call) && startOf(one) < start,
  )
  return { ...skipped(start - 1 - takenBefore.length), ...(fault.attempt !== 'every' && { times: 1 }) }
}

/** The scenario without the faults of its rules: those of `faults`, and of states. */
export function withoutFaults({ faults: _, states, ...source }: ScenarioSource): ScenarioSource {
  if (states === undefined) return source
  const calm = Object.entries(states).map(([name, { faults: _faults, ...state }]) => [name, state])
  return { ...source, states: Object.fromEntries(calm) }
}

/** The faults that the rules of a scenario have applied to calls, without their conditions and schedules. */
export function appliedFaults(
  entries: readonly JournalEntry[],
  { faults, states }: ScenarioSource,
  identity: IdentityOptions,
): FaultSet {
  const identify = identifyCalls(identity)
  return entries.filter(isHunted).reduce<FaultSet>((applied, entry) => {
    const { id, attempt } = identify(entry)
    const found = parseFaultRule(faultIn(entry.reason)?.from ?? '')
    if (found === undefined) return applied
    const rule = (found.state === undefined ? faults : states?.[found.state]?.faults)?.[found.index]
    if (rule === undefined) return applied
    const options = Object.keys(faultNamed(rule.fault)?.options ?? {})
    const fields = Object.entries(rule).filter(
      // `after` is an option of some faults, and a schedule when it is a number of calls.
      ([name, value]) => options.includes(name) && parseCallCount(value) === undefined,
    )
    const text = faultText({ ...Object.fromEntries(fields), fault: String(rule.fault) } as FaultFields)
    // The name of a fault may be that of a class too: `server-error;` is the fault without options.
    return withFault(applied, { call: id, attempt, fault: isFaultClass(text) ? `${text};` : text }) ?? applied
  }, [])
}
