/** How limits are told to callers: the six `x-ratelimit-*` headers, and the wait of a refused call. */

import type { BucketLevel } from '../state/leaky-bucket.ts'
import { goDuration } from '../text/duration.ts'
import type { CallContext } from './call-context.ts'

type Kind = 'requests' | 'tokens'

/**
 * What answers say where the scenario sets no limit: a usual account's numbers for a minute, as recorded. Nothing is
 * refused by them and nothing is remembered: each call reads as if it were the first, so its bytes stay the same.
 */
const UNLIMITED: Readonly<Record<Kind, number>> = { requests: 10_000, tokens: 10_000_000 }
const MINUTE_MS = 60_000

/** What the headers of a call tell of its limits. */
interface LimitReadings {
  readonly requests: LimitReading
  readonly tokens: LimitReading
}

type LimitReading = Omit<BucketLevel, 'used'>

/** Where several rates of a kind hold, the headers tell of the one with the least left: the one that refuses first. */
export function limitReadings(context: CallContext): LimitReadings {
  return { requests: readingOf(context, 'requests'), tokens: readingOf(context, 'tokens') }
}

/** When a limit is whole again, as a header says it: in real time, rounded down as the service does. */
export const resetText = (context: CallContext, { resetMs }: LimitReading): string =>
  goDuration(context.realMs(resetMs))

/** What a refused call is told to wait, in real milliseconds: who does so is never early, and the text says the same. */
export function inCallersTime(context: CallContext, ms: number) {
  const waitMs = Math.max(1, Math.ceil(context.realMs(ms)))
  return { waitMs, waitText: goDuration(waitMs) }
}

function readingOf(context: CallContext, kind: Kind): LimitReading {
  const rates = context.limits?.[kind] ?? []
  if (rates.length === 0) return unlimited(context, kind)
  const [first, ...others] = rates.map((rate) => context.session.bucket(rate).read(context.call.now))
  return others.reduce((least, one) => (one.remaining < least.remaining ? one : least), first!)
}

function unlimited({ route, estimatedTokens }: CallContext, kind: Kind): LimitReading {
  const limit = UNLIMITED[kind]
  const asked = kind === 'tokens' ? estimatedTokens : Number(route.readsBody)
  const used = Math.min(asked, limit)
  return { limit, remaining: limit - used, resetMs: (used * MINUTE_MS) / limit }
}
