/**
 * The streamed response: server-sent events with a name, and a number without gaps.
 *
 *   response.created -> response.in_progress -> each item, one after the other -> response.completed or .incomplete
 *
 * An item is added, sent delta by delta, and done; most deltas hold one token. Its text stands in the deltas and in four
 * events after them, which are built when they are sent, like the deltas.
 */

import type { Random } from '../../lib/random/random.ts'
import { countJsonUtf8, countUtf8 } from '../../lib/text/bytes.ts'
import type { Piece } from '../../lib/tokenizer/tokenizer.ts'
import { EventList } from '../../protocol/plan/event-list.ts'
import { joinParts, type Part, TextSize } from '../../protocol/plan/text-parts.ts'
import type { Logprobs } from '../../protocol/turn/logprobs.ts'
import { type PackedPieces, type Pieces, packPieces } from '../../protocol/turn/pieces.ts'
import type { Reply } from '../../protocol/turn/reply.ts'
import { finalParts, type ResponseFrame, startedResponse } from './response-body.ts'
import { addedItem, isUnfinished, itemParts, partOf, type ResponseItem, summaryPart } from './response-items.ts'

interface ResponseStreamOptions {
  /** Undefined for a stream without obfuscation. */
  readonly obfuscation: Random | undefined
  /** The text of the message, or the arguments of each call, in pieces. */
  readonly pieces: Pieces
  /** Computes the ends of the events of a long stream, or has them already. */
  readonly memo: (measure: () => Uint32Array) => Uint32Array
}

/** The deltas of a text, or one event. */
type EventRun = DeltaRun | OneEvent

const numberField = ',"sequence_number":'
const END = '}\n\n'
const eventHead = (type: string): string => `event: response.${type}\ndata: {"type":"response.${type}",`

/** An event that holds no delta. */
class OneEvent {
  readonly length = 1
  readonly tokens = 0
  /** Its text before and after its number. */
  readonly #before: Part
  readonly #after: Part
  readonly minBytes: number

  /**
   * @param fields those before the number of the event.
   * @param rest those after it.
   */
  constructor(type: string, fields: readonly Part[], rest: readonly Part[] = []) {
    this.#before = joinParts([eventHead(type), ...fields, numberField])
    this.#after = joinParts([...rest, END])
    this.minBytes = new TextSize(this.#before).byteLength + new TextSize(this.#after).byteLength
  }

  get maxBytes(): number {
    return this.minBytes + MAX_DIGITS
  }

  textOf(_index: number, number: number): string {
    return textOfPart(this.#before) + number + textOfPart(this.#after)
  }

  bytesOf(_index: number, number: number): number {
    return this.minBytes + String(number).length
  }

  tokensOf(): number {
    return 0
  }
}

const textOfPart = (part: Part): string => (typeof part === 'string' ? part : [...part].join(''))

/** The size of the number of an event. */
const MAX_DIGITS = 10
/** Lengths of delta and obfuscation add up to a multiple of this, so that sizes do not tell the tokens. */
const BLOCK = 16
/** The letters that all obfuscations of a stream are taken from. */
const POOL_LENGTH = 255
/** The distance of the places of two neighbours in the pool, which has no factor in common with the number of places. */
const POOL_STEP = 101
/** More bytes of JSON where a piece ends inside a character: its halves are escaped. */
const MAX_ESCAPED = 8

/** The fields of a delta besides its text. */
interface DeltaFields {
  /** Those before it. */
  readonly before: string
  /** Those after it, up to the logprobs. */
  readonly after: string
  /** The list of logprobs; '' for a delta without that field. */
  readonly noLogprobs: string
  readonly logprobs: Logprobs | undefined
  /** The letters of its obfuscation; undefined for none. */
  readonly pool: string | undefined
  /** Those after the obfuscation and the number of the event. */
  readonly place: string
  readonly rest: string
}

/** Consecutive deltas of one text. */
class DeltaRun {
  readonly length: number
  readonly tokens: number
  readonly #packed: PackedPieces
  readonly #fields: DeltaFields
  readonly #frameBytes: number
  readonly #textBytes: number

  constructor(type: string, pieces: readonly Piece[], fields: Omit<DeltaFields, 'rest'> & { readonly rest?: string }) {
    this.#packed = packPieces(pieces)
    this.length = pieces.length
    this.tokens = this.#packed.tokens[pieces.length]!
    const rest = (fields.rest ?? '') + END
    this.#fields = { ...fields, before: eventHead(type) + fields.before, rest }
    const { before, after, noLogprobs, pool, place } = this.#fields
    const obfuscation = pool === undefined ? '' : obfuscationField('')
    this.#frameBytes = (before + after + noLogprobs + obfuscation + place + numberField + rest).length
    this.#textBytes = countJsonUtf8(this.#packed.text)
  }

  get minBytes(): number {
    return this.#frameBytes * this.length + this.#textBytes
  }

  get maxBytes(): number {
    const each = this.#frameBytes + 2 + BLOCK + MAX_DIGITS + MAX_ESCAPED
    return each * this.length + this.#textBytes + (this.#fields.logprobs?.byteLength ?? 0)
  }

  textOf(index: number, number: number): string {
    const { before, after, noLogprobs, logprobs, pool, place, rest } = this.#fields
    const text = this.#textAt(index)
    const listed = logprobs === undefined ? noLogprobs : `,"logprobs":[${logprobs.slice(...this.#tokensAt(index))}]`
    const from = (number * POOL_STEP) % (POOL_LENGTH - BLOCK)
    const obfuscation = pool === undefined ? '' : obfuscationField(pool.slice(from, from + paddingLength(text)))
    return before + JSON.stringify(text) + after + listed + obfuscation + place + numberField + number + rest
  }

  bytesOf(index: number, number: number): number {
    const { logprobs, pool } = this.#fields
    const text = this.#textAt(index)
    const listed = logprobs === undefined ? 0 : logprobs.sliceBytes(...this.#tokensAt(index))
    const padding = pool === undefined ? 0 : paddingLength(text)
    return this.#frameBytes + countUtf8(JSON.stringify(text)) + listed + padding + String(number).length
  }

  tokensOf(index: number): number {
    const [from, to] = this.#tokensAt(index)
    return to - from
  }

  #textAt(index: number): string {
    const { text, starts } = this.#packed
    return text.slice(starts[index], starts[index + 1])
  }

  #tokensAt(index: number): readonly [number, number] {
    const { tokens } = this.#packed
    return [tokens[index]!, tokens[index + 1]!]
  }
}

const paddingLength = ({ length }: string): number => (BLOCK - (length % BLOCK)) % BLOCK
const obfuscationField = (letters: string): string => `,"obfuscation":"${letters}"`

/** A stream: its events by number, each built when it is read. */
export class ResponseStream extends EventList {
  readonly length: number
  readonly #runs: readonly EventRun[]
  /** The number of the first event of each run. */
  readonly #starts: readonly number[]

