/**
 * Plays plans onto node:http responses.
 *
 * The hot path is `serve` -> `readBody` -> `begin` -> `start` -> `play`, without a promise. Data that is due at the same
 * time is written at once.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Head, PlanEvent } from '../core/plan/plan.ts'
import { sizeOf } from '../core/plan/transform.ts'
import { realDelay, wakeAt } from '../engine/clock/clock.ts'
import type { Engine } from '../engine/engine.ts'
import type { Exchange } from '../engine/exchange.ts'
import { readBody } from './read-body.ts'
import { sendServerError } from './send-error.ts'

/** Time for data to reach the client before a reset, which would overtake it; more data takes longer. */
const DRAIN_MS = 5
const DRAINED_BYTES_PER_MS = 20_000

/** Answers one call to the data plane. `path` is the path from `/v1` on, without the query. */
export function serve(engine: Engine, request: IncomingMessage, response: ServerResponse, path: string): void {
  readBody(request, engine.bodyLimit, (body) => {
    guard(response, () => {
      const exchange = engine.begin({
        method: request.method ?? 'GET',
        path,
        query: queryOf(request.url),
        header: (name) => headerOf(request, name),
        body,
        bodyLimit: engine.bodyLimit,
        now: engine.clock.now(),
        speed: engine.clock.speed,
        transport: 'http',
      })
      start(exchange, engine, response)
    })
  })
}

/** Runs a part of a call, so that a bug in the mock fails this call and not the server. */
function guard(response: ServerResponse, run: () => void): void {
  try {
    run()
  } catch (error) {
    console.error(error)
    const message = 'The mock itself failed on this call: a bug in llm-api-mock, and its log says more.'
    sendServerError(response, message, 'mock_bug')
  }
}

