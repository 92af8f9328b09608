/** The processes of the workers: started together, replaced when one ends unasked, and closed together. */
import { type AddressInfo, createServer } from 'node:net'
import { bind, listenProblem } from '../http/http-server.ts'
import type { FromPrimary, Setup } from './messages.ts'
import { type MakeDesk, WorkerProcess } from './worker-process.ts'
import type { WorkerSession } from './worker-session.ts'

/** How long workers may take beyond the grace to close, and how long one that can't start is left alone. */
const PATIENCE_MS = 1000

export class WorkerPool {
  readonly #makeDesk: MakeDesk
  readonly #doors = new Set<WorkerProcess>()
  #setup: Setup | undefined
  #isClosing = false

  constructor(makeDesk: MakeDesk) {
    this.#makeDesk = makeDesk
  }

  get desks(): WorkerSession[] {
    return [...this.#doors].map(({ desk }) => desk)
  }

  /** Starts workers that listen, all at one place. */
  async listen(count: number, setup: Setup): Promise<AddressInfo> {
    try {
      for (let index = 0; index < count; index++) this.#add()
      await Promise.all([...this.#doors].map((door) => door.ready()))
      const address = await reserve(setup)
      this.#setup = { ...setup, host: address.address, port: address.port }
      await Promise.all([...this.#doors].map((door) => door.listen(this.#setup!)))
      for (const door of this.#doors) this.#replaceAtEnd(door)
      return address
    } catch (error) {
      await this.close(0)
      const { code } = error as NodeJS.ErrnoException
      throw code === undefined ? error : new Error(listenProblem(error as Error, setup.host, setup.port))
    }
  }

  /** Lets all finish what is under way for so long, and waits until they have ended. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true
    for (const door of this.#doors) door.tell({ type: 'close', graceMs })
    const kill = setTimeout(() => {
      for (const door of this.#doors) door.kill()
    }, graceMs + PATIENCE_MS)
    await Promise.all([...this.#doors].map(({ ended }) => ended))
    clearTimeout(kill)
  }

  tell(message: FromPrimary): void {
    for (const door of this.#doors) door.tell(message)
  }

  #add(): WorkerProcess {
    const door = new WorkerProcess(this.#makeDesk)
    this.#doors.add(door)
    door.ended.then(() => this.#doors.delete(door))
    return door
  }

  #replaceAtEnd(door: WorkerProcess): void {
    door.ended.then((end) => {
      if (this.#isClosing) return
      say(`worker ${door.pid} ended ${end}. Another takes its place.`)
      void this.#replace()
    })
  }

  async #replace(): Promise<void> {
    const door = this.#add()
    try {
      await door.ready()
      await door.listen(this.#setup!)
      this.#replaceAtEnd(door)
    } catch (error) {
      door.kill()
      if (this.#isClosing) return
      say(`${(error as Error).message} Trying again.`)
      setTimeout(() => this.#isClosing || this.#replace(), PATIENCE_MS).unref()
    }
  }
}

/**
 * Finds out whether the place can be had, and which port it is. Workers of one process that ask for the same place share
 * it, so those of each mock have to ask for a port that is theirs.
 */
async function reserve(place: Setup): Promise<AddressInfo> {
  const server = createServer()
  const address = await bind(server, place)
  await new Promise((resolve) => server.close(resolve))
  return address
}

const say = (line: string): void => console.error(`api-mock: ${line}`)
