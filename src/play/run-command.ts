/**
 * Runs a command once: without input, with a time limit, and to the end of its process group. `node agent.js`, which throws,
 * ends with `{ code: 1, signal: null, lines: ['Error: 2 tables are booked', ...], ... }`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { shellWord } from '../terminal/text.ts'
import { OutputTail } from './output-tail.ts'

/** The time that output on its way has to arrive when all processes have ended. */
const LAST_OUTPUT_MS = 250
/** The time that processes have to end after their command or SIGKILL, and after SIGTERM. */
const END_MS = 200
const TERM_MS = 1000
const POLL_MS = 10

export interface CommandRun {
  readonly command: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly limitMs: number
  /** Ends the command early. */
  readonly signal: AbortSignal
}

/** The end of a command. */
export interface CommandEnd {
  /** Null when a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** True if it was ended because the time was up. */
  readonly isTimedOut: boolean
  /** True if its signal was aborted before it had ended. */
  readonly isStopped: boolean
  readonly durationMs: number
  /** The end of its output. */
  readonly output: OutputTail
  /** True if it left processes running. They have been ended. */
  readonly hasLeftOvers: boolean
}

/** A command that could not be started. The exit code is the one that shells use. */
export class NotRunError extends Error {
  override readonly name = 'NotRunError'
  readonly exitCode: number

  constructor(program: string, { code, message }: NodeJS.ErrnoException) {
    let why = message
    if (code === 'ENOENT') why = 'command not found'
    else if (code === 'EACCES') {
      const isFolder = statSync(program, { throwIfNoEntry: false })?.isDirectory() === true
      why = isFolder ? 'it is a folder' : `permission denied. Make it executable with chmod +x ${shellWord(program)}`
    }
    super(`Failed to run '${program}': ${why}. It runs without a shell; if it needs one, use sh -c '...'.`)
    this.exitCode = code === 'ENOENT' ? 127 : 126
  }
}

/**
 * Runs a command until all processes of its group have ended, or makes them end.
 * @throws NotRunError when the command cannot be started
 */
export async function runCommand({ command, env, limitMs, signal }: CommandRun): Promise<CommandEnd> {
  const [program = '', ...args] = command
  const startedAt = performance.now()
  // It leads a process group, so a Ctrl-C in the terminal reaches only the hunter.
  const detached = process.platform !== 'win32'
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env, detached, windowsHide: true })
  // With 'exit' and not 'close': processes in the background may keep the output open.
  const ended = new Promise<Pick<CommandEnd, 'code' | 'signal'>>((resolve, reject) => {
    child.once('error', (error) => reject(new NotRunError(program, error)))
    child.once('exit', (code, endSignal) => resolve({ code, signal: endSignal }))
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  if (child.pid === undefined) return ended as Promise<never>

  const output = new OutputTail()
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.add(chunk))
  if (running.size === 0) process.on('exit', killRunning)
  running.add(child)
  let isTimedOut = false
  let ending: Promise<void> | undefined
  const stop = (): void => {
    clearTimeout(timer)
    ending ??= endGroup(child)
  }
  const timer = setTimeout(() => {
    isTimedOut = true
    stop()
  }, limitMs)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    const end = await ended
    const durationMs = performance.now() - startedAt
    const isStopped = signal.aborted && !isTimedOut
    const hasLeftOvers = ending === undefined && !(await hasGroupEnded(child, END_MS))
    if (hasLeftOvers) stop()
    await ending
    await Promise.race([closed, wait(LAST_OUTPUT_MS)])
    return { ...end, isTimedOut, isStopped, durationMs, output, hasLeftOvers }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    running.delete(child)
    if (running.size === 0) process.off('exit', killRunning)
    // A process that got away may hold the other ends of these.
    child.stdout.destroy()
    child.stderr.destroy()
  }
}

/** The commands whose processes may run. They end with the hunter, unless it is killed. */
const running = new Set<ChildProcess>()

function killRunning(): void {
  for (const child of running) signalGroup(child, 'SIGKILL')
}

/** Ends all processes of a command with SIGTERM, and those that are left a second later with SIGKILL. */
async function endGroup(child: ChildProcess): Promise<void> {
  signalGroup(child, 'SIGTERM')
  if (await hasGroupEnded(child, TERM_MS)) return
  signalGroup(child, 'SIGKILL')
  await hasGroupEnded(child, END_MS)
}

/** True if all processes of the command have ended before the limit. */
async function hasGroupEnded(child: ChildProcess, limitMs: number): Promise<boolean> {
  const startedAt = performance.now()
  while (process.platform !== 'win32' && signalGroup(child, 0)) {
    if (performance.now() - startedAt >= limitMs) return false
    await wait(POLL_MS)
  }
  return true
}

/** Returns false if no process is left. Windows has no process groups: only the command itself is ended there. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(process.platform === 'win32' ? child.pid! : -child.pid!, signal)
  } catch {
    return false
  }
}
