/** Processes on cores of their own, none of which outlives the benchmark, and what the system tells about them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** The server's core and the generator's. On one core alone both share it, which no ratio survives unharmed. */
export const SERVER_CORE = 0
export const GENERATOR_CORE = Math.min(1, cpus().length - 1)

export const canPin = runs('taskset', '-V')
/** Whether the system tells what a process used; only Linux does, and elsewhere those rows are left out. */
export const canObserve = existsSync('/proc/self/schedstat')

const running = new Set<ChildProcess>()

/** From now on, however this process ends, nothing it has started is left behind. */
export function leaveNothingBehind(): void {
  process.once('exit', () => {
    for (const child of running) child.kill('SIGKILL')
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
}

/** Binds the benchmark itself, and with it the generator that it starts or is. */
export function pinGenerator(): void {
  if (canPin) {
    execFileSync('taskset', ['-a', '-p', '-c', String(GENERATOR_CORE), String(process.pid)], { stdio: 'ignore' })
  }
}

/** Starts a program on the server's core; its errors are shown. @param hasChannel whether it exchanges messages with the benchmark */
export function startOnServerCore(command: string, args: readonly string[], hasChannel = false): ChildProcess {
  return canPin
    ? start('taskset', ['-c', String(SERVER_CORE), command, ...args], hasChannel)
    : start(command, args, hasChannel)
}

/** Starts a program on any core: for several that share the machine. */
export function startAnywhere(command: string, args: readonly string[]): ChildProcess {
  return canPin ? start('taskset', ['-c', `0-${cpus().length - 1}`, command, ...args]) : start(command, args)
}

/** Starts a program where the benchmark runs. */
export function start(command: string, args: readonly string[], hasChannel = false): ChildProcess {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit', ...(hasChannel ? ['ipc' as const] : [])] })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Ends a process, and waits until it is gone: the next has the core for itself. */
export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await gone
}

/** What a program prints until it ends. Rejects when it fails. */
export function output(child: ChildProcess, name: string): Promise<string> {
  let printed = ''
  child.stdout!.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve(printed)
      else reject(new Error(`${name} ended with ${code ?? signal}.${printed === '' ? '' : ` It said: ${printed}`}`))
    })
  })
}

/** The core's time that a process has had with all its threads, and that its main thread waited for. */
export interface CoreUse {
  readonly ranSeconds: number
  readonly waitedSeconds: number
}

export function coreUse(pid: number): CoreUse {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => secondsIn(`/proc/${pid}/task/${thread}/schedstat`))
  const ranSeconds = threads.reduce((sum, [ran = 0]) => sum + ran, 0)
  return { ranSeconds, waitedSeconds: secondsIn(`/proc/${pid}/schedstat`)[1] ?? 0 }
}

/** Time on a core and time ready for one, which the system gives in nanoseconds. */
const secondsIn = (path: string): readonly number[] =>
  readFileSync(path, 'utf8')
    .split(' ')
    .map((nanoseconds) => Number(nanoseconds) / 1e9)

/** The time that a process and its children have had: those of nginx are its workers. */
export const ranSecondsOfAll = (pid: number): number => sumOfAll(pid, (one) => coreUse(one).ranSeconds)
/** The memory of a process and its children; what they share counts for each. */
export const residentMbOfAll = (pid: number): number => sumOfAll(pid, residentMb)

function sumOfAll(pid: number, amountOf: (pid: number) => number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return [pid, ...children].reduce((sum, one) => sum + amountOf(one), 0)
}

/** The memory of a process that is in RAM, in MB (of 1,048,576 bytes). */
export function residentMb(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kb) / 1024
}

export function runs(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch (error) {
    // wrk -v ends with 1 after it has told its version.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}
