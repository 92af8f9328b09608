/** The text arena of the journal. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type StoredText, TextArena } from '../../../src/core/journal/text-arena.ts'

/** Of every length, from nothing to texts with a page of their own, and of characters of one to four bytes. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(fc.constantFrom('a', 'é', '猫', '🐈'), fc.integer({ min: 0, max: 120_000 }))
    .map(([letter, count]) => letter.repeat(count)),
)

test('texts that are stored and freed in any order leave the others as they were', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.nat(), fc.boolean()), { maxLength: 60 }), (steps) => {
      const arena = new TextArena()
      const kept: { text: string; stored: StoredText }[] = []
      for (const [text, place, frees] of steps) {
        kept.push({ text, stored: arena.store(text) })
        if (frees) kept.splice(place % kept.length, 1)[0]!.stored.free()
      }
      for (const { text, stored } of kept) {
        expect(stored.read() === text).toBe(true)
        expect(stored.byteLengthFrom(0)).toBe(Buffer.byteLength(text))
      }
    }),
    { numRuns: 200 },
  )
})

test('a byte order mark is a character like others, and half a surrogate pair is U+FFFD as on the network', () => {
  const arena = new TextArena()
  expect(arena.store('\uFEFFtext').read()).toBe('\uFEFFtext')
  expect(arena.store('half \uD83D').read()).toBe('half \uFFFD')
})

test('a freed text can be freed again without effect, but not read', () => {
  const arena = new TextArena()
  const [first, second] = [arena.store('first'), arena.store('second')]
  first.free()
  first.free()
  expect(second.read()).toBe('second')
  expect(() => first.read()).toThrow('A freed text')
})

test('100,000 texts of a kilobyte, a thousand at a time, take a few megabytes', () => {
  const arena = new TextArena()
  const before = process.memoryUsage().arrayBuffers
  const kept: StoredText[] = []
  for (let number = 0; number < 100_000; number++) {
    kept.push(arena.store(`${number} `.padEnd(1000, 'x')))
    if (kept.length > 1000) kept.shift()!.free()
  }
  expect(kept.at(-1)!.read()).toMatch(/^99999 x+$/)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000)
})

test('a part of a text is read by its UTF-16 code units', () => {
  const arena = new TextArena()
  for (const [first, second] of [
    ['plain', 'text'],
    ['naïve 🦜', 'texte'],
    ['half \uD83D', 'text'],
    ['', ''],
  ] as const) {
    const stored = arena.store(first + second)
    expect(stored.read(0, first.length)).toBe(first.replace('\uD83D', '\uFFFD'))
    expect(stored.read(first.length)).toBe(second)
    expect(stored.byteLengthFrom(first.length)).toBe(Buffer.byteLength(second))
  }
})

test('what holds a text can hold another once that is freed', () => {
  const arena = new TextArena()
  const holder = arena.store('first')
  holder.free()
  expect(holder.isFree).toBe(true)
  expect(arena.store('naïve', holder)).toBe(holder)
  expect([holder.read(), holder.isFree]).toEqual(['naïve', false])
})
