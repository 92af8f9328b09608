/** Embedding vectors: fixed bytes, unit length, any text, any number of dimensions. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeBase64, formatVector } from '../../../../src/core/lib/embeddings/float32.ts'
import { embed, shortenVector } from '../../../../src/core/lib/embeddings/vector.ts'
import { hash32 } from '../../../../src/core/lib/random/hash.ts'
import { cosine, length } from './measures.ts'

const OPTIONS = { seed: '7', model: 'text-embedding-3-small', dimensions: 1536 }
const anyCodeUnits = fc.array(fc.nat(0xffff)).map((codeUnits) => String.fromCharCode(...codeUnits))
const anyText = fc.oneof(fc.string(), fc.lorem(), fc.string({ unit: 'grapheme' }), anyCodeUnits)

// A change here is a change of seeded output, so a breaking one.
test.each([
  ['The quick brown fox jumps over the lazy dog.', '[0.037249763,-0.013601459,-0.0018850589,-0.011319334]', 429791575],
  ["It's 3.5%, isn't it? CAFÉS e.g. 1,000", '[0.03150079,-0.0123416195,-0.009807276,0.0006091797]', 1053067065],
  ['今天天气很好，我们去公园散步。', '[-0.009509171,0.030500792,-0.044570554,0.03365181]', 785155346],
  ['猫がソファの上で寝ています。', '[-0.020027608,-0.035996348,0.038638122,0.007907713]', 1360187427],
  ['비밀번호를 재설정하고 싶어요.', '[0.027006159,0.013584473,-0.0072717974,-0.017979158]', 1801021225],
  ['ฉันชอบกินข้าวผัดกุ้ง', '[-0.0015423143,0.020816665,-0.014019217,0.003973289]', 3987771212],
  ['🎉👍🏽🇩🇪', '[0.027080653,-0.052514456,-0.0045413873,0.018912688]', 1888086502],
  ['', '[0.011791838,0.029606052,-0.0045374855,-0.019996846]', 3354380013],
  ['\ud800', '[0.011791838,0.029606052,-0.0045374855,-0.019996846]', 3354380013],
])('the bytes of %j never change', (text, firstFour, hashOfAll) => {
  const vector = embed(text, OPTIONS)
  expect(formatVector(vector.subarray(0, 4))).toBe(firstFour)
  expect(hash32(encodeBase64(vector), 0)).toBe(hashOfAll)
})

test('the same text has the same vector; another text, seed or model has another one', () => {
  const vector = embed('hello', OPTIONS)
  expect(embed('hello', OPTIONS)).toEqual(vector)
  expect(embed('goodbye', OPTIONS)).not.toEqual(vector)
  expect(embed('hello', { ...OPTIONS, seed: '8' })).not.toEqual(vector)
  expect(embed('hello', { ...OPTIONS, model: 'text-embedding-3-large' })).not.toEqual(vector)
})

test('a vector has unit length in any number of dimensions', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 5000 }), (text, dimensions) => {
      const vector = embed(text, { ...OPTIONS, dimensions })
      expect(vector).toHaveLength(dimensions)
      expect(Math.abs(length(vector) - 1)).toBeLessThan(1e-7)
    }),
  )
})

test('coordinates look drawn from a bell curve: none is zero, few are equal', () => {
  for (const text of ['a', 'The quick brown fox', '', '今天天气很好']) {
    const vector = embed(text, OPTIONS)
    expect(vector).not.toContain(0)
    expect(new Set(vector).size).toBeGreaterThan(1450)
    expect(Math.max(...vector.map(Math.abs))).toBeLessThan(0.2)
    const inner = vector.filter((coordinate) => Math.abs(coordinate) < 1 / Math.sqrt(1536)).length / 1536
    expect(inner).toBeGreaterThan(0.6)
    expect(inner).toBeLessThan(0.76)
  }
})

test('another seed or model is an unrelated vector space', () => {
  for (const text of ['hello', 'How do I reset my password?', '今天天气很好', '']) {
    const vector = embed(text, OPTIONS)
    expect(Math.abs(cosine(vector, embed(text, { ...OPTIONS, seed: '8' })))).toBeLessThan(0.12)
    expect(Math.abs(cosine(vector, embed(text, { ...OPTIONS, model: 'other' })))).toBeLessThan(0.12)
  }
})

test('fewer dimensions are a prefix, made unit length again', () => {
  const full = embed('How do I reset my password?', { ...OPTIONS, dimensions: 3072 })
  for (const dimensions of [1, 2, 256, 1536, 2048, 2049]) {
    const short = shortenVector(full, dimensions)
    expect(Math.abs(length(short) - 1)).toBeLessThan(1e-7)
    expect(short[0]! / short.at(-1)!).toBeCloseTo(full[0]! / full[dimensions - 1]!, 4)
    const direct = embed('How do I reset my password?', { ...OPTIONS, dimensions })
    for (let i = 0; i < dimensions; i++) expect(short[i]).toBeCloseTo(direct[i]!, 6)
  }
})

test('all dimensions are a copy, byte for byte', () => {
  const vector = embed('hello', OPTIONS)
  expect(shortenVector(vector, 1536)).toEqual(vector)
  expect(shortenVector(vector, 1536)).not.toBe(vector)
})

test('a prefix of zeros becomes the first axis', () => {
  expect(shortenVector(Float32Array.of(0, -0, 1), 2)).toEqual(Float32Array.of(1, 0))
})

test('a prefix of tiny numbers still has unit length', () => {
  expect(shortenVector(Float32Array.of(1e-45, 0, 1), 2)).toEqual(Float32Array.of(1, 0))
})

test('long texts and hostile ones are embedded like any other', () => {
  const hostile = [
    'a'.repeat(200_000),
    `e${'\u0301\u0323'.repeat(100_000)}`,
    '\ufdfa'.repeat(50_000),
    "a'".repeat(100_000),
  ]
  for (const text of [...hostile, '1.'.repeat(100_000), '\ud800'.repeat(100_000), ' '.repeat(100_000)]) {
    expect(Math.abs(length(embed(text, OPTIONS)) - 1)).toBeLessThan(1e-7)
  }
})
