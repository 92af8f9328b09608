/** A warning is never wrong: held against random scenarios of few words, and random calls that try to prove it wrong. */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { findWarnings } from '../../../../src/core/scenario/check/find-warnings.ts'
import type { Problem } from '../../../../src/core/scenario/check/problem.ts'
import { globsMeet, matchesGlob } from '../../../../src/core/scenario/compile/glob.ts'
import type { ConditionName } from '../../../../src/core/scenario/conditions/condition-table.ts'
import type { ScenarioSource } from '../../../../src/core/scenario/scenario-source.ts'
import { type CallOverrides, mockWith } from '../../../support/core.ts'
import { findProblems } from '../../../support/find-problems.ts'
import { LimitedMock } from '../../../support/limits.ts'

vi.setConfig({ testTimeout: 60_000 })

// Few words, so that rules often stand in each other's way.

const some = <Value>(...values: Value[]) => fc.constantFrom(...values)
const oneOrMany = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 2 }))
const glob = some('a', 'b', 'a*', '*b', '*', 'ab', '*a*')
const text = some('hi', 'hit', 'HI', '/hi/', '/hit/', '/^hi$/i', '/.*/', '/(?<all>.*)/', '/./', '/a|b/')
const tool = some('f', 'g', '*', 'f*')
const STATES = ['up', 'down']

/** Values for every condition: a new one needs a line here. */
const values: Readonly<Record<ConditionName, fc.Arbitrary<unknown>>> = {
  endpoint: some('chat', 'embeddings'),
  stream: fc.boolean(),
  key: oneOrMany(glob),
  model: oneOrMany(glob),
  attempt: oneOrMany(some(1, 2, 3)),
  turn: oneOrMany(some(1, 2)),
  tool: oneOrMany(tool),
  request: some({ model: 'a', messages: [{ role: 'user', content: 'hi' }] }, { model: 'a' }),
  user: oneOrMany(text),
  system: oneOrMany(text),
  toolResult: oneOrMany(text),
  earlierUser: oneOrMany(text),
  earlierToolResult: oneOrMany(text),
  state: oneOrMany(some(...STATES)),
}
const when = (isChat: boolean, hasStates: boolean) => {
  const { state, ...others } = { ...values, ...(isChat && { endpoint: fc.constant('chat') }) }
  return fc.record({ ...others, ...(hasStates && { state }) }, { requiredKeys: [] })
}
/** Most rules have few conditions. */
const fewer = <Map extends object>(map: fc.Arbitrary<Map>): fc.Arbitrary<Map> =>
  fc
    .tuple(map, fc.array(fc.nat(Object.keys(values).length), { maxLength: 2 }))
    .map(([all, kept]) => Object.fromEntries(Object.entries(all).filter((_, index) => kept.includes(index))) as Map)

const fault = some('server-error', 'cut', 'refusal', 'shuffled-embeddings', 'wrong-usage', 'hang')
const schedule = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  some<object>(
    { chance: 1 },
    { chance: '100%' },
    { chance: 0 },
    { chance: 0.5 },
    { every: 1 },
    { every: 2 },
    { skip: 1 },
  ),
  some<object>({ times: 1 }, { from: '5s' }, { until: '5s' }, { until: '0s' }, { between: ['0s and 5s', '5s and 9s'] }),
)
const faultRule = (hasStates: boolean, isInState = false) =>
  fc
    .record({ fault, when: fewer(when(false, hasStates && !isInState)), schedule })
    .map(({ schedule: settings, ...rule }) => {
      const { between, from, until, ...others } = settings as Record<string, unknown>
      return { ...rule, ...(isInState ? others : settings) }
    })

const call = some({ name: 'f' }, { name: 'g' }, [{ name: 'f' }, { name: 'g' }], { name: 'no name' })
const reply = (hasStates: boolean) =>
  fc.oneof(
    fc.record({ when: fewer(when(true, hasStates)), say: fc.constant('said') }),
    fc.record({ when: fewer(when(true, hasStates)), call }),
    fc.record({ when: fewer(when(false, hasStates)), fault }),
  )

