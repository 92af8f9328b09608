/**
 * Plays plans onto node:http responses.
 *
 *     head 200, wait 300 ms, send 'data: ...', wait 20 ms, send 'data: ...', end
 *
 * `start` begins, and `play` goes from event to event. It stops at a wait, at a full socket and after enough was written in
 * one turn of the event loop, and is called again to go on.
 *
 * Data that is due at the same time is written at once. When the socket is full, playing stops until the client has read
 * enough. Due times stay as they are: what became due meanwhile is then sent without waits, and does not count as late.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Outcome } from '../core/journal/entry.ts'
import type { Head, PlanEvent, PlanEvents } from '../core/protocol/plan/plan.ts'
import { type Arrivals, type Engine, type Exchange, realDelay } from '../engine/index.ts'
import { setImmediate } from '../engine/node.ts'
import { AnswerWriter } from './answer-writer.ts'
import { IS_CUT, IS_STALE, type ServerSocket } from './connections.ts'
import type { LargeRequests, RequestRoom } from './large-requests.ts'
import { guard } from './send-error.ts'
import type { UnreadAnswer, UnreadAnswers } from './unread-answers.ts'
import { watchFin } from './watch-fin.ts'

/** Time for data to reach the client before a reset, which would overtake it; more data takes longer. */
const DRAIN_MS = 5
const DRAINED_BYTES_PER_MS = 20_000
/** The most data that the sockets of both sides buffer. */
const MAX_UNDELIVERED_BYTES = 6_000_000
/** A smaller rest of an answer is not counted: each has one until Node writes it, later in the turn of the event loop. */
const MIN_REST_BYTES = 16_384

/** The parts of a server that its answers share. */
export interface Serving {
  readonly engine: Engine
  readonly arrivals: Arrivals
  readonly unread: UnreadAnswers
  readonly requests: LargeRequests
}

/** The parts that playing a plan needs. */
export type Player = Pick<Serving, 'engine' | 'unread'>

/** The state of one plan that is being played. */
interface Playing extends Player {
  readonly exchange: Exchange
  readonly response: ServerResponse
  readonly writer: AnswerWriter
  /** The events that are not played yet. */
  readonly events: Iterator<PlanEvent>
  /** The room of a large request, which its plan holds until it waits or is sent. */
  readonly room: RequestRoom | undefined
  // All below changes while the plan is played.
  /** The number of played events. */
  next: number
  /** The time at which the next event is due, in milliseconds of the clock: the arrival of the call and all waits so far. */
  due: number
  /** When the socket last took data again after it was full. */
  unblockedAt: number
  /** True from the first wait on: then progress is recorded. */
  isTimed: boolean
  /** This answer while it is counted as unread, because its socket is full. */
  unreadAnswer: UnreadAnswer | undefined
  /** True while it waits for the next turn of the event loop to go on: then its last event is not sent whole. */
  isPaused: boolean
  /** The memory of the plan, in bytes; undefined until it is needed. */
  memory: number | undefined
  /** Goes on at the end of a wait; undefined before the first one. */
  endWait: (() => void) | undefined
  /** Cancels the current wait. */
  cancelWait: (() => void) | undefined
  /** Checks at the beginning of a wait whether a client that has sent FIN is still there; undefined before the first one. */
  checkFin: (() => void) | undefined
}

/** Starts to play the plan of an exchange, and ends the exchange when the answer is sent or the client leaves. */
export function start(exchange: Exchange, player: Player, response: ServerResponse, room?: RequestRoom): void {
  const { engine, unread } = player
  const playing: Playing = {
    engine,
    unread,
    exchange,
    response,
    writer: new AnswerWriter(response),
    events: exchange.plan.events[Symbol.iterator](),
    room,
    next: 0,
    due: exchange.arrivedAt,
    unblockedAt: Number.NEGATIVE_INFINITY,
    isTimed: false,
    unreadAnswer: undefined,
    isPaused: false,
    memory: room && memoryOf(exchange.plan.events),
    endWait: undefined,
    cancelWait: undefined,
    checkFin: undefined,
  }
  const { socket } = response.req
  // The client may have left while middleware before this one waited.
  if (response.destroyed || socket.destroyed) {
    room?.release()
    return exchange.end(endOfBroken(socket))
  }
  room?.hold(playing.memory!)
  const leave = (): void => {
    room?.release()
    // An exchange that the plan has cut may still be counted as unread.
    if (exchange.isEnded && playing.unreadAnswer === undefined) return
    endEarly(playing, endOfBroken(socket))
    playing.cancelWait?.()
  }
  // Node reports 'finish' even when the connection broke with data still buffered, so check the socket too.
  response.once('finish', () => {
    room?.release()
    stopCounting(playing)
    exchange.end(socket.destroyed ? endOfBroken(socket) : 'complete')
    // An idle connection keeps its last response, and with this listener the plan.
    response.off('close', leave)
  })
  response.on('close', leave)
  if (response.socket === null) {
    // An answer queued behind others on its connection gets no 'close' event, so listen on the socket: once per answer.
    socket.setMaxListeners(0).once('close', leave)
    response.once('socket', () => socket.off('close', leave))
  }
  play(playing)
}

