/** A rule from a call, added to the text of a scenario. */
import { expect, test } from 'vitest'
import { addRule } from '../../src/console/scenario/rule-text.ts'
import { parseScenario } from '../../src/core/scenario/yaml/parse-scenario.ts'

const RULE = 'replies:\n  - when:\n      user: hi\n    say: Hello!\n'

test.each([
  ['description: Mine.\n', [], 3],
  ['description: Mine.\nreplies: []\n', [], 3],
  ['description: Mine.\nreplies: # rules\n  - say: One\n  - say: Two\n', ['One', 'Two'], 3],
  ['description: Mine.\nreplies:\n\n# first\n- say: One\nseed: 3', ['One'], 3],
  ['description: Mine.\nreplies:\n    - say: One\nfaults:\n- fault: cut\n', ['One'], 3],
])('in %j the rule comes first, and the others stay', (text, others, line) => {
  const added = addRule(text, RULE)
  const { replies = [] } = parseScenario(added.text, 'test')
  expect(replies.map((rule) => ('say' in rule ? rule.say : ''))).toEqual(['Hello!', ...others])
  expect(added.line).toBe(line)
  expect(added.text.split('\n')[line - 1]).toMatch(/^ *- when:$/)
})

test('an empty text gets the rule alone', () => {
  expect(addRule('', RULE)).toEqual({ text: RULE, line: 2 })
})

test('rules on the line of their key are left alone', () => {
  expect(() => addRule('replies: [{ say: One }]\n', RULE)).toThrow(/^Expected `replies` as a list/)
  expect(() => addRule('replies: *shared\n', RULE)).toThrow(/^Expected `replies` as a list/)
})
