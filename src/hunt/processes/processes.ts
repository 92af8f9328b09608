/**
 * Ends all processes of a command, also those that it left in the background.
 *
 * Each command leads a process group. On Linux, processes that changed their group are found by an environment variable.
 * Windows has no process groups: only the command itself is ended there.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type FoundProcess, hasProc, type ProcessTable } from './process-table.ts'

const FIRST_POLL_MS = 5
const LAST_POLL_MS = 80
/** How long processes may take to end: after their command has, after SIGTERM, and after SIGKILL. */
const OWN_END_MS = 200
const TERM_MS = 1000
const KILL_MS = 2000

/** The processes of one run of a command. */
export class RunProcesses {
  readonly #group: number
  readonly #mark: string
  readonly #table: ProcessTable

  /** @param mark the value of the marking variable */
  constructor(group: number, mark: string, table: ProcessTable) {
    this.#group = group
    this.#mark = mark
    this.#table = table
  }

  /** Once the command has ended: ends the processes that it left, and returns those. */
  async endLeftOvers(): Promise<readonly FoundProcess[]> {
    if (await this.#haveEnded(OWN_END_MS)) return []
    const left = this.#find()
    await this.end()
    return left
  }

  /** Ends all processes with SIGTERM, and those that are left a second later with SIGKILL. */
  async end(): Promise<void> {
    this.signal('SIGTERM')
    if (await this.#haveEnded(TERM_MS)) return
    this.signal('SIGKILL')
    await this.#haveEnded(KILL_MS)
  }

  signal(signal: NodeJS.Signals): void {
    send(process.platform === 'win32' ? this.#group : -this.#group, signal)
    for (const { pid } of this.#table.findMarked(this.#mark)) send(pid, signal)
  }

  async #haveEnded(limitMs: number): Promise<boolean> {
    const startedAt = performance.now()
    for (let pauseMs = FIRST_POLL_MS; this.#find().length > 0; pauseMs = Math.min(2 * pauseMs, LAST_POLL_MS)) {
      if (performance.now() - startedAt >= limitMs) return false
      await wait(pauseMs)
    }
    return true
  }

  #find(): readonly FoundProcess[] {
    const isGroupAlive = process.platform !== 'win32' && send(-this.#group, 0)
    if (!hasProc) return isGroupAlive ? [{ pid: this.#group, command: '' }] : []
    const marked = this.#table.findMarked(this.#mark)
    return isGroupAlive || marked.length > 0 ? this.#table.findLive(this.#group, marked) : []
  }
}

/** Returns whether there is such a process. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
