/** The built server as a process of its own: started, asked for its memory and its books, and stopped by signals. */
import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = resolve(import.meta.dirname, '../..')
const MAIN = resolve(ROOT, 'dist/cli/main.js')
const PROBE = pathToFileURL(resolve(import.meta.dirname, 'probe.mjs')).href
const SCENARIO = resolve(import.meta.dirname, 'mixed.yaml')

/** What the process has after a collection of garbage. */
export interface Sample {
  readonly rss: number
  readonly heapUsed: number
  readonly sockets: number
  /** Null where the system does not tell. */
  readonly files: number | null
}

export class Server {
  readonly url: string
  readonly port: number
  readonly #process: ChildProcess
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>

  private constructor(process: ChildProcess, url: string) {
    this.#process = process
    this.url = url
    this.port = Number(new URL(url).port)
    this.ended = new Promise((done) => process.once('exit', (code, signal) => done(signal ?? code)))
  }

  static async start(): Promise<Server> {
    const flags = ['--expose-gc', '--import', PROBE]
    const args = ['--scenario', SCENARIO, '--port', '0', '--log', 'none']
    const child = spawn(process.execPath, [...flags, MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
    // However this ends, no server is left behind.
    process.once('exit', () => child.kill('SIGKILL'))
    return new Promise((done, failed) => {
      let printed = ''
      child.stdout!.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
        const [url] = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(printed) ?? []
        if (url !== undefined) done(new Server(child, url))
      })
      child.once('exit', (code) =>
        failed(new Error(`The server ended with ${code} before it listened. Run \`npm run build\` first.`)),
      )
    })
  }

  get pid(): number {
    return this.#process.pid!
  }

  sample(): Promise<Sample> {
    return new Promise((done) => {
      this.#process.once('message', (sample) => done(sample as Sample))
      this.#process.send('sample')
    })
  }

  /** Calls that have ended, by `status outcome`. */
  async counts(): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    const line =
      /^llm_api_mock_calls_total\{endpoint="(?<endpoint>\w+)",status="(?<status>\d+)",outcome="(?<outcome>[\w-]+)"\} (?<count>\d+)$/gm
    for (const { groups } of (await this.#control('metrics')).matchAll(line)) {
      const { endpoint, status, outcome, count } = groups as Record<string, string>
      counts.set(`${endpoint} ${status} ${outcome}`, Number(count))
    }
    return counts
  }

  /** The calls of the journal: their numbers, and how many are under way. */
  async journal(): Promise<{ readonly numbers: readonly number[]; readonly open: number }> {
    const { entries } = JSON.parse(await this.#control('journal')) as { entries: { number: number; outcome: string }[] }
    return {
      numbers: entries.map(({ number }) => number),
      open: entries.filter(({ outcome }) => outcome === 'open').length,
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name)
  }

  async #control(path: string): Promise<string> {
    // One connection a call: none is left open to be counted.
    const response = await fetch(`${new URL(this.url).origin}/_mock/${path}`, { headers: { connection: 'close' } })
    return response.text()
  }
}
