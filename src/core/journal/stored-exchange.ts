/**
 * One exchange as the journal stores it. It is a `JournalEntry` whose large fields are made when somebody reads them:
 *
 *     the call is decided    the constructor copies what is small; body and plan go into the payload (payload.ts)
 *     its plan is played     `recordProgress`, after each wait
 *     it has ended           `end`: the outcome, the duration, the bytes sent; the plan becomes text
 *     somebody reads it      `body`, `timeline`, `nearMiss` and `recording` are computed; `toJSON` copies all fields
 *
 * API keys are masked. When a call repeats a key, its timeline shows sizes without data: the chunks of a stream could
 * be joined into a key that none of them contains.
 */

import type { Usage } from '../decide/call/answer.ts'
import type { CallContext } from '../decide/call/call-context.ts'
import { isUnmatched, matchedRuleId } from '../decide/call/rule-usage.ts'
import type { JsonObject } from '../lib/text/json.ts'
import { maskKeysIn } from '../lib/text/mask-keys.ts'
import { truncate } from '../lib/text/wording.ts'
import { faultIn, headOf, limitIn, type Plan, type PlanEvents, type Reason, sendSizeOf } from '../protocol/plan/plan.ts'
import type { RoutedEndpoint } from '../protocol/request/endpoints.ts'
import type { CachedPrompt } from '../protocol/turn/reply.ts'
import { findNearest, type NearMiss } from '../scenario/check/near-miss.ts'
import { priceOf, toNumber } from '../scenario/compile/budget.ts'
import type { Scenario } from '../scenario/compile/compile.ts'
import { buildFacts, type FactSources } from '../scenario/conditions/facts.ts'
import type { CallUsage, JournalEntry, Outcome, Step } from './entry.ts'
import { maskQuery, maskRepeatedKeys } from './mask-call.ts'
import { Payload } from './payload.ts'
import type { TextRing } from './text-ring.ts'
import { readSteps, type SentProgress, timesIn } from './timeline.ts'

const MAX_NAME_LENGTH = 200
const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({})
const UNRECORDED = 'The mock failed to record this call: a bug in llm-api-mock. Its stderr shows the error.'
/** All fields of an entry, in the order of its JSON. A record, because the compiler then reports a missing field. */
// biome-ignore format: a list
const FIELDS = Object.keys({
  number: true, at: true, method: true, path: true, query: true, endpoint: true, key: true, caller: true, session: true,
  traceparent: true, model: true, request: true, attempt: true, state: true, body: true, status: true, headers: true,
  reason: true, rule: true, fault: true, faultOptions: true, limit: true, usage: true, cache: true, notes: true,
  unmatched: true, nearMiss: true, recording: true, outcome: true, durationMs: true, bytes: true, timeline: true,
} satisfies Record<keyof JournalEntry, true>) as readonly (keyof JournalEntry)[]

/** Compares a call with its recording; undefined where nothing differs, and for a call without a recording. */
export type RecordingComparer = (entry: JournalEntry) => JournalEntry['recording']

/** The settings of the journal that an exchange needs. */
export interface ExchangeStore {
  readonly texts: TextRing
  /** The most bytes of a body, and of a plan, that are written into `texts`. */
  readonly maxPayloadBytes: number
  /** Gets the error of a call that cannot be recorded. Its entry says so. */
  readonly onFailure: (error: unknown) => void
}

export class StoredExchange implements JournalEntry {
  // Known to the mock itself, and set first.
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
  readonly #compareRecording: RecordingComparer | undefined

  // Set by `#record`. Until then they have the values of a call that could not be recorded: nothing that the client sent,
  // because nothing was masked.
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
  /** The body and the plan. Not part of an entry. */
  payload: Payload | undefined
  #nearMiss: NearMiss | undefined
  /**
   * The values that the near miss is found with, from the stored body, when somebody reads it. The facts of every unmatched
   * call would take more memory than the rest of the journal.
   */
  #nearMissSources: NearMissSources | undefined

  // Changed while the plan is played, and when it has ended.
  outcome: Outcome = 'open'
  durationMs = 0
  /** The plan, until the call ends. */
  #events: PlanEvents | undefined
  /** Undefined for a plan without waits, and until the first one has begun. */
  #progress: number[] | undefined
  /** The bytes sent, of a call that has ended. */
  #sentBytes = 0

  /** @param compareRecording compares the call with its recording, when somebody reads it. */
  constructor(
    number: number,
    context: CallContext,
    plan: Plan,
    usage: Usage | undefined,
    store: ExchangeStore,
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
    this.listed = context.rules.modelRule?.listed
    this.#fingerprint = context.request.fingerprint
    this.reason = { by: plan.reason.by, name: '' }
    this.#events = plan.events
    this.#compareRecording = compareRecording
    try {
      this.#record(context, plan, usage, store)
    } catch (error) {
      store.onFailure(error)
    }
  }

  /**
   * Records the fields that must be masked, and those that could fail. Nothing is assigned unmasked. If it fails, the entry keeps
   * the values above for the rest, and its note says so.
   */
  #record(context: CallContext, plan: Plan, usage: Usage | undefined, store: ExchangeStore): void {
    const { call, key, route, scenario, request, rules } = context
    const { status = 0, headers = NO_HEADERS } = headOf(plan.events) ?? {}
    // Undefined for a call that repeats no key: the call and its answer can be stored as they are.
    const masked = maskRepeatedKeys(context, status, store.maxPayloadBytes)
    const mask = (text: string): string => (masked === undefined ? text : maskKeysIn(text, key))

