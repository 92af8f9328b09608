/**
 * One exchange as the journal stores it: cheap to write during the call, decoded when it is read.
 *
 * The journal keeps a thousand of these, and the garbage collector traces every object in them. So the payload, which is
 * the request body and the plan, is stored as text outside the heap, and only plans with waits record times.
 *
 * API keys are masked. When a call repeats a key, its timeline shows sizes without data: the chunks of a stream could
 * be joined into a key that none of them contains.
 */

import type { CachedPrompt, Usage } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import { faultIn, limitIn, type Plan, type PlanEvent, type Reason } from '../plan/plan.ts'
import type { RoutedEndpoint } from '../request/endpoints.ts'
import type { NearMiss } from '../scenario/diagnostics/near-miss.ts'
import type { JsonObject } from '../text/json.ts'
import { type Content, type Mask, NO_HEADERS } from './content.ts'
import type { JournalEntry, Outcome, Step } from './entry.ts'
import { type PackedEvents, unpackPlan } from './packed-plan.ts'
import type { StoredText } from './text-arena.ts'
import { buildTimeline, countSentBytes, type Progress } from './timeline.ts'

/** The values of required fields that cannot be read. */
const UNREADABLE = { request: '', headers: NO_HEADERS, bytes: 0 } satisfies Partial<JournalEntry>
/** All fields of an entry, in the order of its JSON. A record, because the compiler then reports a missing field. */
// biome-ignore format: a list
const FIELDS = Object.keys({
  number: true, at: true, method: true, path: true, query: true, endpoint: true, key: true, caller: true, session: true,
  model: true, request: true, attempt: true, state: true, body: true, status: true, headers: true, reason: true, rule: true,
  fault: true, faultOptions: true, limit: true, usage: true, cache: true, notes: true, unmatched: true, nearMiss: true, outcome: true, durationMs: true,
  bytes: true,
  timeline: true,
} satisfies Record<keyof JournalEntry, true>) as readonly (keyof JournalEntry)[]
const FIELDS_BUT_TIMELINE = FIELDS.filter((field) => field !== 'timeline')

export class StoredExchange implements JournalEntry {
  readonly number: number
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string | undefined
  readonly endpoint: RoutedEndpoint
  readonly key: string
  readonly caller: string
  readonly session: string | undefined
  readonly model: string
  readonly attempt: number
  readonly state: string | undefined
  readonly status: number
  readonly reason: Reason
  readonly rule: string | undefined
  readonly faultOptions: JournalEntry['faultOptions']
  readonly cache: CachedPrompt | undefined
  notes: readonly string[]
  readonly unmatched: boolean
  outcome: Outcome = 'open'
  durationMs = 0

  readonly #fingerprint: number
  /** -1 without usage: numbers take less memory than an object. */
  readonly #promptTokens: number
  readonly #completionTokens: number
  /** -1 for a model without prices. */
  readonly #usd: number
  readonly #headers: Readonly<Record<string, string>>
  readonly #mask: Mask | undefined
  #progress: number[] | undefined
  #payloadBytes: number
  #body: StoredText | undefined
  /** The texts of all events of the plan, joined; undefined when the plan is not stored. */
  #planText: StoredText | undefined
  /** The rest of the plan; undefined for a plan of a head, one text and the end. */
  #planEvents: Omit<PackedEvents, 'text'> | undefined
  /** A plan that is not stored, kept until the call ends to compute the bytes sent. */
  #unstoredPlan: readonly PlanEvent[] | undefined
  #findNearMiss: (() => NearMiss | undefined) | undefined
  /** The bytes sent; valid once the plan is freed, which they are computed from. */
  #bytes = 0
  #isFreedAtEnd = false

  constructor(number: number, context: CallContext, plan: Plan, content: Content, usage?: Usage) {
    const { call, session } = context

    this.number = number
    this.at = call.now
    this.method = call.method
    this.path = content.path
    this.query = content.query
    this.endpoint = context.route.endpoint
    this.key = session.maskedKey
    this.caller = session.caller
    this.session = session.name === '' ? undefined : session.name
    this.model = content.model
    this.attempt = context.attempt
    this.state = context.state?.name
    this.status = content.status
    this.reason = plan.reason
    this.unmatched = content.unmatched
    this.rule = content.rule
    this.faultOptions = plan.faultOptions
    this.cache = usage?.cache
    this.#promptTokens = usage?.prompt ?? -1
    this.#completionTokens = usage?.completion ?? 0
    this.#usd = content.usd ?? -1
    this.notes = content.notes
    this.#fingerprint = context.fingerprint
    this.#headers = content.headers
    this.#mask = content.mask
    this.#body = content.body
    this.#planText = content.planText
    this.#planEvents = content.planEvents
    if (content.planText === undefined) this.#unstoredPlan = plan.events
    this.#findNearMiss = content.findNearMiss
    this.#payloadBytes = content.payloadBytes
  }

