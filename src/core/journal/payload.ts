/**
 * The payload of a stored exchange: its request body, and its plan as steps.
 *
 * Both are written as texts into the journal's ring of bytes, and parsed when somebody reads them: the body when the call is
 * decided, the steps (timeline.ts) when it has ended. Written before, the texts of long streams delayed those that were
 * being sent: they were 40 % of what a server allocates while 300 streams begin.
 *
 * The payload can be lost in two ways. Later texts overwrite it in the ring. And a plan that is too large for the ring is
 * kept as it is, until the journal drops it: it has not built most of its text yet, and takes less than that.
 */

import type { PlanEvents } from '../protocol/plan/plan.ts'
import type { TextPlace, TextRing } from './text-ring.ts'
import { writeSteps } from './timeline.ts'

/** Counted for each event of a plan besides its data. */
const EVENT_BYTES = 24

export class Payload {
  readonly #ring: TextRing
  /** Undefined for a body that is not stored, or is larger than the whole ring; so is `#steps`. */
  readonly #body: TextPlace | undefined
  #steps: TextPlace | undefined
  readonly #hasData: boolean
  /** The plan, until it is in the ring; a large one, until it is dropped. */
  #plan: PlanEvents | undefined
  /** The size of a plan that is too large for the ring, with the request that it may read; 0 for any other, and once it is dropped. */
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
    events: PlanEvents,
    hasData: boolean,
  ) {
    // Approximate: one byte for each character of the data, and a fixed size for each event.
    let planBytes = 0
    for (const event of events) {
      planBytes += EVENT_BYTES
      if (event.type === 'send') planBytes += event.byteLength ?? event.data.length
      else if (event.type === 'raw') planBytes += event.data.length
    }
    if (planBytes > maxBytes) this.largeBytes = planBytes + sentLength
    this.#ring = ring
    this.#body = body === '' ? undefined : ring.write(body)
    this.#plan = events
    this.#hasData = hasData
  }

  /** Writes the steps of the plan into the ring, once it is played. */
  end(): void {
    if (this.#plan === undefined || this.largeBytes > 0) return
    this.#steps = this.#ring.write(writeSteps(this.#plan, this.#hasData))
    this.#plan = undefined
  }

  /** The request body as JSON; undefined when it is not stored, or is overwritten. */
  get body(): string | undefined {
    return this.#body && this.#ring.read(this.#body)
  }

  /** The steps of the plan as text; undefined when they are overwritten or dropped. */
  get steps(): string | undefined {
    if (this.#plan !== undefined) return writeSteps(this.#plan, this.#hasData)
    return this.#steps && this.#ring.read(this.#steps)
  }

  /** True if later texts have overwritten the body or the steps. */
  get isOverwritten(): boolean {
    return [this.#body, this.#steps].some((place) => place !== undefined && !this.#ring.has(place))
  }

  /** Forgets a large plan. */
  dropLargePlan(): void {
    this.#plan = undefined
    this.largeBytes = 0
  }
}
