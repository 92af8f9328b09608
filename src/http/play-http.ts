/**
 * Plays plans straight onto node:http: the two endpoints, and nothing between the socket and the core.
 *
 * The hot path is `serve` -> `readText` -> `begin` -> `play`, without a promise. What is due at the same time goes
 * out in one write.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Call } from '../core/call/call-context.ts'
import { envelope } from '../core/errors/catalogue.ts'
import type { Outcome } from '../core/journal/entry.ts'
import type { Head, Plan, PlanEvent } from '../core/plan/plan.ts'
import { sizeOf } from '../core/plan/transform.ts'
import { type Clock, realDelay, wakeAt } from '../engine/clock/clock.ts'
import { readBody } from './read-body.ts'

/** How long data has to reach the client before a reset, which would overtake it: so long, and longer for much data. */
const DRAIN_MS = 5
const DRAINED_BYTES_PER_MS = 20_000

/** What decides calls: the mock itself, or in a worker what asks it. */
export interface Planner {
  readonly bodyLimit: number
  readonly clock: Clock
  readonly timing: { record(lateMs: number): void }
  begin(call: Call): Planned | Promise<Planned>
}

/** A call that is decided, and is told how its plan is played. */
export interface Planned {
  readonly plan: Pick<Plan, 'events'>
  /** What the waits of its plan count from, in milliseconds of the clock. */
  readonly startedAt: number
  /** The first so many events are done. */
  sent(events: number): void
  /** Told before the last of the answer goes out, where what follows from its end must be known before the client has it. */
  ending?(): void
  end(outcome: Outcome): void
}

/** Answers one call to the data plane. `path` is the path from `/v1` on, without the query. */
export function serve(planner: Planner, request: IncomingMessage, response: ServerResponse, path: string): void {
  readBody(request, planner.bodyLimit, (body) => {
    const fail = (error: unknown): void => answerBug(response, error)
    try {
      const begun = planner.begin({
        method: request.method ?? 'GET',
        path,
        query: queryOf(request.url),
        header: (name) => headerOf(request, name),
        body,
        bodyLimit: planner.bodyLimit,
        now: planner.clock.now(),
        speed: planner.clock.speed,
        transport: 'http',
      })
      if (begun instanceof Promise) begun.then((exchange) => start(exchange, planner, response)).catch(fail)
      else start(begun, planner, response)
    } catch (error) {
      fail(error)
    }
  })
}

/** A mistake in the mock itself is one call's answer, not the end of all. */
function answerBug(response: ServerResponse, error: unknown): void {
  console.error(error)
  if (response.headersSent) return void response.destroy()
  const message = 'The mock itself failed on this call: a bug in llm-api-mock, and its log says more.'
  const body = JSON.stringify(envelope(message, 'server_error', { code: 'mock_bug' }))
  response.writeHead(500, { 'content-type': 'application/json' }).end(body)
}

