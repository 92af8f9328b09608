/**
 * What the official client does with each failure: which it retries, how often, and how long it waits before each.
 *
 * Nothing is taken from its documents. Its own timers are caught, read and fired at once, so no test waits. The table in
 * docs/faults.md is the result. After a change of the client or the mock, update it:
 *
 *   npm run test:clients -- client-retries -u
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import OpenAI from 'openai'
import { VERSION } from 'openai/version'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMock } from '../../src/index.ts'
import { listen } from '../../src/node.ts'

const PAGE = resolve(import.meta.dirname, '../../docs/faults.md')
const MAX_BACK_OFF_MS = 60_000
// Long enough for a call to arrive before its time-out is fired.
const EARLY_MS = 50

interface Trial {
  /** What meets the client, as the table says it. */
  readonly what: string
  /** The value of x-mock-fault; absent: nobody listens at all. */
  readonly fault?: string
  readonly stream?: boolean
  readonly maxRetries?: number
}

const TRIALS: readonly Trial[] = [
  ...[400, 401, 403, 404, 408, 409, 422].map((status) => ({ what: `${status}`, fault: `${status}` })),
  { what: '429 that says 20 s', fault: 'rate-limit; retry-after=20' },
  { what: '429 that says 1.5 s in `retry-after-ms`, 2 s in `retry-after`', fault: 'rate-limit; retry-after=1.5' },
  { what: '429 that says 60 s', fault: 'rate-limit; retry-after=60' },
  { what: '429 that says 61 s', fault: 'rate-limit; retry-after=61' },
  { what: '429 that does not say', fault: 'quota' },
  ...['rate-limit', '503', '504'].map((fault) => ({
    what: `${fault} with \`retryAfter: 0\``,
    fault: `${fault}; retry-after=0`,
  })),
  ...[500, 502, 503, 504].map((status) => ({ what: `${status}`, fault: `${status}` })),
  { what: '500, with `maxRetries: 6`', fault: '500', maxRetries: 6 },
  { what: 'no connection' },
  { what: 'a reset before the headers', fault: 'reset-before-headers' },
  { what: 'no answer, until its timeout', fault: 'hang' },
  { what: 'an answer that breaks off half-way', fault: 'cut' },
  { what: 'a stream that breaks off', fault: 'cut; after=2', stream: true },
]

interface Seen {
  readonly calls: number
  readonly waitsMs: readonly number[]
  /** The name of what the client throws in the end. */
  readonly error: string
}

/** Lets the client try, with every draw of its jitter the same, and says what was seen. */
async function observe({ fault, stream = false, maxRetries }: Trial, jitter: number): Promise<Seen> {
  const server = await listen(createMock(), { port: 0 })
  onTestFinished(() => server.close(0))
  if (fault === undefined) await server.close(0)
  using timers = new ClientTimers({ timesOut: fault === 'hang' })
  using _ = vi.spyOn(Math, 'random').mockReturnValue(jitter)
  let calls = 0
  const client = new OpenAI({
    apiKey: 'sk-test',
    baseURL: server.url,
    fetch: (url, init) => {
      calls++
      return fetch(url, init)
    },
    ...(fault !== undefined && { defaultHeaders: { 'x-mock-fault': fault } }),
    ...(maxRetries !== undefined && { maxRetries }),
  })
  const error = await ask(client, stream).catch((thrown: Error) => thrown.constructor.name)
  return { calls, waitsMs: timers.backOffsMs, error: error ?? 'nothing' }
}

async function ask({ chat }: OpenAI, stream: boolean): Promise<undefined> {
  const request = { model: 'echo-1', messages: [{ role: 'user' as const, content: 'Hello there, how are you?' }] }
  if (!stream) return void (await chat.completions.create(request))
  for await (const chunk of await chat.completions.create({ ...request, stream })) expect(chunk.choices).toHaveLength(1)
}

/** Catches the client's timers: fires its back-offs at once, and its time-outs too if they are to come. */
class ClientTimers implements Disposable {
  /** The back-offs it asked for. */
  readonly backOffsMs: number[] = []
  readonly #setTimeout = globalThis.setTimeout

  constructor({ timesOut }: { readonly timesOut: boolean }) {
    const caught = (callback: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): NodeJS.Timeout => {
      const caller = new Error().stack!.split('\n')[2]!
      if (!/[\\/]node_modules[\\/]openai[\\/]/.test(caller)) return this.#setTimeout(callback, ms, ...given)
      // Its time-out is 10 minutes, and it never waits that long before it tries again.
      if (ms > MAX_BACK_OFF_MS) return this.#setTimeout(callback, timesOut ? EARLY_MS : ms)
      this.backOffsMs.push(ms)
      return this.#setTimeout(callback, 0)
    }
    globalThis.setTimeout = caught as typeof setTimeout
  }

  [Symbol.dispose](): void {
    globalThis.setTimeout = this.#setTimeout
  }
}

async function rowOf(trial: Trial): Promise<string> {
  // The jitter takes off up to a quarter: none of it with the lowest draw, all of it with the highest.
  const longest = await observe(trial, 0)
  const shortest = await observe(trial, 1 - Number.EPSILON)
  expect({ ...shortest, waitsMs: [] }).toEqual({ ...longest, waitsMs: [] })
  const waits = longest.waitsMs.map((ms, index) => rangeOf(shortest.waitsMs[index]!, ms))
  const fault = trial.fault === undefined ? '' : `\`${trial.fault}\``
  const { calls, error } = longest
  return `| ${trial.what} | ${fault} | ${calls} | ${calls > 1 ? waits.join(', ') : 'not retried'} | \`${error}\` |`
}

function rangeOf(fromMs: number, toMs: number): string {
  const [from, to] = [fromMs, toMs].map((ms) => `${Math.round(ms) / 1000}`)
  return from === to ? `${to} s` : `${from} to ${to} s`
}

test('the table of docs/faults.md is what the official client does', { timeout: 60_000 }, async () => {
  const rows: string[] = []
  for (const trial of TRIALS) rows.push(await rowOf(trial))
  const table = [
    `| openai ${VERSION} meets | \`x-mock-fault\` | calls | waits before its retries | throws in the end |`,
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
  const place = /(<!-- retries -->\n)[\s\S]*?(\n<!-- \/retries -->)/
  const page = readFileSync(PAGE, 'utf8')
  expect(page).toMatch(place)
  await expect(page.replace(place, (_, start: string, end: string) => start + table + end)).toMatchFileSnapshot(PAGE)
})
