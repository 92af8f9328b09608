/**
 * An exchange as the journal keeps it: little is done when it happens, the rest when it is read.
 *
 * What is kept of a call on the hot path lives through collections of garbage, and each object of it costs: so the body
 * stays text, the plan is packed, both are on a shelf outside the heap, and times are noted only by plans that wait.
 *
 * A key that a call repeats is shortened; the answer to such a call is told in sizes only, as the pieces of a stream
 * could be put together to the key that stands in none of them.
 */

import type { CallContext } from '../call/call-context.ts'
import { faultIn, headOf, limitIn, type Plan, type PlanEvent, type Reason } from '../plan/plan.ts'
import type { RoutedEndpoint } from '../request/endpoints.ts'
import type { NearMiss } from '../scenario/diagnostics/near-miss.ts'
import type { JsonObject } from '../text/json.ts'
import { truncate } from '../text/truncate.ts'
import type { JournalEntry, Outcome, Step } from './entry.ts'
import { maskCall, maskQuery } from './mask-call.ts'
import { type PackedEvents, packPlan, unpackPlan } from './packed-plan.ts'
import { isUnmatchedChat, matchedRuleId } from './rule-usage.ts'
import type { StoredText, TextArena } from './text-arena.ts'
import { type Marks, sentBytes, timelineOf } from './timeline.ts'

