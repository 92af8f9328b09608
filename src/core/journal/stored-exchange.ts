/**
 * One exchange as the journal stores it.
 *
 * The request body and the plan are kept as one text in a ring of bytes, and decoded when somebody reads them.
 *
 * API keys are masked. When a call repeats a key, its timeline shows sizes without data: the chunks of a stream could
 * be joined into a key that none of them contains.
 */

import type { CallContext } from '../decide/call/call-context.ts'
import type { Usage } from '../decide/call/respond.ts'
import { isUnmatched, matchedRuleId } from '../decide/call/rule-usage.ts'
import type { JsonObject } from '../lib/text/json.ts'
import { maskKeysIn } from '../lib/text/mask-keys.ts'
import { truncate } from '../lib/text/wording.ts'
import { faultIn, headOf, limitIn, type Plan, type PlanEvent, type Reason } from '../protocol/plan/plan.ts'
import { sendSizeOf } from '../protocol/plan/transform.ts'
import type { RoutedEndpoint } from '../protocol/request/endpoints.ts'
import type { CachedPrompt } from '../protocol/turn/reply.ts'
import { findNearest, type NearMiss } from '../scenario/check/near-miss.ts'
import { priceOf, toNumber } from '../scenario/compile/budget.ts'
import type { Scenario } from '../scenario/compile/compile.ts'
import { buildFacts, type FactSources } from '../scenario/conditions/facts.ts'
import type { CallUsage, JournalEntry, Outcome, Step } from './entry.ts'
import { maskQuery, maskRepeatedKeys } from './mask-call.ts'
import type { TextPlace, TextRing } from './text-ring.ts'
import { readTimeline, type SentProgress, writeSteps } from './timeline.ts'

const MAX_NAME_LENGTH = 200
/** Counted for each event of a plan besides its data. */
const EVENT_BYTES = 24
const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({})
const UNRECORDED = 'The mock failed to record this call: a bug in llm-api-mock. Its stderr shows the error.'
/** All fields of an entry, in the order of its JSON. A record, because the compiler then reports a missing field. */
// biome-ignore format: a list
const FIELDS = Object.keys({
  number: true, at: true, method: true, path: true, query: true, endpoint: true, key: true, caller: true, session: true, traceparent: true,
  model: true, request: true, attempt: true, state: true, body: true, status: true, headers: true, reason: true, rule: true,
  fault: true, faultOptions: true, limit: true, usage: true, cache: true, notes: true, unmatched: true, nearMiss: true, recording: true, outcome: true, durationMs: true,
  bytes: true,
  timeline: true,
} satisfies Record<keyof JournalEntry, true>) as readonly (keyof JournalEntry)[]

/** Compares a call with its recording; undefined where nothing differs, and for a call without a recording. */
export type RecordingComparer = (entry: JournalEntry) => JournalEntry['recording']

export class StoredExchange implements JournalEntry {
  readonly number: number
  readonly at: number
  readonly method: string
  readonly endpoint: RoutedEndpoint
  readonly key: string
  readonly caller: string
  readonly session: string | undefined
  readonly attempt: number
  readonly state: string | undefined
  readonly faultOptions: JournalEntry['faultOptions']
  readonly cache: CachedPrompt | undefined
  /** The name or pattern of the model in the scenario. */
  readonly listed: string | undefined
  readonly #fingerprint: number

  // The values of a call that could not be recorded: nothing that the client sent, because nothing was masked.
  path = ''
  query: string | undefined
  traceparent: string | undefined
  model = ''
  status = 0
  headers = NO_HEADERS
  reason: Reason
  rule: string | undefined
  fault: string | undefined
  limit: string | undefined
  usage: CallUsage | undefined
  notes: readonly string[] = [UNRECORDED]
  unmatched = false
  outcome: Outcome = 'open'
  durationMs = 0
  readonly #texts: TextRing
  /** The text of the request body, as JSON with its keys masked, and after it the text of the plan. */
  #place: TextPlace | undefined
  /** The UTF-16 code units of the body; 0 when it is not stored. */
  #bodyLength = 0
  /** False for a plan that is not in the ring. */
  #hasPlan = false
  /** A plan that is too large for the ring. It has not built most of its text yet, and takes less than that. */
  #largePlan: readonly PlanEvent[] | undefined
  /** Size of the large plan, with the body that it may read; 0 without one. */
  largeBytes = 0
  /** The plan, until the call ends. */
  #events: readonly PlanEvent[] | undefined
  /** The key that the call repeats. */
  #repeatedKey: string | undefined
  #nearMiss: NearMiss | undefined
  /**
   * The values that the near miss is found with, from the stored body, when somebody reads it. The facts of every unmatched
   * call would take more memory than the rest of the journal.
   */
  #unmatched: (Omit<FactSources, 'body' | 'comparedBody' | 'bodyText'> & { readonly scenario: Scenario }) | undefined
  readonly #compareRecording: RecordingComparer | undefined
  #progress: number[] | undefined
  /** The bytes sent, of a call that has ended. */
  #sentBytes = 0

