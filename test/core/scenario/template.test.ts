/** Placeholders in texts. */
import { expect, test } from 'vitest'
import { fill, findPlaceholderProblems } from '../../../src/core/scenario/compile/template.ts'

test('placeholders are replaced by values', () => {
  expect(fill('{{user}} to {{ model }}: {{user}}', { user: 'Ada', model: 'echo-1' })).toBe('Ada to echo-1: Ada')
})

test('an inserted value is not expanded again', () => {
  expect(fill('{{user}}', { user: '{{model}} $& $1', model: 'secret' })).toBe('{{model}} $& $1')
})

test('a placeholder without a value becomes empty, even if every object has its name', () => {
  expect(fill('[{{toolResult}}{{constructor}}]', { toolResult: undefined })).toBe('[]')
})

test('text in braces that is not a placeholder is unchanged', () => {
  expect(fill('{user} {{user name}} {{', { user: 'Ada' })).toBe('{user} {{user name}} {{')
})

test('an unknown placeholder is named once', () => {
  expect(findPlaceholderProblems('{{nope}} {{nope}}', [])).toHaveLength(1)
  expect(findPlaceholderProblems('{{day}} {{month}}', ['/(?<day>a)/', '/(?P<month>a)/'])).toEqual([])
})

test.each([
  ['{{user}', '{{user}'],
  ['Hello {{ user }!', '{{ user }'],
  ['{user}} said', '{user}}'],
  ['Dear {{user', '{{user'],
  ['{{city}, {{user}}', '{{city}'],
])('a brace that is missing in %s is reported', (template, written) => {
  expect(findPlaceholderProblems(template, ['/(?<city>x)/'])).toEqual([
    expect.stringMatching(/^expected \{\{\w+\}\}, got .*\. A brace is missing\.$/),
  ])
  expect(findPlaceholderProblems(template, ['/(?<city>x)/'])[0]).toContain(`got ${written}.`)
})

test.each(['{user}', '{{ user }}', '{"a": {"user": 1}}', '{{nobody} and {{', '{"turn": {{turn}}}'])(
  '%s lacks no brace',
  (template) => {
    expect(findPlaceholderProblems(template, [])).toEqual([])
  },
)

test.each(['{{user.name}}', '{{user name}}', '{{}}', '{{ }}', '{{user[0]}}', '{{usr}}'])(
  '%s is no placeholder',
  (template) => {
    const problems = findPlaceholderProblems(`${template} and ${template}`, [])
    expect(problems).toEqual([expect.stringContaining(`expected a placeholder that exists, got ${template}.`)])
  },
)

test('a placeholder in three braces is reported', () => {
  expect(findPlaceholderProblems('{{{user}}}', [])).toEqual([
    'expected two braces on each side, got {{{user}}}. Write {{user}}.',
  ])
})

test('code in double braces is plain text', () => {
  expect(findPlaceholderProblems("<p style={{ color: 'red' }}>", [])).toEqual([])
})
