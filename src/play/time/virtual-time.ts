/**
 * Virtual time: whenever a function waits for nothing but timers, the time jumps to the next one.
 *
 * All timers are faked, so the back-off and the time-outs of clients take no time. Timers that a test has faked itself
 * are used as they are. Work that is not a timer, such as reading a file, takes its real time, and no timer ends before it.
 *
 * A run goes in rounds. First it *settles*: turns of the event loop pass, and work is polled, until only timers are left. Then
 * the timers that are due next end, and the next round begins. A function that waits 2 seconds, reads a file and waits a
 * minute takes three rounds, and about as long as reading the file.
 */
import { syncBuiltinESMExports } from 'node:module'
import FakeTimers from '@sinonjs/fake-timers'
import { MockError } from '../../core/protocol/errors/mock-error.ts'
import { setImmediate as setRealImmediate, setTimeout as setRealTimeout } from '../../engine/node.ts'
import { unhandled } from '../played-run.ts'
import {
  type FakeClock,
  type FakeTimer,
  Replacements,
  replaceSetImmediate,
  replaceTimers,
  replaceTimeSources,
  replaceWaits,
} from './node-timers.ts'
import { PendingWork } from './pending-work.ts'

/** The end of a run: with an error, or without. */
export interface RunEnd {
  readonly error?: unknown
}

// To settle, in turns of the event loop:
/** Turns without work after which a run has settled. */
const IDLE_TURNS = 3
/** Turns after which work that goes on from turn to turn does not keep timers back: an app may look for something. */
const MAX_TURNS = 10_000
/** Turns in which pending work is polled at once. Later polls are `WAIT_MS` apart. */
const FAST_TURNS = 100
/** Interval of the later polls, in milliseconds. The numbers of polls below are of these. */
const WAIT_MS = 1
/** Most polls for pending work when no timer is left. */
const MAX_WAITS = 2000
/**
 * Fewest polls for pending work before a timer ends. A timer that is due later waits as long as it would in real time, so
 * work and timers end in the order in which they would in real time.
 */
const MIN_TIMER_WAITS = 500
/** Most polls of a run while nothing new happens: a child process may serve until the end, and a real timer may take minutes. */
const MAX_TIMER_WAITS = 10_000
/** Most polls for the answer of another server before a timer ends. */
const SOCKET_WAITS = 10

// Runs that count as endless:
/** Most polls when neither work nor a timer is left. */
const MAX_IDLE_WAITS = 500
/**
 * Most turns with work that goes on from turn to turn: 100 times those of an app that makes 1,000 calls. A loop of
 * setImmediate takes about a second to get there.
 */
const MAX_RUN_TURNS = 100_000
const TOO_MANY_TURNS = `It used ${MAX_RUN_TURNS.toLocaleString('en')} turns of the event loop and had not ended: it loops on setImmediate. Wait for a timer or an event instead.`
/** Longest virtual time: a day. */
const MAX_VIRTUAL_MS = 86_400_000
/** Most timers that end: an app that polls would take minutes of real time to reach the end of the day. */
const MAX_TIMERS = 10_000
const TOO_MANY_TIMERS = `It used ${MAX_TIMERS.toLocaleString('en')} timers and had not ended.`

const FAKED = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'Intl'] as const

/** Fakes the timers of this process until it is closed. Each run starts at the same time. */
export class VirtualTime {
  readonly #clock: FakeClock
  /** False if a test had faked the timers before. */
  readonly #isOwnClock: boolean
  readonly #restore: () => void
  readonly #work = new PendingWork()
  /** Ends loops of setImmediate. */
  readonly #endLoops: () => Promise<void>
  /** Turns of this run in which work went on. `#settle` counts them. */
  #turns = 0
  /** Polls of this run for pending work before a timer, since pending work was last forgotten. */
  #timerWaits = 0

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
    this.#isOwnClock = given === undefined
    this.#clock.isVirtualTime = true
    const replacements = new Replacements()
    if (given === undefined) {
      replaceTimers(replacements, this.#clock)
      const { now: startedAt } = this.#clock
      replaceTimeSources(replacements, () => this.#clock.now - startedAt)
    }
    replaceWaits(replacements)
    this.#endLoops = replaceSetImmediate(replacements)
    // For what is imported by name: `import { setTimeout } from 'node:timers/promises'`.
    syncBuiltinESMExports()
    this.#restore = () => {
      replacements.restore()
      delete this.#clock.isVirtualTime
      installed?.uninstall()
      syncBuiltinESMExports()
    }
  }

