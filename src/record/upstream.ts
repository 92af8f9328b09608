/**
 * The upstream: calls to the real service, and its answers, which are sent on to the client chunk by chunk and kept with the
 * time of each chunk. The address is fixed at the start; no part of a call or an answer changes it.
 */
import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type ModelEndpoint, pathOf } from '../core/protocol/request/endpoints.ts'
import { EventSplitter, type ReceivedAnswer, retryAfterMs } from './recorded-exchange.ts'

/** The `via` header of each call to the upstream: a recorder that calls itself recognizes it. */
export const VIA = '1.1 api-mock-record'

const REMEDY = 'Your key would go to another address. Give the final address as --upstream'

/** Codes of Node's errors in words. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection to <origin> refused',
  ENOTFOUND: 'host name of <origin> not found',
  EAI_AGAIN: 'host name of <origin> not found',
  ECONNRESET: '<origin> closed the connection',
}

/** A call to the upstream. */
interface UpstreamCall {
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
      const answered = `${upstream.origin} answered ${statusCode}`
      if (statusCode < 200) return reject(new Error(`expected a status from 200, but ${answered}`))
      if (statusCode === 304) return reject(new Error(`${answered} (not modified) to a call without a condition`))
      reject(new Error(`${answered}, a redirect, which is not followed. ${REMEDY}`))
    })
    request.once('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      reject(
        new Error(`${upstream.origin} answered ${statusCode}, an upgrade to another protocol that was not requested`),
      )
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      const { origin } = upstream
      const reason = REASONS[error.code ?? '']?.replace('<origin>', origin) ?? `${origin}: ${error.message}`
      reject(new Error(reason, { cause: error }))
    })
    request.end(body)
  })
}

const MAX_ANSWER_BYTES = 8_000_000
/** Time in which the last chunk of a broken answer is sent, before the connection breaks. */
const LAST_CHUNK_MS = 5

/** An answer of the upstream, as it was received. Times are milliseconds since the call. */
type ReceivedChunks = NonNullable<Awaited<ReturnType<typeof relayAnswer>>>

/**
 * Sends an answer of the upstream on to the client, chunk by chunk. A broken answer breaks for the client too.
 * @param startedAt the time at which the call arrived.
 * @returns undefined if the client has left.
 */
export async function relayAnswer(
  answer: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  startedAt: number,
) {
  const headMs = performance.now() - startedAt
  const chunks: { readonly data: Buffer; readonly atMs: number }[] = []
  /** The bytes so far. The chunks of an answer that is too large are not kept. */
  let size = 0
  /** True if the connection broke before the end. */
  let isCut = false
  response.writeHead(answer.statusCode ?? 502, headers)
  response.flushHeaders()
  const left = new Promise((resolve) => response.once('close', resolve))
  try {
    for await (const data of answer as AsyncIterable<Buffer>) {
      size += data.length
      if (size <= MAX_ANSWER_BYTES) chunks.push({ data, atMs: performance.now() - startedAt })
      else chunks.length = 0
      const isFull = !response.write(data)
      if (response.destroyed) break
      // Until the client has read enough for the socket to take more, or has left.
      if (isFull) await Promise.race([new Promise((resolve) => response.once('drain', resolve)), left])
    }
  } catch {
    isCut = true
  }
  const endMs = performance.now() - startedAt
  const hasClientLeft = response.destroyed
  if (isCut) {
    await new Promise((resolve) => setTimeout(resolve, LAST_CHUNK_MS))
    response.destroy()
  } else response.end()
  return hasClientLeft ? undefined : { chunks, size, headMs, endMs, isCut }
}

/**
 * Reads what was received as text, or as the events of a stream.
 * @throws when the answer cannot be recorded; the message says why.
 */
export function readAnswer(
  { statusCode: status = 0, headers }: IncomingMessage,
  { chunks, size, headMs, endMs, isCut }: ReceivedChunks,
): ReceivedAnswer {
  if (size > MAX_ANSWER_BYTES) throw new Error(`its body has more than ${MAX_ANSWER_BYTES} bytes`)
  const { 'content-encoding': encoding = 'identity', 'content-type': contentType = '' } = headers
  if (encoding !== 'identity')
    throw new Error(`its body is compressed (${encoding}), although the recorder asked for identity`)
  const isStream = /^text\/event-stream/i.test(contentType)
  const splitter = new EventSplitter()
  // Chunks may end inside a character. A byte order mark is kept.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let text = ''
  const decode = (data?: Buffer): string => {
    try {
      return decoder.decode(data, { stream: data !== undefined })
    } catch {
      throw new Error('its body is not UTF-8 text')
    }
  }
  // A 205 must not have a body, but Node's parser accepts one; for a 204 it does not.
  if (status !== 205) {
    for (const { data, atMs } of chunks) {
      const part = decode(data)
      if (isStream) splitter.add(part, atMs)
      else text += part
    }
    // The decoder fails on a last character that is not complete.
    decode()
  }
  return {
    status,
    contentType,
    retryAfterMs: status >= 400 ? retryAfterMs(headers) : undefined,
    waitMs: isStream ? headMs : endMs,
    body: isStream ? splitter.end(chunks.at(-1)?.atMs ?? headMs) : text,
    isCut,
  }
}
