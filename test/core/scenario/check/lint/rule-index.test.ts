import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coversCase, findCases } from '../../../../../src/core/scenario/check/lint/cases.ts'
import { findWarnings } from '../../../../../src/core/scenario/check/lint/find-warnings.ts'
import { RuleIndex, RuleNeeds } from '../../../../../src/core/scenario/check/lint/rule-index.ts'
import { type LintRule, readRules } from '../../../../../src/core/scenario/check/lint/rules.ts'
import type { ScenarioSource } from '../../../../../src/core/scenario/scenario-source.ts'

const NAMES = { keys: undefined, models: undefined, states: [] }
const some = <Value>(...values: Value[]) => fc.constantFrom(...values)
const oneOrMany = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 2 }))
const name = some('a', 'b', 'a*', '*', 'ab', '*b')
const text = some('hi', 'hit', 'HITS', 'white', '/hits/', '/^White$/', '/hit/i', '/.*/', 'a hit', '/a|b/', 'İİİ', 'i̇i̇i̇')
const when = fc.record(
  {
    endpoint: some('chat', 'embeddings'),
    key: oneOrMany(name),
    model: oneOrMany(name),
    turn: oneOrMany(some(1, 2)),
    stream: fc.boolean(),
    tool: oneOrMany(name),
    request: some<unknown>('text', { model: 'a' }, { model: '[redacted]' }),
    user: oneOrMany(text),
    earlierUser: oneOrMany(text),
    system: oneOrMany(text),
  },
  { requiredKeys: [] },
)
/** Rules with at most two conditions, which often cover each other. */
const fewConditions = fc
  .tuple(when, fc.array(fc.nat(9), { maxLength: 2 }))
  .map(([all, kept]) => Object.fromEntries(Object.entries(all).filter((_, index) => kept.includes(index))))
const reply = fc.record({ when: fewConditions, say: fc.constant('said') })
const faultRule = fc.record({ when: fewConditions, fault: some('server-error', 'cut', 'refusal') })
const call = fc.record({ when: fewConditions, call: some({ name: 'a' }, { name: 'ab' }) })

function indexOf(rules: readonly LintRule[]): RuleIndex {
  const index = new RuleIndex(new RuleNeeds(rules))
  for (const rule of rules) index.add(rule)
  return index
}

test('the candidates are in order, and include every rule that takes all calls of a later one', () => {
  let found = 0
  fc.assert(
    fc.property(fc.array(fc.oneof(reply, faultRule, call), { maxLength: 12 }), faultRule, (replies, fault) => {
      const rules = readRules({ replies, faults: [fault] } as ScenarioSource)
      const index = indexOf(rules.replies)
      for (const later of [...rules.replies, ...rules.faults]) {
        const cases = findCases(later, NAMES)
        // Without a case, the rule is reported before it is compared.
        if (cases.every(({ known }) => Object.values(known).some((alternatives) => alternatives.length === 0))) continue
        const takes = (earlier: LintRule): boolean => cases.every((one) => coversCase(earlier, one, later))
        const expected = rules.replies.filter(takes)
        expect([...index.findCandidates(later, cases)].filter(takes)).toEqual(expected)
        found += expected.length
      }
    }),
    { numRuns: 1000 },
  )
  expect(found).toBeGreaterThan(1000)
})

const repliesAbout = (texts: readonly string[]): ScenarioSource =>
  ({ replies: texts.map((user) => ({ when: { user }, say: 'said' })) }) as unknown as ScenarioSource

test('of 3,000 rules with texts of their own, each is compared with few others', () => {
  const rules = readRules(
    repliesAbout(Array.from({ length: 3000 }, (_, index) => `the order ${index + 10_000}`)),
  ).replies
  const index = indexOf(rules)
  const candidates = rules.map((rule) => [...index.findCandidates(rule, findCases(rule, NAMES))].length)
  expect(Math.max(...candidates)).toBeLessThan(200)
  expect(candidates.reduce((sum, count) => sum + count)).toBeLessThan(150_000)
})

test('the last of 3,000 rules is checked too', () => {
  const texts = Array.from({ length: 3000 }, (_, index) => `the order ${index + 10_000}`)
  const warnings = findWarnings(repliesAbout([...texts, 'please cancel the order 12345']))
  expect(warnings).toEqual([
    {
      path: ['replies', 3000],
      message:
        'never applies: replies[2345] comes first and matches every call that this rule matches. Move this rule up, or remove it.',
    },
  ])
})

test('a rule with a long text is compared with every earlier one', () => {
  const warnings = findWarnings(repliesAbout(['needle', `${'hay'.repeat(3000)} needle`]))
  expect(warnings.map(({ path }) => path)).toEqual([['replies', 1]])
})
