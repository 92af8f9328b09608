/** `setImmediate` stays real in a hunt, because streams use it to let others run. Only loops that a run leaves are ended. */
import timers from 'node:timers'
import promises from 'node:timers/promises'
import { promisify } from 'node:util'
import { setImmediate as setReal } from '../../engine/clock/real-timers.ts'

export class Immediates {
  #isDropping = false
  readonly #restores: (() => void)[] = []

  /** What is imported by name changes with the next `syncBuiltinESMExports`. */
  constructor() {
    const { setImmediate: callIn } = globalThis
    const { setImmediate: waitIn } = promises
    const wait = (...args: Parameters<typeof waitIn>) => (this.#isDropping ? new Promise(() => {}) : waitIn(...args))
    const call = (run: (...args: unknown[]) => void, ...args: unknown[]) =>
      callIn(this.#isDropping ? () => {} : run, ...args)
    const replacement = Object.assign(call, callIn, { [promisify.custom]: wait }) as unknown as typeof callIn
    this.#replace(globalThis, replacement)
    this.#replace(timers, replacement)
    this.#replace(promises, wait as typeof waitIn)
  }

  close(): void {
    for (const restore of this.#restores) restore()
  }

  /** Ends all loops: what they ask for meanwhile is never called. */
  async endLoops(): Promise<void> {
    this.#isDropping = true
    for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setReal(resolve))
    this.#isDropping = false
  }

  #replace<Target extends { setImmediate: unknown }>(target: Target, replacement: Target['setImmediate']): void {
    const { setImmediate: original } = target
    target.setImmediate = replacement
    this.#restores.push(() => {
      if (target.setImmediate === replacement) target.setImmediate = original
    })
  }
}
