/** Patterns in texts: their notation, groups and bounds. */
import { expect, test } from 'vitest'
import { compilePattern } from '../../../src/core/scenario/compile/pattern.ts'
import { patternParts } from '../../../src/core/scenario/compile/pattern-text.ts'

const catches = (pattern: RegExp, text: string) => compilePattern(pattern.source, pattern.flags)(text)

test('text between slashes is a pattern, with its flags after it; everything else is plain text', () => {
  expect(patternParts('/a.b/i')).toEqual({ source: 'a.b', flags: 'i' })
  expect(patternParts('/a/b/')).toEqual({ source: 'a/b', flags: '' })
  expect(patternParts('//')).toBeUndefined()
  expect(patternParts('a/b')).toBeUndefined()
  expect(patternParts('/start')).toBeUndefined()
})

test.each<[RegExp, string]>([
  [/oslo/i, 'in OSLO'],
  [/^b$/m, 'a\nb'],
  [/a.b/s, 'a\nb'],
  [/\u00e9\x41/, 'éA'],
  [/\u{1f600}/u, '😀'],
  [/\p{Lu}\d+/u, 'Ä12'],
  [/a\/b/, 'a/b'],
])('%s matches as in JavaScript', (pattern, text) => {
  expect(catches(pattern, text)).toBeDefined()
  expect(catches(pattern, 'nothing of it')).toBeUndefined()
})

test('any character is escaped as in JavaScript', () => {
  expect(compilePattern('^[^]$', '')('\n')).toBeDefined()
})

test('named groups are captured by name', () => {
  expect(catches(/(?<day>\d+)\.(?<month>\d+)/, 'on 24.12')).toEqual({ day: '24', month: '12' })
})

test('a pattern that would hang a backtracking engine is matched', () => {
  expect(catches(/(a+)+$/, `${'a'.repeat(50_000)}!`)).toBeUndefined()
  expect(catches(/^(([a-z])+.)+[A-Z]([a-z])+$/, 'a'.repeat(50_000))).toBeUndefined()
})

test('a pattern that RE2 does not support is refused with the reason', () => {
  expect(() => compilePattern('(?!a)', '')).toThrow(/look-around \(\?!/)
  expect(() => compilePattern('a\\k<b>', '')).toThrow(/back-reference \\k/)
  expect(() => compilePattern('a\\\\k', '')).not.toThrow()
})

test('a pattern is matched against the first 100,000 characters of a text', () => {
  const match = compilePattern('b', '')
  expect(match(`${'a'.repeat(99_999)}b`)).toEqual({})
  expect(match(`${'a'.repeat(100_000)}b`)).toBeUndefined()
})