/** The outcome of an answer whose connection broke. */
const endOfBroken = (socket: ServerSocket): Outcome => (socket[IS_CUT] ? 'cut' : 'client-left')

/** Plays events up to the next wait or the end, or until the socket is full. */
function play(playing: Playing): void {
  const { exchange, events, response, writer } = playing
  playing.isPaused = false
  if (!writer.beginTurn()) return pause(playing)
  for (let step = events.next(); !step.done; step = events.next()) {
    const event = step.value
    playing.next++
    switch (event.type) {
      case 'head':
        writeHead(response, event, exchange.plan.events, playing.next)
        break
      case 'send':
        if (!writer.add(event)) return pause(playing)
        break
      case 'wait':
        playing.due += event.ms
        playing.isTimed = true
        exchange.sent(playing.next)
        if (!writer.writeRest()) return waitForReader(playing, wait)
        if (playing.engine.clock.now() < playing.due) return wait(playing)
        // Already late: continue at once; Node joins the writes of one turn of the event loop.
        recordLateness(playing)
        break
      case 'flush':
        // What follows is written in the next turn of the event loop, so that it is in another packet.
        exchange.sent(playing.next)
        if (writer.writeRest()) continueInNextTurn(playing)
        else waitForReader(playing, continueInNextTurn)
        return
      case 'end':
        if (playing.isTimed) exchange.sent(playing.next)
        if (event.isStale) (response.req.socket as ServerSocket)[IS_STALE] = true
        writer.end()
        return countUnread(playing, MIN_REST_BYTES)
      case 'raw':
        withSocket(response, (socket) => socket.write(event.data))
        break
      case 'close':
        exchange.sent(playing.next)
        exchange.end('cut')
        writer.flush()
        withSocket(response, (socket) => socket.destroySoon())
        return countUnread(playing, MIN_REST_BYTES)
      case 'reset':
        exchange.sent(playing.next)
        exchange.end('cut')
        reset(playing)
        return countUnread(playing, MIN_REST_BYTES)
      case 'stall':
        exchange.sent(playing.next)
        playing.room?.release()
        // The connection stays open and silent until the client leaves.
        writer.flush()
        // Counts what the client has not read until it has; nothing is played after that.
        if (response.writableNeedDrain) waitForReader(playing, () => {})
        watchFin(response, () => Number.POSITIVE_INFINITY)
        return
      default:
        event satisfies never
    }
  }
}

/** Continues when the next event is due. A late event does not delay those after it: due times add up from the start. */
function wait(playing: Playing): void {
  const { clock } = playing.engine
  if (clock.now() >= playing.due) return play(playing)
  playing.room?.release()
  playing.endWait ??= () =>
    guard(playing.response, () => {
      recordLateness(playing)
      play(playing)
    })
  playing.cancelWait = clock.wake(playing.due, playing.endWait)
  if (playing.checkFin !== undefined) playing.checkFin()
  else {
    const silenceMs = () => (clock.isManual ? Number.MAX_SAFE_INTEGER : (playing.due - clock.now()) / clock.speed)
    playing.checkFin = watchFin(playing.response, silenceMs)
  }
}

/** Records how late the next event is, in milliseconds of real time, unless it became due while the socket was full. */
function recordLateness({ engine: { clock, timing }, due, unblockedAt }: Playing): void {
  if (due > unblockedAt) timing.record((clock.now() - due) / clock.speed)
}

/** Continues when the socket takes more data, or in the next turn of the event loop if enough was written in this one. */
function pause(playing: Playing): void {
  if (playing.response.writableNeedDrain) return waitForReader(playing, play)
  playing.isPaused = true
  continueInNextTurn(playing)
}

