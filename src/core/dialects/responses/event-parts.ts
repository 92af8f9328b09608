/**
 * The parts that response-stream.ts makes the stream of a response from, in runs: one event, or the deltas of one text. The
 * text of an event is built when it is read.
 *
 *     event: response.output_text.delta
 *     data: {"type":"response.output_text.delta","content_index":0,"delta":"Hi","item_id":"msg_1","logprobs":[],
 *       "obfuscation":"x7Kd0Qm2pA","output_index":0,"sequence_number":4}
 *
 * Every event has a number, which it does not know itself: a run is given the index of the event in the run, and its number
 * in the stream.
 */

import { countUtf8 } from '../../lib/text/bytes.ts'
import type { Piece } from '../../lib/tokenizer/tokenizer.ts'
import { byteLengthOf, joinParts, jsonOfText, type Part, textOfPart } from '../../protocol/plan/text-parts.ts'
import type { Logprobs } from '../../protocol/turn/logprobs.ts'
import { type PackedPieces, packPieces } from '../../protocol/turn/pieces.ts'

/** Consecutive events: the deltas of a text, or one event. */
export type EventRun = ResponseDeltas | OneEvent

const NUMBER_FIELD = ',"sequence_number":'
/** The most digits of the number of an event. */
const MAX_DIGITS = 10
const END = '}\n\n'

/** The beginning of an event, up to its fields. */
const eventHead = (type: string): string => `event: response.${type}\ndata: {"type":"response.${type}",`

/** An event that holds no delta. */
export class OneEvent {
  readonly length = 1
  readonly tokens = 0
  /** The text of the event before and after its number. */
  readonly #beforeNumber: Part
  readonly #afterNumber: Part
  /** The bytes of the event without its number. */
  readonly minBytes: number

  /**
   * @param fields the fields before the number of the event.
   * @param rest the fields after it.
   */
  constructor(type: string, fields: readonly Part[], rest: readonly Part[] = []) {
    this.#beforeNumber = joinParts([eventHead(type), ...fields, NUMBER_FIELD])
    this.#afterNumber = joinParts([...rest, END])
    this.minBytes = byteLengthOf(this.#beforeNumber) + byteLengthOf(this.#afterNumber)
  }

  get maxBytes(): number {
    return this.minBytes + MAX_DIGITS
  }

  textOf(_index: number, number: number): string {
    return textOfPart(this.#beforeNumber) + number + textOfPart(this.#afterNumber)
  }

  bytesOf(_index: number, number: number): number {
    return this.minBytes + String(number).length
  }

  tokensOf(): number {
    return 0
  }
}

/** The fields of a delta besides its text. */
interface DeltaFields {
  /** The fields before the text. */
  readonly beforeText?: string
  /** The fields after the text, up to the logprobs. */
  readonly afterText: string
  /** True for a delta with the field `logprobs`, whose list is empty where none were asked for. */
  readonly hasLogprobs?: boolean
  readonly logprobs?: Logprobs | undefined
  /** The letters that its obfuscation is taken from; undefined for none. */
  readonly pool?: string | undefined
  /** The fields between the obfuscation and the number of the event. */
  readonly beforeNumber: string
  /** The fields after the number. */
  readonly afterNumber?: string
}

/** The values that differ between the deltas of one text. */
interface DeltaValues {
  /** The text as a JSON string. */
  readonly json: string
  /** The logprobs of its tokens. */
  readonly listed: string
  /** The letters of its obfuscation. */
  readonly letters: string
  readonly number: string
}

/** Empty values, to measure an event without them. */
const NO_VALUES: DeltaValues = { json: '', listed: '', letters: '', number: '' }

/** The most bytes that a piece has more than its part of the whole text: if it ends inside a character, the halves are escaped. */
const MAX_ESCAPED = 8

/** Consecutive deltas of one text. */
export class ResponseDeltas {
  readonly length: number
  readonly tokens: number
  readonly #packed: PackedPieces
  readonly #fields: DeltaFields & Required<Pick<DeltaFields, 'beforeText' | 'afterNumber'>>
  /** The bytes of an event besides its text, logprobs, obfuscation and number. */
  readonly #frameBytes: number
  readonly #textBytes: number

  constructor(type: string, pieces: readonly Piece[], fields: DeltaFields) {
    this.#packed = packPieces(pieces)
    this.length = pieces.length
    this.tokens = this.#packed.tokens[pieces.length]!
    const { beforeText = '', afterNumber = '' } = fields
    this.#fields = {
      ...fields,
      beforeText: `${eventHead(type)}${beforeText}"delta":`,
      afterNumber: afterNumber + END,
    }
    this.#frameBytes = this.#write(NO_VALUES).length
    this.#textBytes = byteLengthOf(jsonOfText(this.#packed.text))
  }

  get minBytes(): number {
    return this.#frameBytes * this.length + this.#textBytes
  }

  get maxBytes(): number {
    const quotes = 2
    const each = this.#frameBytes + quotes + BLOCK_LENGTH + MAX_DIGITS + MAX_ESCAPED
    return each * this.length + this.#textBytes + (this.#fields.logprobs?.byteLength ?? 0)
  }

  textOf(index: number, number: number): string {
    const { logprobs, pool = '' } = this.#fields
    const text = this.#textAt(index)
    const listed = logprobs === undefined ? '' : logprobs.slice(...this.#tokensAt(index))
    const from = (number * POOL_STEP) % (POOL_LENGTH - BLOCK_LENGTH)
    const letters = pool.slice(from, from + paddingLength(text))
    return this.#write({ json: JSON.stringify(text), listed, letters, number: String(number) })
  }

  /** Writes an event from what differs between the events of a run. */
  #write({ json, listed, letters, number }: DeltaValues): string {
    const { beforeText, afterText, hasLogprobs, pool, beforeNumber, afterNumber } = this.#fields
    const logprobs = hasLogprobs ? `,"logprobs":[${listed}]` : ''
    const obfuscation = pool === undefined ? '' : `,"obfuscation":"${letters}"`
    return beforeText + json + afterText + logprobs + obfuscation + beforeNumber + NUMBER_FIELD + number + afterNumber
  }

  bytesOf(index: number, number: number): number {
    const { logprobs, pool } = this.#fields
    const text = this.#textAt(index)
    const listed = logprobs === undefined ? 0 : logprobs.sliceBytes(...this.#tokensAt(index))
    const letters = pool === undefined ? 0 : paddingLength(text)
    return this.#frameBytes + countUtf8(JSON.stringify(text)) + listed + letters + String(number).length
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

/** Lengths of delta and obfuscation add up to a multiple of this, so that sizes do not tell the tokens. */
const BLOCK_LENGTH = 16
/** The letters that all obfuscations of a stream are taken from. */
export const POOL_LENGTH = 255
/** Distance in the pool between consecutive events. It is coprime to the number of places, so all places are used. */
const POOL_STEP = 101

const paddingLength = ({ length }: string): number => (BLOCK_LENGTH - (length % BLOCK_LENGTH)) % BLOCK_LENGTH
