/** Measured profiles of a pace. */
import { expect, test } from 'vitest'
import { PACE_MEASUREMENTS } from '../../../scripts/tables/pace-sources.ts'
import { findProblems } from '../../../src/core/scenario/check/prepare-source.ts'
import { compilePace, PACE_PROFILE_NAMES, PACE_PROFILES } from '../../../src/core/scenario/compile/pace.ts'

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
    firstToken: { shape: 'lognormal', medianMs: 221.9, p99Ms: 350 },
    perToken: { shape: 'lognormal', medianMs: 5.3, p99Ms: 6.6 },
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
