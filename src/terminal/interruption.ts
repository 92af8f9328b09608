/** Ctrl-C and other signals that end a command: the first one lets it finish its work, the second one ends the program at once. */
import { constants } from 'node:os'

/** The early end of a long command: at the first signal, or when its time is up. Its work watches `signal`. */
export class Interruption {
  readonly #controller = new AbortController()
  readonly signal = this.#controller.signal
  /** The exit code of a program that the first signal ended, such as 130; undefined if none came. */
  exitCode: number | undefined
  readonly #timer: NodeJS.Timeout | undefined
  readonly #stopListening: () => void

  /** @param limitMs the time after which the command ends. Default: no limit. */
  constructor(onFirst: () => void, limitMs?: number) {
    this.#stopListening = onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], (exitCode) => {
      this.exitCode = exitCode
      onFirst()
      this.#controller.abort()
    })
    if (limitMs !== undefined) this.#timer = setTimeout(() => this.#controller.abort(), limitMs)
  }

  close(): void {
    this.#stopListening()
    clearTimeout(this.#timer)
  }
}

/** Resolves at the first signal. At the second one, the program exits with 0. */
export const waitForSignal = (): Promise<void> =>
  new Promise((resolve) => {
    onSignal(['SIGINT', 'SIGTERM'], () => resolve(), 0)
  })

/**
 * The time within which a second signal is from the same key press, in milliseconds: npm and npx forward the Ctrl-C that the
 * terminal has already sent to this program too. Without them, each signal counts.
 */
const SAME_PRESS_MS = process.env.npm_command ? 400 : 0

/**
 * Calls `onFirst` at the first signal.
 * @param exitCode the exit code at the second signal. Default: that of a program that the first one ended.
 * @returns a function that stops listening.
 */
function onSignal(names: readonly NodeJS.Signals[], onFirst: (exitCode: number) => void, exitCode?: number) {
  let first: { readonly at: number; readonly exitCode: number } | undefined
  const receive = (name: NodeJS.Signals): void => {
    if (first === undefined) {
      first = { at: performance.now(), exitCode: 128 + constants.signals[name] }
      onFirst(first.exitCode)
    } else if (performance.now() - first.at > SAME_PRESS_MS) process.exit(exitCode ?? first.exitCode)
  }
  for (const name of names) process.on(name, receive)
  return (): void => {
    for (const name of names) process.off(name, receive)
  }
}
