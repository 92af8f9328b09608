/**
 * The calls of a run, read from the journal: which call of other runs each one is, and what a hunt remembers of it.
 *
 * A chat with the body `{ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] }` has the label
 * `POST chat "Hello"`. By its body it is the call `1q307jmytm5` of each run, and by its position `chat gpt-4o #1`.
 */
import { isPlannedRule } from '../../core/decide/call/rule-usage.ts'
import { turnReader } from '../../core/dialects/read-turn.ts'
import type { JournalEntry } from '../../core/journal/entry.ts'
import { hashName } from '../../core/lib/random/hash.ts'
import { shorten } from '../../core/lib/text/wording.ts'
import { placesIn } from '../../core/protocol/faults/responses-events.ts'
import { faultIn } from '../../core/protocol/plan/plan.ts'
import { compileIgnore } from '../../core/scenario/compile/ignore.ts'
import { findBodyDifferences } from '../../core/scenario/conditions/request-condition.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { type AnswerKind, type CallTraits, faultsOfClass } from './fault-classes.ts'
import { ALL_CALLS, type FaultSet, faultFinder, nthOfKind, outagesOf } from './fault-set.ts'
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
  const call = known.get(id)
  if (call === undefined) throw new Error(`expected a call that was seen, got ${id}`)
  return call
}

/** The scenario of a hunt: what the hunt ignores, the scenario ignores. */
export const ignoring = (source: ScenarioSource, ignore: readonly string[] = []): ScenarioSource =>
  ignore.length === 0 ? source : { ...source, ignore: [...new Set([...(source.ignore ?? []), ...ignore])] }

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
    // Outages count every call, also those that a hunt does not break alone.
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
    if (hasApplied) {
      // The class of an outage may mean another fault on this call than on the one with which it began.
      const outage = outages.find(({ fault }) => fault === expected)
      const [faultAtStart] = faultsOfClass(expected, knownCall(outage?.call ?? id, known))
      const [faultHere] = faultsOfClass(expected, knownCall(id, known))
      return { ...call, fault: faultAtStart === faultHere ? expected : faultAtStart }
    }
    // An outage skips calls that its fault does not suit, but it must suit the one with which it begins.
    const isSkipped = outages.some(({ fault, call: first }) => fault === expected && first !== id)
    return isSkipped ? call : { ...call, refused: expected }
  })
}

/**
 * Names the calls of one run: by their whole bodies, without what is ignored of them, or by their position in the run. The
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
  return (entry: JournalEntry): CallRule & Required<Pick<SeenCall, 'id' | 'attempt' | 'positions'>> => {
    const { endpoint, model, request, attempt, body = {} } = entry
    const positions = [ALL_CALLS, `${endpoint} ${model}`].map((kind) => nthOfKind(kind, count(entry, kind)))
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

/** Most characters of a text in a rule that a report proposes. */
const RULE_TEXT = 40

/** The parts of a call that do not depend on how it is told apart from others. */
function describeCall(entry: JournalEntry): Omit<KnownCall, 'isCertain' | keyof CallRule> {
  const { endpoint, body = {} } = entry
  const isStream = body.stream === true
  const { messages } = turnReader(endpoint)(body)
  // The text that tells calls apart best: the last message, or the input.
  const last = messages.at(-1)
  const prompt = (last === undefined ? body.input : last.content) ?? ''
  const notOfModel = messages.filter(({ role }) => role !== 'assistant').map(({ role, content }) => ({ role, content }))
  // In a body with messages, these stand in place of all that may repeat earlier answers.
  const withoutAnswers = last && { messages: notOfModel, input: undefined, previous_response_id: undefined }
  const condition = last?.role === 'user' ? 'user' : 'toolResult'
  const ruleText = typeof last?.content === 'string' ? JSON.stringify(last.content.slice(0, RULE_TEXT)) : undefined
  return {
    isStream,
    eventSizes: isStream ? eventSizesOf(entry) : [],
    content: answerKindOf(entry),
    asked: hashName(JSON.stringify([endpoint, { ...body, ...withoutAnswers }])),
    label: `POST ${endpoint} ${shorten(JSON.stringify(prompt))}`,
    rule: ruleText === undefined ? '' : `{ when: { ${condition}: ${ruleText} }, say: ... }`,
  }
}

/** The bytes between the places at which `cut` counts: those of each event, or up to each place of a response. */
function eventSizesOf({ endpoint, timeline = [] }: JournalEntry): readonly number[] {
  const sends = timeline.flatMap((step) => (step.type === 'send' ? [step] : []))
  if (endpoint !== 'responses') return sends.map(({ bytes }) => bytes)
  let start = 0
  return [...placesIn(sends.length, (index) => sends[index]!.data ?? '')].map((end) => {
    const size = sends.slice(start, end).reduce((sum, { bytes }) => sum + bytes, 0)
    start = end
    return size
  })
}

const TOOL_CALLS = /"tool_calls":\[|"type":\s*"function_call"/

function answerKindOf({ endpoint, body = {}, timeline = [] }: JournalEntry): AnswerKind {
  if (endpoint === 'embeddings') return 'embeddings'
  if (timeline.some((step) => step.type === 'send' && TOOL_CALLS.test(step.data ?? ''))) return 'tool calls'
  return turnReader(endpoint)(body).format.type === 'text' ? 'text' : 'json'
}

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
