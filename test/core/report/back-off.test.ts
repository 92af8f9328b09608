/** Which waits between retries count as a back-off that does not grow: simulated clients with seeded draws. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../src/core/journal/entry.ts'
import { checkClient } from '../../../src/core/report/client-findings.ts'
import '../../support/property-seed.ts'

/** The waits of one request, in milliseconds. `random` draws from 0 to 1. */
type BackOff = (random: () => number) => number[]

const MAX_RETRIES = 10
const ROUND_TRIP_MS = 4

const count = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index))

/** `1`: doubling from the base to the cap, less up to a quarter. */
const official: BackOff = (random) => count(MAX_RETRIES, (n) => Math.min(500 * 2 ** n, 8000) * (1 - random() / 4))

const fullJitter =
  (baseMs: number, capMs: number): BackOff =>
  (random) =>
    count(MAX_RETRIES, (n) => random() * Math.min(baseMs * 2 ** n, capMs))

const decorrelatedJitter =
  (baseMs: number, capMs: number): BackOff =>
  (random) => {
    let waitMs = baseMs
    return count(MAX_RETRIES, () => {
      waitMs = Math.min(capMs, baseMs + random() * (waitMs * 3 - baseMs))
      return waitMs
    })
  }

/** As tenacity's `wait_random_exponential(min=1)` draws them. */
const aboveOneSecond: BackOff = (random) => count(MAX_RETRIES, (n) => 1000 + random() * (1000 * 2 ** n - 1000))

const doubling =
  (baseMs: number, capMs: number): BackOff =>
  () =>
    count(MAX_RETRIES, (n) => Math.min(baseMs * 2 ** n, capMs))

/** What is found in one request that fails until its last retry. A call takes up to 5 ms, as on a machine with other work. */
function findIn(waits: readonly number[], random: () => number): string[] {
  const entries: JournalEntry[] = []
  let at = 0
  for (let n = 0; n <= waits.length; n++) {
    const durationMs = 1 + random() * ROUND_TRIP_MS
    entries.push({
      number: n + 1,
      at,
      method: 'POST',
      path: '/v1/chat/completions',
      endpoint: 'chat',
      key: 'sk-****test',
      caller: 'one',
      model: 'echo-1',
      request: 'a',
      attempt: n + 1,
      status: n < waits.length ? 500 : 200,
      headers: {},
      reason: { by: 'fault', name: 'server-error' },
      notes: [],
      unmatched: false,
      outcome: 'complete',
      durationMs,
      bytes: 100,
    })
    at += durationMs + (waits[n] ?? 0)
  }
  return checkClient(entries).map(({ name }) => name)
}

/** A small generator with a fixed seed: mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

test.each<[string, BackOff]>([
  ['the official client', official],
  ['doubling to a cap of 2 s', doubling(250, 2000)],
  ['waits of 10 s', doubling(10_000, 10_000)],
])('%s is never reported, with any draw', (_, waitsOf) => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: MAX_RETRIES }), (seed, retries) => {
      const random = createRandom(seed)
      expect(findIn(waitsOf(random).slice(0, retries), random)).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test.each<[string, BackOff]>([
  ['full jitter from 500 ms to 8 s', fullJitter(500, 8000)],
  ['full jitter from 100 ms to 20 s', fullJitter(100, 20_000)],
  ['full jitter at a cap that is reached early', fullJitter(1000, 2000)],
  ['decorrelated jitter from 500 ms', decorrelatedJitter(500, 20_000)],
  ['decorrelated jitter from 1 s to 5 s', decorrelatedJitter(1000, 5000)],
  ['random waits above 1 s', aboveOneSecond],
])('%s is reported for fewer than 1 of 1,000 requests', (_, waitsOf) => {
  const random = createRandom(1)
  const reported = count(5000, () => findIn(waitsOf(random), random)).filter((names) => names.length > 0)
  expect(reported.length).toBeLessThan(5)
})

test('a fixed wait below 5 s is reported after three retries', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.integer({ min: 0, max: 4990 }),
      fc.integer({ min: 3, max: 10 }),
      (seed, waitMs, retries) => {
        expect(
          findIn(
            count(retries, () => waitMs),
            createRandom(seed),
          ),
        ).toEqual(['no-growth'])
      },
    ),
  )
})

test('a fixed wait that a busy machine blurs by 8% is reported after five retries', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 100, max: 4600 }), (seed, waitMs) => {
      const random = createRandom(seed)
      expect(
        findIn(
          count(5, () => waitMs * (1 + random() * 0.08)),
          random,
        ),
      ).toEqual(['no-growth'])
    }),
  )
})

test('an immediate retry is reported after five retries', () => {
  const random = createRandom(1)
  expect(
    findIn(
      count(5, () => random() * 9),
      random,
    ),
  ).toEqual(['no-growth'])
})
