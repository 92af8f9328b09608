/** Small requests for large answers: each on a server in a process of its own, with little memory, which must live. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { LargeCall } from './amplified.ts'

const PROGRAM = resolve(import.meta.dirname, 'amplified.ts')
const LOGPROBS = { logprobs: true, top_logprobs: 20 }

/** The statuses of the calls; the code or signal the program ended with, when it did not get so far. */
async function ask(call: LargeCall, heapMb: number): Promise<unknown> {
  const flags = [`--max-old-space-size=${heapMb}`, '--import', 'tsx']
  const program = spawn(process.execPath, [...flags, PROGRAM, JSON.stringify(call)], {
    cwd: resolve(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<unknown>((resolve) => program.on('exit', (code, signal) => resolve(code ?? signal)))
  const said = await text(program.stdout)
  return (await ended) === 0 ? JSON.parse(said) : { endedWith: await ended }
}

test.each<[string, LargeCall, number]>([
  ['4.5 MB in 128 choices', { word: 'word ', times: 900_000, fields: { n: 128 } }, 200],
  ['9 MB as a stream', { word: 'a ', times: 4_500_000, fields: { stream: true } }, 400],
])(
  '%s: is answered or refused, and the server keeps running',
  async (_, call, status) => {
    expect(await ask(call, 768)).toEqual({ large: [status], small: 200 })
  },
  120_000,
)

test.each<[string, LargeCall, number]>([
  ['500 KB in 128 choices, as streams', { word: 'word ', times: 100_000, fields: { n: 128, stream: true } }, 400],
  ['159 MB of logprobs', { word: 'word ', times: 1000, fields: { n: 128, ...LOGPROBS } }, 400],
  ['13 MB of logprobs', { word: 'word ', times: 8500, fields: LOGPROBS }, 200],
  ['streams of 15 MB', { word: 'word ', times: 45_000, fields: { stream: true } }, 200],
])(
  '%s, 20 at once: are answered or refused, and the server keeps running',
  async (_, call, status) => {
    expect(await ask({ ...call, atOnce: 20 }, 128)).toEqual({ large: [status], small: 200 })
  },
  240_000,
)
