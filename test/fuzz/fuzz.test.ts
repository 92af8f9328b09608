/** A short run of each level, with the same seed every time; long ones are `npm run fuzz`. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { campaign } from '../../scripts/fuzz/campaign.ts'
import { grammarNames } from '../../scripts/fuzz/grammar-names.ts'
import { levels } from '../../scripts/fuzz/levels.ts'
import { scenarioSource } from '../../scripts/fuzz/scenarios.ts'

const SEED = 6

test.each([
  ['core', 400, ['by echo 200', 'by fault', 'by vectors 200']],
  ['scenario', 150, ['valid, taken', 'file, taken', 'bent, refused', 'text, refused']],
  ['http', 60, ['end by request', 'end by fault', 'control plane 200']],
  ['socket', 60, ['answered with 200', 'answered with 400']],
] as const)(
  'level %s, %i runs: there are no findings, and the runs reach what they should',
  async (name, runs, met) => {
    await using level = await levels[name]!()
    expect(await campaign(level, { runs, seed: SEED })).toBeUndefined()
    expect([...level.tally.keys()]).toEqual(expect.arrayContaining([...met]))
  },
  120_000,
)

test('a finding has the smallest input and the command to replay it', async () => {
  const property = fc.property(fc.nat(), (number) => number < 10)
  const level = { property, tally: new Map(), [Symbol.asyncDispose]: async () => {} }
  const found = await campaign(level as never, { runs: 100, seed: SEED })
  expect(found).toMatchObject({ report: expect.stringContaining('Counterexample: [10]') })
  const again = await campaign(level as never, { runs: 100, seed: found!.seed, path: found!.path })
  expect(again).toMatchObject({ report: expect.stringContaining('Counterexample: [10]') })
})

test('an uncaught error is a finding', async () => {
  const property = fc.property(fc.nat(), () => void console.error(new Error('a bug of the mock')))
  const level = { property, tally: new Map(), [Symbol.asyncDispose]: async () => {} }
  expect((await campaign(level as never, { runs: 1, seed: SEED }))?.report).toContain('a bug of the mock')
})

// Limits in a store need real time, and the fuzzer's clock is manual: test/fleet/shared-limits.test.ts tests them. Scenarios
// of sessions are files: test/scenarios/session-files.test.ts.
const TESTED_ELSEWHERE = ['scenario', 'shared', 'url']

test('fuzzed scenarios contain every name of the grammar, but those of limits in a store and of files', () => {
  const text = JSON.stringify(fc.sample(scenarioSource, { seed: SEED, numRuns: 600 }))
  expect(grammarNames.filter((name) => !text.includes(`"${name}":`))).toEqual(TESTED_ELSEWHERE)
})
