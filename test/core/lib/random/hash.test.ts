/** The 32-bit hashes: fixed, seeded, well spread. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { absorb, hash32, mix32 } from '../../../../src/core/lib/random/hash.ts'

test('a hash is an unsigned 32-bit number', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff)), fc.integer(), (codeUnits, seed) => {
      const hash = hash32(String.fromCharCode(...codeUnits), seed)
      expect(hash).toBe(hash >>> 0)
    }),
  )
})

test('hashes never change', () => {
  expect(hash32('', 0)).toBe(0)
  expect(hash32('', 1)).toBe(1364076727)
  expect(hash32('hello', 0)).toBe(449616461)
  expect(hash32('hello', 1)).toBe(1641515738)
  expect(hash32('你好', 0)).toBe(4144331274)
  expect(hash32('\ud800', 0)).toBe(3311452196)
  expect(mix32(1)).toBe(1364076727)
  expect(absorb(0, 1)).toBe(651101558)
})

test('lone surrogates, order and repetition all count', () => {
  const texts = ['\ud800', '\udc00', '\ufffd', 'ab', 'ba', 'a', 'aa', 'aaa', '\0', '\0\0', '']
  expect(new Set(texts.map((text) => hash32(text, 7))).size).toBe(texts.length)
})

test('100,000 texts under two seeds have different pairs of hashes, and few equal single ones', () => {
  const single = new Set<number>()
  const pairs = new Set<string>()
  for (let i = 0; i < 100_000; i++) {
    single.add(hash32(`request ${i}`, 1))
    pairs.add(`${hash32(`request ${i}`, 1)} ${hash32(`request ${i}`, 2)}`)
  }
  expect(pairs.size).toBe(100_000)
  // By chance 1.2 of them collide.
  expect(single.size).toBeGreaterThan(99_990)
})

test('mixing is one to one and turns about half of the bits for any one bit', () => {
  const mixed = new Set<number>()
  let turned = 0
  for (let i = 0; i < 10_000; i++) {
    mixed.add(mix32(i))
    turned += bitsSet(mix32(i) ^ mix32(i ^ (1 << (i % 32))))
  }
  expect(mixed.size).toBe(10_000)
  expect(turned / 10_000).toBeGreaterThan(15.5)
  expect(turned / 10_000).toBeLessThan(16.5)
})

function bitsSet(bits: number): number {
  return (bits >>> 0).toString(2).replaceAll('0', '').length
}
