/** Measured profiles of a pace. */
import { expect, test } from 'vitest'
import { PACE_MEASUREMENTS } from '../../../scripts/tables/pace-sources.ts'
import { waitsOf } from '../../../src/core/protocol/plan/plan.ts'
import { compilePace, PACE_PROFILE_NAMES, PACE_PROFILES } from '../../../src/core/scenario/compile/pace.ts'
import { HELLO, mockWith, tokenizer } from '../../support/core.ts'
import { findProblems } from '../../support/find-problems.ts'

const problems = (pace: object) => findProblems({ description: 'x', pace }).map(({ message }) => message)

test.each(PACE_PROFILE_NAMES)('%s has a date, a public source, and a pace that the grammar accepts', (name) => {
  const { measured, source } = PACE_MEASUREMENTS[name]
  expect(measured).toMatch(/^20\d\d-[01]\d-[0-3]\d$/)
  expect(new URL(source).protocol).toBe('https:')
  expect(problems(PACE_PROFILES[name])).toEqual([])
  expect(problems({ profile: name })).toEqual([])
})

test('a profile sets the first token and the tokens after it', () => {
  expect(compilePace({ profile: 'llama-2-70b-groq' }, 'pace')).toEqual({
    firstToken: expect.objectContaining({ shape: 'quantiles', minMs: 172, maxMs: 363.1, isDrawnOnce: false }),
    perToken: expect.objectContaining({ shape: 'quantiles', minMs: 3.45, maxMs: 4.586, isDrawnOnce: true }),
    paceId: 'pace',
  })
})

test('fields beside a profile replace its own, and a profile replaces those of the scenario', () => {
  const ofScenario = compilePace({ firstToken: '1s', perInputToken: '1ms' }, 'pace')
  expect(compilePace({ profile: 'gpt-4-turbo', perToken: '10ms' }, 'models.a.pace', ofScenario)).toEqual({
    firstToken: { shape: 'fixed', ms: 400 },
    perToken: { shape: 'fixed', ms: 10 },
    perInputToken: { shape: 'fixed', ms: 1 },
    paceId: 'pace',
  })
})

test('an unknown profile is refused, with the nearest name', () => {
  expect(problems({ profile: 'gpt-4-turbp' })).toEqual([expect.stringContaining("Did you mean 'gpt-4-turbo'?")])
})

/**
 * Published end-to-end latencies in ms: `results_end_to_end_latency_s_quantiles_*`, with the median number of output tokens.
 * @see https://github.com/ray-project/llmperf-leaderboard/tree/main/raw_data/summary
 * Of the two single calls, thefastest.ai publishes the total only.
 */
const END_TO_END = {
  'llama-2-70b-groq': { tokens: 150, ms: { 25: 764.9, 50: 805.2, 75: 855.7, 90: 932.9, 95: 941.5, 99: 992.3 } },
  'llama-2-70b-anyscale': { tokens: 151, ms: { 25: 2078.7, 50: 2259.5, 75: 2607, 90: 2941.9, 95: 3125.6, 99: 3705.7 } },
  'llama-2-70b-together': { tokens: 157, ms: { 25: 2318.6, 50: 2438.4, 75: 2588.4, 90: 2847.3, 95: 2996.8, 99: 3535 } },
  'llama-2-70b-replicate': {
    tokens: 128,
    ms: { 25: 12_259.3, 50: 12_370.9, 75: 12_543, 90: 23_023.3, 95: 34_918.8, 99: 74_945.8 },
  },
  'gpt-4-turbo': { tokens: 79, ms: { 50: 2400 } },
  'gpt-3.5-turbo': { tokens: 60, ms: { 50: 940 } },
} as const

test.each(PACE_PROFILE_NAMES)('%s has the end-to-end quantiles of its source within 10%%', (name) => {
  const { tokens, ms } = END_TO_END[name]
  const say = 'a '.repeat(tokens).trim()
  expect(tokenizer('o200k_base').count(say)).toBe(tokens)
  const mock = mockWith({ pace: { profile: name }, replies: [{ say }] })
  const waits = Array.from({ length: 4000 }, () => waitsOf(mock.plan({ body: HELLO }))).sort((a, b) => a - b)
  for (const [percent, expected] of Object.entries(ms)) {
    const found = waits[Math.ceil((waits.length * Number(percent)) / 100) - 1]!
    expect(Math.abs(found / expected - 1), `p${percent}: ${found} for ${expected}`).toBeLessThan(0.1)
  }
})
