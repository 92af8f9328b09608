/** Runs a command once: without input, with a time limit, and to the end of all its processes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { OutputTail } from '../output-tail.ts'
import type { LiveRuns } from './live-runs.ts'
import { NotRunError } from './not-run-error.ts'
import { type FoundProcess, RUN_VARIABLE } from './process-table.ts'

/** How long to wait for output that is still on its way when all processes have ended. */
const LAST_OUTPUT_MS = 250

export interface CommandRun {
  readonly command: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly limitMs: number
  /** Ends the command early. */
  readonly signal: AbortSignal
}

/** How a command ended. */
export interface CommandEnd {
  /** Null when a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Whether it was ended because the time was up. */
  readonly isTimedOut: boolean
  /** Whether its signal was aborted before it had ended. */
  readonly isStopped: boolean
  readonly durationMs: number
  /** The last lines of its output, or those from its first error on. */
  readonly lines: readonly string[]
  /** The processes that it left running. They have been ended. */
  readonly leftOvers: readonly FoundProcess[]
}

/** @throws NotRunError when the command cannot be started */
export async function runCommand(runs: LiveRuns, { command, env, limitMs, signal }: CommandRun): Promise<CommandEnd> {
  const [program = '', ...args] = command
  const mark = runs.nextMark()
  const startedAt = performance.now()
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, [RUN_VARIABLE]: mark },
    // It leads a process group, and a Ctrl-C in the terminal reaches only the hunter.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const tail = readTail(child)
  const ended = waitForEnd(child, program)
  const closed = new Promise((resolve) => child.once('close', resolve))
  if (child.pid === undefined) return ended as Promise<never>

  const processes = runs.add(child.pid, mark)
  let isTimedOut = false
  const stop = (): void => void processes.end()
  const timer = setTimeout(() => {
    isTimedOut = true
    stop()
  }, limitMs)
  const onAbort = (): void => {
    clearTimeout(timer)
    stop()
  }
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    const { code, signal: endSignal } = await ended
    const durationMs = performance.now() - startedAt
    const isStopped = signal.aborted && !isTimedOut
    const wasEnded = isTimedOut || isStopped
    const leftOvers = wasEnded ? await processes.end().then(() => []) : await processes.endLeftOvers()
    await Promise.race([closed, wait(LAST_OUTPUT_MS)])
    return { code, signal: endSignal, isTimedOut, isStopped, durationMs, lines: tail.excerpt, leftOvers }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    runs.delete(child.pid)
    // A process that got away may hold the other ends of these.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
}

function readTail({ stdout, stderr }: ChildProcess): OutputTail {
  const tail = new OutputTail()
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk: Buffer) => tail.add(chunk))
  return tail
}

/** Not when its output is closed: processes in the background may keep that open. */
function waitForEnd(child: ChildProcess, program: string): Promise<Pick<CommandEnd, 'code' | 'signal'>> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new NotRunError(program, error)))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}
