/** How the program stops: the first signal drains the server, the second exits at once. */
import type { Service } from './service.ts'

// npm and npx forward the Ctrl-C that the terminal has already sent us: one key press gives two signals. Without them,
// each signal counts, and the second one ends the program however soon it comes.
const SAME_PRESS_MS = process.env.npm_command ? 400 : 0

/** Resolves when a signal has come and the server has closed. */
export async function waitForShutdown(
  { mock, server }: Service,
  onStopping: (inFlight: number) => void,
): Promise<void> {
  await waitForSignal()
  onStopping(mock.calls({ outcome: 'open' }).length)
  await server.close()
}

/** Resolves at the first signal; the second one exits at once. */
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