  /**
   * @param maxBytes the most bytes of the body, and of the plan; a larger one is not stored.
   * @param onFailure is given the error of a call that cannot be recorded. Its entry says so.
   * @param compareRecording compares the call with its recording, when somebody reads it.
   */
  constructor(
    number: number,
    context: CallContext,
    plan: Plan,
    usage: Usage | undefined,
    texts: TextRing,
    maxBytes: number,
    onFailure: (error: unknown) => void,
    compareRecording?: RecordingComparer,
  ) {
    const { call, session } = context
    this.number = number
    this.at = call.now
    this.method = call.method
    this.endpoint = context.route.endpoint
    this.key = session.maskedKey
    this.caller = session.caller
    this.session = session.name === '' ? undefined : session.name
    this.attempt = context.attempt
    this.state = context.state?.name
    this.faultOptions = plan.faultOptions
    this.cache = usage?.cache
    this.listed = context.modelRule?.listed
    this.#fingerprint = context.fingerprint
    this.reason = { by: plan.reason.by, name: '' }
    this.#texts = texts
    this.#events = plan.events
    this.#compareRecording = compareRecording
    try {
      this.#record(context, plan, usage, maxBytes)
    } catch (error) {
      onFailure(error)
    }
  }

  /** Records what is searched, masked and stored. Nothing is assigned unmasked, and the note that it failed goes last. */
  #record(context: CallContext, plan: Plan, usage: Usage | undefined, maxBytes: number): void {
    const { call, key, route, scenario, bodyError, modelRule } = context
    const { status = 0, headers = NO_HEADERS } = headOf(plan.events) ?? {}
    this.status = status
    const masked = maskRepeatedKeys(context, status, maxBytes)
    const mask = (text: string): string => (masked === undefined ? text : maskKeysIn(text, key))
    this.#repeatedKey = masked && key
    this.path = truncate(masked?.path ?? call.path, MAX_NAME_LENGTH)
    this.query = call.query && truncate(maskQuery(call.query, key), MAX_NAME_LENGTH)
    const trace = TRACE.exec(call.headers.traceparent ?? '')?.[0]
    if (trace !== undefined && maskKeysIn(trace, key) === trace) this.traceparent = trace
    this.model = truncate(mask(context.model), MAX_NAME_LENGTH)
    this.headers = headers
    this.reason = plan.reason
    if (masked !== undefined) {
      this.headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)]))
      // It may be the name of a tool that the request declares.
      this.reason = { ...plan.reason, name: mask(plan.reason.name) }
    }
    this.fault = faultIn(this.reason)?.fault
    this.limit = limitIn(this.reason)
    if (scenario.replies.length > 0 || scenario.refusesUnmatched) {
      this.unmatched = isUnmatched(context, plan.reason)
      if (!this.unmatched) this.rule = matchedRuleId(context, plan.reason, status)
    }
    if (usage !== undefined) {
      const usd = modelRule?.prices && toNumber('usd', priceOf(modelRule.prices, usage))
      const { prompt: promptTokens, completion: completionTokens, reasoning: reasoningTokens = 0 } = usage
      const reasoned = reasoningTokens > 0 && { reasoningTokens }
      this.usage = { promptTokens, completionTokens, ...reasoned, ...(usd !== undefined && { usd }) }
    }

    // A body that no endpoint parses may not be JSON.
    const text = route.parsesBody && bodyError === undefined ? (call.body ?? '') : ''
    const body = text === '' || text.length > maxBytes ? '' : (masked?.body ?? text)
    if (this.unmatched && body !== '') {
      const { endpoint, model, attempt, state, conversation } = context
      // Azure names the model in the address, and stored responses may be gone later.
      const isAllInBody = masked === undefined && call.deployment === undefined && conversation === undefined
      if (isAllInBody) this.#unmatched = { scenario, endpoint, key, model, attempt, state: state?.name }
      else this.#nearMiss = context.nearMiss && maskNearMiss(context.nearMiss, mask)
    }
    const planBytes = measurePlan(plan.events)
    const isLarge = planBytes > maxBytes
    const steps = isLarge ? undefined : writeSteps(plan.events, masked === undefined)
    if (isLarge) this.#largePlan = plan.events
    if (isLarge) this.largeBytes = planBytes + (call.body ?? '').length
    this.#bodyLength = body.length
    this.#hasPlan = steps !== undefined
    this.#place = this.#texts.write(body + (steps ?? ''))
    this.notes = masked === undefined ? plan.notes : plan.notes.map(mask)
  }

  get request(): string {
    return this.#fingerprint.toString(36)
  }

  /** The stored text; undefined when there is none, or when later calls have overwritten it. */
  get #text(): string | undefined {
    return this.#place && this.#texts.read(this.#place)
  }

  /** True if later calls have overwritten the body and the plan. */
  get hasLostTexts(): boolean {
    return this.#place !== undefined && !this.#texts.has(this.#place)
  }

  get body(): JsonObject | undefined {
    const text = this.#bodyLength === 0 ? undefined : this.#text
    return text === undefined ? undefined : (JSON.parse(text.slice(0, this.#bodyLength)) as JsonObject)
  }

  get nearMiss(): NearMiss | undefined {
    const bodyText = this.#text?.slice(0, this.#bodyLength)
    if (bodyText === undefined || this.#unmatched === undefined) return this.#nearMiss
    const { scenario, ...sources } = this.#unmatched
    const body: JsonObject = JSON.parse(bodyText)
    const facts = buildFacts({ ...sources, body, comparedBody: scenario.ignore?.(body) ?? body, bodyText })
    return findNearest(scenario, { facts, callable: facts.turn.tools.allowed.map(({ name }) => name) })
  }

  get recording(): JournalEntry['recording'] {
    return this.#compareRecording?.(this)
  }

  get bytes(): number {
    const events = this.#events
    if (events === undefined) return this.#sentBytes
    const sent = this.progressOf(events.length).at(-2) ?? 0
    let bytes = 0
    for (const event of events.slice(0, sent)) if ('data' in event) bytes += sendSizeOf(event)
    return bytes
  }

  get timeline(): readonly Step[] | undefined {
    const text = this.#hasPlan ? this.#text?.slice(this.#bodyLength) : undefined
    const steps = this.#largePlan === undefined ? text : writeSteps(this.#largePlan, this.#repeatedKey === undefined)
    if (steps === undefined) return undefined
    return readTimeline(steps, this.status, (steps) => this.progressOf(steps))
  }

  /** The progress of a plan with `steps` events. One without waits is sent at once, so its only progress is its end. */
  progressOf(steps: number): SentProgress {
    return this.#progress ?? (this.outcome === 'open' ? [] : [steps, this.durationMs])
  }

  /** Records that the first `done` events of a plan with waits were sent, `atMs` milliseconds after the call arrived. */
  recordProgress(done: number, atMs: number): void {
    this.#progress ??= []
    this.#progress.push(done, atMs)
  }

  /** Forgets a large plan. */
  dropLargePlan(note?: string): void {
    this.#largePlan = undefined
    this.largeBytes = 0
    if (note !== undefined) this.notes = [...this.notes, note]
  }

  /** Records how the exchange ended. */
  end(outcome: Outcome, durationMs: number, note?: string): void {
    this.outcome = outcome
    if (note !== undefined) this.notes = [...this.notes, note]
    this.durationMs = durationMs
    this.#sentBytes = this.bytes
    this.#events = undefined
  }

  /** A copy as plain data. A field that cannot be read is left out, and a note says so. */
  toJSON(): JournalEntry {
    return this.#copy(FIELDS)
  }

  /** The same without the timeline, which may take long to build. */
  toSummary(): JournalEntry {
    return this.#copy(FIELDS.slice(0, -1))
  }

  #copy(fields: typeof FIELDS): JournalEntry {
    const entry: Record<string, unknown> = {}
    const unreadable: string[] = []
    for (const field of fields) {
      try {
        const value = this[field]
        if (value !== undefined) entry[field] = value
      } catch {
        unreadable.push(field)
      }
    }
    if (unreadable.length === 0) return entry as unknown as JournalEntry
    const note = `The journal failed to read ${unreadable.join(', ')}: a bug in llm-api-mock.`
    return { request: '', bytes: 0, ...entry, notes: [...this.notes, note] } as unknown as JournalEntry
  }
}

/** The first four fields of a trace context, after which only later versions have more. No id is all zeros. */
const TRACE = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?=$|(?<!^00.*)-)/

function maskNearMiss(found: NearMiss, mask: (text: string) => string): NearMiss {
  const differences = found.differences.map((one) => ({ ...one, found: mask(one.found), needed: mask(one.needed) }))
  return { ...found, differences, text: mask(found.text) }
}

/** Approximate size of a plan: its data, with one byte for each character, and a fixed size for each event. */
function measurePlan(events: readonly PlanEvent[]): number {
  let bytes = 0
  for (const event of events) {
    bytes += EVENT_BYTES
    if (event.type === 'send') bytes += event.byteLength ?? event.data.length
    else if (event.type === 'raw') bytes += event.data.length
  }
  return bytes
}
