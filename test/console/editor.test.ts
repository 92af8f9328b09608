/** The places of problems in the text of a scenario. */
import { Text } from '@codemirror/state'
import { expect, test } from 'vitest'
import { findRange } from '../../src/console/scenario/editor.ts'

const text = 'description: Mine.\nsead: 7\nreplies:\n  - sya: Hello, you # x\n    "a b": [1]\n'

function markedIn(written: string, line: number, column: number): string {
  const { from, to } = findRange(Text.of(written.split('\n')), { line, column, message: '' })
  return written.slice(from, to)
}

test.each([
  [2, 1, 'sead'],
  [4, 5, 'sya'],
  [1, 14, 'Mine.'],
  [5, 5, '"a b"'],
  [5, 12, '['],
  [5, 13, '1'],
])('the problem at line %i, column %i is marked at %j', (line, column, marked) => {
  expect(markedIn(text, line, column)).toBe(marked)
})

test('at a position beyond the end of a line the line is marked, beyond the end of the text nothing', () => {
  expect(markedIn(text, 2, 99)).toBe('sead: 7')
  expect(markedIn(text, 99, 1)).toBe('')
  expect(markedIn('', 1, 1)).toBe('')
})
