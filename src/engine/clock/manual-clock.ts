/** Time that stands still until a test moves it: a minute, or a day, passes in no time. */
import { parseDuration } from '../../core/text/duration.ts'
import type { Clock } from './clock.ts'

interface Wait {
  readonly time: number
  readonly end: () => void
}

interface Watcher {
  readonly count: number
  readonly resolve: () => void
}

/**
 * A clock that is moved by hand.
 * @example
 * const mock = createMock('slow', { clock: 'manual' })
 * const answer = client.chat.completions.create(request)
 * await mock.clock.waiting()      // the call has come, and waits for its first token
 * await mock.clock.advance('2s')
 */
export class ManualClock implements Clock {
  readonly speed = 1
  #now = 0
  /** By time; of the same time, the first to come first. */
  readonly #waits: Wait[] = []
  #watchers: Watcher[] = []
  #advancing: Promise<void> = Promise.resolve()

  now(): number {
    return this.#now
  }

  until(time: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (time <= this.#now || signal?.aborted === true) return resolve()
      const end = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const wait: Wait = { time, end }
      const leave = (): void => {
        this.#waits.splice(this.#waits.indexOf(wait), 1)
        end()
      }
      this.#waits.splice(this.#placeFor(time), 0, wait)
      signal?.addEventListener('abort', leave, { once: true })
      this.#tellWatchers()
    })
  }

  /**
   * Moves the time on. What waits goes on in the order in which it is due, each at its own time, and so does what only
   * comes up on the way. Resolves when nothing more is due; calls that come while it moves follow one another.
   * @param by a duration such as '60s', '1m30s' or '1d', or milliseconds from 0.
   * @throws when `by` is no such duration.
   */
  advance(by: string | number): Promise<void> {
    const ms = readDuration(by)
    this.#advancing = this.#advancing.then(() => this.#advance(ms))
    return this.#advancing
  }

  /**
   * Resolves as soon as so many waits are pending, at once where they are: what to await between sending a call and
   * moving the time, since a call takes a moment to come.
   * @param count how many, from 1. Default: 1.
   */
  waiting(count = 1): Promise<void> {
    return new Promise((resolve) => {
      this.#watchers.push({ count, resolve })
      this.#tellWatchers()
    })
  }

  async #advance(ms: number): Promise<void> {
    const end = this.#now + ms
    const turns = new Turns()
    await turns.settle()
    for (let next = this.#waits[0]; next !== undefined && next.time <= end; next = this.#waits[0]) {
      this.#waits.shift()
      this.#now = Math.max(this.#now, next.time)
      next.end()
      await turns.settle()
    }
    this.#now = end
    turns.close()
  }

  /** After all waits of the same time: ties go in order of arrival. */
  #placeFor(time: number): number {
    let low = 0
    let high = this.#waits.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#waits[middle]!.time <= time) low = middle + 1
      else high = middle
    }
    return low
  }

  #tellWatchers(): void {
    const isMet = ({ count }: Watcher): boolean => this.#waits.length >= count
    const met = this.#watchers.filter(isMet)
    this.#watchers = this.#watchers.filter((watcher) => !isMet(watcher))
    for (const { resolve } of met) resolve()
  }
}

function readDuration(by: string | number): number {
  const ms = typeof by === 'string' ? parseDuration(by) : by
  if (typeof ms === 'number' && ms >= 0 && ms < Number.POSITIVE_INFINITY) return ms
  const shown = typeof by === 'string' ? `'${by}'` : String(by)
  throw new Error(
    `Failed to advance the clock: found ${shown}, allowed is a duration such as '500ms', '60s' or '1m30s', or a number of milliseconds from 0.`,
  )
}

// What was set going by a wait's end may take a few rounds through client and stream until it waits again.
const ROUNDS = 5

/** Rounds of the event loop, by messages, which no fake timers stop. */
class Turns {
  readonly #channel = new MessageChannel()

  /** Lets everything go on that needs no time to pass. */
  async settle(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      await new Promise<void>((resolve) => {
        this.#channel.port1.onmessage = () => resolve()
        this.#channel.port2.postMessage(undefined)
      })
    }
  }

  close(): void {
    this.#channel.port1.close()
  }
}
