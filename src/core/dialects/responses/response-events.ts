/** The events of a streamed response: one event, or the deltas of one text. Each is built when it is read. */

import { countJsonUtf8, countUtf8 } from '../../lib/text/bytes.ts'
import type { Piece } from '../../lib/tokenizer/tokenizer.ts'
import { byteLengthOf, joinParts, type Part } from '../../protocol/plan/text-parts.ts'
import type { Logprobs } from '../../protocol/turn/logprobs.ts'
import { type PackedPieces, packPieces } from '../../protocol/turn/pieces.ts'

/** The deltas of a text, or one event. */
export type EventRun = ResponseDeltas | OneEvent

const numberField = ',"sequence_number":'
const END = '}\n\n'
const eventHead = (type: string): string => `event: response.${type}\ndata: {"type":"response.${type}",`

/** An event that holds no delta. */
export class OneEvent {
  readonly length = 1
  readonly tokens = 0
  /** The text of the event before and after its number. */
  readonly #before: Part
  readonly #after: Part
  readonly minBytes: number

  /**
   * @param fields the fields before the number of the event.
   * @param rest the fields after it.
   */
  constructor(type: string, fields: readonly Part[], rest: readonly Part[] = []) {
    this.#before = joinParts([eventHead(type), ...fields, numberField])
    this.#after = joinParts([...rest, END])
    this.minBytes = byteLengthOf(this.#before) + byteLengthOf(this.#after)
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

/** The most digits of the number of an event. */
const MAX_DIGITS = 10
/** Lengths of delta and obfuscation add up to a multiple of this, so that sizes do not tell the tokens. */
const BLOCK = 16
/** The letters that all obfuscations of a stream are taken from. */
export const POOL_LENGTH = 255
/** Distance in the pool between consecutive events. It is coprime to the number of places, so all places are used. */
const POOL_STEP = 101
/** Extra bytes of JSON for a piece that ends inside a character, because the halves are escaped. */
const MAX_ESCAPED = 8

/** The fields of a delta besides its text. */
interface DeltaFields {
  /** The fields before the text. */
  readonly before: string
  /** The fields after the text, up to the logprobs. */
  readonly after: string
  /** The list of logprobs; '' for a delta without that field. */
  readonly noLogprobs: string
  readonly logprobs: Logprobs | undefined
  /** The letters of its obfuscation; undefined for none. */
  readonly pool: string | undefined
  /** The fields between the obfuscation and the number of the event, and the fields after the number. */
  readonly place: string
  readonly rest: string
}

/** Consecutive deltas of one text. */
export class ResponseDeltas {
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
