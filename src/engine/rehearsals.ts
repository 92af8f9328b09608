/**
 * Rehearsals: the long computations of a heavy call run on a worker thread before the call is decided.
 *
 * The worker decides the call with the same scenario and an empty state, and sends back the results that took long. The
 * real decision then finds them. Where the state leads it elsewhere, such as to another turn of a sequence, a result is
 * missing and computed on the spot. Without a worker, calls are decided all the same: it only keeps the event loop free.
 */
import type { Worker } from 'node:worker_threads'
import type { Call } from '../core/decide/call/call-context.ts'
import { Memos } from '../core/lib/work/memos.ts'
import type { CallHeader } from '../core/protocol/request/decisive-headers.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'

/** From this many characters of body on, a call is heavy: counting the tokens of 65,536 spaces takes 40 ms. */
const MIN_HEAVY_LENGTH = 65_536

/** Bundlers take `new URL(…, import.meta.url)` for a file to ship. */
const here = import.meta.url

/** Facts of the engine that a rehearsal needs. */
export interface Stage {
  readonly scenario: Scenario
  readonly answerLimit: number | undefined
  /** Time of the start or the last reset, in milliseconds of the clock. */
  readonly startedAt: number
  /** The number of the attempt that a call with this fingerprint is. */
  attemptOf(fingerprint: number): number
}

/** The scenario of the calls that follow. */
export interface ScenarioMessage {
  readonly type: 'scenario'
  readonly source: ScenarioSource
  readonly name: string
  readonly seed: string
  readonly answerLimit: number | undefined
}

export interface CallMessage {
  readonly type: 'call'
  readonly call: Omit<Call, 'header'>
  readonly headers: ReadonlyMap<string, string | undefined>
  readonly startedAt: number
}

export interface AttemptMessage {
  readonly type: 'attempt'
  readonly attempt: number
}

/** The answers of the worker to a call and to its attempt. */
export type WorkerMessage =
  | { readonly type: 'read'; readonly fingerprint: number }
  | { readonly type: 'decided'; readonly results: readonly (readonly [name: string, input: string, result: unknown])[] }

const HEADERS: readonly CallHeader[] = [
  'authorization',
  'api-key',
  'content-type',
  'origin',
  'x-mock-fault',
  'x-mock-explain',
  'x-mock-session',
]

export class Rehearsals {
  #worker: Worker | undefined
  /** The scenario that the worker has. */
  #loaded: Scenario | undefined
  /** A scenario that no worker can take, or whose worker has died. */
  #failed: Scenario | undefined
  #last: Promise<unknown> = Promise.resolve()
  #settle: { readonly resolve: (message: WorkerMessage) => void; readonly reject: (error: unknown) => void } | undefined

  isHeavy({ body, transport }: Call): boolean {
    return transport === 'http' && body !== undefined && body.length >= MIN_HEAVY_LENGTH
  }

  /** The results of the long computations of a call; undefined without a worker. Calls come one after another. */
  run(call: Call, stage: Stage): Promise<Memos | undefined> {
    const run = this.#last.then(() => this.#run(call, stage))
    this.#last = run
    return run
  }

  async #run(
    { header, ...call }: Call,
    { scenario, answerLimit, startedAt, attemptOf }: Stage,
  ): Promise<Memos | undefined> {
    if (scenario === this.#failed) return undefined
    try {
      const worker = this.#worker ?? this.#start()
      if (scenario !== this.#loaded) {
        const { source, name, seed } = scenario
        worker.postMessage({ type: 'scenario', source, name, seed, answerLimit } satisfies ScenarioMessage)
        this.#loaded = scenario
      }
      const headers = new Map(HEADERS.map((name) => [name, header(name)] as const))
      const read = await this.#ask(worker, { type: 'call', call, headers, startedAt })
      if (read.type === 'decided') return undefined
      const decided = await this.#ask(worker, { type: 'attempt', attempt: attemptOf(read.fingerprint) })
      if (decided.type === 'read') return undefined
      const memos = new Memos()
      for (const [name, input, result] of decided.results) memos.add(name, input, result)
      return memos
    } catch {
      this.#failed = scenario
      this.close()
      return undefined
    }
  }

  #ask(worker: Worker, message: CallMessage | AttemptMessage): Promise<WorkerMessage> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      worker.postMessage(message)
    })
  }

  #start(): Worker {
    const { Worker: NodeWorker } = process.getBuiltinModule('node:worker_threads')
    const isSource = here.endsWith('.ts')
    // The path is right from src/engine, dist/chunks and dist/cjs.
    const file = new URL(`../engine/rehearsal-worker.${isSource ? 'ts' : 'js'}`, here)
    const worker = new NodeWorker(file, isSource ? { execArgv: ['--import', 'tsx'] } : {})
    worker.unref()
    worker.on('message', (message: WorkerMessage) => this.#settle?.resolve(message))
    const fail = (error: unknown): void => this.#settle?.reject(error)
    worker.on('error', fail).on('exit', fail)
    this.#worker = worker
    return worker
  }

  /** Stops the worker. A later call starts another one. */
  close(): void {
    void this.#worker?.terminate()
    this.#worker = undefined
    this.#loaded = undefined
  }
}

export type Rehearser = Pick<Rehearsals, 'isHeavy' | 'run' | 'close'>
