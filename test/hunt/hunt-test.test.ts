/** Hunts as tests: which tests there are, which of them a cause fails, and the tests of what earlier hunts have found. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { describe, expect, onTestFinished, test } from 'vitest'
import { huntTestWith } from '../../src/hunt/node.ts'
import type { HuntedFunction } from '../../src/hunt.ts'
import type { Mock } from '../../src/index.ts'
import { type HuntTestOptions, huntTest } from '../../src/vitest.ts'

const ask = (mock: Mock, content: string) =>
  new OpenAI({ apiKey: mock.scenario.exampleKey, maxRetries: 0 }).chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'user', content }],
  })

huntTest('an app that shows a message when all fails', 'default', (mock) => ask(mock, 'plan').catch(() => 'Sorry.'))

/** Fails in three ways: after one fault, after two, and in an outage. */
const app: HuntedFunction = async (mock) => {
  const { choices } = await ask(mock, 'plan')
    .catch(() => ask(mock, 'plan'))
    .catch(() => ask(mock, 'plan'))
    .catch(() => {
      throw new Error('no plan')
    })
  if (choices[0]!.finish_reason !== 'stop') throw new RangeError('half a plan')
}

/** Runs the tests that `huntTest` makes: the first line of the error of each, or `passed`. */
async function resultsOf(more: HuntTestOptions = {}, hunted = app, name = 'the planner'): Promise<string[][]> {
  const tests: [string, () => Promise<void>][] = []
  const runner = {
    describe: (_: string, run: () => void) => run(),
    test: (title: string, run: () => Promise<void>) => void tests.push([title, run]),
  }
  huntTestWith(runner)(name, 'default', hunted, { faults: ['bad-request', 'unfinished'], ...more })
  const results: string[][] = []
  for (const [title, run] of tests) {
    const end = await run().then(
      () => 'passed',
      (error) => error.message.replace(/\n.*/s, ''),
    )
    results.push([title, end])
  }
  return results
}

test('each cause fails one of the tests, whose names are known before the hunt', async () => {
  expect(await resultsOf({ depth: 3 })).toEqual([
    ['survives each single fault', 'FAILS with 1 fault: half a plan'],
    ['survives faults that come together', 'passed'],
    ['survives outages', 'FAILS with 1 fault: no plan'],
  ])
  const twice: HuntedFunction = (mock) => ask(mock, 'plan').catch(() => ask(mock, 'again'))
  expect(await resultsOf({ skipOutages: true, faults: ['bad-request'] }, twice)).toEqual([
    ['survives each single fault', 'passed'],
    ['survives faults that come together', expect.stringMatching(/^FAILS with 2 faults: 400 /)],
  ])
  expect(await resultsOf({ depth: 1, skipOutages: true })).toHaveLength(1)
})

test('a cause has a regression test once its file is written, until the app is fixed', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'api-mock-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const folder = join(parent, 'regressions')
  const options = { regressions: folder, depth: 1, skipOutages: true }
  expect(await resultsOf(options)).toHaveLength(1)
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^unfinished-\w+\.json$/)])
  const title =
    'survives call 1 (POST chat "plan", attempt 1): unfinished (also with unfinished; reason=content_filter)'
  expect(await resultsOf(options)).toEqual([
    [title, 'FAILS with 1 fault: half a plan'],
    ['survives each single fault', 'FAILS with 1 fault: half a plan'],
  ])
  const fixed: HuntedFunction = (mock) => app(mock, { faults: [], did: () => {} }).catch(() => {})
  expect(await resultsOf(options, fixed)).toEqual([
    [title, 'passed'],
    ['survives each single fault', 'passed'],
  ])
  const changed: HuntedFunction = (mock) => ask(mock, 'another plan').catch(() => {})
  expect((await resultsOf(options, changed))[0]).toEqual([title, expect.stringContaining('Its requests have changed')])
  expect(await resultsOf(options, fixed, 'another app')).toHaveLength(1)
})

test('an app that fails without faults fails each test with that', async () => {
  const broken: HuntedFunction = () => Promise.reject(new Error('no such file'))
  const results = await resultsOf({}, broken)
  expect(new Set(results.map(([, end]) => end))).toEqual(
    new Set([
      'Failed to hunt: the function fails without faults. No call reached the mock. Give its client the address mock.baseURL.',
    ]),
  )
})

test('a hunt whose time is up ends, and says what to do', async () => {
  const [[, end]] = (await resultsOf({ timeout: 1 })) as [string[]]
  expect(end).toBe('The hunt had not ended after 1 ms. Raise the option timeout, or lower depth.')
})

describe('with a token', () => {
  test('only its faults are tried', async () => {
    expect(await resultsOf({ replay: 'a:1:cut' })).toEqual([
      ['survives the faults of the token', expect.stringContaining('the function made no call a.')],
    ])
  })
})
