/** What an app does besides ending: errors that nobody handles are its failures, and hundreds of runs print nothing. */
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

/** Makes the console silent until the returned function is called. Methods that a test spies on stay as they are. */
export function muteConsole(): () => void {
  const restores = METHODS.map((name) => {
    const { [name]: print } = console
    if ('mock' in print || 'restore' in print) return () => {}
    const mute = (): void => {}
    console[name] = mute
    return () => {
      if (console[name] === mute) console[name] = print
    }
  })
  return () => {
    for (const restore of restores) restore()
  }
}
