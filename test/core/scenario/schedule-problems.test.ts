/** Problems of schedules and states in a scenario, with their messages. */
import { expect, test } from 'vitest'
import { prepareSource } from '../../../src/core/scenario/check/prepare-source.ts'
import { OPTION_NAMES } from '../../../src/core/scenario/compile/fault-settings.ts'
import { SCHEDULE_NAMES } from '../../../src/core/scenario/grammar/fault-fields.ts'
import { findProblems } from '../../support/find-problems.ts'

/** Each problem as `path: message`. */
const problems = (settings: object): string[] =>
  findProblems({ description: 'x', ...settings }).map(({ path, message }) => `${path.join('.')}: ${message}`)
const rule = (schedule: object): string[] => problems({ faults: [{ fault: 500, ...schedule }] })
const states = (source: object): string[] => problems({ states: source })

test('options of faults and fields of schedules share no name', () => {
  expect(SCHEDULE_NAMES.filter((name) => (OPTION_NAMES as readonly string[]).includes(name))).toEqual([])
})

test.each([
  { attempt: 1 },
  { attempt: [1, 2], every: 2, times: 3, chance: '5%' },
  { between: '10s and 20s' },
  { between: ['0s and 1m30s', '2m and 1d'] },
  { from: '10s', until: '1h' },
  { bursts: { good: '30s', bad: '1ms' } },
])('a schedule without problems: %j', (schedule) => {
  expect(rule(schedule)).toEqual([])
})

test.each([
  [{ attempt: 0 }, 'attempt: expected a whole number from 1, got 0.'],
  [
    { attempt: 1, when: { attempt: 2 } },
    "attempt: expected 'attempt' once, got it here and under 'when'. Both mean the same.",
  ],
  [{ every: 0 }, 'every: expected a whole number from 1, got 0.'],
  [
    { between: '10s..20s' },
    "between: expected two times since the start, such as 10s and 20s, or a list of them, got '10s..20s'.",
  ],
  [
    { between: '20s and 10s' },
    "between: expected two times, the second later, such as 10s and 20s, got '20s and 10s'.",
  ],
  [
    { between: ['1s and 2s', '3s and 3s'] },
    "between.1: expected two times, the second later, such as 10s and 20s, got '3s and 3s'.",
  ],
  [
    { between: '1s and 2d' },
    "between: expected two times since the start, such as 10s and 20s, or a list of them, got '1s and 2d'.",
  ],
  [
    { between: '1s and 2s', until: '9s' },
    "until: expected either 'between' or 'from' and 'until', got 'between' and 'until'.",
  ],
  [{ from: '20s', until: '20s' }, "until: expected a time after 'from' (20s), got 20s."],
  [
    { until: 20 },
    "until: expected a duration such as 300ms, 2s or 1m30s (at most a day), got 20. Did you mean '20ms'?",
  ],
  [
    { bursts: { good: '30s' } },
    'bursts.bad: expected a duration such as 300ms, 2s or 1m30s (from 1ms to a day), got nothing.',
  ],
  [
    { bursts: { good: '30s', bad: '0s' } },
    "bursts.bad: expected a duration such as 300ms, 2s or 1m30s (from 1ms to a day), got '0s'.",
  ],
  [
    { bursts: '5s' },
    "bursts: expected the mean lengths of good and bad periods, such as { good: 30s, bad: 5s }, got '5s'.",
  ],
])('%j is a problem', (schedule, message) => {
  expect(rule(schedule)).toEqual([`faults.0.${message}`])
})

test('the problem of a schedule in a reply suggests faults', () => {
  const [problem] = problems({ replies: [{ fault: 500, every: 2 }] })
  expect(problem).toMatch(/unknown field 'every'.* It belongs to a rule under 'faults', which takes the same 'when'\.$/)
})

const LOOP = { up: { lasts: '1 call', next: 'down' }, down: { lasts: '1ms', next: 'up' } }

test.each([
  { only: {} },
  LOOP,
  { up: {}, down: { faults: [{ fault: 503 }], pace: { firstToken: '1s' } } }, // entered by hand
  { up: { lasts: '20 calls', next: 'down' }, down: {} },
  { up: { lasts: '1m30s', next: 'up' } },
])('states without problems: %j', (source) => {
  expect(states(source)).toEqual([])
})

const HOW_LONG = 'a number of calls or a duration, such as 20 calls or 30s (from 1ms to a day)'

