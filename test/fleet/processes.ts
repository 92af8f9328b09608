/** Processes for tests of many machines: replicas of the mock, and the load balancers and redis-server of Debian's packages. */
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { BALANCERS, type BalancerName, freePort, writeBalancerFile } from './balancers.ts'

export { BALANCERS, type BalancerName, freePort }

const MAIN = join(inject('program'), 'main.js')

/** A process that was started, and the folder it may write to. */
export class Running implements AsyncDisposable {
  readonly process: ChildProcess
  output = ''
  readonly #ended: Promise<void>

  constructor(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = tmpdir()) {
    const { API_MOCK_TOKEN: _, ...inherited } = process.env
    this.process = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { ...inherited, ...env } })
    const add = (text: string): void => {
      this.output = (this.output + text).slice(-20_000)
    }
    this.process.stdout!.setEncoding('utf8').on('data', add)
    this.process.stderr!.setEncoding('utf8').on('data', add)
    this.#ended = new Promise((ended) => {
      this.process.once('close', () => ended())
      this.process.once('error', (error) => {
        add(`${program}: ${error.message}`)
        ended()
      })
    })
  }

  /** Ends it and waits until it has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.process.kill(signal)
    await this.#ended
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop('SIGKILL')
  }

  /** Waits until an address answers. */
  async answers(url: string): Promise<void> {
    const lastLook = performance.now() + 60_000
    for (;;) {
      const isUp = await fetch(url).then(
        async (response) => (await response.arrayBuffer()) !== undefined,
        () => false,
      )
      if (isUp) return
      if (this.process.exitCode !== null || performance.now() > lastLook) {
        throw new Error(`${url} does not answer.\n${this.output}`)
      }
      await pause(30)
    }
  }
}

/** A replica, a process of its own. */
export interface MockProcess {
  readonly origin: string
  readonly running: Running
}

export async function startMock(
  args: readonly string[],
  port?: number,
  env: NodeJS.ProcessEnv = {},
): Promise<MockProcess> {
  const chosen = port ?? (await freePort())
  const running = new Running(process.execPath, [MAIN, '--port', String(chosen), '--log', 'none', ...args], env)
  const origin = `http://127.0.0.1:${chosen}`
  await running.answers(`${origin}/health`)
  return { origin, running }
}

export const startMocks = (count: number, args: readonly string[]): Promise<MockProcess[]> =>
  Promise.all(Array.from({ length: count }, () => startMock(args)))

/** Starts Debian's redis-server, which keeps nothing on disk. */
export async function startRedis(port?: number) {
  const chosen = port ?? (await freePort())
  const running = new Running('redis-server', ['--port', String(chosen), '--bind', '127.0.0.1', '--save', ''])
  for (let looks = 0; !running.output.includes('Ready to accept connections'); looks++) {
    if (running.process.exitCode !== null || looks > 600) throw new Error(`redis-server: ${running.output}`)
    await pause(50)
  }
  return { url: `redis://127.0.0.1:${chosen}`, port: chosen, running }
}

/** Starts a balancer with its file, in which only the addresses are replaced. */
export async function startBalancer(name: BalancerName, replicas: readonly MockProcess[]) {
  const port = await freePort()
  const { folder, args } = writeBalancerFile(
    name,
    replicas.map((replica) => replica.origin),
    port,
  )
  const running = new Running(name, args, {}, folder)
  const origin = `http://127.0.0.1:${port}`
  await running.answers(`${origin}/health`)
  const close = async (): Promise<void> => {
    // nginx passes this signal on to its workers.
    await running.stop('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
  return { origin, running, [Symbol.asyncDispose]: close }
}

/** Runs the program to its end. */
export async function runProgram(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { API_MOCK_TOKEN: _, ...inherited } = process.env
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const code = await new Promise<number | null>((ended) => child.once('close', ended))
  return { code, stdout, stderr }
}

export const pause = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms))
