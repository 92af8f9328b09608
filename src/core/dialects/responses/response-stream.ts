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
import { type EventRun, OneEvent, POOL_LENGTH, ResponseDeltas } from './event-parts.ts'
import { type ResponseFrame, responseParts, startedResponse } from './response-body.ts'
import { isUnfinished, itemParts, partOf, type ResponseItem, summaryPart } from './response-items.ts'

/** A stream: its events by number, each built when it is read. */
export class ResponseStream extends EventList {
  readonly length: number
  readonly #runs: readonly PlacedRun<EventRun>[]

  constructor(frame: ResponseFrame, reply: Reply, { obfuscation, pieces, memo }: StreamOptions) {
    super(memo)
    const started = [`"response":${startedResponse(frame)}`]
    const runs: EventRun[] = [new OneEvent('created', started), new OneEvent('in_progress', started)]
    const pool = obfuscation?.alphanumeric(POOL_LENGTH)
    // Messages and calls are sent in pieces, in this order.
    const piecesOfItems = pieces.values()
    for (const [index, item] of frame.output.items.entries()) {
      const isInPieces = item.type === 'message' || item.type === 'function_call'
      const itemPieces = isInPieces ? piecesOfItems.next().value! : []
      const outputIndex = `,"output_index":${index}`
      runs.push(new OneEvent('output_item.added', ['"item":', ...itemParts(item, { isAdded: true }), outputIndex]))
      for (const run of runsOf(item, outputIndex, itemPieces, pool)) runs.push(run)
      runs.push(new OneEvent('output_item.done', ['"item":', ...itemParts(item), outputIndex]))
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

/**
 * The events of an item between those that add it and say that it is done. The fields of an event are in alphabetical order, but
 * for its `type`; so the number is in the middle, and a delta has fields before and after its text.
 * @param outputIndex the field with the place of the item: `,"output_index":0`.
 * @param pieces the pieces of a message or of the arguments of a call.
 * @param pool the letters for the obfuscation; undefined for none.
 */
function runsOf(
  item: ResponseItem,
  outputIndex: string,
  pieces: readonly Piece[],
  pool: string | undefined,
): readonly EventRun[] {
  const itemId = `"item_id":"${item.id}"`
  const usualFields = {
    beforeText: '"delta":',
    afterText: `,${itemId}`,
    noLogprobs: '',
    logprobs: undefined,
    pool,
    beforeNumber: outputIndex,
    afterNumber: '',
  }
  switch (item.type) {
    case 'reasoning':
      return item.summary.flatMap((text, index) => {
        const partWith = (shown: string): string => `${itemId}${outputIndex},"part":${summaryPart(shown)}`
        const summaryIndex = `,"summary_index":${index}`
        const words = (text.match(/\s*\S+/g) ?? []).map((word) => ({ text: word, tokens: 0 }))
        const fields = { ...usualFields, afterNumber: summaryIndex }
        const whole = `${summaryIndex},"text":${JSON.stringify(text)}`
        return [
          new OneEvent('reasoning_summary_part.added', [partWith('')], [summaryIndex]),
          new ResponseDeltas('reasoning_summary_text.delta', words, fields),
          new OneEvent('reasoning_summary_text.done', [itemId + outputIndex], [whole]),
          new OneEvent('reasoning_summary_part.done', [partWith(text)], [summaryIndex]),
        ]
      })
    case 'message': {
      const { kind, json, logprobs } = item
      const content = '"content_index":0'
      const part = `${content},${itemId}${outputIndex},"part":`
      const added = new OneEvent('content_part.added', [part, ...partOf({ kind, json: '', logprobs: undefined })])
      const done = new OneEvent('content_part.done', [part, ...partOf(item)])
      const fields = { ...usualFields, beforeText: `${content},"delta":` }
      if (kind === 'refusal') {
        const deltas = new ResponseDeltas('refusal.delta', pieces, { ...fields, pool: undefined })
        const whole = [`${content},${itemId}${outputIndex},"refusal":"`, json, '"']
        return [added, deltas, new OneEvent('refusal.done', whole), done]
      }
      const withLogprobs = { ...fields, noLogprobs: ',"logprobs":[]', logprobs }
      const deltas = new ResponseDeltas('output_text.delta', pieces, withLogprobs)
      const before = [`${content},${itemId},"logprobs":[`, logprobs ?? '', `]${outputIndex}`]
      return [added, deltas, new OneEvent('output_text.done', before, [',"text":"', json, '"']), done]
    }
    case 'function_call':
      return [
        new ResponseDeltas('function_call_arguments.delta', pieces, usualFields),
        new OneEvent('function_call_arguments.done', ['"arguments":"', item.json, `",${itemId}${outputIndex}`]),
      ]
    case 'scripted':
      return []
    default:
      return item satisfies never
  }
}
