/** How a server ends: the first signal drains it, the second ends the program at once. */
import type { Service } from './service.ts'

// npx hands on the Ctrl-C that the terminal has already sent us: two signals, one key press.
const SAME_PRESS_MS = 400

/** Resolves when a signal came and the server has closed. `onStopping` is told how many calls are in flight. */
export async function waitForShutdown(
  { mock, server }: Service,
  onStopping: (inFlight: number) => void,
): Promise<void> {
  await waitForSignal()
  onStopping(mock.journal.filter(({ outcome }) => outcome === 'open').length)
  await server.close()
}

/** Resolves at the first signal; the second ends the program at once. */
export function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    let pressedAt: number | undefined
    const stop = (): void => {
      if (pressedAt === undefined) {
        pressedAt = performance.now()
        resolve()
      } else if (performance.now() - pressedAt > SAME_PRESS_MS) {
        process.exit(0)
      }
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}