const keySettings = fc.oneof(fc.constant({}), fc.record({ fault }), fc.record({ fault, skip: fc.constant(1) }))
const named = <Value>(value: fc.Arbitrary<Value>) => fc.dictionary(glob, value, { minKeys: 1, maxKeys: 3 })
const modelSettings = fc.record({ endpoint: some('chat' as const, 'embeddings' as const) }, { requiredKeys: [] })

const scenario = fc.boolean().chain((hasStates) =>
  fc.record(
    {
      description: fc.constant('Random.'),
      keys: named(keySettings),
      models: named(modelSettings),
      replies: fc.array(reply(hasStates), { maxLength: 4 }),
      faults: fc.array(faultRule(hasStates), { maxLength: 3 }),
      ...(hasStates && {
        states: fc.record({
          up: fc.record({
            faults: fc.array(faultRule(true, true), { maxLength: 2 }),
            lasts: fc.constant('3 calls'),
            next: fc.constant('down'),
          }),
          down: fc.record({
            faults: fc.array(faultRule(true, true), { maxLength: 2 }),
            lasts: fc.constant('3 calls'),
            next: fc.constant('up'),
          }),
        }),
      }),
    },
    { requiredKeys: hasStates ? (['description', 'states'] as never[]) : ['description'] },
  ),
) as fc.Arbitrary<ScenarioSource>

const name = some('a', 'b', 'ab', 'ba', 'c')
const words = some('hi', 'hit', 'Hi', 'a', '', 'x')
const message = fc.oneof(
  fc.record({ role: some('user', 'system'), content: words }),
  fc.record({ role: fc.constant('user'), content: words }),
)
const AFTER_RESULT = [
  { role: 'assistant', tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } }] },
  { role: 'tool', tool_call_id: 'x' },
]
const chatBody = fc
  .record({
    model: name,
    messages: fc.array(message, { minLength: 1, maxLength: 3 }),
    result: fc.option(words),
    tools: fc.subarray(['f', 'g'], { minLength: 0 }),
  })
  .map(({ model, messages, result, tools }) => ({
    model,
    messages: result === null ? messages : [...messages, AFTER_RESULT[0], { ...AFTER_RESULT[1], content: result }],
    ...(tools.length > 0 && { tools: tools.map((one) => ({ type: 'function', function: { name: one } })) }),
  }))
const sent = fc.oneof(
  { weight: 6, arbitrary: chatBody.map((body): CallOverrides => ({ body })) },
  {
    weight: 2,
    // Messages are none of an embeddings call, and must not be taken for any.
    arbitrary: fc.tuple(name, chatBody).map(
      ([model, { messages }]): CallOverrides => ({
        path: '/v1/embeddings',
        body: { model, input: ['hi', 'ho'], messages },
      }),
    ),
  },
  { weight: 1, arbitrary: fc.constant<CallOverrides>({ method: 'GET', path: '/v1/models', body: '' }) },
)
const calls = fc.array(fc.record({ sent, key: name, now: some(0, 4000, 6000, 20_000), again: some(1, 2, 3) }), {
  minLength: 5,
  maxLength: 30,
})

/** `replies[0]`, as an answer's reason has it. */
const placeOf = ({ path }: Problem): string =>
  path
    .slice(0, path[0] === 'states' ? 4 : 2)
    .reduce<string>((place, step) => place + (typeof step === 'number' ? `[${step}]` : `.${step}`), '')
    .slice(1)

test('a rule that is reported never applies', () => {
  let reported = 0
  fc.assert(
    fc.property(scenario, calls, (source, all) => {
      fc.pre(findProblems(source).length === 0)
      const dead = findWarnings(source).filter(({ message }) => message.startsWith('never applies'))
      reported += dead.length
      const places = dead.map(placeOf)
      const mock = mockWith(source)
      for (const { sent: one, key, now, again } of all) {
        for (let attempt = 0; attempt < again; attempt++) {
          const { reason, notes } = mock.plan({ ...one, key, now })
          const did = places.filter(
            (place) =>
              reason.name === place ||
              reason.name.endsWith(`(${place})`) ||
              notes.some((note) => note.includes(`(${place}) found nothing`)),
          )
          expect(did).toEqual([])
        }
      }
    }),
    { numRuns: 500 },
  )
  expect(reported).toBeGreaterThan(50)
})

