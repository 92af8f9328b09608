/**
 * The upstream: calls to the real service, and its answers, which are sent on to the client chunk by chunk and kept with the
 * time of each chunk. The address is fixed at the start; no part of a call or an answer changes it.
 */
import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type ModelEndpoint, pathOf } from '../core/protocol/request/endpoints.ts'
import type { UnreadAnswer, UnreadAnswers } from '../http/unread-answers.ts'
import { EventSplitter, type ReceivedAnswer, retryAfterMs } from './recorded-exchange.ts'

/** The `via` header of each call to the upstream: a recorder that calls itself recognizes it. */
export const VIA = '1.1 api-mock-record'

const REMEDY = 'Your key would go to another address. Give the final address as --upstream'

/** One call to the upstream. */
export interface UpstreamCall {
  readonly endpoint: ModelEndpoint
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  readonly signal: AbortSignal
}

/**
 * Sends one call and resolves with the head of its answer.
 * @throws when there is no answer; the message says why.
 */
export function callUpstream(
  upstream: URL,
  { endpoint, headers, body, signal }: UpstreamCall,
): Promise<IncomingMessage> {
  const send = upstream.protocol === 'https:' ? requestHttps : requestHttp
  const url = new URL(upstream)
  url.pathname += pathOf(endpoint).slice('/v1'.length)
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      // A new connection for each call: the upstream may close an idle one just when it is used again.
      agent: false,
      // Not compressed: the text itself is recorded.
      headers: { ...headers, 'accept-encoding': 'identity', via: VIA, 'content-length': Buffer.byteLength(body) },
      signal,
    })
    request.once('response', (answer) => {
      const { statusCode = 0 } = answer
      if ((statusCode >= 200 && statusCode < 300) || statusCode >= 400) return resolve(answer)
      answer.destroy()
      const shown = `${upstream.origin} answered ${String(statusCode).padStart(3, '0')}`
      if (statusCode < 200) return reject(new Error(`expected a status from 200, but ${shown}`))
      if (statusCode === 304) return reject(new Error(`${shown} (not modified) to a call without a condition`))
      reject(new Error(`${upstream.origin} answered ${statusCode}, a redirect, which is not followed. ${REMEDY}`))
    })
    request.once('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      reject(
        new Error(`${upstream.origin} answered ${statusCode}, an upgrade to another protocol that was not requested`),
      )
    })
    request.on('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(reasonOf(error, upstream), { cause: error })),
    )
    request.end(body)
  })
}

function reasonOf({ code, message }: NodeJS.ErrnoException, { origin }: URL): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `connection to ${origin} refused`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `host name of ${origin} not found`
    case 'ECONNRESET':
      return `${origin} closed the connection`
    default:
      return `${origin}: ${message}`
  }
}

const MAX_ANSWER_BYTES = 8_000_000

/** One answer of the upstream. */
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
        this.#size += data.length
        if (this.#size <= MAX_ANSWER_BYTES) this.#chunks.push({ data, atMs: performance.now() - this.#startedAt })
        else this.#chunks.length = 0
        const isBuffered = !response.write(data)
        if (response.destroyed) break
        if (!isBuffered) continue
        // Until the client has read enough for the socket to take more, or has left.
        const { socket } = response.req
        const waiting: UnreadAnswer = { socket, bytes: response.writableLength + this.#size, drop: () => {} }
        unread.add(waiting)
        await Promise.race([new Promise((resolve) => response.once('drain', resolve)), left])
        unread.delete(waiting)
      }
    } catch {
      this.#isCut = true
    }
    this.#endMs = performance.now() - this.#startedAt
    this.hasClientLeft = response.destroyed
    if (!this.#isCut) return void response.end()
    // After a pause, so that the last chunk is sent first.
    await new Promise((resolve) => setTimeout(resolve, 5))
    response.destroy()
  }

  /** @throws when the answer cannot be recorded; the message says why. */
  received(): ReceivedAnswer {
    const { statusCode = 0, headers } = this.#answer
    if (this.#size > MAX_ANSWER_BYTES) throw new Error(`its body has more than ${MAX_ANSWER_BYTES} bytes`)
    const { 'content-encoding': encoding = 'identity' } = headers
    if (encoding !== 'identity')
      throw new Error(`its body is compressed (${encoding}), although the recorder asked for identity`)
    const isStream = /^text\/event-stream/i.test(this.#contentType)
    const splitter = new EventSplitter()
    const decode = decoder()
    let text = ''
    // A 205 must not have a body, but Node's parser accepts one; for a 204 it does not.
    for (const { data, atMs } of statusCode === 205 ? [] : [...this.#chunks, { data: undefined, atMs: this.#endMs }]) {
      const part = decode(data)
      if (isStream) splitter.add(part, atMs)
      else text += part
    }
    return {
      status: statusCode,
      contentType: this.#contentType,
      retryAfterMs: statusCode >= 400 ? retryAfterMs(headers) : undefined,
      waitMs: isStream ? this.#headMs : this.#endMs,
      body: isStream ? splitter.end(this.#chunks.at(-1)?.atMs ?? this.#headMs) : text,
      isCut: this.#isCut,
    }
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
