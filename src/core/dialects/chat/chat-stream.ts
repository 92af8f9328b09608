/**
 * The streamed answer to a chat: server-sent events with a `chat.completion.chunk` each.
 *
 *   role chunk (each choice) -> content chunks (choices in turn) -> finish chunk (each choice)
 *   -> [usage chunk] -> [moderation chunk] -> [DONE]
 *
 * Most content chunks hold one token; a chunk never ends inside what a reader sees as one character. A single call begins
 * in the role chunk. Parallel calls begin with a chunk each, and one is complete before the next begins, because clients
 * parse the arguments of a call when another one begins.
 */

import type { Random } from '../../lib/random/random.ts'
import { countUtf8, MAX_BYTES_PER_UNIT } from '../../lib/text/bytes.ts'
import { EventList } from '../../protocol/plan/event-list.ts'
import { logprobsFrame } from '../../protocol/turn/logprobs.ts'
import type { Reply, ReplyUsage } from '../../protocol/turn/reply.ts'
import { findRun, type PlacedRun, placeRuns, type StreamOptions } from '../streams.ts'
import { type DeltaRun, deltaRuns } from './chat-deltas.ts'
import { type CompletionFrame, usageJson } from './completion.ts'

interface ChatStreamOptions extends StreamOptions {
  /** Undefined when the request did not ask for usage. */
  readonly usage: ReplyUsage | undefined
}

const DONE = 'data: [DONE]\n\n'
const END = '}\n\n'
/** More than the length of what a chunk has besides its delta, its logprobs and what all chunks share. */
const MAX_FRAME_LENGTH = 150

/**
 * A stream: its events by number, each built when it is read. A chunk with a delta consists of these parts:
 *
 *   data: {"id":"chatcmpl-1",...,"choices":                 `#beginning`
 *   [{"index":0,"delta":                                    in `#heads`, with the beginning, for each choice
 *   {"content":"Hel"}                                       the delta, from `#runs`
 *   ,"logprobs":null,"finish_reason":null}],"usage":null    the rest: `#plainRest` without logprobs
 *   ,"obfuscation":"x7Kd0"                                  where the stream has it
 *   }                                                       END
 */
export class ChatStream extends EventList {
  readonly length: number
  readonly #reply: Reply
  /** The chunks without a choice, from the list of choices on. */
  readonly #closing: readonly string[]
  readonly #obfuscation: Random | undefined
  readonly #runs: readonly PlacedRun<DeltaRun>[]
  /** Number of chunks with a delta. */
  readonly #deltaLength: number
  readonly #beginning: string
  /** The beginnings of the chunks of each choice, and their sizes. */
  readonly #heads: readonly string[]
  readonly #headBytes: readonly number[]
  /** `,"usage":null` if the request asks for usage: only the chunk of the usage has another value. */
  readonly #usageKey: string
  /** The key `logprobs` of a chunk that has none, if it has the key. */
  readonly #noLogprobs: string
  readonly #plainRest: string
  readonly #logprobsFrame: readonly [opening: string, closing: string]
  /** The random texts of chunks, drawn in their order; `#obfuscationOf` adds them. */
  readonly #padding: string[] = []

