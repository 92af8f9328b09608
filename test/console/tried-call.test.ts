/** The answer to a tried call, as far as it has arrived. */
import { expect, test } from 'vitest'
import { readShown } from '../../src/console/try/tried-call.ts'

test.each([
  [{ status: 200, body: '{"choices":[{"message":{"content":"Hi!"}}]}' }, 'Hi!'],
  [{ status: 200, body: 'data: {"choices":[{"delta":{"content":"H"}}]}\n\ndata: {"choi' }, 'H'],
  [{ status: 200, body: 'data: {"ch' }, ''],
  [{ status: 429, body: '{"error":{"message":"Slow down."}}' }, 'Slow down.'],
  [{ status: 502, body: '<html>' }, '<html>'],
  [{ status: 500, body: '{"error":null}' }, '{"error":null}'],
])('%j is shown as %j', (answer, text) => {
  expect(readShown(answer)).toBe(text)
})
