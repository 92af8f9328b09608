/** Replay tokens: what is written is read again, and a shell takes them as they are. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readToken, writeToken } from '../../src/hunt/fault-token.ts'
import type { KnownCall } from '../../src/hunt/search/known-calls.ts'

/** What decides the fault of a class. */
const CALL = { content: 'text', isStream: true } as KnownCall

test('a token is one short word', () => {
  const faults = [{ call: 'k3f9x0a1b2c', attempt: 'every', fault: 'early-end' }] as const
  const token = writeToken(faults, new Map([['k3f9x0a1b2c', CALL]]), { scenario: ['./flaky.yaml'] })
  expect(token).toBe('k3f9x0a1b2c:every:cut:after=2:end=clean,scenario=./flaky.yaml')
  expect(readToken(token)).toEqual({
    faults: [{ call: 'k3f9x0a1b2c', attempt: 'every', fault: 'cut; after=2; end=clean' }],
    settings: { scenario: ['./flaky.yaml'] },
  })
})

test('any call, options and settings are read as they were written, and mean nothing to a shell', () => {
  const text = fc.string({ minLength: 1, unit: fc.constantFrom(...'aZ0-._:,=;*$!?"\'()~& /\\é') })
  fc.assert(
    fc.property(text, fc.constantFrom(1, 12, 'every' as const), text, (call, attempt, value) => {
      const faults = [{ call, attempt, fault: 'error; status=418' }]
      const token = writeToken(faults, new Map([[call, CALL]]), { ignore: [value, 'b'] })
      expect(token).toMatch(/^[\w.\-:,=%/]+$/)
      expect(readToken(token)).toEqual({ faults, settings: { ignore: [value, 'b'] } })
    }),
    { seed: 15 },
  )
})

test('two faults on the same attempt are refused', () => {
  expect(() => readToken('a:1:cut,a:1:hang')).toThrow(
    '--replay: expected one fault for each attempt of a call, got two.',
  )
})

test.each(['', 'abc', 'a:0:cut', 'a:first:cut', 'a:1:', 'seed=7', 'a:1:cut,x'])('%j is refused', (token) => {
  expect(() => readToken(token)).toThrow('--replay: expected a token that a hunt printed')
})
