/**
 * Replacements for functions of Node that wait or tell the time, so that they use the timers of a fake clock. Fake timers alone
 * leave some of these functions real, such as `setTimeout` of node:timers/promises. Others differ from Node in the order of
 * events, the errors or AsyncLocalStorage.
 *
 *     const replacements = new Replacements()
 *     replaceWaits(replacements)      // `await promises.setTimeout(60_000)` waits for the fake clock
 *     replacements.restore()
 */
import { AsyncResource } from 'node:async_hooks'
import { EventEmitter, on, once } from 'node:events'
import timers from 'node:timers'
import promises from 'node:timers/promises'
import { promisify } from 'node:util'
import { MAX_TIMER_MS } from '../../engine/index.ts'
import { setImmediate as setRealImmediate, setTimeout as setRealTimeout } from '../../engine/node.ts'

/** A clock of fake timers: of Sinon, Vitest or Jest. */
export interface FakeClock {
  readonly now: number
  /** True while a hunt uses it. */
  isVirtualTime?: boolean
  readonly timers?: Map<number, FakeTimer> | Record<string, FakeTimer>
  countTimers(): number
  next(): unknown
  clearTimeout(id: number): void
  reset(): void
}

export interface FakeTimer {
  readonly id: number
  readonly callAt: number
  readonly type: string
}

type Callback = (...args: unknown[]) => unknown

/** Nanoseconds in a second. */
const NS_PER_S = 1_000_000_000n

/** Functions of Node's objects that are replaced until `restore`. */
export class Replacements {
  readonly #restores: (() => void)[] = []

  /** Replaces a property. If other code replaces it later, `restore` leaves that in place. */
  set(target: object, name: PropertyKey, value: unknown): void {
    const original = Object.getOwnPropertyDescriptor(target, name)
    const enumerable = original?.enumerable ?? false
    Object.defineProperty(target, name, { value, enumerable, writable: true, configurable: true })
    this.#restores.unshift(() => {
      if (Object.getOwnPropertyDescriptor(target, name)?.value !== value) return
      if (original === undefined) Reflect.deleteProperty(target, name)
      else Object.defineProperty(target, name, original)
    })
  }

  restore(): void {
    for (const restore of this.#restores) restore()
  }
}

/** Replaces the waits that fake timers do not cover: node:timers/promises, its scheduler, and AbortSignal.timeout. */
export function replaceWaits(to: Replacements): void {
  to.set(promises, 'setTimeout', waitFor)
  to.set(promises, 'setInterval', repeat)
  to.set(promises.scheduler, 'wait', (ms: number, options?: WaitOptions) => waitFor(ms, undefined, options))
  // Its timer is internal to Node.
  to.set(AbortSignal, 'timeout', (ms: number) => {
    const controller = new AbortController()
    const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    setTimeout(() => controller.abort(reason), ms)
    return controller.signal
  })
}

/** Replaces the global timers of a fake clock: the shortest delay is 1 ms, an interval begins anew after its callback. */
export function replaceTimers(to: Replacements, clock: FakeClock): void {
  const { setTimeout: fakeTimeout, setInterval: fakeInterval } = globalThis
  const closable = (timer: NodeJS.Timeout): NodeJS.Timeout => {
    const close = (): void => clearTimeout(timer)
    return Object.assign(timer, { close, [Symbol.dispose]: close })
  }
  // AsyncResource.bind takes 14 µs, which is more than the rest.
  const bind = (run: Callback): ((timer: unknown, args: unknown[]) => void) => {
    // Throws Node's own error.
    if (typeof run !== 'function') setRealTimeout(run)
    const resource = new AsyncResource('Timeout')
    return (timer, args) => resource.runInAsyncScope(run, timer, ...args)
  }
  const setTimeout = (run: Callback, ms?: unknown, ...args: unknown[]): NodeJS.Timeout => {
    const bound = bind(run)
    const timer = closable(fakeTimeout(() => bound(timer, args), delayOf(ms)))
    return timer
  }
  const setInterval = (run: Callback, ms?: unknown, ...args: unknown[]): NodeJS.Timeout => {
    const bound = bind(run)
    const again = (): void => {
      try {
        bound(timer, args)
      } finally {
        if ((clock.timers as Map<number, unknown>).has(Number(timer))) timer.refresh()
      }
    }
    const timer = closable(fakeInterval(again, delayOf(ms)))
    return timer
  }
  const timeout = Object.assign(setTimeout, fakeTimeout, { [promisify.custom]: waitFor })
  const interval = Object.assign(setInterval, fakeInterval)
  // The functions of node:timers are those of globalThis.
  for (const target of [globalThis, timers]) {
    to.set(target, 'setTimeout', timeout)
    to.set(target, 'setInterval', interval)
  }
}

