/** All worker processes: started together, replaced when one crashes, and closed together. */
import { type AddressInfo, createServer } from 'node:net'
import { MockError } from '../core/errors/mock-error.ts'
import { bind, listenError } from '../http/http-server.ts'
import type { FromPrimary, Setup } from './messages.ts'
import { type MakeSession, WorkerProcess } from './worker-process.ts'
import type { WorkerSession } from './worker-session.ts'

/** How long workers may exceed the grace period, and how long to wait before a failed start is repeated. */
const MARGIN_MS = 1000

export class WorkerPool {
  readonly #makeSession: MakeSession
  readonly #workers = new Set<WorkerProcess>()
  #setup: Setup | undefined
  #isClosing = false

  constructor(makeSession: MakeSession) {
    this.#makeSession = makeSession
  }

  get sessions(): WorkerSession[] {
    return [...this.#workers].map(({ session }) => session)
  }

  /** Starts workers that all listen at one address. */
  async listen(count: number, setup: Setup): Promise<AddressInfo> {
    try {
      for (let index = 0; index < count; index++) this.#add()
      await Promise.all([...this.#workers].map((worker) => worker.ready()))
      const address = await reserve(setup)
      this.#setup = { ...setup, host: address.address, port: address.port }
      await Promise.all([...this.#workers].map((worker) => worker.listen(this.#setup!)))
      for (const worker of this.#workers) this.#replaceAtEnd(worker)
      return address
    } catch (error) {
      await this.close(0)
      throw error instanceof MockError ? error : listenError(error as Error, setup)
    }
  }

  /** Lets calls in flight finish for `graceMs` and waits until all workers have ended. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true
    for (const worker of this.#workers) worker.tell({ type: 'close', graceMs })
    const kill = setTimeout(() => {
      for (const worker of this.#workers) worker.kill()
    }, graceMs + MARGIN_MS)
    await Promise.all([...this.#workers].map(({ ended }) => ended))
    clearTimeout(kill)
  }

  tell(message: FromPrimary): void {
    for (const worker of this.#workers) worker.tell(message)
  }

  #add(): WorkerProcess {
    const worker = new WorkerProcess(this.#makeSession)
    this.#workers.add(worker)
    worker.ended.then(() => this.#workers.delete(worker))
    return worker
  }

  #replaceAtEnd(worker: WorkerProcess): void {
    worker.ended.then((end) => {
      if (this.#isClosing) return
      say(`worker ${worker.pid} ended ${end}. Starting another one.`)
      void this.#replace()
    })
  }

  async #replace(): Promise<void> {
    const worker = this.#add()
    try {
      await worker.ready()
      await worker.listen(this.#setup!)
      this.#replaceAtEnd(worker)
    } catch (error) {
      worker.kill()
      if (this.#isClosing) return
      say(`${(error as Error).message} Trying again.`)
      setTimeout(() => this.#isClosing || this.#replace(), MARGIN_MS).unref()
    }
  }
}

/**
 * Checks that the address is free and picks a port. Cluster workers that listen at the same address share it, so each
 * mock needs a port of its own.
 */
async function reserve(place: Setup): Promise<AddressInfo> {
  const server = createServer()
  const address = await bind(server, place)
  await new Promise((resolve) => server.close(resolve))
  return address
}

const say = (line: string): void => console.error(`api-mock: ${line}`)
