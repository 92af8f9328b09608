/** Where a hunt runs an app in process: the mock answers its calls, time is virtual, and errors that it leaves are its own. */
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { replaceFaults } from '../core/scenario/compile/compile.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import type { Engine } from '../engine/engine.ts'
import { engineOf } from '../engine/mock.ts'
import type { Mock } from '../index.ts'
import { interceptFetch } from '../msw/direct-fetch.ts'
import { type Interception, intercept } from '../msw/intercept.ts'
import { unhandled } from './hunt-error.ts'
import { OutputTail } from './output-tail.ts'
import { MAX_CALLS, TOO_MANY_CALLS } from './run-limits.ts'
import { type Outcome, VirtualTime } from './time/virtual-time.ts'
import { captureConsole, ProcessWatch } from './watch-process.ts'

/** Takes over what the app uses of this process, until it is closed. */
export class Stage {
  readonly #engine: Engine
  readonly #signal: AbortSignal | undefined
  readonly #closes: (() => void)[] = []
  readonly #time: VirtualTime
  readonly #watch: ProcessWatch
  #output = new OutputTail()

  /** @throws MockError when the address is intercepted already, or when time cannot be faked */
  constructor(mock: Mock, signal?: AbortSignal) {
    this.#engine = engineOf(mock)
    this.#signal = signal
    const interception = interceptCalls(mock)
    this.#closes.push(() => interception.close())
    this.#closes.push(interceptFetch(this.#engine, new URL(mock.baseURL)))
    try {
      this.#time = new VirtualTime()
    } catch (error) {
      this.close()
      throw error
    }
    this.#watch = new ProcessWatch()
    this.#closes.push(
      () => this.#time.close(),
      () => this.#watch.close(),
    )
  }

  close(): void {
    for (const close of this.#closes.toReversed()) close()
  }

  /** The last lines that the last quiet run has printed. */
  get printed(): string[] {
    return this.#output.lines
  }

  /**
   * Never rejects.
   * @param isQuiet whether nothing is printed: `printed` has it then
   */
  async run(app: () => Promise<unknown>, { isQuiet }: { readonly isQuiet: boolean }): Promise<Outcome> {
    const signal = this.#signal
    let fail: (error: unknown) => void = () => {}
    const failed = new Promise<never>((_, reject) => {
      fail = reject
    })
    const stop = (): void => fail(signal?.reason)
    const stopCounting = this.#failAfterTooManyCalls(fail)
    this.#output = new OutputTail()
    const releaseConsole = isQuiet ? captureConsole(this.#output) : undefined
    this.#watch.onError = (error) => fail(unhandled(error))
    signal?.addEventListener('abort', stop, { once: true })
    try {
      return await this.#time.run(async () => app(), failed)
    } finally {
      signal?.removeEventListener('abort', stop)
      releaseConsole?.()
      stopCounting()
    }
  }

  /** From then on no call is answered, so that the app stops. */
  #failAfterTooManyCalls(fail: (error: Error) => void): () => void {
    const engine = this.#engine
    let calls = 0
    return engine.onBegin(() => {
      if (++calls !== MAX_CALLS + 1) return
      engine.use(
        replaceFaults(engine.scenario, { ...engine.scenario.source, faults: [{ fault: 'hang' }] }, compilePattern),
      )
      fail(new Error(TOO_MANY_CALLS))
    })
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
