/** What an app does besides ending: errors that nobody handles are its failures, and what it prints is kept for a finding. */
import { format } from 'node:util'
import type { OutputTail } from './output-tail.ts'

type Listener = (...args: unknown[]) => void

const EVENTS = ['unhandledRejection', 'uncaughtException'] as const
const METHODS = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const

/** Watches the process until it is closed. Test runners do not see these errors meanwhile. */
export class ProcessWatch {
  readonly #restores: (() => void)[] = []
  /** Called with the first error that nobody handles. */
  onError: (error: unknown) => void = () => {}

  constructor() {
    for (const event of EVENTS) {
      const others = process.listeners(event as 'uncaughtException') as Listener[]
      const listener: Listener = (error) => this.onError(error)
      process.removeAllListeners(event)
      process.on(event, listener)
      this.#restores.push(() => {
        process.off(event, listener)
        for (const other of others) process.on(event, other)
      })
    }
  }

  close(): void {
    for (const restore of this.#restores) restore()
  }
}

/**
 * Sends what is printed to the console elsewhere, until the returned function is called: hundreds of runs would hide
 * what counts. Methods that a test spies on stay as they are.
 */
export function captureConsole(output: OutputTail): () => void {
  const restores = METHODS.map((name) => {
    const { [name]: print } = console
    if ('mock' in print || 'restore' in print) return () => {}
    const capture = (...values: unknown[]): void => output.add(Buffer.from(`${format(...values)}\n`))
    console[name] = capture
    return () => {
      if (console[name] === capture) console[name] = print
    }
  })
  return () => {
    for (const restore of restores) restore()
  }
}
