/**
 * Virtual time in the Node processes of a hunted command, which load this file first (`--import`): when the process that
 * calls the mock waits for nothing but timers, it asks the hunt, and its time leaps to the next timer. Until then time is
 * real. The timers stay those of Node: they are only started again with less time.
 */
import { createHook } from 'node:async_hooks'
import { connect } from 'node:net'
import { isMainThread } from 'node:worker_threads'
import { Replacements, replaceTimeSources } from './node-timers.ts'
import { PendingWork } from './pending-work.ts'

/** The fields of Node's timers. */
interface NodeTimer {
  readonly _destroyed: boolean
  /** When it was started, in milliseconds of the event loop. */
  readonly _idleStart: number
  _idleTimeout: number
  refresh(): unknown
}

/** A connection or a pipe. */
interface Handle {
  readonly bytesRead: number
  readonly bytesWritten: number
  /** Returns 0 for a connection that is open. */
  getpeername?(found: { port?: number }): number
}

/** Interval of the looks at this process, in milliseconds. It must be idle in two of them. */
const POLL_MS = 5
/** Interval after a leap. */
const NEXT_POLL_MS = 1
/** The time that other processes and servers have to answer, in milliseconds. */
const FOREIGN_MS = 250
/** A shorter wait takes its real time. */
const MIN_LEAP_MS = 20

const { setTimeout, clearTimeout } = globalThis
const [huntPort, mockPort] = (process.env.API_MOCK_HUNT_TIME ?? '').split(':').map(Number)
if (isMainThread && huntPort && mockPort) watch(huntPort, mockPort)

function watch(huntPort: number, mockPort: number): void {
  const timers = new Set<NodeTimer>()
  const handles = new Set<Handle>()
  /** When a timer that was started again with less time is due. */
  const dues = new WeakMap<NodeTimer, { readonly start: number; readonly due: number }>()
  const work = new PendingWork(/Req|(?:Connect|Process|Write)Wrap|FSEvent/)
  let isOwn = false
  let hasBegun = false
  let workers = 0
  let messages = 0
  let skipped = 0

  const init = (_id: number, type: string, _trigger: number, resource: object): void => {
    if (isOwn) return
    if (type === 'Timeout') timers.add(resource as NodeTimer)
    else if (type === 'TCPWRAP' || type === 'PIPEWRAP') handles.add(resource as Handle)
    else if (type === 'TCPCONNECTWRAP' && !hasBegun)
      // Node sets the port later.
      process.nextTick(() => {
        if ((resource as { port?: number }).port === mockPort && !hasBegun) begin()
      })
  }
  createHook({ init }).enable()
  process.on('worker', (worker) => {
    workers++
    worker.once('exit', () => workers--)
  })
  replaceTime(() => skipped)
  if (process.connected) {
    for (const name of ['emit', 'send'] as const) {
      const method = process[name] as (...args: unknown[]) => unknown
      Object.assign(process, {
        [name](this: unknown, ...args: unknown[]): unknown {
          messages++
          return method.apply(this, args)
        },
      })
    }
  }

  /** Runs what is no timer or connection of the app. */
  const own = <Value>(run: () => Value): Value => {
    isOwn = true
    try {
      return run()
    } finally {
      isOwn = false
    }
  }
  const loopNow = (): number =>
    own(() => {
      const probe = setTimeout(() => {}, POLL_MS)
      clearTimeout(probe)
      const { _idleStart } = probe as unknown as NodeTimer
      if (typeof _idleStart === 'number') return _idleStart
      const why = `The timers of Node ${process.version} are not known, so time cannot leap.`
      throw new Error(`api-mock: ${why} Use --real-time.`)
    })
  // At the start of the process, before anything relies on it.
  loopNow()
  const dueOf = (timer: NodeTimer): number => {
    const known = dues.get(timer)
    return known?.start === timer._idleStart ? known.due : timer._idleStart + timer._idleTimeout
  }
  /** Bytes and messages from and to others than the mock. */
  const countForeign = (): number => {
    let count = messages
    for (const handle of handles) {
      const peer: { port?: number } = {}
      const isOpen = handle.getpeername?.(peer) === 0
      if (handle.getpeername !== undefined && !isOpen) handles.delete(handle)
      // What the process prints is no question.
      else if (peer.port !== mockPort) count += handle.bytesRead + (isOpen ? handle.bytesWritten : 0)
    }
    return count
  }

  function begin(): void {
    hasBegun = true
    let idlePolls = 0
    let foreign = countForeign()
    let quietAt = 0
    const control = own(() => connect(huntPort, '127.0.0.1'))
    const later = (ms: number): void => own(() => void setTimeout(poll, ms).unref())
    const poll = (): void => {
      for (const timer of timers) if (timer._destroyed || timer._idleTimeout < 0) timers.delete(timer)
      const now = performance.now()
      const before = foreign
      foreign = countForeign()
      if (foreign !== before) quietAt = now + FOREIGN_MS
      const dueMs = Math.min(...[...timers].map(dueOf)) - loopNow() - 1
      const isIdle = work.find() === 'nothing' && workers === 0 && now >= quietAt
      idlePolls = isIdle ? idlePolls + 1 : 0
      if (idlePolls < 2 || dueMs < MIN_LEAP_MS) later(POLL_MS)
      else control.write(`${dueMs}\n`)
    }
    control.unref().setNoDelay()
    control.on('error', () => {})
    control.on('data', (answer) => {
      const ms = Number(answer)
      idlePolls = ms > 0 ? 1 : 0
      if (ms > 0) leap(ms)
      later(ms > 0 ? NEXT_POLL_MS : POLL_MS)
    })
    later(POLL_MS)
  }

  function leap(ms: number): void {
    skipped += ms
    const now = loopNow()
    const left = [...timers].map((timer) => ({ timer, leftMs: dueOf(timer) - now }))
    for (const { timer, leftMs } of left.sort((one, other) => one.leftMs - other.leftMs)) {
      if (timer._destroyed) continue
      const { _idleTimeout: usualMs } = timer
      timer._idleTimeout = Math.max(1, leftMs - ms)
      timer.refresh()
      dues.set(timer, { start: timer._idleStart, due: timer._idleStart + timer._idleTimeout })
      timer._idleTimeout = usualMs
    }
  }
}

/** Adds what was skipped to all that tells the time. */
function replaceTime(skipped: () => number): void {
  const { Date: RealDate } = globalThis
  const { now } = RealDate
  RealDate.now = () => now() + skipped()
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length > 0 ? args : [target.now()], newTarget),
    apply: (target) => new target(target.now()).toString(),
  })
  RealDate.prototype.constructor = globalThis.Date
  const realNow = performance.now.bind(performance)
  const startMs = realNow()
  replaceTimeSources(new Replacements(), () => realNow() - startMs + skipped())
}
