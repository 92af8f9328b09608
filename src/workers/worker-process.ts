/** One worker process as the primary sees it, from its start to its end. */
import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { MockError } from '../core/errors/mock-error.ts'
import { realDelay } from '../engine/clock/clock.ts'
import type { FromPrimary, FromWorker, Setup } from './messages.ts'
import type { WorkerSession } from './worker-session.ts'

/** The program beside this file. The worker inherits Node's flags, so it also runs from TypeScript sources. */
const PROGRAM = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url))

/**
 * How long to wait for the last messages of a crashed worker. Node emits 'disconnect' after them, but not if a connection
 * was being handed to the worker.
 */
const LAST_MESSAGES_MS = 100

export type MakeSession = (send: (message: FromPrimary) => void) => WorkerSession

export class WorkerProcess {
  readonly session: WorkerSession
  /** Resolves with how it ended and how many calls were lost, after its last messages are read. */
  readonly ended: Promise<string>
  readonly #worker: Worker
  readonly #ready: Promise<void>
  #onLastMessage = (): void => {}
  #listening: { resolve(): void; reject(error: NodeJS.ErrnoException): void } | undefined

  constructor(makeSession: MakeSession) {
    const worker = fork()
    this.#worker = worker
    this.session = makeSession((message) => this.tell(message))
    this.#ready = new Promise((resolve) => {
      worker.on('message', (message: FromWorker) => this.#receive(message, resolve))
    })
    // A worker that cannot be started or reached also emits 'exit', which is handled below.
    worker.on('error', () => {})
    const exit = new Promise<string>((resolve) => {
      worker.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
    })
    const silence = new Promise<void>((resolve) => {
      this.#onLastMessage = resolve
      worker.once('disconnect', resolve)
    })
    this.ended = exit.then(async (how) => {
      await Promise.race([silence, realDelay(LAST_MESSAGES_MS)])
      const lost = this.session.close()
      return `with ${how} and ${lost === 1 ? '1 call' : `${lost} calls`} in flight`
    })
  }

  get pid(): number | undefined {
    return this.#worker.process.pid
  }

  tell(message: FromPrimary): void {
    if (this.#worker.isConnected()) this.#worker.process.send(message, undefined, undefined, () => {})
  }

  /** @throws when the process ends first. */
  ready(): Promise<void> {
    return this.#unlessEnded(this.#ready)
  }

  /** @throws the socket's error when it cannot listen. */
  listen(setup: Setup): Promise<void> {
    const listening = new Promise<void>((resolve, reject) => {
      this.#listening = { resolve, reject }
    })
    this.tell({ type: 'listen', setup })
    return this.#unlessEnded(listening)
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL')
  }

  #unlessEnded(begun: Promise<void>): Promise<void> {
    const ended = this.ended.then((end) => {
      throw new MockError(
        'cannot-listen',
        `Failed to start a worker: process ${this.pid} ended before it listened, ${end}.`,
      )
    })
    return Promise.race([begun, ended])
  }

  #receive(message: FromWorker, ready: () => void): void {
    switch (message.type) {
      case 'report':
        return this.session.receive(message.report)
      case 'closed':
        return this.#onLastMessage()
      case 'ready':
        return ready()
      case 'listening':
        return this.#listening?.resolve()
      case 'failed':
        return this.#listening?.reject(Object.assign(new Error(message.message), { code: message.code }))
      default:
        message satisfies never
    }
  }
}

/** Restores the settings of node:cluster, which are global: the program may have workers of its own. */
function fork(): Worker {
  const { settings } = cluster
  cluster.setupPrimary({ exec: PROGRAM, args: [], serialization: 'advanced', windowsHide: true })
  try {
    return cluster.fork()
  } finally {
    Object.assign(cluster, { settings })
  }
}