function queryOf(url = ''): string | undefined {
  const start = url.indexOf('?')
  return start < 0 ? undefined : url.slice(start + 1)
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Where a plan is being played: the next event, when it is due, and the text that is due but not sent. */
interface Playing {
  readonly exchange: Planned
  readonly planner: Planner
  readonly response: ServerResponse
  next: number
  due: number
  text: string
  /** Whether times are noted, as they are of a plan with waits. */
  isTimed: boolean
  /** Takes back its last wait. */
  stopWaiting?: () => void
}

function start(exchange: Planned, planner: Planner, response: ServerResponse): void {
  const playing: Playing = { exchange, planner, response, next: 0, due: exchange.startedAt, text: '', isTimed: false }
  const { socket } = response.req
  // A worker asks for the plan, a tokenizer is loaded: that takes a moment, and nobody may be waiting any more.
  if (response.destroyed || socket.destroyed) return exchange.end('client-left')
  const leave = (): void => {
    exchange.end('client-left')
    playing.stopWaiting?.()
  }
  // Node says finish as well when the connection was broken with data still waiting in it.
  response.on('finish', () => exchange.end(socket.destroyed ? 'client-left' : 'complete'))
  response.on('close', leave)
  if (response.socket === null) whileQueued(response, socket, leave)
  play(playing)
}

/** An answer that waits behind others on its connection hears nothing of the end of it: then it is told here. */
function whileQueued(response: ServerResponse, socket: Socket, leave: () => void): void {
  // As many as there are answers waiting.
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
        writeHead(response, event, wholeBody(events, playing.next))
        break
      case 'send':
        if (typeof event.data === 'string') playing.text += event.data
        else sendBytes(playing, event.data)
        break
      case 'wait':
        playing.due += event.ms
        playing.isTimed = true
        sendDue(playing)
        exchange.sent(playing.next)
        if (playing.planner.clock.now() < playing.due) return wait(playing)
        // Late already: it goes on at once, and Node writes in one what is sent in one turn of the event loop.
        noteLateness(playing)
        break
      case 'flush':
        return pass(playing)
      case 'end':
        if (playing.isTimed) exchange.sent(playing.next)
        exchange.ending?.()
        response.end(playing.text)
        break
      case 'raw':
        withSocket(response, (socket) => socket.write(event.data))
        break
      case 'close':
        exchange.sent(playing.next)
        exchange.end('cut')
        flush(response, playing.text)
        return withSocket(response, (socket) => socket.destroySoon())
      case 'reset':
        exchange.sent(playing.next)
        exchange.end('cut')
        return reset(playing)
      case 'stall':
        exchange.sent(playing.next)
        flush(response, playing.text)
        break
      default:
        event satisfies never
    }
  }
}

/** Sends the text that is due. */
function sendDue(playing: Playing): void {
  if (playing.text !== '') playing.response.write(playing.text)
  playing.text = ''
}

/** Bytes go out as they are, after the text that is due before them. */
function sendBytes(playing: Playing, data: Uint8Array): void {
  sendDue(playing)
  playing.response.write(data)
}

/** Sends what is due and goes on in the next turn of the event loop: what comes after is in another packet. */
function pass(playing: Playing): void {
  sendDue(playing)
  playing.exchange.sent(playing.next)
  setImmediate(() => {
    if (!playing.response.destroyed) play(playing)
  })
}

/** The bare connection, once the answers to earlier calls on it are out. */
function withSocket(response: ServerResponse, use: (socket: Socket) => void): void {
  // Node says that the socket is there before it writes what the response has kept for it.
  if (response.socket === null) response.once('socket', (socket) => setImmediate(use, socket))
  else use(response.socket)
}

/** Goes on when what comes next is due. Due times add up from the start, so that no drift does. */
function wait(playing: Playing): void {
  playing.stopWaiting = wakeAt(playing.planner.clock, playing.due, () => goOn(playing))
}

function goOn(playing: Playing): void {
  try {
    noteLateness(playing)
    play(playing)
  } catch (error) {
    answerBug(playing.response, error)
  }
}

function noteLateness({ planner: { clock, timing }, due }: Playing): void {
  timing.record((clock.now() - due) / clock.speed)
}

function writeHead(response: ServerResponse, { status, headers }: Head, body: string | Uint8Array | undefined): void {
  // As a flat list, which Node writes as it stands.
  const list: string[] = []
  for (const name in headers) list.push(name, headers[name]!)
  if (body !== undefined && status !== 204) list.push('content-length', String(Buffer.byteLength(body)))
  response.writeHead(status, list)
}

/** The body after the head, when it goes out whole; a stream and a broken answer have no length to tell. */
function wholeBody(events: readonly PlanEvent[], start: number): string | Uint8Array | undefined {
  const first = events[start]
  if (first?.type === 'end') return ''
  return first?.type === 'send' && events[start + 1]?.type === 'end' ? first.data : undefined
}

/** Breaks the connection once everything before is on its way: a reset that overtakes data would lose it. */
function reset({ response, text, exchange }: Playing): void {
  flush(response, text)
  const ms = DRAIN_MS + sizeOf(exchange.plan) / DRAINED_BYTES_PER_MS
  withSocket(response, (socket) => socket.write('', () => void realDelay(ms).then(() => socket.resetAndDestroy())))
}

/** Sends what there is, the head alone too. */
function flush(response: ServerResponse, text: string): void {
  if (text !== '') response.write(text)
  else if (response.headersSent) response.flushHeaders()
}
