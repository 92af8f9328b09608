/** One worker process as its owner sees it, from its start to its end. */
import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { realDelay } from '../engine/clock/clock.ts'
import type { FromPrimary, FromWorker, Setup } from './messages.ts'
import type { WorkerSession } from './worker-session.ts'

/** Beside this file, built as this one is; whatever flags of Node run the owner from its sources run the worker too. */
const PROGRAM = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url))

/**
 * How long what a worker said before it crashed may take to be read. That all is read is an event of its own, but one
 * that Node leaves out when a connection was on its way to the worker.
 */
const LAST_WORDS_MS = 100

export type MakeDesk = (send: (message: FromPrimary) => void) => WorkerSession

export class WorkerProcess {
  readonly desk: WorkerSession
  /** Says with what it ended and what was broken off, when its last words are read. */
  readonly ended: Promise<string>
  readonly #worker: Worker
  readonly #ready: Promise<void>
  #fallSilent = (): void => {}
  #listening: { resolve(): void; reject(error: NodeJS.ErrnoException): void } | undefined

  constructor(makeDesk: MakeDesk) {
    const worker = fork()
    this.#worker = worker
    this.desk = makeDesk((message) => this.tell(message))
    this.#ready = new Promise((resolve) => {
      worker.on('message', (message: FromWorker) => this.#receive(message, resolve))
    })
    // What can't be started or told ends as well, and that is what counts.
    worker.on('error', () => {})
    const exit = new Promise<string>((resolve) => {
      worker.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
    })
    const silence = new Promise<void>((resolve) => {
      this.#fallSilent = resolve
      worker.once('disconnect', resolve)
    })
    this.ended = exit.then(async (how) => {
      await Promise.race([silence, realDelay(LAST_WORDS_MS)])
      const brokenOff = this.desk.closed()
      return `with ${how}, and ${brokenOff === 1 ? '1 call' : `${brokenOff} calls`} under way`
    })
  }

  get pid(): number | undefined {
    return this.#worker.process.pid
  }

  tell(message: FromPrimary): void {
    if (this.#worker.isConnected()) this.#worker.process.send(message, undefined, undefined, () => {})
  }

  /** @throws when it ends before. */
  ready(): Promise<void> {
    return this.#unlessEnded(this.#ready)
  }

  /** @throws when it can't, with the error of the socket. */
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
      throw new Error(`Failed to start a worker: process ${this.pid} ended before it listened, ${end}.`)
    })
    return Promise.race([begun, ended])
  }

  #receive(message: FromWorker, ready: () => void): void {
    switch (message.type) {
      case 'report':
        return this.desk.receive(message.report)
      case 'closed':
        return this.#fallSilent()
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

/** The settings of node:cluster are one for the whole program, which may have workers of its own. */
function fork(): Worker {
  const { settings } = cluster
  cluster.setupPrimary({ exec: PROGRAM, args: [], serialization: 'advanced', windowsHide: true })
  try {
    return cluster.fork()
  } finally {
    Object.assign(cluster, { settings })
  }
}
