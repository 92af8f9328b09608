/** What is wrong with schedules and states in a scenario, and what the messages say. */
import { expect, test } from 'vitest'
import { findProblems, prepareSource } from '../../../src/core/scenario/diagnostics/problems.ts'
import { OPTION_NAMES } from '../../../src/core/scenario/grammar/fault-options.ts'
import { SCHEDULE_NAMES } from '../../../src/core/scenario/grammar/schema.ts'

/** Each problem as `path: message`. */
const problems = (settings: object): string[] =>
  findProblems({ description: 'x', ...settings }).map(({ path, message }) => `${path.join('.')}: ${message}`)
const rule = (schedule: object): string[] => problems({ faults: [{ fault: 500, ...schedule }] })
const states = (source: object): string[] => problems({ states: source })

test('no option of a fault has the name of a part of a schedule: they stand side by side', () => {
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
  [{ attempt: 0 }, 'attempt: found the number 0, allowed is a whole number from 1, or a list of them.'],
  [
    { attempt: 1, when: { attempt: 2 } },
    "attempt: found 'attempt' here and under 'when', allowed is one of them: they mean the same.",
  ],
  [{ every: 0 }, 'every: found the number 0, allowed is a whole number from 1.'],
  [
    { between: '10s..20s' },
    "between: found '10s..20s', allowed is two times since the start, such as 10s and 20s, or a list of them.",
  ],
  [{ between: '20s and 10s' }, "between: found '20s and 10s', allowed is a time and a later one."],
  [{ between: ['1s and 2s', '3s and 3s'] }, "between.1: found '3s and 3s', allowed is a time and a later one."],
  [
    { between: '1s and 2d' },
    "between: found '1s and 2d', allowed is two times since the start, such as 10s and 20s, or a list of them.",
  ],
  [
    { between: '1s and 2s', until: '9s' },
    "until: found 'between' and 'until', allowed is either between or from and until.",
  ],
  [{ from: '20s', until: '20s' }, 'until: found until 20s and from 20s, allowed is an until after from.'],
  [{ until: 20 }, 'until: found the number 20, allowed is a duration with a unit, at most a day: 300ms, 2s, 1m30s.'],
  [
    { bursts: { good: '30s' } },
    'bursts.bad: missing, needed is a duration with a unit, from 1ms to a day: 300ms, 2s, 1m30s.',
  ],
  [
    { bursts: { good: '30s', bad: '0s' } },
    "bursts.bad: found '0s', allowed is a duration with a unit, from 1ms to a day: 300ms, 2s, 1m30s.",
  ],
  [
    { bursts: '5s' },
    "bursts: found '5s', allowed is the mean lengths of good and bad spells, such as { good: 30s, bad: 5s }.",
  ],
])('%j is a problem', (schedule, message) => {
  expect(rule(schedule)).toEqual([`faults.0.${message}`])
})

test('a schedule in a reply is told where it belongs', () => {
  const [problem] = problems({ replies: [{ fault: 500, every: 2 }] })
  expect(problem).toMatch(/unknown key 'every'.* It belongs to a rule of 'faults', which takes the same 'when'\.$/)
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

const HOW_LONG = 'how many calls or how long: 1 call, 20 calls, or a duration from 1ms to a day such as 30s'

test.each([
  [{}, 'states: found no state, needed is at least one.'],
  [
    { up: { lasts: '1 call', next: 'dwon' }, down: {} },
    "states.up.next: found the unknown state 'dwon', allowed are up, down. Did you mean 'down'?",
  ],
  [
    { up: { next: 'up' } },
    "states.up.next: found 'next' without 'lasts', needed is what ends this state: lasts: 20 calls, or lasts: 30s.",
  ],
  [{ up: { lasts: '30s' } }, "states.up.lasts: found 'lasts' without 'next', needed is the state that comes then."],
  [{ up: { lasts: '0s', next: 'up' } }, `states.up.lasts: found '0s', allowed is ${HOW_LONG}.`],
  [{ up: { lasts: '0 calls', next: 'up' } }, `states.up.lasts: found '0 calls', allowed is ${HOW_LONG}.`],
  [{ up: { lasts: 20, next: 'up' } }, `states.up.lasts: found the number 20, allowed is ${HOW_LONG}.`],
  [
    { ...LOOP, lost: {} },
    "states.lost: found a state that is never reached: 'up', the first, does not lead to it by any 'next'.",
  ],
  [
    { ...LOOP, lost: { lasts: '1s', next: 'up' } },
    "states.lost: found a state that is never reached: 'up', the first, does not lead to it by any 'next'.",
  ],
  [{ '2': {} }, "states.2: found the state '2', allowed is a letter and then letters, digits, - and _."],
  [{ 'so so': {} }, "states.so so: found the state 'so so', allowed is a letter and then letters, digits, - and _."],
  [
    { up: { faults: [{ fault: 500, from: '3s' }] } },
    "states.up.faults.0.from: found 'from' in a state, where times since the start mean little: let 'lasts' end the state.",
  ],
  [
    { up: { faults: [{ fault: 500, when: { state: 'up' } }] } },
    "states.up.faults.0.when.state: found 'state' in the state 'up', whose faults strike in it only.",
  ],
  [
    { up: { faults: [{ fault: 'cutt' }] } },
    expect.stringMatching(/^states\.up\.faults\.0\.fault: Unknown fault 'cutt'/),
  ],
  [{ up: { after: '30s' } }, "states.up.after: found the unknown key 'after', allowed are faults, pace, lasts, next."],
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
    "replies.0.when.state: found the unknown state 'uup', allowed are up, down. Did you mean 'up'?",
    "faults.0.when.state.1: found the unknown state 'dawn', allowed are up, down. Did you mean 'down'?",
  ])
})

test('a state in a scenario without states is a problem', () => {
  expect(problems({ faults: [{ fault: 500, when: { state: 'down' } }] })).toEqual([
    "faults.0.when.state: found the state 'down', but the scenario has no states.",
  ])
})

test('in code, the faults of a state take a RegExp too', () => {
  const { states: prepared } = prepareSource({
    description: 'x',
    states: { up: { faults: [{ fault: 500, when: { user: /hi/i } }] } },
  })
  expect(prepared!.up!.faults![0]!.when).toEqual({ user: '/hi/i' })
})