function continueInNextTurn(playing: Playing): void {
  setImmediate(() => {
    if (!playing.response.destroyed) guard(playing.response, () => play(playing))
  })
}

/** Continues when the client has read enough for the socket to take more. */
function waitForReader(playing: Playing, resume: (playing: Playing) => void): void {
  const { response, engine, room } = playing
  countUnread(playing)
  // While the client does not read, the plan counts as an unread answer, and not as a large request. Not before the next turn
  // of the event loop, because a socket that takes more data is empty before that.
  if (room !== undefined) setImmediate(() => playing.unreadAnswer && room.hold(0))
  response.once('drain', () => {
    stopCounting(playing)
    room?.hold(playing.memory!)
    playing.unblockedAt = engine.clock.now()
    playing.isPaused = true
    // Not now: a fast socket is empty again in the same turn of the event loop, and others would wait.
    setImmediate(() => {
      playing.isPaused = false
      if (!response.destroyed) guard(response, () => resume(playing))
    })
  })
}

/** Counts an answer of which the socket has not taken so many bytes, until it takes more or is closed. */
function countUnread(playing: Playing, minBytes = 1): void {
  const { response, exchange, unread } = playing
  if (response.writableLength < minBytes) return
  playing.memory ??= memoryOf(exchange.plan.events)
  playing.unreadAnswer = {
    socket: response.req.socket,
    bytes: response.writableLength + playing.memory,
    drop: (note) => endEarly(playing, 'cut', note),
  }
  unread.add(playing.unreadAnswer)
}

function stopCounting(playing: Playing): void {
  if (playing.unreadAnswer === undefined) return
  playing.unread.delete(playing.unreadAnswer)
  playing.unreadAnswer = undefined
}

/** Ends an exchange before its answer was sent whole. */
function endEarly(playing: Playing, outcome: Outcome, note?: string): void {
  const { exchange, next, isTimed, isPaused, unreadAnswer } = playing
  // Of an answer that waited for its client or the next turn, the last event is not sent whole.
  if ((unreadAnswer !== undefined || isPaused) && !isTimed) exchange.sent(next - 1)
  stopCounting(playing)
  exchange.end(outcome, note)
}

/** The memory of an event besides its data. */
const EVENT_BYTES = 100
/** A long text that is built while it is written takes this share of its size. */
const BUILT_SHARE = 1 / 32

/** The memory of a plan, in bytes; a character counts as one byte. */
function memoryOf(events: PlanEvents): number {
  let bytes = 0
  for (const event of events) {
    bytes += EVENT_BYTES
    if (event.type === 'raw') bytes += event.data.length
    if (event.type === 'send')
      bytes += event.byteLength === undefined ? event.data.length : event.byteLength * BUILT_SHARE
  }
  return bytes
}

/** Uses the connection itself, once earlier answers on it are sent. */
function withSocket(response: ServerResponse, use: (socket: Socket) => void): void {
  // Node emits 'socket' before it writes the data that the response has buffered.
  if (response.socket === null) response.once('socket', (socket) => setImmediate(use, socket))
  else use(response.socket)
}

/** @param next the index of the event after the head. */
function writeHead(response: ServerResponse, { status, headers }: Head, events: PlanEvents, next: number): void {
  // Names and values by turns, which Node writes without copying.
  const namesAndValues: string[] = []
  for (const name in headers) namesAndValues.push(name, headers[name]!)
  // A body that is sent at once and whole is one `send` and the `end`, or only the `end`. Streams and broken answers are not.
  const isWhole = events.length <= next + 2 && events.at(-1)?.type === 'end'
  const first = isWhole && status !== 204 ? events.at(next) : undefined
  if (first?.type === 'end') namesAndValues.push('content-length', '0')
  if (first?.type === 'send')
    namesAndValues.push('content-length', String(first.byteLength ?? Buffer.byteLength(first.data)))
  response.writeHead(status, namesAndValues)
}

/** Resets the connection after everything before it is sent: a reset that overtakes data would lose it. */
function reset({ response, writer }: Playing): void {
  writer.flush()
  const ms = DRAIN_MS + Math.min(writer.written, MAX_UNDELIVERED_BYTES) / DRAINED_BYTES_PER_MS
  withSocket(response, (socket) => socket.write('', () => void realDelay(ms).then(() => socket.resetAndDestroy())))
}
