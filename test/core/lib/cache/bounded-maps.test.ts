/** The bounded map drops exactly the entry that was updated longest ago, however often it has dropped before. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LruMap } from '../../../../src/core/lib/cache/bounded-maps.ts'

test('after any updates, a full map holds the keys that were updated last', () => {
  const size = 8
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 15 }), { minLength: 40, maxLength: 400 }), (keys) => {
      const map = new LruMap<number, number>(size)
      // Entries are ordered only once the map is full.
      const all = [...Array(100).keys()].map((index) => index + 100).concat(keys)
      for (const key of all) map.set(key, (map.get(key) ?? 0) + 1)
      const last = [...new Set(all.toReversed())].slice(0, size)
      expect([...map].map(([key]) => key).reverse()).toEqual(last)
    }),
  )
})
