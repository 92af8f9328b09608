/** `api-mock fit`: the pace on stdout, the report on stderr, and what it refuses. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fitFile } from '../../src/cli/commands/fit.ts'
import { draw } from '../../src/core/lib/random/distribution.ts'
import { Random } from '../../src/core/lib/random/random.ts'
import { command, temporaryFolder } from './command.ts'

vi.setConfig({ testTimeout: 100_000 })

function timings(count: number): string {
  const random = new Random('timings')
  const rows = Array.from({ length: count }, () => [
    draw({ shape: 'lognormal', medianMs: 300, p99Ms: 600 }, random),
    draw({ shape: 'lognormal', medianMs: 20, p99Ms: 30 }, random),
  ])
  const file = join(temporaryFolder(), 'timings.csv')
  writeFileSync(file, `firstTokenMs,perTokenMs\n${rows.map((row) => row.join()).join('\n')}\n`)
  return file
}

test('1,000 calls give a pace within 5% of the true one, and the goodness of fit', async () => {
  const { code, stdout, stderr } = await command(['fit', timings(1000)])
  expect(code).toBe(0)
  const found = /firstToken: \{ median: (.+)ms, p99: (.+)ms \}\n {2}perToken: \{ median: (.+)ms, p99: (.+)ms \}/.exec(
    stdout,
  )!
  for (const [index, truth] of [300, 600, 20, 30].entries())
    expect(Math.abs(Number(found[index + 1]) / truth - 1)).toBeLessThan(0.05)
  expect(stderr).toMatch(/^firstToken: lognormal, from 1000 calls\n {2}fitted: median .* ms, p99 /)
  expect(stderr).toContain('The fit is good (Kolmogorov-Smirnov distance 0.0')
})

test('20 calls are refused', async () => {
  await expect(fitFile(timings(20))).rejects.toThrow(
    'expected at least 100 calls with a time to the first token, got 20.',
  )
})

test('a file that is not there is named', async () => {
  await expect(fitFile('/nowhere/timings.csv')).rejects.toThrow(
    "Failed to fit '/nowhere/timings.csv': there is no such file.",
  )
})