  constructor(frame: ResponseFrame, reply: Reply, { obfuscation, pieces, memo }: ResponseStreamOptions) {
    super(memo)
    const started = [`"response":${startedResponse(frame)}`]
    const runs: EventRun[] = [new OneEvent('created', started), new OneEvent('in_progress', started)]
    const pool = obfuscation?.alphanumeric(POOL_LENGTH)
    let told = 0
    for (const [index, item] of frame.output.items.entries()) {
      runs.push(new OneEvent('output_item.added', [`"item":${addedItem(item)},"output_index":${index}`]))
      const ofItem = item.type === 'reasoning' ? [] : pieces[told++]!
      for (const run of runsOf(item, index, ofItem, pool)) runs.push(run)
      runs.push(new OneEvent('output_item.done', ['"item":', ...itemParts(item), `,"output_index":${index}`]))
    }
    const last = isUnfinished(reply) ? 'incomplete' : 'completed'
    runs.push(new OneEvent(last, ['"response":', ...finalParts(frame, reply)]))
    this.#runs = runs
    let length = 0
    this.#starts = runs.map((run) => {
      const start = length
      length += run.length
      return start
    })
    this.length = length
  }

  get minBytes(): number {
    return this.#runs.reduce((sum, { minBytes }) => sum + minBytes, 0)
  }

  get maxBytes(): number {
    return this.#runs.reduce((sum, { maxBytes }) => sum + maxBytes, 0)
  }

  get tokens(): number {
    return this.#runs.reduce((sum, { tokens }) => sum + tokens, 0)
  }

  textOf(number: number): string {
    const { run, index } = this.#find(number)
    return run.textOf(index, number)
  }

  tokensOf(number: number): number {
    const { run, index } = this.#find(number)
    return run.tokensOf(index)
  }

  isBeside(): boolean {
    return false
  }

  /** Without building events: that would take five times as long. */
  protected override measure(): Uint32Array {
    const ends = new Uint32Array(this.length)
    let number = 0
    let end = 0
    for (const run of this.#runs) {
      for (let index = 0; index < run.length; index++) {
        end += run.bytesOf(index, number)
        ends[number++] = end
      }
    }
    return ends
  }

  #find(number: number): { readonly run: EventRun; readonly index: number } {
    const starts = this.#starts
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (starts[middle]! <= number) low = middle
      else high = middle - 1
    }
    return { run: this.#runs[low]!, index: number - starts[low]! }
  }
}

/** The events of an item between those that add it and say that it is done. */
function runsOf(item: ResponseItem, output: number, pieces: readonly Piece[], pool: string | undefined): EventRun[] {
  const { type, id } = item
  const itemId = `"item_id":"${id}"`
  const place = `,"output_index":${output}`
  switch (type) {
    case 'reasoning':
      return item.summary.flatMap((text, index) => {
        const ofPart = (part: string): string => `${itemId}${place},"part":${summaryPart(part)}`
        const rest = `,"summary_index":${index}`
        const before = '"delta":'
        const fields = { before, after: `,${itemId}`, noLogprobs: '', logprobs: undefined, pool, place, rest }
        const words = (text.match(/\s*\S+/g) ?? []).map((word) => ({ text: word, tokens: 0 }))
        return [
          new OneEvent('reasoning_summary_part.added', [ofPart('')], [rest]),
          new DeltaRun('reasoning_summary_text.delta', words, fields),
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
      const fields = { before, after: `,${itemId}`, noLogprobs, logprobs, pool: isRefusal ? undefined : pool, place }
      const done: EventRun = isRefusal
        ? new OneEvent('refusal.done', [`"content_index":0,${itemId}${place},"refusal":"`, json, '"'])
        : new OneEvent(
            'output_text.done',
            [`"content_index":0,${itemId},"logprobs":[`, logprobs ?? '', `]${place}`],
            [',"text":"', json, '"'],
          )
      return [
        new OneEvent('content_part.added', [placed, ...partOf({ kind, json: '', logprobs: undefined })]),
        new DeltaRun(`${kind}.delta`, pieces, fields),
        done,
        new OneEvent('content_part.done', [placed, ...partOf(item)]),
      ]
    }
    case 'function_call': {
      const before = '"delta":'
      const fields = { before, after: `,${itemId}`, noLogprobs: '', logprobs: undefined, pool, place }
      return [
        new DeltaRun('function_call_arguments.delta', pieces, fields),
        new OneEvent('function_call_arguments.done', ['"arguments":"', item.json, `",${itemId}${place}`]),
      ]
    }
    default:
      return item satisfies never
  }
}