test('a condition on an unknown name never lets a rule apply', () => {
  let reported = 0
  fc.assert(
    fc.property(scenario, calls, (source, all) => {
      fc.pre(findProblems(source).length === 0)
      const unknown = findWarnings(source).filter(({ message }) => message.startsWith('never holds'))
      reported += unknown.length
      const mock = mockWith(source)
      for (const { sent: one, key, now } of all) {
        const { rules } = mock.context({ ...one, key, now })
        const { reason } = mock.plan({ ...one, key, now })
        for (const warning of unknown) {
          const place = placeOf(warning)
          if (reason.name !== place && !reason.name.endsWith(`(${place})`)) continue
          const [kind, index] = warning.path.slice(warning.path.indexOf('when') + 1)
          const wanted = [valueAt(source, warning.path)].flat() as string[]
          expect([kind, index, wanted.some((glob) => matchesGlob(glob, rules.facts[kind as 'key' | 'model']))]).toEqual(
            [kind, index, false],
          )
        }
      }
    }),
    { numRuns: 500 },
  )
  expect(reported).toBeGreaterThan(10)
})

const valueAt = (source: unknown, path: Problem['path']): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], source)

test('a rate that is reported as without effect has none: without it the same calls are refused', () => {
  const rate = fc
    .tuple(fc.integer({ min: 1, max: 90 }), some('second', 'minute', 'hour'))
    .map(([amount, window]) => `${amount} per ${window}`)
  const rates = fc.uniqueArray(rate, { minLength: 2, maxLength: 3, selector: (text) => text.split(' per ')[1] })
  const arrivals = fc.array(fc.record({ after: some(0, 10, 500, 5000), size: some(0, 40, 200), ends: fc.boolean() }), {
    minLength: 20,
    maxLength: 60,
  })
  let reported = 0
  fc.assert(
    fc.property(some('requests' as const, 'tokens' as const), rates, arrivals, (kind, all, calls) => {
      const idle = findWarnings({ description: 'Rates.', limits: { [kind]: all } })
        .filter(({ message }) => message.startsWith('makes no difference'))
        .map(({ path }) => path.at(-1))
      fc.pre(idle.length > 0)
      reported += idle.length
      const kept = all.filter((_, index) => !idle.includes(index))
      expect(refusals({ [kind]: kept }, calls)).toEqual(refusals({ [kind]: all }, calls))
    }),
    { numRuns: 150 },
  )
  expect(reported).toBeGreaterThan(0)
})

interface Arrival {
  readonly after: number
  readonly size: number
  readonly ends: boolean
}

/** Which of some calls are refused; some of them end at once, so that what they did not use is given back. */
function refusals(limits: NonNullable<ScenarioSource['limits']>, calls: readonly Arrival[]): boolean[] {
  const limited = new LimitedMock({ limits })
  return calls.map(({ after, size, ends }) => {
    limited.now += after
    const body = { model: 'echo-1', max_tokens: 20, messages: [{ role: 'user', content: 'x'.repeat(size) }] }
    const underway = limited.begin({ body })
    if (ends) underway.end()
    return underway.status === 429
  })
}

// The comparison of globs that it is built on

const anyGlob = fc.string({ unit: some('a', 'b', '*'), minLength: 1, maxLength: 5 })
const anyName = fc.string({ unit: some('a', 'b'), maxLength: 7 })

test('a glob that matches another as a text matches all that the other matches', () => {
  fc.assert(
    fc.property(anyGlob, anyGlob, anyName, (wide, narrow, one) => {
      fc.pre(matchesGlob(wide, narrow) && matchesGlob(narrow, one))
      expect(matchesGlob(wide, one)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('globs meet if a name matches both, and only then', () => {
  const names = Array.from({ length: 2 ** 9 - 1 }, (_, index) => (index + 1).toString(2).slice(1))
  const short = fc.string({ unit: some('0', '1', '*'), minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(short, short, (first, second) => {
      const isMet = names.some((one) => matchesGlob(first, one) && matchesGlob(second, one))
      expect(globsMeet(first, second)).toBe(isMet)
    }),
    { numRuns: 500 },
  )
})
