/**
 * The benchmark: chat over HTTP, the mock against a bare node:http server, as medians and a ratio of the same run.
 *
 * Each server is a process of its own on one core, the generator on another, and they take turns, so that what slows
 * the machine slows both. Run `npm run build` first; seconds a round: `npm run bench -- 5`.
 */
import { execFileSync, spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { resolve } from 'node:path'
import autocannon from 'autocannon'

const ROUNDS = 5
const seconds = Number(process.argv[2] ?? 3)
const root = resolve(import.meta.dirname, '../..')

const contenders: Record<string, string[]> = {
  bare: [resolve(import.meta.dirname, 'bare.mjs')],
  mock: [resolve(root, 'dist/cli/main.js'), '--port', '0', '--log', 'none'],
}
const body = JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hello there!' }] })

pin(process.pid, 1)
const servers = await Promise.all(Object.entries(contenders).map(([name, args]) => start(name, args)))
const rates: Record<string, number[]> = Object.fromEntries(servers.map(({ name }) => [name, []]))
try {
  for (const { url } of servers) await measure(url, 1)
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, url } of servers) rates[name]!.push(await measure(url, seconds))
  }
} finally {
  for (const { stop } of servers) stop()
}

const [cpu] = cpus()
const bare = median(rates.bare!)
console.log(
  `chat, 16 connections, ${ROUNDS} rounds of ${seconds} s in turn, Node ${process.version}, ${cpu?.model ?? 'unknown processor'}\n`,
)
for (const { name } of servers) {
  const rate = median(rates[name]!)
  console.log(`${name.padEnd(6)} ${String(Math.round(rate)).padStart(8)} calls/s   ${(rate / bare).toFixed(2)} of bare`)
}

interface Contender {
  readonly name: string
  readonly url: string
  stop(): void
}

/** Starts a server and reads its URL from the first line that has one. */
function start(name: string, args: readonly string[]): Promise<Contender> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  pin(child.pid!, 0)
  // However this ends, no server is left behind.
  process.once('exit', () => child.kill())
  return new Promise((done, fail) => {
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const [url] = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(printed) ?? []
      if (url !== undefined) done({ name, url, stop: () => child.kill() })
    })
    child.on('exit', (code) => fail(new Error(`${name} ended with ${code} before it listened.`)))
  })
}

async function measure(url: string, duration: number): Promise<number> {
  const result = await autocannon({
    url: `${url}/chat/completions`,
    method: 'POST',
    connections: 16,
    duration,
    headers: { authorization: 'Bearer sk-bench', 'content-type': 'application/json' },
    body,
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed.`)
  return result.requests.average
}

/** Binds a process to one core, where the system can. */
function pin(pid: number, core: number): void {
  try {
    execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)], { stdio: 'ignore' })
  } catch {
    console.log(`Process ${pid} could not be pinned to core ${core}; the ratio is less exact.`)
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
