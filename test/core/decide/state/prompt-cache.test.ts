/** The stored prefixes of a key: lifetime and size. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PromptCache } from '../../../../src/core/decide/state/prompt-cache.ts'
import { type SessionId, sessionIdOf } from '../../../../src/core/decide/state/session-id.ts'

const [A, B, C] = ['sk-a', 'sk-b', 'sk-c'].map((key) => sessionIdOf(key, '')) as [SessionId, SessionId, SessionId]

test('a key holds what it wrote, until it expires', () => {
  const cache = new PromptCache()
  cache.write(A, [{ prefix: 1, until: 300 }])
  expect([cache.holds(A, 1, 299), cache.holds(A, 1, 300)]).toEqual([true, false])
  expect([cache.holds(A, 2, 0), cache.holds(B, 1, 0)]).toEqual([false, false])
})

test('a shorter lifetime does not shorten a longer one', () => {
  const cache = new PromptCache()
  cache.write(A, [{ prefix: 1, until: 300 }])
  cache.write(A, [{ prefix: 1, until: 200 }])
  expect(cache.holds(A, 1, 299)).toBe(true)
})

test('a full cache drops the keys that were used least recently', () => {
  const cache = new PromptCache(20, 10)
  const entries = Array.from({ length: 10 }, (_, prefix) => ({ prefix, until: 1 }))
  for (const key of [A, B, A, C]) cache.write(key, entries)
  expect([A, B, C].map((key) => cache.holds(key, 0, 0))).toEqual([true, false, true])
  expect(cache.size).toBe(20)
})

const write = fc.record({
  key: fc.constantFrom(A, B, C),
  // A call has each prefix once.
  entries: fc.uniqueArray(fc.record({ prefix: fc.nat(30), until: fc.nat(50) }), {
    maxLength: 12,
    selector: ({ prefix }) => prefix,
  }),
})

test('random writes leave what lists of the last used prefixes leave', () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 30 }), fc.nat(50), (writes, now) => {
      const [maxPerKey, max] = [8, 14]
      const cache = new PromptCache(max, maxPerKey)
      let model: { key: SessionId; entries: { prefix: number; until: number }[] }[] = []
      for (const { key, entries } of writes) {
        cache.write(key, entries)
        let own = model.find((one) => one.key === key)?.entries ?? []
        for (const { prefix, until } of entries) {
          const place = own.findIndex((one) => one.prefix === prefix)
          const entry = { prefix, until: Math.max(own[place]?.until ?? until, until) }
          // Until it is half full, a map does not keep the order of use.
          const isOrdered = place < 0 || own.length * 2 > maxPerKey
          own = isOrdered ? [...own.filter((one) => one.prefix !== prefix), entry] : own.with(place, entry)
          own = own.slice(-maxPerKey)
        }
        model = [...model.filter((one) => one.key !== key), { key, entries: own }]
        while (model.reduce((sum, one) => sum + one.entries.length, 0) > max) model.shift()
      }
      for (const key of [A, B, C]) {
        for (let prefix = 0; prefix <= 30; prefix++) {
          const until = model.find((one) => one.key === key)?.entries.find((one) => one.prefix === prefix)?.until ?? 0
          expect(cache.holds(key, prefix, now), `${key} ${prefix}`).toBe(now < until)
        }
      }
    }),
  )
})
