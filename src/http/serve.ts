/**
 * Serves calls of the data plane:
 *
 *     readBody -> toCall -> arrivals -> engine.receive -> start (plays the plan)
 *
 * A short call waits for no promise.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Call } from '../core/decide/call/call.ts'
import type { CallHeaders } from '../core/protocol/request/decisive-headers.ts'
import type { Address } from '../core/protocol/request/request-path.ts'
import { Arrivals, type Engine } from '../engine/index.ts'
import { Rehearsals } from '../engine/node.ts'
import { IS_STALE, type ServerSocket } from './connections.ts'
import { isLarge, LargeRequests, type RequestRoom } from './large-requests.ts'
import { type Serving, start } from './play-http.ts'
import { sendBug } from './send-error.ts'
import { UnreadAnswers } from './unread-answers.ts'

/** The most bytes that are read of a request whose path, session or key is refused. */
const MAX_REFUSED_BYTES = 65_536

/** @param unreadLimit the most bytes of answers that clients do not read, over all connections. */
export function createServing(engine: Engine, unreadLimit?: number): Serving {
  engine.rehearsals ??= new Rehearsals()
  return {
    engine,
    arrivals: new Arrivals(),
    unread: new UnreadAnswers(unreadLimit),
    requests: new LargeRequests(),
  }
}

/** Answers one call to the data plane. */
export function serve(serving: Serving, request: IncomingMessage, response: ServerResponse, address: Address): void {
  if ((request.socket as ServerSocket)[IS_STALE]) return void request.socket.resetAndDestroy()
  const { engine, arrivals, requests } = serving
  const { bodyLimit, clock } = engine
  const { method = 'GET', url = '', headers } = request
  const queryStart = url.indexOf('?')
  const toCall = (body: string | undefined): Call => ({
    method,
    path: address.path,
    session: address.session,
    deployment: address.deployment,
    acceptsApiKey: address.acceptsApiKey,
    query: queryStart < 0 ? undefined : url.slice(queryStart + 1),
    // Node joins those that came several times; only set-cookie is a list.
    headers: headers as CallHeaders,
    body,
    bodyLimit,
    now: clock.now(),
    speed: clock.speed,
    transport: 'http',
    keepsAlive: response.shouldKeepAlive,
  })
  // A body that is too large is undefined: parse-body.ts makes it a 413.
  const decide = (body: string | undefined, room?: RequestRoom): void => {
    room?.receive()
    const fail = (error: unknown): void => {
      room?.release()
      sendBug(response, error)
    }
    try {
      const call = toCall(body)
      arrivals.add(() => engine.receive(call, (exchange) => start(exchange, serving, response, room), fail))
    } catch (error) {
      fail(error)
    }
  }
  if (!isLarge(request, bodyLimit)) return readBody(request, bodyLimit, decide)
  const isVeryLarge = isLarge(request, bodyLimit, MAX_REFUSED_BYTES)
  // Such a call takes no room, so its body is not kept.
  if (isVeryLarge && engine.refusesUnread(toCall(undefined))) return readBody(request, MAX_REFUSED_BYTES, decide)
  const room = requests.admit(request, response)
  readBody(request, bodyLimit, (body) => decide(body, room))
}

/**
 * Calls back once with the body as text, or with undefined as soon as it is known to exceed `limit` bytes. Never calls
 * back when the client leaves before the end.
 */
export function readBody(request: IncomingMessage, limit: number, done: (text: string | undefined) => void): void {
  const parsed = (request as IncomingMessage & { readonly body?: unknown }).body
  if (parsed !== undefined && request.complete) {
    // An Express body parser has read it.
    const text = typeof parsed === 'string' ? parsed : Buffer.isBuffer(parsed) ? String(parsed) : JSON.stringify(parsed)
    return done(Buffer.byteLength(text) <= limit ? text : undefined)
  }
  let size = 0
  let isTooLarge = Number(request.headers['content-length'] ?? 0) > limit
  if (isTooLarge) done(undefined)
  // The first chunk waits for a second one: only then there is a decoder, and the text so far.
  let first: Buffer | undefined
  let decoder: TextDecoder | undefined
  let text = ''
  request.on('data', (chunk: Buffer) => {
    if (isTooLarge) return
    size += chunk.length
    isTooLarge = size > limit
    if (isTooLarge) {
      // The rest is read and discarded: closing the connection while the client still sends would lose the answer.
      text = ''
      return done(undefined)
    }
    // Most bodies are one chunk, for which a decoder takes ten times as long as `toString`.
    if (first === undefined) {
      first = chunk
      return
    }
    if (decoder === undefined) {
      // Node 24 drops a second byte order mark too unless it ignores both.
      decoder = new TextDecoder('utf-8', { ignoreBOM: true })
      text = decoder.decode(first, { stream: true })
    }
    // Decoded as it arrives: a large body decoded at its end would hold the event loop.
    text += decoder.decode(chunk, { stream: true })
  })
  request.on('end', () => {
    if (isTooLarge) return
    const body = decoder === undefined ? (first?.toString() ?? '') : text + decoder.decode()
    // The request lives as long as its answer, and these listeners with it.
    first = undefined
    text = ''
    // Without a byte order mark, as fetch reads a body.
    done(body.charCodeAt(0) === 0xfeff ? body.slice(1) : body)
  })
  // The client left. An error without a listener would end the process.
  request.on('error', () => {})
}
