/** How limits are told to callers: the six `x-ratelimit-*` headers, and the wait of a refused call. */
import type { Reading } from './bucket.ts'
import { goDuration } from './duration.ts'
import { estimateTokens } from './token-estimate.ts'
import type { Turn } from './turn.ts'

type Kind = 'requests' | 'tokens'

/**
 * What answers say where the scenario sets no limit: a usual account's numbers for a minute, as recorded. Nothing is
 * refused by them and nothing is remembered: each call reads as if it were the first, so its bytes stay the same.
 */
const UNLIMITED: Readonly<Record<Kind, number>> = { requests: 10_000, tokens: 10_000_000 }
const MINUTE_MS = 60_000

/** Where several rates of a kind hold, the headers tell of the one with the least left: the one that refuses first. */
export function limitHeaders(turn: Turn): Record<string, string> {
  const requests = readingOf(turn, 'requests')
  const tokens = readingOf(turn, 'tokens')
  return {
    'x-ratelimit-limit-requests': String(requests.limit),
    'x-ratelimit-limit-tokens': String(tokens.limit),
    'x-ratelimit-remaining-requests': String(requests.remaining),
    'x-ratelimit-remaining-tokens': String(tokens.remaining),
    'x-ratelimit-reset-requests': inCallersTime(turn, requests.resetMs).reset,
    'x-ratelimit-reset-tokens': inCallersTime(turn, tokens.resetMs).reset,
  }
}

/**
 * A time of the limiter as callers are told it, in real milliseconds; all such times are written here. The service
 * rounds `reset` down; a caller who waits `waitMs` is never early, and the text says the same.
 */
export function inCallersTime(turn: Turn, ms: number) {
  const realMs = turn.realMs(ms)
  const waitMs = Math.max(1, Math.ceil(realMs))
  return { reset: goDuration(realMs), waitMs, waitText: goDuration(waitMs) }
}

function readingOf(turn: Turn, kind: Kind): Omit<Reading, 'used'> {
  const rates = turn.limits?.[kind] ?? []
  if (rates.length === 0) return unlimited(turn, kind)
  const [first, ...others] = rates.map((rate) => turn.session.bucket(rate).read(turn.call.now))
  return others.reduce((least, one) => (one.remaining < least.remaining ? one : least), first!)
}

function unlimited({ route, body, endpoint }: Turn, kind: Kind): Omit<Reading, 'used'> {
  const limit = UNLIMITED[kind]
  const asked = kind === 'tokens' ? estimateTokens(endpoint, body) : Number(route.readsBody)
  const used = Math.min(asked, limit)
  return { limit, remaining: limit - used, resetMs: (used * MINUTE_MS) / limit }
}
