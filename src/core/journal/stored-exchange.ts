/**
 * One exchange as the journal stores it: cheap to write during the call, decoded when it is read.
 *
 * The journal keeps a thousand of these, and the garbage collector traces every object in them. So the payload, which is
 * the request body and the plan, is stored as text outside the heap, and only plans with waits record times.
 *
 * API keys are masked. When a call repeats a key, its timeline shows sizes without data: the chunks of a stream could
 * be joined into a key that none of them contains.
 */

import type { CallContext } from '../call/call-context.ts'
import { faultIn, headOf, limitIn, type Plan, type PlanEvent, type Reason } from '../plan/plan.ts'
import type { RoutedEndpoint } from '../request/endpoints.ts'
import type { NearMiss } from '../scenario/diagnostics/near-miss.ts'
import type { JsonObject } from '../text/json.ts'
import { truncate } from '../text/truncate.ts'
import type { JournalEntry, Outcome, Step } from './entry.ts'
import { maskQuery, maskRepeatedKeys } from './mask-call.ts'
import { type PackedEvents, packPlan, unpackPlan } from './packed-plan.ts'
import { isUnmatchedChat, matchedRuleId } from './rule-usage.ts'
import type { StoredText, TextArena } from './text-arena.ts'
import { buildTimeline, countSentBytes, type Progress } from './timeline.ts'

const MAX_NAME_LENGTH = 200
/** The memory of one event besides its data. */
const EVENT_BYTES = 24
const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({})
/** All fields of an entry, in the order of its JSON. A record, because the compiler then reports a missing field. */
// biome-ignore format: a list
const FIELDS = Object.keys({
  number: true, at: true, method: true, path: true, query: true, endpoint: true, key: true, caller: true, model: true,
  request: true, attempt: true, state: true, body: true, status: true, headers: true, reason: true, rule: true,
  fault: true, limit: true, notes: true, unmatched: true, nearMiss: true, outcome: true, durationMs: true, bytes: true,
  timeline: true,
} satisfies Record<keyof JournalEntry, true>) as readonly (keyof JournalEntry)[]

export class StoredExchange implements JournalEntry {
  readonly number: number
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string | undefined
  readonly endpoint: RoutedEndpoint
  readonly key: string
  readonly caller: string
  readonly model: string
  readonly attempt: number
  readonly state: string | undefined
  readonly status: number
  readonly reason: Reason
  readonly rule: string | undefined
  readonly notes: readonly string[]
  readonly unmatched: boolean
  outcome: Outcome = 'open'
  durationMs = 0

  readonly #fingerprint: number
  readonly #headers: Readonly<Record<string, string>>
  readonly #mask: ((text: string) => string) | undefined
  #progress: number[] | undefined
  #payloadBytes: number
  #body: StoredText | undefined
  /** The texts of all events of the plan, joined; undefined when the plan is not stored. */
  #planText: StoredText | undefined
  /** The rest of the plan; undefined for a plan of a head, one text and the end. */
  #planEvents: Omit<PackedEvents, 'text'> | undefined
  /** A plan that is too large to store, kept until the call ends to compute the bytes sent. */
  #largePlan: readonly PlanEvent[] | undefined
  #findNearMiss: (() => NearMiss | undefined) | undefined
  /** The bytes sent; valid once the plan is freed, which they are computed from. */
  #bytes = 0
  #isFreedAtEnd = false

  /** @param maxBytes the most bytes of the body, and of the plan; a larger one is not stored. */
  constructor(number: number, context: CallContext, plan: Plan, arena: TextArena, maxBytes: number) {
    const { call } = context
    const { reason, notes, events } = plan
    const head = headOf(events)
    const masked = maskRepeatedKeys(context, head?.status ?? 0)
    const isUnmatched = isUnmatchedChat(context, reason)

    this.number = number
    this.at = call.now
    this.method = call.method
    this.path = truncate(masked?.path ?? call.path, MAX_NAME_LENGTH)
    this.query = call.query && truncate(maskQuery(call.query, context), MAX_NAME_LENGTH)
    this.endpoint = context.endpoint
    this.key = context.maskedKey
    this.caller = context.session.caller
    this.model = truncate(masked?.mask(context.model) ?? context.model, MAX_NAME_LENGTH)
    this.attempt = context.attempt
    this.state = context.state?.name
    this.status = head?.status ?? 0
    this.reason = reason
    this.unmatched = isUnmatched
    this.rule = isUnmatched ? undefined : matchedRuleId(context, reason, this.status)
    this.notes = masked === undefined ? notes : notes.map(masked.mask)
    this.#fingerprint = context.fingerprint
    this.#headers = head?.headers ?? NO_HEADERS
    this.#mask = masked?.mask

    // A body that no endpoint parses may not be JSON.
    const text = context.route.readsBody && context.bodyError === undefined ? call.body : undefined
    const stored = text === undefined || text === '' || text.length > maxBytes ? undefined : (masked?.body ?? text)
    if (stored !== undefined) this.#body = arena.store(stored)
    // The finder holds the messages of the body, so it is kept only if the body is, and counts as a second body.
    if (isUnmatched && stored !== undefined) this.#findNearMiss = context.nearMissFinder
    const planBytes = estimatePlanBytes(events)
    const isStored = planBytes <= maxBytes
    if (isStored) this.#storePlan(events, arena)
    else this.#largePlan = events
    this.#payloadBytes = (stored?.length ?? 0) * (isUnmatched ? 2 : 1) + (isStored ? planBytes : 0)
  }

  #storePlan(events: readonly PlanEvent[], arena: TextArena): void {
    const packed = packPlan(events)
    if (typeof packed === 'string') {
      this.#planText = arena.store(packed)
      return
    }
    const { text, ...rest } = packed
    this.#planText = arena.store(text)
    this.#planEvents = rest
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
    const events = this.#largePlan ?? this.#plan
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
  end(outcome: Outcome, durationMs: number): void {
    this.outcome = outcome
    this.durationMs = durationMs
    if (this.#largePlan !== undefined) this.#freePlan()
    if (this.#isFreedAtEnd) this.freePayload()
  }

  /** Frees the body, the plan and the near miss; the other fields stay. */
  freePayload(): void {
    this.#payloadBytes = 0
    this.#findNearMiss = undefined
    this.#body?.free()
    this.#body = undefined
    this.#freePlan()
  }

  /** Frees the payload when the call ends: listeners then still see how many bytes were sent. */
  freePayloadAtEnd(): void {
    if (this.outcome === 'open') this.#isFreedAtEnd = true
    else this.freePayload()
  }

  #freePlan(): void {
    // The getter computes the bytes from the plan.
    this.#bytes = this.bytes
    this.#planText?.free()
    this.#planText = undefined
    this.#planEvents = undefined
    this.#largePlan = undefined
  }

  /** A copy as plain data. */
  toJSON(): JournalEntry {
    const entry: Record<string, unknown> = {}
    for (const field of FIELDS) if (this[field] !== undefined) entry[field] = this[field]
    return entry as unknown as JournalEntry
  }
}

/** The memory of a plan; a character counts as one byte. */
function estimatePlanBytes(events: readonly PlanEvent[]): number {
  let bytes = 0
  for (const event of events) bytes += EVENT_BYTES + ('data' in event ? event.data.length : 0)
  return bytes
}
