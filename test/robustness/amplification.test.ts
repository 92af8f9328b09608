/** Small requests for large answers: each on a server in a process of its own, with little memory, which must live. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const PROGRAM = resolve(import.meta.dirname, 'amplified.ts')

/** What the program says of its two calls; the code or signal it ended with, when it did not get so far. */
async function ask(content: { word: string; times: number }, n: number, stream: boolean): Promise<unknown> {
  const flags = ['--max-old-space-size=768', '--import', 'tsx']
  const program = spawn(process.execPath, [...flags, PROGRAM, JSON.stringify([content, n, stream])], {
    cwd: resolve(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<unknown>((resolve) => program.on('exit', (code, signal) => resolve(code ?? signal)))
  const said = await text(program.stdout)
  return (await ended) === 0 ? JSON.parse(said) : { endedWith: await ended }
}

test.each([
  ['a small one', { word: 'hi', times: 1 }, 1, false],
  ['4.5 MB, 128 times over', { word: 'word ', times: 900_000 }, 128, false],
  ['500 KB, 128 times over, as a stream', { word: 'word ', times: 100_000 }, 128, true],
  ['9 MB as a stream', { word: 'a ', times: 4_500_000 }, 1, true],
])(
  '%s: is answered or refused, and the server keeps running',
  async (_, content, n, stream) => {
    expect(await ask(content, n, stream)).toEqual({
      large: expect.toSatisfy((status: number) => [200, 400, 413].includes(status)),
      small: 200,
    })
  },
  120_000,
)
