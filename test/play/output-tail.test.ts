/** Which lines of an output are kept and shown. */
import { expect, test } from 'vitest'
import { OutputTail } from '../../src/play/output-tail.ts'

const line = (number: number): string => `line ${number}`
const linesOf = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => line(from + index))

function tailOf(lines: readonly string[]): OutputTail {
  const tail = new OutputTail()
  tail.add(Buffer.from(lines.join('\n')))
  return tail
}

test.each([
  'AssertionError: expected 1 to be 2',
  'TypeError [ERR_INVALID_URL]: Invalid URL',
  ' FAIL  app.test.js > the app answers',
  '--- FAIL: TestApp (0.01s)',
  'not ok 1 - the app answers',
  'Traceback (most recent call last):',
])('the excerpt begins with the first error: %s', (error) => {
  const { excerpt } = tailOf([...linesOf(1, 9), error, ...linesOf(10, 40), 'Error: too late'])
  expect(excerpt).toEqual([error, ...linesOf(10, 23)])
})

test('without an error, the excerpt is the last 15 lines', () => {
  expect(tailOf(linesOf(1, 40)).excerpt).toEqual(linesOf(26, 40))
})

test('an error among the last 15 lines keeps the lines before it', () => {
  const { excerpt } = tailOf([...linesOf(1, 20), 'Error: no answer', 'at app.js:1'])
  expect(excerpt).toEqual([...linesOf(8, 20), 'Error: no answer', 'at app.js:1'])
})

test('a short output is shown whole', () => {
  expect(tailOf(['Error: no answer', 'bye']).excerpt).toEqual(['Error: no answer', 'bye'])
  expect(new OutputTail().excerpt).toEqual([])
})

test('outputs that differ in times only have the same digests', () => {
  const shownIn = (text: string): readonly string[] => tailOf([text]).shown
  const [strict, loose] = shownIn('3 passed in 1.25s at 10:02:33')
  expect(shownIn('3 passed in 98ms at 9:00:01')).toEqual([strict, loose])
  expect(shownIn('4 passed in 98 ms at 9:00')).toEqual([expect.not.stringMatching(strict!), loose])
  expect(shownIn('3 failed in 1.25s at 10:02:33')[1]).not.toBe(loose)
})
