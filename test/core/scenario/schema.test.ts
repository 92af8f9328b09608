/** The grammar of scenarios, as a schema and as types. */
import { expect, expectTypeOf, test } from 'vitest'
import { faults } from '../../../src/core/protocol/faults/fault-catalogue.ts'
import { optionForm } from '../../../src/core/protocol/faults/read-fault.ts'
import { prepareSource } from '../../../src/core/scenario/check/prepare-source.ts'
import { OPTION_NAMES } from '../../../src/core/scenario/compile/fault-settings.ts'
import { scenarioSchema } from '../../../src/core/scenario/grammar/scenario-schema.ts'
import type { ScenarioSource } from '../../../src/core/scenario/scenario-source.ts'
import type { ScenarioInput } from '../../../src/generated/scenario-input.ts'

const accepts = (source: unknown) => scenarioSchema.safeParse(source).success
const world = (settings: object) => ({ description: 'x', ...settings })

test('a scenario needs nothing, not even a description', () => {
  expect(accepts({})).toBe(true)
  expect(accepts({ description: '' })).toBe(false)
})

test('every option of the catalogue is a field next to a fault, except status, which is the fault itself', () => {
  const names = new Set(faults.flatMap(({ options }) => Object.keys(options)).filter((name) => name !== 'status'))
  expect([...names].sort(), 'write a new option into OPTION_NAMES').toEqual([...OPTION_NAMES].sort())
})

test('an option that several faults have is written in the same way for all of them', () => {
  for (const name of OPTION_NAMES) {
    const forms = faults.flatMap(({ options }) => (name in options ? [optionForm(options[name]!)] : []))
    expect(new Set(forms).size, name).toBe(1)
  }
})

test('the type has every field by its name', () => {
  expectTypeOf<keyof ScenarioSource>().toEqualTypeOf<
    | '$schema'
    | 'description'
    | 'seed'
    | 'validation'
    | 'keys'
    | 'models'
    | 'replies'
    | 'ignore'
    | 'unmatched'
    | 'limits'
    | 'budget'
    | 'cache'
    | 'pace'
    | 'faults'
    | 'states'
    | 'expect'
  >()
  type Reply = NonNullable<ScenarioSource['replies']>[number]
  expectTypeOf<keyof Reply>().toEqualTypeOf<
    | 'when'
    | 'say'
    | 'call'
    | 'reply'
    | 'refuse'
    | 'finish'
    | 'items'
    | 'pace'
    | 'delay'
    | 'answer'
    | 'fault'
    | (typeof OPTION_NAMES)[number]
  >()
})

test('a scenario in code is checked by its type: a misspelt name does not compile', () => {
  const typed = (_: ScenarioInput): void => undefined
  typed({ description: 'x', replies: [{ say: 'hi' }] })
  typed({ description: 'x', replies: [{ when: { user: [/a/i, 'b'], turn: 1 }, say: ['one', 'two'] }] } as const)
  typed({ description: 'x', replies: [{ call: { name: 'f', arguments: { city: 'Rome' } } }, { say: { a: [1] } }] })
  typed({
    description: 'x',
    keys: { 'sk-*': { fault: 429, retryAfter: '2s' } },
    faults: [{ fault: 'cut', after: 3, end: 'fin' }],
  })
  // @ts-expect-error misspelt
  typed({ description: 'x', replies: [{ sya: 'hi' }] })
  // @ts-expect-error misspelt
  typed({ description: 'x', reply: [] })
  // @ts-expect-error a fault that does not exist
  typed({ faults: [{ fault: 'server-eror' }] })
  // @ts-expect-error a rate in another spelling
  typed({ limits: { requests: '3 / minute' } })
  // @ts-expect-error a duration without a unit
  typed({ pace: { firstToken: '300' } })
  // @ts-expect-error a chance without a percent sign
  typed({ faults: [{ fault: 500, chance: '5' }] })
  // @ts-expect-error the name of another tool
  typed({ replies: [{ when: { prompt: 'hi' }, say: 'Hello' }] })
  typed({ pace: { firstToken: '1h30m10s' } })
  typed({ limits: { requests: ['3 per second', '60 per minute'] }, states: { up: { lasts: '20 calls', next: 'up' } } })
  expectTypeOf<keyof ScenarioInput>().toEqualTypeOf<keyof ScenarioSource>()
  // @ts-expect-error only user, system and toolResult take a RegExp
  typed({ description: 'x', replies: [{ when: { model: /gpt/ }, say: 'hi' }] })
  expectTypeOf(prepareSource).returns.toEqualTypeOf<ScenarioSource>()
})

test.each(['300ms', '2s', '1m30s', '0.5s', '0ms', '1d'])('%s is a duration', (firstToken) => {
  expect(accepts(world({ pace: { firstToken } }))).toBe(true)
})

test.each(['300', '2 s', '-1s', '2d', '25h', '', 2, null])('%s is no duration', (firstToken) => {
  expect(accepts(world({ pace: { firstToken } }))).toBe(false)
})

test.each(['60 per minute', '1 per second', '90000 per hour', '5 per day'])('%s is a rate', (requests) => {
  expect(accepts(world({ limits: { requests } }))).toBe(true)
})

test('a limit takes one rate or several, and concurrent takes a number', () => {
  const limits = { requests: ['3 per second', '60 per minute'], tokens: '9 per day', concurrent: 5 }
  expect(accepts(world({ limits, keys: { a: { limits } }, models: { b: { limits } } }))).toBe(true)
})

test.each(['0 per minute', '60', '60 per week', '60 per  minute', '1.5 per minute', '-1 per minute', 60])(
  '%s is no rate',
  (requests) => {
    expect(accepts(world({ limits: { requests } }))).toBe(false)
  },
)

test.each(['5%', '0.5%', '100%', '0%', 0, 0.25, 1])('%s is a chance', (chance) => {
  expect(accepts(world({ faults: [{ fault: 'cut', chance }] }))).toBe(true)
})

test.each(['5', '101%', '-1%', 1.1, -0.1])('%s is no chance', (chance) => {
  expect(accepts(world({ faults: [{ fault: 'cut', chance }] }))).toBe(false)
})

test.each(faults.map(({ name }) => name))('the fault %s is valid as a rule, with a key and as a reply', (fault) => {
  expect(accepts(world({ faults: [{ fault }], keys: { k: { fault } }, replies: [{ fault }] }))).toBe(true)
})