test.each([
  [{}, 'states: expected at least one state, got none.'],
  [
    { up: { lasts: '1 call', next: 'dwon' }, down: {} },
    "states.up.next: expected a state of the scenario (up, down), got 'dwon'. Did you mean 'down'?",
  ],
  [{ a: { lasts: '1 call', next: 'b' } }, "states.a.next: expected a state of the scenario (a), got 'b'."],
  [{ up: { next: 'up' } }, "states.up.next: expected 'lasts' beside 'next', such as 20 calls or 30s, got none."],
  [{ up: { lasts: '30s' } }, "states.up.lasts: expected 'next' beside 'lasts', the state that follows, got none."],
  [{ up: { lasts: '0s', next: 'up' } }, `states.up.lasts: expected ${HOW_LONG}, got '0s'.`],
  [{ up: { lasts: '0 calls', next: 'up' } }, `states.up.lasts: expected ${HOW_LONG}, got '0 calls'.`],
  [{ up: { lasts: 20, next: 'up' } }, `states.up.lasts: expected ${HOW_LONG}, got 20.`],
  [
    { ...LOOP, lost: {} },
    "states.lost: expected a state that 'up', the first state, leads to, got one that no 'next' reaches.",
  ],
  [
    { ...LOOP, lost: { lasts: '1s', next: 'up' } },
    "states.lost: expected a state that 'up', the first state, leads to, got one that no 'next' reaches.",
  ],
  [{ '2': {} }, "states.2: expected a name of letters, digits, - and _ that begins with a letter, got '2'."],
  [
    { 'so so': {} },
    "states.so so: expected a name of letters, digits, - and _ that begins with a letter, got 'so so'.",
  ],
  [
    { up: { faults: [{ fault: 500, from: '3s' }] } },
    "states.up.faults.0.from: expected no 'from' in a state, because it counts from the start of the mock. End the state with 'lasts' instead.",
  ],
  [
    { up: { faults: [{ fault: 500, when: { state: 'up' } }] } },
    "states.up.faults.0.when.state: expected no condition 'state' in a state. The faults of 'up' happen only in that state.",
  ],
  [
    { up: { faults: [{ fault: 'cutt' }] } },
    expect.stringMatching(/^states\.up\.faults\.0\.fault: unknown fault 'cutt'/),
  ],
  [{ up: { after: '30s' } }, "states.up.after: unknown field 'after'. Expected one of faults, pace, lasts, next."],
])('%j is a problem', (source, problem) => {
  expect(states(source)).toEqual([problem])
})

test('every mention of a state is checked, in replies and faults, alone and in a list', () => {
  expect(
    problems({
      states: LOOP,
      replies: [{ when: { state: 'uup' }, say: 'x' }],
      faults: [{ fault: 500, when: { state: ['up', 'dawn'] } }],
    }),
  ).toEqual([
    "replies.0.when.state: expected a state of the scenario (up, down), got 'uup'. Did you mean 'up'?",
    "faults.0.when.state.1: expected a state of the scenario (up, down), got 'dawn'. Did you mean 'down'?",
  ])
})

test('a state in a scenario without states is a problem', () => {
  expect(problems({ faults: [{ fault: 500, when: { state: 'down' } }] })).toEqual([
    "faults.0.when.state: expected no state, because the scenario has none, got 'down'.",
  ])
})

test('in code, the faults of a state take a RegExp too', () => {
  const { states: prepared } = prepareSource({
    description: 'x',
    states: { up: { faults: [{ fault: 500, when: { user: /hi/i } }] } },
  })
  expect(prepared!.up!.faults![0]!.when).toEqual({ user: '/hi/i' })
})

test('skip may be beside any fault of a rule or a key', () => {
  const skip = 5
  expect(problems({ faults: [{ fault: 'quota', skip }], keys: { 'sk-x': { fault: 'cut', skip } } })).toEqual([])
})

test.each([
  [
    { fault: 'quota', after: 5 },
    "after: fault 'quota' has no option 'after'. To skip the first calls, use 'skip': skip: 5.",
  ],
  [{ fault: 'quota', after: '1 call' }, "after: 'after: 1 call' is now 'skip: 1'."],
  [{ fault: 'cut', after: '5 calls' }, "after: 'after: 5 calls' is now 'skip: 5'."],
  [{ fault: 'quota', skip: '5 calls' }, "skip: expected a whole number from 1, got '5 calls'."],
  [
    { fault: 'cut', after: '5 call' },
    "after: fault 'cut', option 'after': expected a whole number from 0, got '5 call'.",
  ],
  [{ fault: 'cut', after: -1 }, "after: fault 'cut', option 'after': expected a whole number from 0, got -1."],
])('%j is a problem in a rule and in a key', (rule, message) => {
  expect(problems({ faults: [rule] })).toEqual([`faults.0.${message}`])
  expect(problems({ keys: { k: rule } })).toEqual([`keys.k.${message}`])
})

test('skip needs a fault, and a reply rule has no schedule', () => {
  expect(problems({ keys: { k: { skip: 5 } } })).toEqual(["keys.k.skip: expected 'skip' beside a fault, got no fault."])
  expect(problems({ replies: [{ fault: 'cut', skip: 5 }] })).toEqual([
    "replies.0.skip: unknown field 'skip'. It belongs to a rule under 'faults', which takes the same 'when'.",
  ])
})
