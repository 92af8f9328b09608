/**
 * Virtual time: whenever a function waits for nothing but timers, the time jumps to the next one.
 *
 * All timers are faked, so the back-off and the time-outs of clients take no time. Timers that a test has faked itself
 * are used as they are. Work that is not a timer, such as reading a file, takes its real time, and no timer ends before it.
 */
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import promises from 'node:timers/promises'
import { promisify } from 'node:util'
import FakeTimers from '@sinonjs/fake-timers'
import { MockError } from '../../core/protocol/errors/mock-error.ts'
import { setImmediate as setRealImmediate, setTimeout as setRealTimeout } from '../../engine/node.ts'
import { unhandled } from '../played-run.ts'
import { PendingWork } from './pending-work.ts'

interface FakeClock {
  readonly now: number
  isVirtualTime?: boolean
  readonly timers?: Map<number, FakeTimer> | Record<string, FakeTimer>
  countTimers(): number
  next(): unknown
  clearTimeout(id: number): void
  reset(): void
}

interface FakeTimer {
  readonly id: number
  readonly type: string
}

/** The end of a run: with an error, or without. */
export interface RunEnd {
  readonly error?: unknown
}

/** Turns of the event loop without work after which the next timer may end. */
const IDLE_TURNS = 3
/** Turns after which work that goes on from turn to turn does not keep timers back: an app may look for something. */
const MAX_TURNS = 10_000
/**
 * The turns with such work after which a run counts as endless: 100 times those of an app that makes 1,000 calls. A loop of
 * setImmediate takes about a second to get there.
 */
const MAX_RUN_TURNS = 100_000
const TOO_MANY_TURNS = `It used ${MAX_RUN_TURNS.toLocaleString('en')} turns of the event loop and had not ended: it loops on setImmediate. Wait for a timer or an event instead.`
/** Turns to wait for work that takes real time, before it is looked for less often. */
const FAST_TURNS = 100
/** Interval at which it is looked for then, in milliseconds. */
const WAIT_MS = 1
/** Most looks for it: a real timer of a library may take minutes. */
const MAX_WAITS = 2000
/** Most looks for something to do when neither work nor a timer is left. */
const MAX_IDLE_WAITS = 500
/** Most looks for an answer of another server before a timer ends. */
const SOCKET_WAITS = 10
const FAKED = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const
/** The virtual time after which a run counts as endless, in milliseconds. */
const MAX_VIRTUAL_MS = 86_400_000
/** The timers after which it does: an app that polls would take minutes of real time to reach the end of the day. */
const MAX_TIMERS = 10_000

/** Fakes the timers of this process until it is closed. Each run starts at the same time. */
export class VirtualTime {
  readonly #clock: FakeClock
  readonly #isOwn: boolean
  readonly #restore: () => void
  readonly #work = new PendingWork()
  readonly #immediates = replaceSetImmediate()
  /** Turns of this run in which work went on. */
  #turns = 0

