/** The places of problems in the text of a scenario. */
import { expect, test } from 'vitest'
import { findOffset, findRange } from '../../src/console/scenario/problem-lines.ts'

const text = 'description: Mine.\nsead: 7\nreplies:\n  - sya: Hello, you # x\n    "a b": [1]\n'

test.each([
  [2, 1, 'sead'],
  [4, 5, 'sya'],
  [1, 14, 'Mine.'],
  [5, 5, '"a b"'],
  [5, 12, '['],
  [5, 13, '1'],
])('the problem at line %i, column %i is marked at %j', (line, column, marked) => {
  expect(text.slice(findOffset(text, line, column)).startsWith(marked)).toBe(true)
  const { from, to } = findRange(text, { line, column, message: '' })
  expect(text.slice(from, to)).toBe(marked)
})

test('a position beyond the end of a line or text is moved to the end, and the line is marked', () => {
  expect(text.slice(findOffset(text, 1, 99))).toMatch(/^\nsead/)
  expect(findOffset(text, 99, 1)).toBe(text.length)
  const { from, to } = findRange(text, { line: 2, column: 99, message: '' })
  expect(text.slice(from, to)).toBe('sead: 7')
  expect(findRange('', { line: 1, column: 1, message: '' })).toEqual({ from: 0, to: 0 })
})
