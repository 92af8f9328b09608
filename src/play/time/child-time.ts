/**
 * Virtual time in the Node processes of a hunted command, which load this file first (`--import`): when the process that
 * calls the mock waits for nothing but timers, it asks the hunt, and its time leaps to the next timer. Until then time is
 * real. The timers stay those of Node: they are only started again with less time.
 *
 * It asks over a connection to `leaps.ts`: the line `2000` says that the next timer is due in 2 seconds, and
 * the line that comes back has the milliseconds to leap, or `0`.
 */
import { createHook, type HookCallbacks } from 'node:async_hooks'
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

// Those of Node: the app may fake its own.
const { setTimeout, clearTimeout } = globalThis

/** The time of this process, from its start. It begins to leap with the first connection to the mock. */
class ChildTime {
  readonly #huntPort: number
  readonly #mockPort: number
  readonly #timers = new Set<NodeTimer>()
  readonly #handles = new Set<Handle>()
  readonly #work = new PendingWork(/Req|(?:Connect|Process|Write)Wrap|FSEvent/)
  /** The due times of timers that were started again with less time. Valid until the app starts them anew. */
  readonly #dues = new WeakMap<NodeTimer, { readonly start: number; readonly due: number }>()
  #skippedMs = 0
  /** True while code of this file makes timers and connections, which are not the app's. */
  #isOwnCode = false
  #hasBegun = false
  /** Worker threads that run. */
  #workers = 0
  /** Messages from and to the parent process so far. */
  #messages = 0

  constructor(huntPort: number, mockPort: number) {
    this.#huntPort = huntPort
    this.#mockPort = mockPort
    const init: HookCallbacks['init'] = (_id, type, _trigger, resource) => this.#observe(type, resource)
    // From Node 24 on, the promises of the app are not slowed down.
    createHook({ init, trackPromises: false } as HookCallbacks).enable()
    process.on('worker', (worker) => {
      this.#workers++
      worker.once('exit', () => this.#workers--)
    })
    replaceTime(() => this.#skippedMs)
    if (process.connected) this.#countMessages()
    // Throws for timers that are not known: at the start of the process, before anything relies on them.
    this.#loopNow()
  }

  /** Notes the timers and connections of the app. */
  #observe(type: string, resource: object): void {
    if (this.#isOwnCode) return
    if (type === 'Timeout') this.#timers.add(resource as NodeTimer)
    else if (type === 'TCPWRAP' || type === 'PIPEWRAP') this.#handles.add(resource as Handle)
    else if (type === 'TCPCONNECTWRAP' && !this.#hasBegun)
      // Node sets the port later.
      process.nextTick(() => {
        if ((resource as { port?: number }).port === this.#mockPort && !this.#hasBegun) this.#begin()
      })
  }

  #countMessages(): void {
    for (const name of ['emit', 'send'] as const) {
      const method = process[name] as (...args: unknown[]) => unknown
      const counted = (...args: unknown[]): unknown => {
        this.#messages++
        return method.apply(process, args)
      }
      Object.assign(process, { [name]: counted })
    }
  }

  /** Connects to the hunt, and asks it for a leap whenever the process is idle. */
  #begin(): void {
    this.#hasBegun = true
    let idlePolls = 0
    /** Bytes and messages from and to others than the mock, at the last poll. */
    let foreign = this.#countForeign()
    /** The time until which others may still answer. */
    let quietAt = 0
    const hunt = this.#asOwnCode(() => connect(this.#huntPort, '127.0.0.1'))
    const pollAfter = (ms: number): void => this.#asOwnCode(() => void setTimeout(poll, ms).unref())
    const poll = (): void => {
      // Node does not tell when a timer ends.
      for (const timer of this.#timers) if (timer._destroyed || timer._idleTimeout < 0) this.#timers.delete(timer)
      const now = performance.now()
      const foreignBefore = foreign
      foreign = this.#countForeign()
      if (foreign !== foreignBefore) quietAt = now + FOREIGN_MS
      const nextDue = Math.min(...[...this.#timers].map((timer) => this.#dueOf(timer)))
      const dueMs = nextDue - this.#loopNow() - 1
      const isIdle = this.#work.poll() === 'nothing' && this.#workers === 0 && now >= quietAt
      idlePolls = isIdle ? idlePolls + 1 : 0
      if (idlePolls < 2 || dueMs < MIN_LEAP_MS) pollAfter(POLL_MS)
      else hunt.write(`${dueMs}\n`)
    }
    hunt.unref().setNoDelay()
    hunt.on('error', () => {})
    hunt.on('data', (answer) => {
      const ms = Number(answer)
      const mayLeap = ms > 0
      // After a leap, one idle poll is enough for the next.
      idlePolls = mayLeap ? 1 : 0
      if (mayLeap) this.#leap(ms)
      pollAfter(mayLeap ? NEXT_POLL_MS : POLL_MS)
    })
    pollAfter(POLL_MS)
  }

  /** Counts the bytes and messages from and to others than the mock. Forgets connections that are closed. */
  #countForeign(): number {
    let count = this.#messages
    for (const handle of this.#handles) {
      const peer: { port?: number } = {}
      const isOpen = handle.getpeername?.(peer) === 0
      if (handle.getpeername !== undefined && !isOpen) this.#handles.delete(handle)
      // Of a pipe, only what is read counts: nothing answers what the process prints.
      else if (peer.port !== this.#mockPort) count += handle.bytesRead + (isOpen ? handle.bytesWritten : 0)
    }
    return count
  }

  /** Starts all timers again with less time. */
  #leap(ms: number): void {
    this.#skippedMs += ms
    const now = this.#loopNow()
    const left = [...this.#timers].map((timer) => ({ timer, leftMs: this.#dueOf(timer) - now }))
    for (const { timer, leftMs } of left.sort((one, other) => one.leftMs - other.leftMs)) {
      if (timer._destroyed) continue
      const { _idleTimeout: usualMs } = timer
      timer._idleTimeout = Math.max(1, leftMs - ms)
      timer.refresh()
      this.#dues.set(timer, { start: timer._idleStart, due: timer._idleStart + timer._idleTimeout })
      // An app that starts it anew gets the time that it has asked for.
      timer._idleTimeout = usualMs
    }
  }

  #dueOf(timer: NodeTimer): number {
    const shortened = this.#dues.get(timer)
    return shortened?.start === timer._idleStart ? shortened.due : timer._idleStart + timer._idleTimeout
  }

  /** The time of the event loop, as a new timer has it. */
  #loopNow(): number {
    const probe = this.#asOwnCode(() => setTimeout(() => {}, POLL_MS)) as unknown as NodeTimer
    clearTimeout(probe as unknown as NodeJS.Timeout)
    if (typeof probe._idleStart === 'number') return probe._idleStart
    const why = `The timers of Node ${process.version} are not known, so time cannot leap.`
    throw new Error(`api-mock: ${why} Use --real-time.`)
  }

  #asOwnCode<Value>(run: () => Value): Value {
    this.#isOwnCode = true
    try {
      return run()
    } finally {
      this.#isOwnCode = false
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

const [huntPort, mockPort] = (process.env.API_MOCK_HUNT_TIME ?? '').split(':').map(Number)
if (isMainThread && huntPort && mockPort) new ChildTime(huntPort, mockPort)
