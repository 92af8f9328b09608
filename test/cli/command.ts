/** Runs the command line as its users do, in a process of its own; whatever a test leaves running is killed after it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, inject } from 'vitest'

const MAIN = join(inject('program'), 'main.js')

/** How a command ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** A command that runs. */
export class Command {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
  stdout = ''
  stderr = ''

  constructor(args: readonly string[], { cwd, env }: CommandOptions = {}) {
    const inherited = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^API_MOCK_|^FORCE_COLOR$/.test(name)),
    )
    this.process = spawn(process.execPath, [MAIN, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...inherited, ...env },
      ...(cwd !== undefined && { cwd }),
    })
    running.add(this)
    this.process.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    this.process.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    this.ended = new Promise((settle) => {
      this.process.once('close', (code, signal) => {
        running.delete(this)
        settle({ code, signal, stdout: this.stdout, stderr: this.stderr })
      })
    })
    started.push(this)
  }

  /** Waits until the output has a match, and returns it; the output so far is the message when it never comes. */
  async shows(pattern: RegExp, stream: 'stdout' | 'stderr' = 'stdout'): Promise<RegExpExecArray> {
    const lastLook = performance.now() + 90_000
    for (;;) {
      const isOver = !running.has(this) || performance.now() > lastLook
      const match = pattern.exec(this[stream])
      if (match !== null) return match
      if (isOver) throw new Error(`${pattern} never came in ${stream}.\n${this.stdout}${this.stderr}`)
      await pause()
    }
  }

  signal(name: NodeJS.Signals): void {
    this.process.kill(name)
  }
}

const running = new Set<Command>()
const started: Command[] = []

/** Runs a command to its end. */
export const command = (args: readonly string[], options?: CommandOptions): Promise<Ended> =>
  new Command(args, options).ended

/** Starts a server on a free port and waits until it listens. */
export async function start(args: readonly string[] = [], options?: CommandOptions) {
  const server = new Command([...args, '--port', '0'], options)
  const [url] = await server.shows(/http:\/\/[\d.]+:\d+\/v1/)
  return { server, url, origin: new URL(url).origin }
}

/** One chat call. */
export const chat = (url: string, content = 'Hello', headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content }] }),
  })

/** Waits until the server has a call in its journal. */
export async function callArrived(origin: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${origin}/_mock/journal`)
    const { entries } = (await answer.json()) as { entries: unknown[] }
    if (entries.length > 0) return
    await pause()
  }
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'api-mock-'))
  folders.push(folder)
  return folder
}

const folders: string[] = []
export const pause = (ms = 20): Promise<void> => new Promise((wake) => setTimeout(wake, ms))

afterEach(async () => {
  for (const left of running) left.process.kill('SIGKILL')
  await Promise.all([...running].map(({ ended }) => ended))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

afterAll(() => {
  for (const { process: child } of started) expect(() => process.kill(child.pid!, 0)).toThrow('ESRCH')
})