/**
 * Replaces what tells the time besides Date. It goes on from the real time, so that a difference is never negative.
 * @param passedMs the milliseconds that have passed since this call
 */
export function replaceTimeSources(to: Replacements, passedMs: () => number): void {
  const startNs = process.hrtime.bigint()
  const startMs = performance.now()
  const bigint = (): bigint => startNs + BigInt(Math.round(passedMs() * 1e6))
  const hrtime = ([seconds, ns] = [0, 0]): [number, number] => {
    const passed = bigint() - BigInt(seconds!) * NS_PER_S - BigInt(ns!)
    return [Number(passed / NS_PER_S), Number(passed % NS_PER_S)]
  }
  to.set(process, 'hrtime', Object.assign(hrtime, { bigint }))
  to.set(performance, 'now', () => startMs + passedMs())
}

/**
 * `setImmediate` stays real in a hunt, because streams use it to let others run. Only the loops that a run leaves are
 * ended: while they are, a callback is dropped.
 * @returns a function that ends the loops
 */
export function replaceSetImmediate(to: Replacements): () => Promise<void> {
  let isDropping = false
  const { setImmediate: realCall } = globalThis
  const { setImmediate: realWait } = promises
  const wait = (...args: Parameters<typeof realWait>) => (isDropping ? new Promise(() => {}) : realWait(...args))
  const call = (run: Callback, ...args: unknown[]) => realCall(isDropping ? () => {} : run, ...args)
  const replacement = Object.assign(call, realCall, { [promisify.custom]: wait })
  to.set(globalThis, 'setImmediate', replacement)
  to.set(timers, 'setImmediate', replacement)
  to.set(promises, 'setImmediate', wait)
  return async () => {
    isDropping = true
    // Three turns of the event loop: a callback that began before may call in the next one.
    for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setRealImmediate(resolve))
    isDropping = false
  }
}

interface WaitOptions {
  readonly signal?: AbortSignal
}

/** Rejects as the waits of Node do when their signals abort: with an AbortError. */
const rejectWhenAborted = (signal: AbortSignal | undefined): Promise<never> =>
  once(new EventEmitter(), 'never', { signal }) as Promise<never>

const waitFor = <Value>(ms?: number, value?: Value, { signal }: WaitOptions = {}): Promise<Value | undefined> =>
  new Promise((resolve) => {
    if (signal?.aborted === true) return resolve(rejectWhenAborted(signal))
    const abort = (): void => {
      clearTimeout(timer)
      resolve(rejectWhenAborted(signal))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve(value)
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })

async function* repeat<Value>(
  ms?: number,
  value?: Value,
  options: WaitOptions = {},
): AsyncGenerator<Value | undefined> {
  const ticks = new EventEmitter()
  const interval = setInterval(() => ticks.emit('tick'), ms)
  try {
    for await (const _ of on(ticks, 'tick', options)) yield value
  } finally {
    clearInterval(interval)
  }
}

/** The delay that Node gives a timer: whole milliseconds, at least 1. */
function delayOf(ms: unknown): number {
  const delay = Number(ms)
  return delay >= 1 && delay <= MAX_TIMER_MS ? Math.trunc(delay) : 1
}
