/** Checks of limits in a store beyond their shape: the store counts in doubles, which hold whole numbers up to 2 ** 53. */

import { WINDOWS } from '../../lib/text/duration.ts'
import { isObject } from '../../lib/text/json.ts'
import type { Problem } from '../check/problem.ts'

/** The largest amount of any rate. */
const MAX_AMOUNT = 999_999_999_999

type Value = Readonly<Record<string, unknown>>

/** `redis://user:password@host:6379/0`; `rediss` is with TLS. */
export const STORE_URL = /^rediss?:\/\/(?:[^\s/@]*@)?(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?(?:\/\d{0,9})?$/

/** A full bucket in the store is `amount` times the milliseconds of the window. */
export function checkSharedLimits({ limits, keys, models }: Value): Problem[] {
  if (!isObject(limits) || limits.shared === undefined) return []
  return [
    ...findLargeRates(limits, ['limits']),
    ...findLargeRatesOfEach(keys, 'keys'),
    ...findLargeRatesOfEach(models, 'models'),
  ]
}

function findLargeRatesOfEach(owners: unknown, list: string): Problem[] {
  if (!isObject(owners)) return []
  return Object.entries(owners).flatMap(([name, owner]) =>
    isObject(owner) && isObject(owner.limits) ? findLargeRates(owner.limits, [list, name, 'limits']) : [],
  )
}

function findLargeRates(limits: Value, path: Problem['path']): Problem[] {
  return ['requests', 'tokens'].flatMap((kind) =>
    [limits[kind]].flat().flatMap((rate, index, all) => {
      const [, amount, window] = (typeof rate === 'string' && /^(\d+) per (second|minute|hour|day)$/.exec(rate)) || []
      if (amount === undefined) return []
      const most = Math.min(MAX_AMOUNT, Math.floor(Number.MAX_SAFE_INTEGER / WINDOWS[window as keyof typeof WINDOWS]))
      if (Number(amount) <= most) return []
      const message = `expected at most ${most} per ${window} beside limits.shared, got '${rate}'.`
      return [{ path: [...path, kind, ...(all.length > 1 ? [index] : [])], message }]
    }),
  )
}