const MAX_NAME_LENGTH = 200
// What an event takes besides its text, with its time.
const EVENT_WEIGHT = 24
const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({})

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
  #marks: number[] | undefined
  #weight: number
  #body: StoredText | undefined
  /** All the text of the plan. */
  #said: StoredText | undefined
  /** The plan without its text; undefined for one that is a head, one text and the end. */
  #packed: Omit<PackedEvents, 'text'> | undefined
  /** The plan as it is played, where it is too large to be kept: until it has ended, to count what was sent. */
  #played: readonly PlanEvent[] | undefined
  #findNearMiss: (() => NearMiss | undefined) | undefined
  #bytes = 0
  #isDropped = false

  /** @param largest what the body and the plan may take each. */
  constructor(number: number, context: CallContext, plan: Plan, shelf: TextArena, largest: number) {
    const { call } = context
    const { reason, notes, events } = plan
    const head = headOf(events)
    const hidden = maskCall(context, head?.status ?? 0)
    const isUnmatched = isUnmatchedChat(context, reason)

    this.number = number
    this.at = call.now
    this.method = call.method
    this.path = truncate(hidden?.path ?? call.path, MAX_NAME_LENGTH)
    this.query = call.query && truncate(maskQuery(call.query, context), MAX_NAME_LENGTH)
    this.endpoint = context.endpoint
    this.key = context.maskedKey
    this.caller = context.session.caller
    this.model = truncate(hidden?.mask(context.model) ?? context.model, MAX_NAME_LENGTH)
    this.attempt = context.attempt
    this.state = context.state?.name
    this.status = head?.status ?? 0
    this.reason = reason
    this.unmatched = isUnmatched
    this.rule = isUnmatched ? undefined : matchedRuleId(context, reason, this.status)
    this.notes = hidden === undefined ? notes : notes.map(hidden.mask)
    this.#fingerprint = context.fingerprint
    this.#headers = head?.headers ?? NO_HEADERS
    this.#mask = hidden?.mask

    // Where no endpoint reads the body, nobody has looked whether it is JSON.
    const text = context.route.readsBody && context.bodyError === undefined ? call.body : undefined
    const kept = text === undefined || text === '' || text.length > largest ? undefined : (hidden?.body ?? text)
    if (kept !== undefined) this.#body = shelf.store(kept)
    // It holds on to the body: where that is too large to be kept, so is this.
    if (isUnmatched && kept !== undefined) this.#findNearMiss = context.nearMissFinder
    const weight = weightOf(events)
    if (weight > largest) this.#played = events
    else this.#keepPlan(events, shelf)
    // The texts that a near miss is found by are once more as long as the body.
    this.#weight = (kept?.length ?? 0) * (isUnmatched ? 2 : 1) + (weight > largest ? 0 : weight)
  }

  #keepPlan(events: readonly PlanEvent[], shelf: TextArena): void {
    const packed = packPlan(events)
    if (typeof packed === 'string') {
      this.#said = shelf.store(packed)
      return
    }
    const { text, ...rest } = packed
    this.#said = shelf.store(text)
    this.#packed = rest
  }

  /** The room that the body and the plan take, in bytes. */
  get weight(): number {
    return this.#weight
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
    // All of an answer that came to its end was sent: its text need not be taken apart.
    if (this.#said !== undefined && this.outcome === 'complete' && this.#packed?.bytes === undefined) {
      return this.#said.byteLength
    }
    const events = this.#played ?? this.#plan
    return events === undefined ? this.#bytes : sentBytes(events, this.#timesOf(events))
  }

  get timeline(): readonly Step[] | undefined {
    const events = this.#plan
    return events && timelineOf(events, this.#timesOf(events), this.#mask === undefined)
  }

  get #plan(): readonly PlanEvent[] | undefined {
    if (this.#said === undefined) return undefined
    const text = this.#said.read()
    return unpackPlan(this.#packed === undefined ? text : { ...this.#packed, text }, this.status)
  }

  /** A plan that noted no times went out in one go, as it ended. */
  #timesOf({ length }: readonly PlanEvent[]): Marks {
    return this.#marks ?? (this.outcome === 'open' ? [] : [length, this.durationMs])
  }

  /** Notes that so many events of a plan that waits are done, so many milliseconds after the call came. */
  mark(done: number, atMs: number): void {
    this.#marks ??= []
    this.#marks.push(done, atMs)
  }

  /** Notes how it ended. */
  end(outcome: Outcome, durationMs: number): void {
    this.outcome = outcome
    this.durationMs = durationMs
    if (this.#played !== undefined) this.#dropPlan()
    if (this.#isDropped) this.evictPayload()
  }

  /** Gives up the body, the plan and what a near miss is found by; the lines that are left count and are counted. */
  evictPayload(): void {
    this.#weight = 0
    this.#findNearMiss = undefined
    this.#body?.free()
    this.#body = undefined
    this.#dropPlan()
  }

  /** It is no longer in the journal, and gives up its room: one whose call is under way when that ends. */
  drop(): void {
    if (this.outcome === 'open') this.#isDropped = true
    else this.evictPayload()
  }

  #dropPlan(): void {
    this.#bytes = this.bytes
    this.#said?.free()
    this.#said = undefined
    this.#packed = undefined
    this.#played = undefined
  }

  /** All of it as plain data, as it is now: what every reader gets. */
  toJSON(): JournalEntry {
    const {
      number,
      at,
      method,
      path,
      query,
      endpoint,
      key,
      caller,
      model,
      request,
      attempt,
      state,
      body,
      status,
      headers,
    } = this
    const { reason, rule, fault, limit, notes, unmatched, nearMiss, outcome, durationMs, bytes, timeline } = this
    return {
      number,
      at,
      method,
      path,
      ...(query !== undefined && { query }),
      endpoint,
      key,
      caller,
      model,
      request,
      attempt,
      ...(state !== undefined && { state }),
      ...(body !== undefined && { body }),
      status,
      headers,
      reason,
      ...(rule !== undefined && { rule }),
      ...(fault !== undefined && { fault }),
      ...(limit !== undefined && { limit }),
      notes,
      unmatched,
      ...(nearMiss !== undefined && { nearMiss }),
      outcome,
      durationMs,
      bytes,
      ...(timeline !== undefined && { timeline }),
    }
  }
}

function weightOf(events: readonly PlanEvent[]): number {
  let weight = 0
  for (const event of events) weight += EVENT_WEIGHT + ('data' in event ? event.data.length : 0)
  return weight
}
