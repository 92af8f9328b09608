/** Texts in parts: their JSON is that of the whole text, wherever it is cut. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteLengthOf, joinParts, jsonOfText, type Part } from '../../../../src/core/protocol/plan/text-parts.ts'

const textOf = (part: Part): string => (typeof part === 'string' ? part : [...part].join(''))
const jsonOf = (text: string): string => JSON.stringify(text).slice(1, -1)
/** The characters of one part. */
const LENGTH = 16_384

test('a long text is cut into parts, and a short one is not', () => {
  expect(typeof jsonOfText('a'.repeat(LENGTH))).toBe('string')
  expect([...jsonOfText('a'.repeat(2 * LENGTH + 1))].map(({ length }) => length)).toEqual([LENGTH, LENGTH, 1])
})

test.each([LENGTH - 2, LENGTH - 1, LENGTH])('a pair of surrogates after %d characters stays together', (before) => {
  const text = `${'a'.repeat(before)}😀${'b'.repeat(LENGTH)}`
  expect(textOf(jsonOfText(text))).toBe(jsonOf(text))
})

test('half of a pair at the end of a long text is escaped', () => {
  const text = `${'a'.repeat(2 * LENGTH - 1)}\ud83d`
  expect(textOf(jsonOfText(text))).toBe(jsonOf(text))
})

test('short texts are joined at once, and long ones are parts that can be read again', () => {
  expect(joinParts(['"', jsonOfText('é'), '"'])).toBe('"é"')
  const long = jsonOfText('é'.repeat(4 * LENGTH))
  const joined = joinParts(['"', long, '"'])
  const parts = ['"', ...long, '"']
  expect([[...joined], [...joined]]).toEqual([parts, parts])
  expect(byteLengthOf(joined)).toBe(8 * LENGTH + 2)
})

test('the parts are the JSON of the text, and as long as they say', () => {
  const unit = fc.constantFrom('a', '"', '\n', 'é', '漢', '😀', '\ud83d', '\ude00')
  const start = fc.integer({ min: LENGTH - 5, max: LENGTH + 5 })
  fc.assert(
    fc.property(start, fc.array(unit, { minLength: 1, maxLength: 20 }), (length, units) => {
      const text = 'x'.repeat(length) + units.join('')
      const part = jsonOfText(text)
      expect(textOf(part)).toBe(jsonOf(text))
      expect(byteLengthOf(part)).toBe(Buffer.byteLength(jsonOf(text)))
    }),
  )
})
