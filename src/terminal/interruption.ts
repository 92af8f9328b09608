/** Ends a long command early: at the first signal, or when its time is up. The second signal ends the program at once. */
import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
// npm and npx forward the Ctrl-C that the terminal has already sent: one key press gives two signals.
const SAME_PRESS_MS = process.env.npm_command ? 400 : 0

export class Interruption {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout | undefined
  #exitCode: number | undefined
  #at = 0

  /** @param limitMs the time after which it ends. Default: no limit. */
  constructor(onSignal: () => void, limitMs?: number) {
    for (const name of SIGNALS) process.on(name, this.#receive)
    this.#onSignal = onSignal
    if (limitMs !== undefined) this.#timer = setTimeout(() => this.#controller.abort(), limitMs)
  }

  readonly #onSignal: () => void

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** That of a program that the signal ended; undefined if none came. */
  get exitCode(): number | undefined {
    return this.#exitCode
  }

  close(): void {
    for (const name of SIGNALS) process.off(name, this.#receive)
    clearTimeout(this.#timer)
  }

  readonly #receive = (name: NodeJS.Signals): void => {
    if (this.#exitCode === undefined) {
      this.#exitCode = 128 + constants.signals[name]
      this.#at = performance.now()
      this.#onSignal()
      this.#controller.abort()
    } else if (performance.now() - this.#at > SAME_PRESS_MS) process.exit(this.#exitCode)
  }
}
