/**
 * One exchange as the journal stores it: cheap to write during the call, decoded when it is read.
 *
 * The journal keeps a thousand of these, and the garbage collector copies and traces every object in them. So the payload,
 * which is the request body and the plan, is stored as text outside the heap, only plans with waits record times, and the
 * object of a call that nobody has read serves a later call.
 *
 * API keys are masked. When a call repeats a key, its timeline shows sizes without data: the chunks of a stream could
 * be joined into a key that none of them contains.
 */

import type { CachedPrompt, Usage } from '../decide/call/answer.ts'
import type { CallContext } from '../decide/call/call-context.ts'
import type { JsonObject } from '../lib/text/json.ts'
import { faultIn, limitIn, type Plan, type PlanEvent, type Reason } from '../protocol/plan/plan.ts'
import type { RoutedEndpoint } from '../protocol/request/endpoints.ts'
import type { NearMiss } from '../scenario/check/near-miss.ts'
import { type Content, type Mask, NO_HEADERS } from './content.ts'
import type { JournalEntry, Outcome, Step } from './entry.ts'
import { type PackedEvents, unpackPlan } from './packed-plan.ts'
import { StoredText, type TextArena } from './text-arena.ts'
import { buildTimeline, countSentBytes, type Progress } from './timeline.ts'
import type { NearMissFinder } from './unmatched-call.ts'

/** Until a call is recorded. */
const NO_REASON: Reason = { by: 'route', name: '' }
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
  number = 0
  at = 0
  method = ''
  path = ''
  query: string | undefined
  endpoint: RoutedEndpoint = 'unknown'
  key = ''
  caller = ''
  session: string | undefined
  model = ''
  attempt = 0
  state: string | undefined
  status = 0
  reason: Reason = NO_REASON
  rule: string | undefined
  faultOptions: JournalEntry['faultOptions']
  cache: CachedPrompt | undefined
  notes: readonly string[] = []
  unmatched = false
  outcome: Outcome = 'open'
  durationMs = 0

  #fingerprint = 0
  /** -1 without usage: numbers take less memory than an object. */
  #promptTokens = -1
  #completionTokens = 0
  /** -1 for a model without prices. */
  #usd = -1
  #headers = NO_HEADERS
  #mask: Mask | undefined
  #progress: number[] | undefined
  #payloadBytes = 0
  /** The body, and the texts of all events of the plan. */
  readonly texts: StoredText
  #bodyLength = 0
  #hasPlan = false
  /** What the plan has besides its texts; undefined for a plan of a head, one text and the end. */
  #planEvents: Omit<PackedEvents, 'text'> | undefined
  /** The plan until the call ends: whoever plays it holds it too. */
  #openPlan: readonly PlanEvent[] | undefined
  #findNearMiss: NearMissFinder | undefined
  /** The bytes sent, of a call that has ended and whose plan is not stored. */
  #bytes = 0
  #isFreedAtEnd = false
  #isShown = false

  constructor(arena: TextArena) {
    this.texts = new StoredText(arena)
  }

  /** Records a call that was decided. The exchange must be new or `isReusable`. */
  begin(number: number, context: CallContext, plan: Plan, content: Content, usage?: Usage): void {
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
    this.reason = content.reason
    this.unmatched = content.unmatched
    this.rule = content.rule
    this.faultOptions = plan.faultOptions
    this.cache = usage?.cache
    this.notes = content.notes
    this.outcome = 'open'
    this.durationMs = 0
    this.#promptTokens = usage?.prompt ?? -1
    this.#completionTokens = usage?.completion ?? 0
    this.#usd = content.usd ?? -1
    this.#fingerprint = context.fingerprint
    this.#headers = content.headers
    this.#mask = content.mask
    this.#progress = undefined
    this.#payloadBytes = content.payloadBytes
    this.#bodyLength = content.bodyLength
    this.#hasPlan = content.hasPlan
    this.#planEvents = content.planEvents
    this.#openPlan = plan.events
    this.#findNearMiss = content.findNearMiss
    this.#bytes = 0
    this.#isFreedAtEnd = false
  }

  /** From now on, somebody may hold this object, so it stays the exchange that it is. */
  show(): void {
    this.#isShown = true
  }

  /** Whether the object can serve another exchange: this one has ended, its payload is freed, and nobody has seen it. */
  get isReusable(): boolean {
    return !this.#isShown && this.outcome !== 'open' && this.texts.isFree
  }

  /** The size of the stored payload, in bytes; a character counts as one. */
  get payloadBytes(): number {
    return this.#payloadBytes
  }

  get body(): JsonObject | undefined {
    return this.#bodyLength === 0 ? undefined : (JSON.parse(this.#bodyText) as JsonObject)
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
    if (this.#bodyLength === 0) return undefined
    const found = this.#findNearMiss?.(this.#bodyText)
    const mask = this.#mask
    if (found === undefined || mask === undefined) return found
    const differences = found.differences.map((one) => ({ ...one, found: mask(one.found), needed: mask(one.needed) }))
    return { ...found, differences, text: mask(found.text) }
  }

  get bytes(): number {
    // A complete answer was sent whole: its size needs no decoding.
    if (this.#hasPlan && this.outcome === 'complete' && this.#planEvents?.bytes === undefined) {
      return this.texts.byteLengthFrom(this.#bodyLength)
    }
    const events = this.#openPlan ?? this.#plan
    return events === undefined ? this.#bytes : countSentBytes(events, this.#progressOf(events))
  }

  get timeline(): readonly Step[] | undefined {
    const events = this.#plan
    return events && buildTimeline(events, this.#progressOf(events), this.#mask === undefined)
  }

  get #bodyText(): string {
    return this.texts.read(0, this.#bodyLength)
  }

  get #plan(): readonly PlanEvent[] | undefined {
    if (!this.#hasPlan) return undefined
    const text = this.texts.read(this.#bodyLength)
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
    if (!this.#hasPlan) this.#bytes = this.bytes
    this.#openPlan = undefined
    if (this.#isFreedAtEnd) this.freePayload()
  }

  /** Frees the body, the plan and the near miss; the other fields stay. */
  freePayload(): void {
    try {
      // They are computed from the plan.
      this.#bytes = this.bytes
    } finally {
      this.#freeTexts()
    }
  }

  /** Frees the payload when the call ends: listeners then still see how many bytes were sent. */
  freePayloadAtEnd(): void {
    if (this.outcome === 'open') this.#isFreedAtEnd = true
    else if (this.#isShown) this.freePayload()
    // Nobody can read it any more.
    else this.#freeTexts()
  }

  #freeTexts(): void {
    this.#payloadBytes = 0
    this.#bodyLength = 0
    this.#hasPlan = false
    this.#planEvents = undefined
    this.#findNearMiss = undefined
    this.texts.free()
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