  constructor(frame: CompletionFrame, reply: Reply, { usage, obfuscation, pieces, memo }: ChatStreamOptions) {
    super(memo)
    this.#reply = reply
    this.#obfuscation = obfuscation
    // The parts that all chunks share are built once: they are most of a stream.
    this.#beginning =
      `data: {"id":${JSON.stringify(frame.id)},"object":"chat.completion.chunk","created":${frame.created},` +
      `"model":${JSON.stringify(frame.model)},"service_tier":${JSON.stringify(frame.serviceTier)},` +
      `"system_fingerprint":${JSON.stringify(frame.systemFingerprint)},"choices":`
    this.#heads = reply.callIds.map((_, choice) => `${this.#beginning}[{"index":${choice},"delta":`)
    this.#headBytes = this.#heads.map(countUtf8)
    this.#usageKey = usage === undefined ? '' : ',"usage":null'
    this.#noLogprobs = frame.hasLogprobsKey || reply.logprobs !== undefined ? ',"logprobs":null' : ''
    this.#plainRest = this.#rest(this.#noLogprobs, 'null')
    this.#logprobsFrame = logprobsFrame(reply.message.type === 'refusal')
    this.#runs = placeRuns(deltaRuns(reply, pieces, frame.created))
    const { moderation } = frame
    this.#closing = [
      ...(usage === undefined ? [] : [`[],"usage":${usageJson(usage)}`]),
      ...(moderation === undefined ? [] : [`[],"moderation":${moderation}${this.#usageKey}`]),
    ]
    const n = this.#heads.length
    const { run, start } = this.#runs.at(-1)!
    this.#deltaLength = (start + run.length) * n
    this.length = this.#deltaLength + n + this.#closing.length + 1
  }

  /** The least size in bytes, which depends on the number of events only. */
  get minBytes(): number {
    return this.#deltaLength * (this.#heads[0]!.length + this.#plainRest.length + END.length)
  }

  /** A bound on the size in bytes, found without building an event. */
  get maxBytes(): number {
    const deltas = this.#runs.reduce((sum, { run }) => sum + run.maxLength, 0)
    const frames = this.length * (this.#beginning.length + MAX_FRAME_LENGTH)
    const logprobs = this.#reply.logprobs?.byteLength ?? 0
    const closing = this.#closing.reduce((sum, { length }) => sum + length, 0)
    const n = this.#heads.length
    return (deltas * n + frames + closing) * MAX_BYTES_PER_UNIT + logprobs * n
  }

  /** The tokens in all events. */
  get tokens(): number {
    return this.#runs.reduce((sum, { run }) => sum + run.tokensBefore(run.length), 0) * this.#heads.length
  }

  /** The text of an event. */
  textOf(number: number): string {
    return number === this.length - 1 ? DONE : this.#chunk(number) + this.#obfuscationOf(number) + END
  }

  /** The tokens in an event. */
  tokensOf(number: number): number {
    if (number >= this.#deltaLength) return 0
    const { run, index } = this.#find(number)
    return run.tokensBefore(index + 1) - run.tokensBefore(index)
  }

  /** True if the event is of another choice than the first, and has the same tokens. */
  isBeside(number: number): boolean {
    return number < this.#deltaLength && this.#find(number).choice > 0 && this.tokensOf(number) > 0
  }

  /** A chunk without its end. */
  #chunk(number: number): string {
    const n = this.#heads.length
    if (number < this.#deltaLength) {
      const { choice, run, index } = this.#find(number)
      const { logprobs } = this.#reply
      const start = this.#heads[choice]! + run.json(index, choice)
      if (logprobs === undefined) return start + this.#plainRest
      const [opening, closing] = this.#logprobsFrame
      const listed = logprobs.slice(run.tokensBefore(index), run.tokensBefore(index + 1))
      return start + this.#rest(`,"logprobs":${opening}${listed}${closing}`, 'null')
    }
    // The last chunk of each choice.
    if (number < this.#deltaLength + n) {
      return `${this.#heads[number % n]!}{}${this.#rest(this.#noLogprobs, `"${this.#reply.finishReason}"`)}`
    }
    return this.#beginning + this.#closing[number - this.#deltaLength - n]!
  }

  /** The part of a chunk after its delta. */
  #rest(logprobs: string, finishReason: string): string {
    return `${logprobs},"finish_reason":${finishReason}}]${this.#usageKey}`
  }

  /** The delta of an event. Each choice sends its first two together; then all choices send each, one after the other. */
  #find(number: number): { readonly choice: number; readonly run: DeltaRun; readonly index: number } {
    const n = this.#heads.length
    const together = Math.min(2, this.#deltaLength / n)
    const isEarly = number < together * n
    const choice = isEarly ? Math.floor(number / together) : number % n
    const place = isEarly ? number % together : Math.floor(number / n)
    const { run, index } = findRun(this.#runs, place)
    return { choice, run, index }
  }

  /**
   * The random text that pads a chunk's JSON to a length of 1 modulo 16, so that sizes on the wire do not tell the tokens. It is
   * drawn after those of all chunks before it, in whatever order they are read.
   */
  #obfuscationOf(number: number): string {
    const random = this.#obfuscation
    if (random === undefined) return ''
    for (let next = this.#padding.length; next <= number; next++) {
      const { length } = this.#chunk(next)
      this.#padding.push(random.alphanumeric((17 - ((length + OBFUSCATION_FRAME) % 16)) % 16))
    }
    return `,"obfuscation":"${this.#padding[number]}"`
  }

  /** Found without building a chunk that has a delta: that would take five times as long. */
  protected override bytesOf(number: number): number {
    if (this.#obfuscation !== undefined || number >= this.#deltaLength) return super.bytesOf(number)
    const { choice, run, index } = this.#find(number)
    const { logprobs } = this.#reply
    const [opening, closing] = this.#logprobsFrame
    const listedBytes = logprobs?.sliceBytes(run.tokensBefore(index), run.tokensBefore(index + 1)) ?? 0
    const logprobsBytes = logprobs === undefined ? 0 : opening.length + listedBytes + closing.length - 'null'.length
    return (
      this.#headBytes[choice]! +
      countUtf8(run.json(index, choice)) +
      this.#plainRest.length +
      logprobsBytes +
      END.length
    )
  }
}

const OBFUSCATION_FRAME = ',"obfuscation":""}'.length - 'data: '.length
