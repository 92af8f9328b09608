/**
 * The payload of a stored exchange: its request body, and its plan as steps.
 *
 * Both are written as one text into the journal's ring of bytes, and parsed when somebody reads them:
 *
 *     {"model":"gpt-4o","messages":[...]}={"id":"chatcmpl-...}      the body, then the steps (timeline.ts)
 *
 * The payload can be lost in two ways. Later texts overwrite it in the ring. And a plan that is too large for the ring is
 * kept as it is, until the journal drops it: it has not built most of its text yet, and takes less than that.
 */

import type { PlanEvent } from '../protocol/plan/plan.ts'
import type { TextPlace, TextRing } from './text-ring.ts'
import { writeSteps } from './timeline.ts'

/** Counted for each event of a plan besides its data. */
const EVENT_BYTES = 24

export class Payload {
  readonly #ring: TextRing
  /** Undefined for a text that is larger than the whole ring. */
  readonly #place: TextPlace | undefined
  /** The UTF-16 code units of the body, with which the text in the ring begins. */
  readonly #bodyLength: number
  /** True if the steps of the plan are in the ring. */
  readonly #hasSteps: boolean
  readonly #hasData: boolean
  /** The plan, if it is too large for the ring; undefined once it is dropped, and for any other plan. */
  #largePlan: readonly PlanEvent[] | undefined
  /** The size of the large plan, with the request that it may read; 0 without one. */
  largeBytes = 0

  /**
   * @param maxBytes the size of the largest plan that is written into the ring.
   * @param body the request body as JSON, with its keys masked; '' for one that is not stored.
   * @param sentLength the length of the request body as it was sent.
   * @param hasData true if the steps show what was sent, false for its size only.
   */
  constructor(
    ring: TextRing,
    maxBytes: number,
    body: string,
    sentLength: number,
    events: readonly PlanEvent[],
    hasData: boolean,
  ) {
    const planBytes = measurePlan(events)
    this.#hasSteps = planBytes <= maxBytes
    if (!this.#hasSteps) {
      this.#largePlan = events
      this.largeBytes = planBytes + sentLength
    }
    this.#ring = ring
    this.#bodyLength = body.length
    this.#hasData = hasData
    this.#place = ring.write(this.#hasSteps ? body + writeSteps(events, hasData) : body)
  }

  /** The request body as JSON; undefined when it is not stored, or is overwritten. */
  get body(): string | undefined {
    return this.#bodyLength === 0 ? undefined : this.#text?.slice(0, this.#bodyLength)
  }

  /** The steps of the plan as text; undefined when they are overwritten or dropped. */
  get steps(): string | undefined {
    if (this.#largePlan !== undefined) return writeSteps(this.#largePlan, this.#hasData)
    return this.#hasSteps ? this.#text?.slice(this.#bodyLength) : undefined
  }

  get #text(): string | undefined {
    return this.#place && this.#ring.read(this.#place)
  }

  /** True if later texts have overwritten the body and the steps. */
  get isOverwritten(): boolean {
    return this.#place !== undefined && !this.#ring.has(this.#place)
  }

  /** Forgets a large plan. */
  dropLargePlan(): void {
    this.#largePlan = undefined
    this.largeBytes = 0
  }
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
