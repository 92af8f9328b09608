/** The load: wrk where it is installed, else autocannon, on 16 connections. Whatever goes wrong ends the benchmark. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findPackage } from './packages.ts'
import { output, runs, start } from './processes.ts'
import { HEADERS, headersOf, type Workload } from './workloads.ts'

export const CONNECTIONS = 16
/** A call that takes longer has failed. Generous, as a slow contender on a busy machine is slow, and no more. */
const TIMEOUT_SECONDS = 60

/** What came of sending for a while. */
export interface Load {
  readonly calls: number
  readonly seconds: number
}

export interface Generator {
  readonly name: string
  /** Sends for so many seconds, a whole number. Rejects when a call failed or was answered with anything but a 2xx. */
  send(url: string, workload: Workload, seconds: number): Promise<Load>
}

/** @param choice 'wrk' or 'autocannon'; by default wrk, where there is one. */
export function chooseGenerator(choice?: string): Generator {
  const hasWrk = runs('wrk', '-v')
  if (choice === 'wrk' && !hasWrk) {
    throw new Error(
      'There is no wrk on the PATH. Install it (Debian: apt-get install wrk), or use --generator autocannon.',
    )
  }
  return choice !== 'autocannon' && hasWrk ? wrk : withAutocannon
}

const wrk: Generator = {
  name: 'wrk',
  async send(url, workload, seconds) {
    const folder = mkdtempSync(join(tmpdir(), 'llm-api-mock-bench-'))
    try {
      const script = join(folder, 'calls.lua')
      writeFileSync(script, luaOf(workload))
      const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', `${TIMEOUT_SECONDS}s`, '-s', script, url]
      const printed = await output(start('wrk', args), `wrk against ${url}${workload.path}`)
      const [, report] = /^REPORT (.*)$/m.exec(printed) ?? []
      const { calls, microseconds, ...failures } = JSON.parse(report ?? '{}')
      const isWhole = calls > 0 && Object.values(failures).every((count) => count === 0)
      if (!isWhole) throw failure(url, workload, printed)
      return { calls, seconds: microseconds / 1e6 }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** A script for wrk: the calls, written out once and sent in turn, and a report that a program can read. */
function luaOf(workload: Workload): string {
  const { path, bodies } = workload
  const headers = bodies.map((_, index) => {
    const fields = Object.entries(headersOf(workload, index)).map(([name, value]) => `["${name}"] = "${value}"`)
    return `{ ${fields.join(', ')} }`
  })
  return `
local bodies = { ${bodies.map((body) => `[==[${body}]==]`).join(', ')} }
local headers = { ${headers.join(', ')} }
local calls, next = {}, 0
function init()
  local path = wrk.path .. "${path}"
  for index, body in ipairs(bodies) do calls[index] = wrk.format("POST", path, headers[index], body) end
end
function request()
  next = next % #calls + 1
  return calls[next]
end
function done(summary)
  local failed = summary.errors
  print(string.format(
    'REPORT {"calls":%d,"microseconds":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d,"status":%d}',
    summary.requests, summary.duration, failed.connect, failed.read, failed.write, failed.timeout, failed.status))
end
`
}

/** What the benchmark reads of a report of autocannon. */
interface AutocannonReport {
  readonly requests: { readonly total: number }
  readonly duration: number
  readonly non2xx: number
  readonly errors: number
  readonly timeouts: number
}

const withAutocannon: Generator = {
  name: 'autocannon',
  async send(url, workload, seconds) {
    const found = findPackage('autocannon')
    if ('missing' in found) throw new Error(`autocannon is ${found.missing}`)
    const autocannon: { default(options: object): Promise<AutocannonReport> } = await import(
      pathToFileURL(found.entry).href
    )
    const { requests, duration, non2xx, errors, timeouts } = await autocannon.default({
      url: url + workload.path,
      method: 'POST',
      connections: CONNECTIONS,
      duration: seconds,
      timeout: TIMEOUT_SECONDS,
      headers: HEADERS,
      requests: workload.bodies.map((body, index) => ({ body, headers: headersOf(workload, index) })),
    })
    const counts = `${requests.total} answered, ${non2xx} of them not with a 2xx; ${errors} failed, ${timeouts} in time-outs.`
    if (non2xx > 0 || errors > 0 || requests.total === 0) throw failure(url, workload, counts)
    return { calls: requests.total, seconds: duration }
  },
}

const failure = (url: string, { path, bodies }: Workload, report: string): Error =>
  new Error(`Calls to ${url}${path} failed, so nothing they measure holds. One of them: ${bodies[0]}\n${report}`)
