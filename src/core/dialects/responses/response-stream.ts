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
import { type ResponseFrame, responseParts, startedResponse } from './response-body.ts'
import { type EventRun, OneEvent, POOL_LENGTH, ResponseDeltas } from './response-events.ts'
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
    let told = 0
    for (const [index, item] of frame.output.items.entries()) {
      const place = `,"output_index":${index}`
      runs.push(new OneEvent('output_item.added', ['"item":', ...itemParts(item, true), place]))
      const isTold = item.type === 'message' || item.type === 'function_call'
      const ofItem = isTold ? pieces[told++]! : []
      for (const run of runsOf(item, index, ofItem, pool)) runs.push(run)
      runs.push(new OneEvent('output_item.done', ['"item":', ...itemParts(item), place]))
    }
    const last = isUnfinished(reply) ? 'incomplete' : 'completed'
    runs.push(new OneEvent(last, ['"response":', ...responseParts(frame, reply, true)]))
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

/** The events of an item between those that add it and say that it is done. */
function runsOf(item: ResponseItem, output: number, pieces: readonly Piece[], pool: string | undefined): EventRun[] {
  const { type, id } = item
  const itemId = `"item_id":"${id}"`
  const place = `,"output_index":${output}`
  const fields = { before: '"delta":', after: `,${itemId}`, noLogprobs: '', logprobs: undefined, pool, place }
  switch (type) {
    case 'reasoning':
      return item.summary.flatMap((text, index) => {
        const ofPart = (part: string): string => `${itemId}${place},"part":${summaryPart(part)}`
        const rest = `,"summary_index":${index}`
        const words = (text.match(/\s*\S+/g) ?? []).map((word) => ({ text: word, tokens: 0 }))
        return [
          new OneEvent('reasoning_summary_part.added', [ofPart('')], [rest]),
          new ResponseDeltas('reasoning_summary_text.delta', words, { ...fields, rest }),
          new OneEvent('reasoning_summary_text.done', [itemId + place], [`${rest},"text":${JSON.stringify(text)}`]),
          new OneEvent('reasoning_summary_part.done', [ofPart(text)], [rest]),
        ]
      })
    case 'message': {
      const { kind, json, logprobs } = item
      const placed = `"content_index":0,${itemId}${place},"part":`
      const isRefusal = kind === 'refusal'
      const noLogprobs = isRefusal ? '' : ',"logprobs":[]'
      const before = '"content_index":0,"delta":'
      const ofText = { ...fields, before, noLogprobs, logprobs, pool: isRefusal ? undefined : pool }
      const done: EventRun = isRefusal
        ? new OneEvent('refusal.done', [`"content_index":0,${itemId}${place},"refusal":"`, json, '"'])
        : new OneEvent(
            'output_text.done',
            [`"content_index":0,${itemId},"logprobs":[`, logprobs ?? '', `]${place}`],
            [',"text":"', json, '"'],
          )
      return [
        new OneEvent('content_part.added', [placed, ...partOf({ kind, json: '', logprobs: undefined })]),
        new ResponseDeltas(`${kind}.delta`, pieces, ofText),
        done,
        new OneEvent('content_part.done', [placed, ...partOf(item)]),
      ]
    }
    case 'function_call':
      return [
        new ResponseDeltas('function_call_arguments.delta', pieces, fields),
        new OneEvent('function_call_arguments.done', ['"arguments":"', item.json, `",${itemId}${place}`]),
      ]
    case 'scripted':
      return []
    default:
      return item satisfies never
  }
}
