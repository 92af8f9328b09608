import { expect, test } from 'vitest'
import { fill, placeholdersOf } from '../../../src/core/scenario/compile/template.ts'

test('placeholders are replaced by plain values', () => {
  expect(fill('{{user}} to {{ model }}: {{user}}', { user: 'Ada', model: 'echo-1' })).toBe('Ada to echo-1: Ada')
})

test('what is put in is never read again', () => {
  expect(fill('{{user}}', { user: '{{model}} $& $1', model: 'secret' })).toBe('{{model}} $& $1')
})

test('a placeholder without a value becomes empty, names of every object too', () => {
  expect(fill('[{{toolResult}}{{constructor}}]', { toolResult: undefined })).toBe('[]')
})

test('text in braces that is no placeholder stays', () => {
  expect(fill('{user} {{user name}} {{', { user: 'Ada' })).toBe('{user} {{user name}} {{')
})

test('an unknown placeholder is named once', () => {
  expect(placeholdersOf(['{{nope}} {{nope}}'], [])).toHaveLength(1)
  expect(placeholdersOf(['{{day}} {{month}}'], ['/(?<day>a)/', '/(?P<month>a)/'])).toEqual([])
})
