/** What a log says of two versions of a scenario. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changesBetween } from '../../../src/core/scenario/check/changes.ts'
import type { ScenarioSource } from '../../../src/core/scenario/scenario-source.ts'

const world = (part: Partial<ScenarioSource>): ScenarioSource => ({ description: 'A world.', ...part })
const changes = (before: Partial<ScenarioSource>, after: Partial<ScenarioSource>): string =>
  changesBetween(world(before), world(after)).join(', ')

const [a, b] = ['a', 'b'].map((say) => ({ say })) as [object, object]
const rules = (...replies: object[]) => ({ replies }) as Partial<ScenarioSource>

test.each<[string, Partial<ScenarioSource>, Partial<ScenarioSource>]>([
  ['', { seed: 7, replies: [] }, { seed: 7, replies: [] }],
  ['seed 7 -> 8', { seed: 7 }, { seed: 8 }],
  ['seed added', {}, { seed: 'seven' }],
  ['validation removed', { validation: 'strict' }, {}],
  ['description changed', {}, { description: `A world${' and another'.repeat(9)}.` }],
  ['replies 1 -> 2', rules(a), rules(a, b)],
  ['replies added', {}, rules(a)],
  ['replies changed', rules(a, b), rules(b, a)],
  ['keys 2 -> 3', { keys: { x: {}, y: {} } }, { keys: { x: {}, y: {}, z: {} } }],
  ['limits changed', { limits: { requests: '3 per minute' } }, { limits: { requests: '5 per minute' } }],
  ['pace changed, seed added', { pace: { firstToken: '1s' } }, { pace: { firstToken: '2s' }, seed: 7 }],
])('%j', (text, before, after) => {
  expect(changes(before, after)).toBe(text)
})

test('there is a description of changes exactly if something differs, in one line and without a key', () => {
  const text = fc.constantFrom('sk-secret', 'x\n\u001b[2J', 'y')
  const part = fc.record(
    {
      seed: fc.oneof(fc.nat(3), text),
      keys: fc.dictionary(text, fc.constant({}), { maxKeys: 2 }),
      models: fc.dictionary(fc.constantFrom('m\n', 'n'), fc.record({ snapshot: text }), { maxKeys: 2 }),
      replies: fc.array(fc.record({ say: text }), { maxLength: 3 }),
      limits: fc.record({ concurrent: fc.nat(2) }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(part, part, (before, after) => {
      const lines = changesBetween(world(before), world(after))
      expect(lines.length > 0).toBe(changesBetween(world(after), world(before)).length > 0)
      expect(lines.every((line) => line !== '' && !/\p{Cc}/u.test(line))).toBe(true)
      const isSame = (Object.keys({ ...before, ...after }) as (keyof typeof before)[]).every(
        (name) => JSON.stringify(before[name]) === JSON.stringify(after[name]),
      )
      // What is left out and what is empty is no difference either.
      if (isSame) expect(lines).toEqual([])
      else expect(lines.length).toBeGreaterThan(0)
      if (before.seed === after.seed) expect(lines.join()).not.toContain('sk-secret')
    }),
  )
})