  /** Restores the timers. */
  close(): void {
    this.#work.close()
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
    // A test that has faked the timers itself may have some of its own.
    const timersBefore = new Set(timersOf(clock))
    let outcome: RunEnd | undefined
    // The first error counts, also one after the function has returned: what it left behind may still fail.
    const end = (ended: RunEnd): void => {
      if (outcome === undefined || !('error' in outcome)) outcome = ended
    }
    const fail = (error: unknown): void => end({ error })
    failed.catch(fail)
    this.#turns = 0
    this.#timerWaits = 0
    // Node lists what has just ended until the turn is over.
    for (let turns = 0; turns < IDLE_TURNS; turns++) await nextTurn()
    this.#work.begin()
    app().then(() => end({}), fail)
    const hasEnded = (): boolean => outcome !== undefined
    let idleWaits = 0
    let timers = 0
    for (;;) {
      await this.#settle(hasEnded, () => this.#countTimerWait())
      // Also when one of the limits below has made it fail.
      if (outcome !== undefined) break
      if (this.#turns >= MAX_RUN_TURNS) fail(new Error(TOO_MANY_TURNS))
      else if (clock.countTimers() > 0) {
        idleWaits = 0
        timers += await this.#endTimers((error) => fail(unhandled(error)), hasEnded)
        if (hasEnded()) continue
        if (clock.now - startedAt > MAX_VIRTUAL_MS) fail(new Error('It had not ended after a day of virtual time.'))
        if (timers >= MAX_TIMERS) fail(new Error(TOO_MANY_TIMERS))
      } else if (++idleWaits > MAX_IDLE_WAITS)
        fail(new Error('It hangs: no timer or call can wake it. Add a time-out to the read.'))
      else await realWait()
    }
    // The function has ended. Work that it left behind ends too, and then its loops and timers are dropped.
    const hasSettled = await this.#settle(() => false)
    if (!hasSettled) await this.#endLoops()
    if (this.#isOwnClock) clock.reset()
    for (const timer of timersOf(clock))
      if (!timersBefore.has(timer) && /^(?:Timeout|Interval)$/.test(timer.type)) clock.clearTimeout(timer.id)
    return outcome
  }

  /**
   * Waits until nothing is left to do except waiting for timers.
   * @param mostWaits the most polls for work that takes real time. Called before each of them.
   * @returns false if that did not come
   */
  async #settle(isOver: () => boolean, mostWaits = () => MAX_WAITS): Promise<boolean> {
    let turns = 0
    let workWaits = 0
    for (let idle = 0; idle < IDLE_TURNS && !isOver(); ) {
      await nextTurn()
      const pending = this.#work.poll()
      if (pending === 'nothing') idle++
      else idle = 0
      if (pending === 'turn') {
        this.#turns++
        if (++turns >= MAX_TURNS) return false
      }
      if (pending !== 'work' || ++workWaits < FAST_TURNS) continue
      if (workWaits >= FAST_TURNS + mostWaits()) return false
      await realWait()
    }
    for (let socketWaits = 0; socketWaits < SOCKET_WAITS && !isOver() && this.#work.hasSockets; socketWaits++)
      await realWait()
    return true
  }

  /** Counts a poll for work before the next timer. Returns the most such polls. */
  #countTimerWait(): number {
    const delay = this.#nextDue() - this.#clock.now
    if (delay === Number.POSITIVE_INFINITY) return MAX_WAITS
    if (++this.#timerWaits > MAX_TIMER_WAITS) {
      // What is still pending does not end, so it no longer counts as work.
      this.#work.begin()
      this.#timerWaits = 0
    }
    return Math.max(delay, MIN_TIMER_WAITS)
  }

  /**
   * Ends the timers that are due next, as a phase of Node's event loop does: ticks and microtasks run between two of them,
   * and what they pass to setImmediate runs after all of them.
   * @returns how many have ended
   */
  #endTimers(failed: (error: unknown) => void, isOver: () => boolean): Promise<number> {
    const clock = this.#clock
    const due = this.#nextDue()
    let ended = 0
    const endNext = (): void => {
      if (isOver() || this.#nextDue() !== due) return
      ended++
      try {
        clock.next()
      } catch (error) {
        failed(error)
      }
    }
    return new Promise((resolve) => {
      // A clock of the test may have ticks to run and no timers.
      const count = Math.max(timersOf(clock).filter(({ callAt }) => callAt === due).length, 1)
      for (let left = count; left > 0; left--) setRealImmediate(endNext)
      setRealImmediate(() => resolve(ended))
    })
  }

  #nextDue(): number {
    return Math.min(...timersOf(this.#clock).map(({ callAt }) => callAt))
  }
}

function timersOf({ timers }: FakeClock): FakeTimer[] {
  return timers instanceof Map ? [...timers.values()] : Object.values(timers ?? {})
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setRealImmediate(resolve))
const realWait = (): Promise<void> => new Promise((resolve) => setRealTimeout(resolve, WAIT_MS))
