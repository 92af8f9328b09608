/** The JSON of a value in parts is what JSON.stringify writes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countJsonUtf8 } from '../../../../src/core/lib/text/bytes.ts'
import { jsonParts } from '../../../../src/core/lib/text/long/json-parts.ts'

const repeated = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value)
const MIXED = { a: ['😀\ud800"\\\n', 1.5, -0, null, true], 'né"': {}, b: [], __proto__: 1 }

describe.each([
  ['a small value', MIXED],
  ['a text', 'é"\n'],
  ['a long text', '😀\ud83d"'.repeat(60_000)],
  ['halves of surrogates', '\ud800'.repeat(200_001)],
  ['many small values', repeated(30_000, MIXED)],
  ['a long name', { ['n\u0001'.repeat(80_000)]: [1] }],
  ['many names', Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`name ${index}`, [index]]))],
  ['many small numbers', { list: repeated(300_000, 1.25) }],
  ['a deep value', repeated(3000, 0).reduce<unknown>((inner) => ({ inner, more: [inner === 0] }), 0)],
])('%s', (_, value) => {
  test('the parts joined are its JSON', () => {
    expect([...jsonParts(value)].join('') === JSON.stringify(value)).toBe(true)
  })

  test('no part is long', () => {
    const longest = Math.max(...[...jsonParts(value)].map(({ length }) => length))
    expect(longest).toBeLessThan(6 * 50_000 + 20_000)
  })
})

test('a value that is nested too deeply is refused, as JSON.stringify does', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  expect(() => [...jsonParts(deep)]).toThrow(RangeError)
})

test('the size of the JSON of a text is counted without writing it', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(0xffff), fc.nat(0x7f), fc.integer({ min: 0xd7f0, max: 0xe010 }))), (units) => {
      const text = String.fromCharCode(...units)
      expect(countJsonUtf8(text)).toBe(Buffer.byteLength(JSON.stringify(text)) - 2)
    }),
    { numRuns: 2000 },
  )
})
