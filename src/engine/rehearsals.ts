/**
 * Rehearsals: the long computations of a heavy call run on a worker thread before the call is decided.
 *
 * The worker decides the call with the same scenario and a state that has only the stored responses that the call names,
 * and sends back the results that took long. The real decision then finds them. Where the state leads it elsewhere, such as
 * to another turn of a sequence, a result is missing and computed on the spot. Without a worker, calls are decided all the
 * same: it only keeps the event loop free.
 */
import type { Worker } from 'node:worker_threads'
import type { Call } from '../core/decide/call/call.ts'
import { Memos } from '../core/lib/cache/memos.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import { plainSource, type ScenarioSource } from '../core/scenario/scenario-source.ts'
import type { RehearsalStage, Rehearser } from './begin-later.ts'

/** Bundlers take `new URL(…, import.meta.url)` for a file to ship. */
const here = import.meta.url

/** Starts the worker of the built package; Node reads no TypeScript in a worker. The path is right from dist/chunks and dist/cjs. */
function startBuilt(): Worker | undefined {
  if (here.endsWith('.ts')) return undefined
  const { Worker: NodeWorker } = process.getBuiltinModule('node:worker_threads')
  return new NodeWorker(new URL('../engine/rehearsal-worker.js', here), { execArgv: [] })
}

/** The scenario of the calls that follow. */
export interface ScenarioMessage {
  readonly type: 'scenario'
  readonly source: ScenarioSource
  readonly name: string
  readonly seed: string
  readonly answerLimit: number | undefined
}

export interface CallMessage extends Omit<RehearsalStage, 'scenario' | 'answerLimit'> {
  readonly type: 'call'
  readonly call: Call
}

/** The answer of the worker to a call: the results that took long. */
export type WorkerMessage = readonly (readonly [name: string, input: string, result: unknown])[]

export class Rehearsals implements Rehearser {
  readonly #start: () => Worker | undefined
  /** Undefined until the first heavy call, and after a failure. */
  #worker: Worker | undefined
  /** The scenario that the worker was sent last. */
  #loaded: Scenario | undefined
  /** The last scenario that the worker could not take, or with which it died: its calls are decided without a worker. */
  #failed: Scenario | undefined
  /** The end of the last call of `run`: the worker gets one call at a time. */
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  /** @param start starts a worker; undefined where there is none. */
  constructor(start = startBuilt) {
    this.#start = start
  }

  /** The results of the long computations of a call; undefined without a worker. Calls come one after another. */
  run(call: Call, stage: RehearsalStage): Promise<Memos | undefined> {
    const run = this.#last.then(() => this.#run(call, stage))
    this.#last = run
    return run
  }

  async #run(call: Call, { scenario, answerLimit, ...state }: RehearsalStage): Promise<Memos | undefined> {
    if (this.#isClosed || scenario === this.#failed) return undefined
    try {
      const worker = this.#worker ?? this.#startWorker()
      if (worker === undefined) return undefined
      if (scenario !== this.#loaded) {
        const { source, name, seed } = scenario
        const message: ScenarioMessage = { type: 'scenario', source: plainSource(source), name, seed, answerLimit }
        worker.postMessage(message)
        this.#loaded = scenario
      }
      const results = await ask(worker, { type: 'call', call, ...state })
      const memos = new Memos()
      for (const [name, input, result] of results) memos.add(name, input, result)
      return memos
    } catch {
      this.#failed = scenario
      void this.#stop()
      return undefined
    }
  }

  #startWorker(): Worker | undefined {
    const worker = this.#start()
    // An error is followed by the exit.
    worker
      ?.on('error', () => {})
      .on('exit', () => {
        if (worker === this.#worker) void this.#stop()
      })
    worker?.unref()
    this.#worker = worker
    return worker
  }

  /** Stops the worker for good: calls that wait for it are decided without it. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#stop()
  }

  /** Stops the worker. A later call starts another one. */
  async #stop(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    this.#loaded = undefined
    await worker?.terminate()
  }
}

/** Sends a call to a worker. Resolves with its answer, and rejects if it ends without one. */
function ask(worker: Worker, message: CallMessage): Promise<WorkerMessage> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error('The worker has ended.'))
    worker.once('exit', giveUp).once('message', (answer: WorkerMessage) => {
      worker.off('exit', giveUp)
      resolve(answer)
    })
    worker.postMessage(message)
  })
}
