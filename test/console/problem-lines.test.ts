/** The problems of a scenario that was refused, with their places. */
import { expect, test } from 'vitest'
import { findOffset, readProblems } from '../../src/console/scenario/problem-lines.ts'
import { parseScenario } from '../../src/core/scenario/yaml/parse-scenario.ts'

const text = 'description: Mine.\nsead: 7\nreplies:\n  - sya: Hello\n'

function problemsOf(scenario: string) {
  try {
    parseScenario(scenario, 'body')
    return []
  } catch (error) {
    return readProblems((error as Error).message)
  }
}

test('every problem is read with its line and column', () => {
  expect(problemsOf(text).map(({ line, column }) => [line, column])).toEqual([
    [2, 1],
    [4, 5],
  ])
  expect(problemsOf(text)[0]!.message).toMatch(/^sead: unknown field 'sead'\. Did you mean 'seed'\?$/)
})

test('a problem of the whole text has a position too', () => {
  expect(problemsOf('')).toMatchObject([{ line: 1, column: 1 }])
})

test('a message of another kind has no position', () => {
  expect(readProblems("There is no scenario 'x'.")).toEqual([])
})

test.each([
  [2, 1, 'sead'],
  [4, 5, 'sya'],
  [1, 14, 'Mine.'],
])('line %i, column %i is the position of %s', (line, column, word) => {
  expect(text.slice(findOffset(text, line, column))).toMatch(new RegExp(`^${word}`))
})

test('a position beyond the end of a line or text is moved to the end', () => {
  expect(text.slice(findOffset(text, 1, 99))).toMatch(/^\nsead/)
  expect(findOffset(text, 99, 1)).toBe(text.length)
})
