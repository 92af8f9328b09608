/** The shelf that the journal keeps its texts on. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type StoredText, TextArena } from '../../src/core/journal/text-arena.ts'

/** Of every length, from nothing to what has a page of its own, and of characters of one to four bytes. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(fc.constantFrom('a', 'é', '猫', '🐈'), fc.integer({ min: 0, max: 120_000 }))
    .map(([letter, count]) => letter.repeat(count)),
)

test('whatever is put on and taken off in whatever order, what is left reads as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.nat(), fc.boolean()), { maxLength: 60 }), (steps) => {
      const shelf = new TextArena()
      const kept: { text: string; shelved: StoredText }[] = []
      for (const [text, place, takesOff] of steps) {
        kept.push({ text, shelved: shelf.store(text) })
        if (takesOff) kept.splice(place % kept.length, 1)[0]!.shelved.free()
      }
      for (const { text, shelved } of kept) {
        expect(shelved.read() === text).toBe(true)
        expect(shelved.byteLength).toBe(Buffer.byteLength(text))
      }
    }),
    { numRuns: 200 },
  )
})

test('a byte order mark is a character like others, and half a surrogate pair is U+FFFD as on the network', () => {
  const shelf = new TextArena()
  expect(shelf.store('\uFEFFtext').read()).toBe('\uFEFFtext')
  expect(shelf.store('half \uD83D').read()).toBe('half \uFFFD')
})

test('a text that is taken off can be taken off again, which does nothing, but not read', () => {
  const shelf = new TextArena()
  const [first, second] = [shelf.store('first'), shelf.store('second')]
  first.free()
  first.free()
  expect(second.read()).toBe('second')
  expect(() => first.read()).toThrow('no longer kept')
})

test('100,000 texts of a kilobyte that pass by, a thousand at a time, take a few megabytes', () => {
  const shelf = new TextArena()
  const before = process.memoryUsage().arrayBuffers
  const kept: StoredText[] = []
  for (let number = 0; number < 100_000; number++) {
    kept.push(shelf.store(`${number} `.padEnd(1000, 'x')))
    if (kept.length > 1000) kept.shift()!.free()
  }
  expect(kept.at(-1)!.read()).toMatch(/^99999 x+$/)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000)
})
