/** One answer of the upstream: sent to the client chunk by chunk, and kept with the time of each chunk. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { UnreadAnswer, UnreadAnswers } from '../http/unread-answers.ts'
import { EventSplitter } from './stream-text.ts'
import type { ReceivedAnswer } from './to-recorded-answer.ts'

/** A 205 must not have a body, but Node's parser accepts one; for a 204 it does not. */
const RESET_CONTENT = 205
const MAX_ANSWER_BYTES = 8_000_000

export class UpstreamResponse {
  hasClientLeft = false
  readonly #answer: IncomingMessage
  readonly #startedAt: number
  readonly #headMs: number
  readonly #contentType: string
  readonly #chunks: { readonly data: Buffer; readonly atMs: number }[] = []
  #size = 0
  #endMs = 0
  #isCut = false

  /** @param startedAt when the call arrived. */
  constructor(answer: IncomingMessage, startedAt: number) {
    this.#answer = answer
    this.#startedAt = startedAt
    this.#headMs = performance.now() - startedAt
    this.#contentType = answer.headers['content-type'] ?? ''
  }

  /** Resolves when the answer has ended or broken, or when the client has left. A broken answer breaks for the client too. */
  async sendTo(
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    unread: UnreadAnswers,
  ): Promise<void> {
    response.writeHead(this.#answer.statusCode ?? 502, headers)
    response.flushHeaders()
    const left = new Promise((resolve) => response.once('close', resolve))
    try {
      for await (const data of this.#answer as AsyncIterable<Buffer>) {
        this.#keep(data)
        const isBuffered = !response.write(data)
        if (response.destroyed) break
        if (isBuffered) await this.#waitForReader(response, left, unread)
      }
    } catch {
      this.#isCut = true
    }
    this.#endMs = performance.now() - this.#startedAt
    this.hasClientLeft = response.destroyed
    if (this.#isCut) await breakConnection(response)
    else response.end()
  }

  /** Resolves when the client has read enough for the socket to take more, or has left. */
  async #waitForReader(response: ServerResponse, left: Promise<unknown>, unread: UnreadAnswers): Promise<void> {
    const { socket } = response.req
    const waiting: UnreadAnswer = { socket, bytes: response.writableLength + this.#size, drop: () => {} }
    unread.add(waiting)
    await Promise.race([new Promise((resolve) => response.once('drain', resolve)), left])
    unread.delete(waiting)
  }

  #keep(data: Buffer): void {
    this.#size += data.length
    if (this.#size <= MAX_ANSWER_BYTES) this.#chunks.push({ data, atMs: performance.now() - this.#startedAt })
    else this.#chunks.length = 0
  }

  /** @throws when the answer cannot be recorded; the message says why. */
  received(): ReceivedAnswer {
    const { statusCode = 0, headers } = this.#answer
    if (this.#size > MAX_ANSWER_BYTES) throw new Error(`its body has more than ${MAX_ANSWER_BYTES} bytes`)
    const { 'content-encoding': encoding = 'identity' } = headers
    if (encoding !== 'identity')
      throw new Error(`its body is compressed (${encoding}), although the recorder asked for identity`)
    const isStream = /^text\/event-stream/i.test(this.#contentType)
    return {
      status: statusCode,
      contentType: this.#contentType,
      retryAfterMs: statusCode >= 400 ? retryAfterMs(headers) : undefined,
      waitMs: isStream ? this.#headMs : this.#endMs,
      body: isStream ? this.#events() : statusCode === RESET_CONTENT ? '' : this.#text(),
      isCut: this.#isCut,
    }
  }

  #text(): string {
    const decode = decoder()
    return this.#chunks.map(({ data }) => decode(data)).join('') + decode()
  }

  #events() {
    const splitter = new EventSplitter()
    const decode = decoder()
    for (const { data, atMs } of this.#chunks) splitter.add(decode(data), atMs)
    splitter.add(decode(), this.#endMs)
    return splitter.end(this.#chunks.at(-1)?.atMs ?? this.#headMs)
  }
}

/** Decodes chunks, which may end inside a character. Throws if they are not UTF-8, and keeps a byte order mark. */
function decoder(): (data?: Buffer) => string {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return (data) => {
    try {
      return data === undefined ? utf8.decode() : utf8.decode(data, { stream: true })
    } catch {
      throw new Error('its body is not UTF-8 text')
    }
  }
}

/** Breaks the connection after a pause, so that the last chunk is sent first. */
async function breakConnection(response: ServerResponse): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5))
  response.destroy()
}

/** How long an answer asks the client to wait; undefined if it does not. */
export function retryAfterMs(headers: Readonly<Record<string, unknown>>): number | undefined {
  const { 'retry-after-ms': exact, 'retry-after': seconds } = headers
  if (typeof exact === 'string' && exact !== '' && Number(exact) >= 0) return Number(exact)
  if (typeof seconds !== 'string' || seconds === '') return undefined
  const ms = Number.isNaN(Number(seconds)) ? Date.parse(seconds) - Date.now() : Number(seconds) * 1000
  return ms >= 0 ? ms : undefined
}
