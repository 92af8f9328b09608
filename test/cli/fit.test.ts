/** `api-mock fit`: the pace on stdout, the report on stderr, and what it refuses. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fitFile } from '../../src/cli/commands/fit.ts'
import { command, temporaryFolder } from './command.ts'

vi.setConfig({ testTimeout: 100_000 })

/** From 200 ms to 400 ms to the first token, and 20 ms to 40 ms for each token. */
function timings(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => [200 + (200 * index) / count, 20 + (20 * index) / count])
  const file = join(temporaryFolder(), 'timings.csv')
  writeFileSync(file, `firstTokenMs,perTokenMs\n${rows.map((row) => row.join()).join('\n')}\n`)
  return file
}

test('200 calls give the quantiles of a pace', async () => {
  const { code, stdout, stderr } = await command(['fit', timings(200)])
  expect(code).toBe(0)
  expect(stdout).toBe(`pace:
  firstToken: { min: 200ms, p10: 219ms, p50: 299ms, p86: 371ms, p99: 397ms, max: 399ms }
  perToken: { min: 20ms, p10: 21.9ms, p50: 29.9ms, p86: 37.1ms, p99: 39.7ms, max: 39.9ms, drawn: once }
`)
  expect(stderr).toBe('firstToken: 200 calls.\nperToken: 200 calls.\n')
})

test('20 calls are too few for a p99, which is left out', async () => {
  const { stdout, stderr } = await command(['fit', timings(20)])
  expect(stdout).not.toContain('p99')
  expect(stderr).toContain('firstToken: 20 calls, too few for a p99: that needs 100.')
})

test('9 calls are refused', async () => {
  await expect(fitFile(timings(9))).rejects.toThrow('expected at least 10 calls with a time to the first token, got 9.')
})

test('a file that is not there is named', async () => {
  await expect(fitFile('/nowhere/timings.csv')).rejects.toThrow(
    "Failed to fit '/nowhere/timings.csv': there is no such file.",
  )
})