  /** @throws MockError when a test has faked Date without the timers: they cannot be faked a second time */
  constructor() {
    const given = (globalThis.setTimeout as { clock?: FakeClock }).clock
    let installed: ReturnType<typeof FakeTimers.install> | undefined
    try {
      if (given === undefined)
        installed = FakeTimers.install({ now: Date.now(), toFake: [...FAKED], shouldClearNativeTimers: true })
    } catch (cause) {
      throw new MockError(
        'invalid-option',
        'Failed to hunt: Date is faked and setTimeout is not. Fake both, as vi.useFakeTimers() does, or neither.',
        { cause },
      )
    }
    this.#clock = given ?? (installed as unknown as FakeClock)
    this.#isOwn = given === undefined
    this.#clock.isVirtualTime = true
    const { timeout } = AbortSignal
    // The timer of this one is inside of Node.
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController()
      const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
      setTimeout(() => controller.abort(reason), ms)
      return controller.signal
    }
    // For what is imported by name: `import { setTimeout } from 'node:timers/promises'`.
    syncBuiltinESMExports()
    this.#restore = () => {
      AbortSignal.timeout = timeout
      delete this.#clock.isVirtualTime
      installed?.uninstall()
      syncBuiltinESMExports()
    }
  }

  /** Timers are again what they were. */
  close(): void {
    this.#work.close()
    this.#immediates.restore()
    this.#restore()
  }

  /**
   * Runs a function, then lets what it began and did not await come to rest, and drops the timers that are left. Never
   * rejects: a function that does not end has an error that says so.
   * @param failed rejects when the run must end at once
   */
  async run(app: () => Promise<unknown>, failed: Promise<never>): Promise<RunEnd> {
    const clock = this.#clock
    const startedAt = clock.now
    const before = new Set(timersOf(clock))
    let outcome: RunEnd | undefined
    const end = (ended: RunEnd): void => {
      outcome ??= ended
    }
    this.#work.begin()
    this.#turns = 0
    // Once the function has returned, what it left behind may still fail.
    failed.catch((error) => {
      if (outcome === undefined || !('error' in outcome)) outcome = { error }
    })
    app().then(
      () => end({}),
      (error) => end({ error }),
    )
    const hasEnded = (): boolean => outcome !== undefined
    for (let idleWaits = 0, timers = 0; ; ) {
      await this.#settle(hasEnded)
      if (outcome !== undefined) break
      if (this.#turns >= MAX_RUN_TURNS) {
        end({ error: new Error(TOO_MANY_TURNS) })
      } else if (clock.countTimers() > 0) {
        idleWaits = 0
        try {
          clock.next()
        } catch (error) {
          end({ error: unhandled(error) })
        }
        if (clock.now - startedAt > MAX_VIRTUAL_MS)
          end({ error: new Error('It had not ended after a day of virtual time.') })
        if (++timers >= MAX_TIMERS)
          end({ error: new Error(`It used ${MAX_TIMERS.toLocaleString('en')} timers and had not ended.`) })
      } else if (++idleWaits > MAX_IDLE_WAITS) {
        end({ error: new Error('It hangs: no timer or call can wake it. Add a time-out to the read.') })
      } else await realWait()
    }
    if (!(await this.#settle(() => false))) await this.#immediates.endLoops()
    if (this.#isOwn) clock.reset()
    for (const timer of timersOf(clock))
      if (!before.has(timer) && /^(?:Timeout|Interval)$/.test(timer.type)) clock.clearTimeout(timer.id)
    return outcome
  }

  /**
   * Waits until nothing is left to do except waiting for timers.
   * @returns false if that did not come
   */
  async #settle(isOver: () => boolean): Promise<boolean> {
    let turns = 0
    let workWaits = 0
    for (let idle = 0; idle < IDLE_TURNS && !isOver(); ) {
      await nextTurn()
      const pending = this.#work.find()
      if (pending === 'nothing') idle++
      else idle = 0
      if (pending === 'turn') {
        this.#turns++
        if (++turns >= MAX_TURNS) return false
      }
      if (pending !== 'work' || ++workWaits < FAST_TURNS) continue
      if (workWaits > FAST_TURNS + MAX_WAITS) return false
      await realWait()
    }
    for (let socketWaits = 0; socketWaits < SOCKET_WAITS && !isOver() && this.#work.hasSockets; socketWaits++)
      await realWait()
    return true
  }
}

/**
 * `setImmediate` stays real in a hunt, because streams use it to let others run. Only the loops that a run leaves are
 * ended: while they are, a callback is dropped. What is imported by name changes with the next `syncBuiltinESMExports`.
 */
function replaceSetImmediate() {
  let isDropping = false
  const { setImmediate: callIn } = globalThis
  const { setImmediate: waitIn } = promises
  const wait = (...args: Parameters<typeof waitIn>) => (isDropping ? new Promise(() => {}) : waitIn(...args))
  const call = (run: (...args: unknown[]) => void, ...args: unknown[]) => callIn(isDropping ? () => {} : run, ...args)
  const replacement = Object.assign(call, callIn, { [promisify.custom]: wait }) as unknown as typeof callIn
  const replace = <Target extends { setImmediate: unknown }>(target: Target, value: Target['setImmediate']) => {
    const { setImmediate: original } = target
    target.setImmediate = value
    return () => {
      if (target.setImmediate === value) target.setImmediate = original
    }
  }
  const restores = [
    replace(globalThis, replacement),
    replace(timers, replacement),
    replace(promises, wait as typeof waitIn),
  ]
  return {
    restore: (): void => {
      for (const restore of restores) restore()
    },
    endLoops: async (): Promise<void> => {
      isDropping = true
      for (let turns = 0; turns < 3; turns++) await nextTurn()
      isDropping = false
    },
  }
}

function timersOf({ timers }: FakeClock): FakeTimer[] {
  return timers instanceof Map ? [...timers.values()] : Object.values(timers ?? {})
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setRealImmediate(resolve))
const realWait = (): Promise<void> => new Promise((resolve) => setRealTimeout(resolve, WAIT_MS))