    this.status = status
    this.path = truncate(masked?.path ?? call.path, MAX_NAME_LENGTH)
    this.query = call.query && truncate(maskQuery(call.query, key), MAX_NAME_LENGTH)
    const trace = TRACE.exec(call.headers.traceparent ?? '')?.[0]
    // A key of hexadecimal digits could be a part of it.
    if (trace !== undefined && maskKeysIn(trace, key) === trace) this.traceparent = trace
    this.model = truncate(mask(request.model), MAX_NAME_LENGTH)
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
      const usd = rules.modelRule?.prices && toNumber('usd', priceOf(rules.modelRule.prices, usage))
      const { prompt: promptTokens, completion: completionTokens, reasoning: reasoningTokens = 0 } = usage
      const reasoned = reasoningTokens > 0 && { reasoningTokens }
      this.usage = { promptTokens, completionTokens, ...reasoned, ...(usd !== undefined && { usd }) }
    }

    const sent = call.body ?? ''
    // A body that no endpoint parses may not be JSON.
    const isStored = route.parsesBody && request.parsed.error === undefined && sent.length <= store.maxPayloadBytes
    const body = isStored && sent !== '' ? (masked?.body ?? sent) : ''
    // The near miss is found when somebody reads it if the stored body has all that it needs; otherwise the one of this call is kept.
    if (this.unmatched && body !== '') {
      const { endpoint, attempt, state } = this
      // Azure names the model in the address, and stored responses may be gone later.
      const isAllInBody = masked === undefined && call.deployment === undefined && request.conversation === undefined
      if (isAllInBody) this.#nearMissSources = { scenario, endpoint, key, model: request.model, attempt, state }
      else this.#nearMiss = rules.nearMiss && maskNearMiss(rules.nearMiss, mask)
    }
    const hasData = masked === undefined
    this.payload = new Payload(store.texts, store.maxPayloadBytes, body, sent.length, plan.events, hasData)
    // Last: it replaces the note of a call that could not be recorded.
    this.notes = masked === undefined ? plan.notes : plan.notes.map(mask)
  }

  get request(): string {
    return this.#fingerprint.toString(36)
  }

  get body(): JsonObject | undefined {
    const json = this.payload?.body
    return json === undefined ? undefined : (JSON.parse(json) as JsonObject)
  }

  get nearMiss(): NearMiss | undefined {
    const bodyText = this.payload?.body
    if (bodyText === undefined || this.#nearMissSources === undefined) return this.#nearMiss
    const { scenario, ...sources } = this.#nearMissSources
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
    // The last pair has the number of events that have begun.
    const begun = this.progressOf(events.length).at(-2) ?? 0
    let bytes = 0
    let index = 0
    for (const event of events) {
      if (index === begun) break
      index++
      if ('data' in event) bytes += sendSizeOf(event)
    }
    return bytes
  }

  get timeline(): readonly Step[] | undefined {
    const text = this.payload?.steps
    if (text === undefined) return undefined
    const steps = readSteps(text, this.status)
    const timeOf = timesIn(this.progressOf(steps.length))
    return steps.map((step, index) => {
      const atMs = timeOf(index)
      // The plan was not played up to a step without a time.
      return atMs === undefined ? step : { ...step, atMs }
    })
  }

  /** The progress of a plan with `steps` events. One without waits is sent at once, so its only progress is its end. */
  progressOf(steps: number): SentProgress {
    return this.#progress ?? (this.outcome === 'open' ? [] : [steps, this.durationMs])
  }

  /** Records that the first `begun` events of a plan with waits had begun, `atMs` milliseconds after the call arrived. */
  recordProgress(begun: number, atMs: number): void {
    this.#progress ??= []
    this.#progress.push(begun, atMs)
  }

  /** Forgets a large plan. */
  dropLargePlan(note?: string): void {
    this.payload?.dropLargePlan()
    if (note !== undefined) this.notes = [...this.notes, note]
  }

  /** Records how the exchange ended. */
  end(outcome: Outcome, durationMs: number, note?: string): void {
    this.outcome = outcome
    if (note !== undefined) this.notes = [...this.notes, note]
    this.durationMs = durationMs
    this.#sentBytes = this.bytes
    this.#events = undefined
    this.payload?.end()
  }

  /** A copy as plain data. A field that cannot be read is left out, and a note says so. */
  toJSON(): JournalEntry {
    return this.#copy(FIELDS)
  }

  /** The same without the timeline, which may take long to build. */
  toSummary(): JournalEntry {
    return this.#copy(FIELDS.filter((field) => field !== 'timeline'))
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

/** The facts that a near miss is found with, besides the body. */
type NearMissSources = Omit<FactSources, 'body' | 'comparedBody' | 'bodyText'> & { readonly scenario: Scenario }

/** The first four fields of a trace context, after which only later versions have more. No id is all zeros. */
const TRACE = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?=$|(?<!^00.*)-)/

function maskNearMiss(nearMiss: NearMiss, mask: (text: string) => string): NearMiss {
  const differences = nearMiss.differences.map((difference) => ({
    ...difference,
    found: mask(difference.found),
    needed: mask(difference.needed),
  }))
  return { ...nearMiss, differences, text: mask(nearMiss.text) }
}
