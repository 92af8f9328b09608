/** The processes of this machine, as Linux shows them in /proc. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Marks the processes of a run: what a command starts inherits it. */
export const RUN_VARIABLE = 'API_MOCK_HUNT_RUN'

export const hasProc = process.platform === 'linux' && existsSync('/proc/self/environ')

export interface FoundProcess {
  readonly pid: number
  /** Its command line; '' when it is not known. */
  readonly command: string
}

export class ProcessTable {
  /** Processes without the variable. To read them again each time would take 10 ms for 100 processes. */
  #foreign = new Set<number>()

  /** The processes of a run, whatever their group. */
  findMarked(mark: string): readonly FoundProcess[] {
    if (!hasProc) return []
    const pids = processIds()
    this.#foreign = new Set(pids.filter((pid) => this.#foreign.has(pid)))
    const marks = pids
      .filter((pid) => !this.#foreign.has(pid))
      .map((pid) => {
        const environment = readProc(pid, 'environ')
        // It is empty for a moment while a process starts.
        if (environment !== '' && !environment.includes(`${RUN_VARIABLE}=`)) this.#foreign.add(pid)
        return { pid, isOurs: environment.includes(`${RUN_VARIABLE}=${mark}\0`) }
      })
    return marks.filter(({ isOurs }) => isOurs).map(({ pid }) => ({ pid, command: commandOf(pid) }))
  }

  /** Those of the processes and of the group that have not ended. Ended ones stay in the group until they are reaped. */
  findLive(group: number, marked: readonly FoundProcess[]): readonly FoundProcess[] {
    const pids = new Set(marked.map(({ pid }) => pid))
    const members = processIds().filter((pid) => !pids.has(pid) && groupOf(pid) === group)
    const all = [...marked, ...members.map((pid) => ({ pid, command: commandOf(pid) }))]
    return all.filter(({ pid }) => !/^[ZX]?$/.test(statOf(pid)[0] ?? ''))
  }
}

const processIds = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)

const commandOf = (pid: number): string => readProc(pid, 'cmdline').replaceAll('\0', ' ').trim()

/** The fields after the name of the program, which may contain anything: the state, the parent, the group. */
const statOf = (pid: number): string[] => readProc(pid, 'stat').split(') ').at(-1)!.split(' ')
const groupOf = (pid: number): number => Number(statOf(pid)[2])

/** '' when the process has ended or is not ours. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
