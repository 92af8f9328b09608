/**
 * The streamed response: server-sent events with a name, and a number without gaps.
 *
 *   response.created -> response.in_progress -> each item, one after the other -> response.completed or .incomplete
 *
 * An item has an event when it begins, its deltas, and an event when it is done. Most deltas hold one token. The whole text
 * stands in four events after the deltas. All of them are built when they are sent.
 */

import type { Piece } from '../../lib/tokenizer/tokenizer.ts'
import { EventList } from '../../protocol/plan/event-list.ts'
import type { Reply } from '../../protocol/turn/reply.ts'
import { findRun, type PlacedRun, placeRuns, type StreamOptions } from '../streams.ts'
import { type EventRun, OneEvent, POOL_LENGTH } from './event-parts.ts'
import { type ResponseFrame, responseParts } from './response-body.ts'
import { isUnfinished } from './response-items.ts'

/** A stream: its events by number, each built when it is read. */
export class ResponseStream extends EventList {
  readonly length: number
  readonly #runs: readonly PlacedRun<EventRun>[]

  constructor(frame: ResponseFrame, reply: Reply, { obfuscation, pieces, memo }: StreamOptions) {
    super(memo)
    const started = ['"response":', ...responseParts(frame, undefined, { isStreamed: true })]
    const runs: EventRun[] = [new OneEvent('created', started), new OneEvent('in_progress', started)]
    const pool = obfuscation?.alphanumeric(POOL_LENGTH)
    // Messages and calls are sent in pieces, in this order.
    const piecesOfItems = pieces.values()
    const nextPieces = (): readonly Piece[] => piecesOfItems.next().value!
    for (const [index, { json, addedJson, runs: itemRuns }] of frame.output.items.entries()) {
      const outputIndex = `,"output_index":${index}`
      runs.push(new OneEvent('output_item.added', ['"item":', addedJson, outputIndex]))
      for (const run of itemRuns({ outputIndex, nextPieces, pool })) runs.push(run)
      runs.push(new OneEvent('output_item.done', ['"item":', ...json, outputIndex]))
    }
    const lastType = isUnfinished(reply) ? 'incomplete' : 'completed'
    runs.push(new OneEvent(lastType, ['"response":', ...responseParts(frame, reply, { isStreamed: true })]))
    this.#runs = placeRuns(runs)
    this.length = this.#runs.at(-1)!.start + 1
  }

  get minBytes(): number {
    return this.#runs.reduce((sum, { run }) => sum + run.minBytes, 0)
  }

  get maxBytes(): number {
    return this.#runs.reduce((sum, { run }) => sum + run.maxBytes, 0)
  }

  get tokens(): number {
    return this.#runs.reduce((sum, { run }) => sum + run.tokens, 0)
  }

  textOf(number: number): string {
    const { run, index } = findRun(this.#runs, number)
    return run.textOf(index, number)
  }

  tokensOf(number: number): number {
    const { run, index } = findRun(this.#runs, number)
    return run.tokensOf(index)
  }

  isBeside(): boolean {
    return false
  }

  protected override bytesOf(number: number): number {
    const { run, index } = findRun(this.#runs, number)
    return run.bytesOf(index, number)
  }
}
