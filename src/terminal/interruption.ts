/** Signals that end a command: the first one lets it finish its work, the second one ends the program at once. */
import { constants } from 'node:os'

// npm and npx forward the Ctrl-C that the terminal has already sent us: one key press gives two signals. Without them,
// each signal counts, and the second one ends the program however soon it comes.
const SAME_PRESS_MS = process.env.npm_command ? 400 : 0

/**
 * Calls `onFirst` at the first signal.
 * @param exitCode the exit code at the second signal. Default: that of a program that the first one ended.
 * @returns a function that stops listening.
 */
function onSignal(names: readonly NodeJS.Signals[], onFirst: (exitCode: number) => void, exitCode?: number) {
  let pressed: { readonly at: number; readonly exitCode: number } | undefined
  const receive = (name: NodeJS.Signals): void => {
    if (pressed === undefined) {
      pressed = { at: performance.now(), exitCode: 128 + constants.signals[name] }
      onFirst(pressed.exitCode)
    } else if (performance.now() - pressed.at > SAME_PRESS_MS) process.exit(exitCode ?? pressed.exitCode)
  }
  for (const name of names) process.on(name, receive)
  return (): void => {
    for (const name of names) process.off(name, receive)
  }
}

/** Resolves at the first signal. At the second one, the program exits with 0. */
export const waitForSignal = (): Promise<void> =>
  new Promise((resolve) => {
    onSignal(['SIGINT', 'SIGTERM'], () => resolve(), 0)
  })

/** Ends a long command early: at the first signal, or when its time is up. */
export class Interruption {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout | undefined
  readonly #stop: () => void
  #exitCode: number | undefined

  /** @param limitMs the time after which it ends. Default: no limit. */
  constructor(onFirst: () => void, limitMs?: number) {
    this.#stop = onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], (exitCode) => {
      this.#exitCode = exitCode
      onFirst()
      this.#controller.abort()
    })
    if (limitMs !== undefined) this.#timer = setTimeout(() => this.#controller.abort(), limitMs)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** That of a program that the signal ended; undefined if none came. */
  get exitCode(): number | undefined {
    return this.#exitCode
  }

  close(): void {
    this.#stop()
    clearTimeout(this.#timer)
  }
}
