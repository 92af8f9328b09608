/**
 * The runs whose processes may be alive. They end with the hunter, however it ends: when it exits, here; when it is
 * killed, by a small shell script that waits for the end of its input.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { ProcessTable, RUN_VARIABLE } from './process-table.ts'
import { RunProcesses } from './processes.ts'

/** Reads the groups of the runs, a line at each change. When the hunter is gone, ends those of the last line. */
const WATCHDOG = `trap '' HUP INT TERM
while read -r line; do groups=$line; done
for group in $groups; do kill -s KILL -- "-$group"; done
for file in $(grep -ls "${RUN_VARIABLE}=$1" /proc/[0-9]*/environ); do
  pid=\${file#/proc/}; kill -s KILL "\${pid%/environ}"
done`

export class LiveRuns {
  readonly #table = new ProcessTable()
  readonly #name = randomUUID()
  readonly #live = new Map<number, RunProcesses>()
  #count = 0
  #watchdog: ChildProcess | undefined

  constructor() {
    process.on('exit', this.#killAll)
    if (process.platform === 'win32') return
    const watchdog = spawn('sh', ['-c', WATCHDOG, 'sh', this.#name], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    // Without a shell, only a hunter that is killed leaves processes.
    watchdog.on('error', () => {})
    watchdog.stdin.on('error', () => {})
    watchdog.unref()
    this.#watchdog = watchdog
  }

  /** The value of the marking variable for the next run. */
  nextMark(): string {
    return `${this.#name}.${++this.#count}`
  }

  add(group: number, mark: string): RunProcesses {
    const run = new RunProcesses(group, mark, this.#table)
    this.#live.set(group, run)
    this.#tellWatchdog()
    return run
  }

  /** Forgets a run whose processes have ended. */
  delete(group: number): void {
    this.#live.delete(group)
    this.#tellWatchdog()
  }

  close(): void {
    this.#killAll()
    process.off('exit', this.#killAll)
    this.#watchdog?.stdin?.end()
  }

  #tellWatchdog(): void {
    this.#watchdog?.stdin?.write(`${[...this.#live.keys()].join(' ')}\n`)
  }

  readonly #killAll = (): void => {
    for (const run of this.#live.values()) run.signal('SIGKILL')
  }
}