  /** The size of the stored payload, in bytes; a character counts as one. */
  get payloadBytes(): number {
    return this.#payloadBytes
  }

  get body(): JsonObject | undefined {
    return this.#body && (JSON.parse(this.#body.read()) as JsonObject)
  }

  get request(): string {
    return this.#fingerprint.toString(36)
  }

  get headers(): Readonly<Record<string, string>> {
    const mask = this.#mask
    if (mask === undefined) return this.#headers
    return Object.fromEntries(Object.entries(this.#headers).map(([name, value]) => [name, mask(value)]))
  }

  get fault(): string | undefined {
    return faultIn(this.reason)?.fault
  }

  get limit(): string | undefined {
    return limitIn(this.reason)
  }

  get usage(): JournalEntry['usage'] {
    if (this.#promptTokens < 0) return undefined
    return {
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      ...(this.#usd >= 0 && { usd: this.#usd }),
    }
  }

  get nearMiss(): NearMiss | undefined {
    const found = this.#findNearMiss?.()
    const mask = this.#mask
    if (found === undefined || mask === undefined) return found
    const differences = found.differences.map((one) => ({ ...one, found: mask(one.found) }))
    return { ...found, differences, text: mask(found.text) }
  }

  get bytes(): number {
    // A complete answer was sent whole: its size needs no decoding.
    if (this.#planText !== undefined && this.outcome === 'complete' && this.#planEvents?.bytes === undefined) {
      return this.#planText.byteLength
    }
    const events = this.#unstoredPlan ?? this.#plan
    return events === undefined ? this.#bytes : countSentBytes(events, this.#progressOf(events))
  }

  get timeline(): readonly Step[] | undefined {
    const events = this.#plan
    return events && buildTimeline(events, this.#progressOf(events), this.#mask === undefined)
  }

  get #plan(): readonly PlanEvent[] | undefined {
    if (this.#planText === undefined) return undefined
    const text = this.#planText.read()
    return unpackPlan(this.#planEvents === undefined ? text : { ...this.#planEvents, text }, this.status)
  }

  /** A plan without waits is sent at once, so its only progress is its end. */
  #progressOf({ length }: readonly PlanEvent[]): Progress {
    return this.#progress ?? (this.outcome === 'open' ? [] : [length, this.durationMs])
  }

  /** Records that the first `done` events of a plan with waits were sent, `atMs` milliseconds after the call arrived. */
  recordProgress(done: number, atMs: number): void {
    this.#progress ??= []
    this.#progress.push(done, atMs)
  }

  /** Records how the exchange ended. */
  end(outcome: Outcome, durationMs: number, note?: string): void {
    this.outcome = outcome
    if (note !== undefined) this.notes = [...this.notes, note]
    this.durationMs = durationMs
    if (this.#unstoredPlan !== undefined) this.#freePlan()
    if (this.#isFreedAtEnd) this.freePayload()
  }

  /** Frees the body, the plan and the near miss; the other fields stay. */
  freePayload(): void {
    this.#payloadBytes = 0
    this.#findNearMiss = undefined
    const body = this.#body
    this.#body = undefined
    body?.free()
    this.#freePlan()
  }

  /** Frees the payload when the call ends: listeners then still see how many bytes were sent. */
  freePayloadAtEnd(): void {
    if (this.outcome === 'open') this.#isFreedAtEnd = true
    else this.freePayload()
  }

  #freePlan(): void {
    try {
      // The getter computes the bytes from the plan.
      this.#bytes = this.bytes
    } finally {
      const text = this.#planText
      this.#planText = undefined
      this.#planEvents = undefined
      this.#unstoredPlan = undefined
      text?.free()
    }
  }

  /** A copy as plain data. A field that cannot be read is left out, and a note says so. */
  toJSON(): JournalEntry {
    return this.#copy(FIELDS)
  }

  /** A copy without the timeline, which takes most of the time to read. */
  copyWithoutTimeline(): JournalEntry {
    return this.#copy(FIELDS_BUT_TIMELINE)
  }

  #copy(fields: readonly (keyof JournalEntry)[]): JournalEntry {
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
    return { ...UNREADABLE, ...entry, notes: [...this.notes, note] } as unknown as JournalEntry
  }
}