function queryOf(url = ''): string | undefined {
  const start = url.indexOf('?')
  return start < 0 ? undefined : url.slice(start + 1)
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** The state of one plan that is being played. */
interface Playing {
  readonly exchange: Exchange
  readonly engine: Engine
  readonly response: ServerResponse
  /** The index of the next event. */
  next: number
  /** When the next event is due, in milliseconds of the clock. */
  due: number
  /** Text that is due but not yet written. */
  text: string
  /** Whether progress is recorded, as it is for plans with waits. */
  isTimed: boolean
  /** Cancels the current wait. */
  stopWaiting?: () => void
}

/** Starts to play the plan of an exchange, and ends the exchange when the answer is sent or the client leaves. */
function start(exchange: Exchange, engine: Engine, response: ServerResponse): void {
  const playing: Playing = { exchange, engine, response, next: 0, due: exchange.startedAt, text: '', isTimed: false }
  const { socket } = response.req
  // The client may have left while middleware before this one waited.
  if (response.destroyed || socket.destroyed) return exchange.end('client-left')
  const leave = (): void => {
    exchange.end('client-left')
    playing.stopWaiting?.()
  }
  // Node reports 'finish' even when the connection broke with data still buffered, so check the socket too.
  response.on('finish', () => exchange.end(socket.destroyed ? 'client-left' : 'complete'))
  response.on('close', leave)
  if (response.socket === null) watchQueued(response, socket, leave)
  play(playing)
}

/** An answer queued behind others on its connection gets no 'close' event, so listen on the socket. */
function watchQueued(response: ServerResponse, socket: Socket, leave: () => void): void {
  // One listener per queued answer.
  socket.setMaxListeners(0).once('close', leave)
  response.once('socket', () => socket.off('close', leave))
}

/** Plays events up to the next wait or the end. */
function play(playing: Playing): void {
  const { exchange, response } = playing
  const { events } = exchange.plan
  while (playing.next < events.length) {
    const event = events[playing.next++]!
    switch (event.type) {
      case 'head':
        writeHead(response, event, findWholeBody(events, playing.next))
        break
      case 'send':
        if (typeof event.data === 'string') playing.text += event.data
        else writeBytes(playing, event.data)
        break
      case 'wait':
        playing.due += event.ms
        playing.isTimed = true
        writeText(playing)
        exchange.sent(playing.next)
        if (playing.engine.clock.now() < playing.due) return wait(playing)
        // Already late: continue at once; Node joins the writes of one turn of the event loop.
        recordLateness(playing)
        break
      case 'flush':
        return continueInNextTurn(playing)
      case 'end':
        if (playing.isTimed) exchange.sent(playing.next)
        response.end(playing.text)
        return
      case 'raw':
        withSocket(response, (socket) => socket.write(event.data))
        break
      case 'close':
        exchange.sent(playing.next)
        exchange.end('cut')
        sendBuffered(response, playing.text)
        return withSocket(response, (socket) => socket.destroySoon())
      case 'reset':
        exchange.sent(playing.next)
        exchange.end('cut')
        return reset(playing)
      case 'stall':
        exchange.sent(playing.next)
        // The connection stays open and silent until the client leaves.
        return sendBuffered(response, playing.text)
      default:
        event satisfies never
    }
  }
}

/** Writes the text that is due. */
function writeText(playing: Playing): void {
  if (playing.text !== '') playing.response.write(playing.text)
  playing.text = ''
}

/** Writes bytes after the text before them. */
function writeBytes(playing: Playing, data: Uint8Array): void {
  writeText(playing)
  playing.response.write(data)
}

/** Writes what is due and continues in the next turn of the event loop, so that the rest is in another packet. */
function continueInNextTurn(playing: Playing): void {
  const { exchange, response } = playing
  writeText(playing)
  exchange.sent(playing.next)
  setImmediate(() => {
    if (!response.destroyed) guard(response, () => play(playing))
  })
}

/** Uses the connection itself, once earlier answers on it are sent. */
function withSocket(response: ServerResponse, use: (socket: Socket) => void): void {
  // Node emits 'socket' before it writes the data that the response has buffered.
  if (response.socket === null) response.once('socket', (socket) => setImmediate(use, socket))
  else use(response.socket)
}

/** Continues when the next event is due. A late event does not delay those after it: due times add up from the start. */
function wait(playing: Playing): void {
  const resume = (): void => {
    recordLateness(playing)
    play(playing)
  }
  playing.stopWaiting = wakeAt(playing.engine.clock, playing.due, () => guard(playing.response, resume))
}

/** Records how late the next event is, in milliseconds of real time. */
function recordLateness({ engine: { clock, timing }, due }: Playing): void {
  timing.record((clock.now() - due) / clock.speed)
}

function writeHead(response: ServerResponse, { status, headers }: Head, body: string | Uint8Array | undefined): void {
  // A flat list, which Node writes without copying.
  const list: string[] = []
  for (const name in headers) list.push(name, headers[name]!)
  if (body !== undefined && status !== 204) list.push('content-length', String(Buffer.byteLength(body)))
  response.writeHead(status, list)
}

/** The body after the head when it is sent whole; streams and broken answers have no content-length. */
function findWholeBody(events: readonly PlanEvent[], start: number): string | Uint8Array | undefined {
  const first = events[start]
  if (first?.type === 'end') return ''
  return first?.type === 'send' && events[start + 1]?.type === 'end' ? first.data : undefined
}

/** Resets the connection after everything before it is sent: a reset that overtakes data would lose it. */
function reset({ response, text, exchange }: Playing): void {
  sendBuffered(response, text)
  const ms = DRAIN_MS + sizeOf(exchange.plan) / DRAINED_BYTES_PER_MS
  withSocket(response, (socket) => socket.write('', () => void realDelay(ms).then(() => socket.resetAndDestroy())))
}

/** Sends the text and what Node has buffered, even if it is only the head. */
function sendBuffered(response: ServerResponse, text: string): void {
  if (text !== '') response.write(text)
  else if (response.headersSent) response.flushHeaders()
}
