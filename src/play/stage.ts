/**
 * The stage on which an app runs in this process: the mock answers its calls, time is virtual, errors that nobody handles are
 * its failures, and what it prints is kept.
 *
 *     const stage = new Stage(mock)
 *     await stage.run(() => ask('Hello'), { isQuiet: true })     // {}, or { error }
 *     stage.printed                                              // ['Retrying in 2 s']
 *     stage.close()
 */
import { format, inspect } from 'node:util'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { replaceFaults } from '../core/scenario/compile/compile.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import { engineOf } from '../engine/index.ts'
import type { Mock } from '../index.ts'
import { type Interception, intercept, interceptFetch } from '../msw/node.ts'
import { OutputTail } from './output-tail.ts'
import { failAfterTooManyCalls, findClientFailure, unhandled } from './played-run.ts'
import { Replacements } from './time/node-timers.ts'
import { type RunEnd, VirtualTime } from './time/virtual-time.ts'

const CONSOLE_METHODS = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const

/** Takes over what the app uses of this process, until it is closed. */
export class Stage {
  readonly #mock: Mock
  readonly #signal: AbortSignal | undefined
  /** Undo what the constructor has taken over. */
  readonly #closes: (() => void)[] = []
  readonly #time: VirtualTime
  /** The output of the last run, or of the one that happens now. */
  #output = new OutputTail()
  /** Ends the run that happens now with an error. Each run sets it. */
  #fail: (error: unknown) => void = () => {}

  /** @throws MockError when the address is intercepted already, or when time cannot be faked */
  constructor(mock: Mock, signal?: AbortSignal) {
    this.#mock = mock
    this.#signal = signal
    const interception = interceptCalls(mock)
    this.#closes.push(() => interception.close(), interceptFetch(engineOf(mock), new URL(mock.baseURL)))
    try {
      this.#time = new VirtualTime()
    } catch (error) {
      this.close()
      throw error
    }
    this.#closes.push(() => this.#time.close(), ...catchUnhandled((error) => this.#fail(unhandled(error))))
  }

  close(): void {
    for (const close of this.#closes.toReversed()) close()
  }

  /** The last lines that the last quiet run has printed. */
  get printed(): string[] {
    return this.#output.lines
  }

  /** Digests of what the last run has printed and returned; undefined if a test spies on the console, which hides prints. */
  get shown(): readonly string[] | undefined {
    return CONSOLE_METHODS.some((name) => isSpy(console[name])) ? undefined : this.#output.shown
  }

  /**
   * Runs the app, which also fails when it does not meet an expectation of the scenario. Never rejects.
   * @param isQuiet prints nothing: `printed` has it then
   */
  async run(app: () => Promise<unknown>, { isQuiet }: { readonly isQuiet: boolean }): Promise<RunEnd> {
    const signal = this.#signal
    const engine = engineOf(this.#mock)
    const failed = new Promise<never>((_, reject) => {
      this.#fail = reject
    })
    const abort = (): void => this.#fail(signal?.reason)
    const stopCounting = failAfterTooManyCalls(engine, (error) => {
      // From now on no call is answered, so that the app stops.
      const source = { ...engine.scenario.source, faults: [{ fault: 'hang' as const }] }
      engine.use(replaceFaults(engine.scenario, source, compilePattern))
      this.#fail(error)
    })
    this.#output = new OutputTail()
    const output = this.#output
    const captured = captureConsole(output, isQuiet)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      const runApp = async (): Promise<void> => {
        const returned = await app()
        output.note(inspect(returned, { depth: 4, maxStringLength: 10_000 }))
      }
      const end = await this.#time.run(runApp, failed)
      const unmet = 'error' in end ? undefined : findClientFailure(engine, false)
      return unmet === undefined ? end : { error: new Error(unmet) }
    } finally {
      signal?.removeEventListener('abort', abort)
      captured.restore()
      stopCounting()
    }
  }
}

function interceptCalls(mock: Mock): Interception {
  try {
    return intercept(mock)
  } catch (error) {
    if (!(error instanceof MockError) || error.code !== 'already-intercepted') throw error
    const hint = 'A hunt whose test timed out runs on: give it the signal of the test, hunt(scenario, app, { signal }).'
    throw new MockError(error.code, `${error.message} ${hint}`, { cause: error.cause })
  }
}

/** Calls `fail` with each error that nobody handles, until the returned functions are called. Test runners do not see them. */
const catchUnhandled = (fail: (error: unknown) => void): (() => void)[] =>
  ['unhandledRejection', 'uncaughtException'].map((event) => {
    const others = process.listeners(event as 'uncaughtException')
    process.removeAllListeners(event)
    process.on(event, fail)
    return () => {
      process.off(event, fail)
      for (const other of others) process.on(event, other)
    }
  })

/**
 * Keeps what is printed to the console, until it is restored. A quiet run prints nothing: the output of hundreds of runs would
 * hide what counts. Methods that a test spies on stay as they are.
 */
function captureConsole(output: OutputTail, isQuiet: boolean): Replacements {
  const replacements = new Replacements()
  for (const name of CONSOLE_METHODS) {
    const { [name]: print } = console
    if (isSpy(print)) continue
    replacements.set(console, name, (...values: unknown[]) => {
      output.add(Buffer.from(`${format(...values)}\n`))
      if (!isQuiet) print(...values)
    })
  }
  return replacements
}

/** True for a spy of Vitest or Jest, or one of Sinon. */
const isSpy = (print: object): boolean => 'mock' in print || 'restore' in print
