/** What clients see of limits: the six `x-ratelimit-*` headers, and the wait of a refused call. */

import { goDuration } from '../../lib/text/duration.ts'
import { headOf, type Plan } from '../../protocol/plan/plan.ts'
import { withHeaders } from '../../protocol/plan/transform.ts'
import type { BucketLevel } from '../state/leaky-bucket.ts'
import type { CallContext } from './call-context.ts'

type Kind = 'requests' | 'tokens'

/**
 * The limits shown where the scenario sets none: those of a usual account for a minute, as recorded. They refuse nothing
 * and count nothing: the headers of each call are those of a first call, so its bytes stay the same.
 */
const UNLIMITED: Readonly<Record<Kind, number>> = { requests: 10_000, tokens: 10_000_000 }
const MINUTE_MS = 60_000

type Level = Omit<BucketLevel, 'used'>

/** What limits reserve for a call besides the request itself. */
export interface ReservedTokens {
  readonly tokens: number
  /** Names the reservation to the store of shared limits. */
  readonly sharedId?: string | undefined
}

/** The six headers. `reserved` is what this call is about to take; undefined for a call that limits do not count. */
export function rateLimitHeaders(context: CallContext, reserved?: ReservedTokens): Record<string, string> {
  const requests = levelOf(context, 'requests', reserved && 1)
  const tokens = levelOf(context, 'tokens', reserved?.tokens)
  return {
    'x-ratelimit-limit-requests': String(requests.limit),
    'x-ratelimit-limit-tokens': String(tokens.limit),
    'x-ratelimit-remaining-requests': String(requests.remaining),
    'x-ratelimit-remaining-tokens': String(tokens.remaining),
    'x-ratelimit-reset-requests': resetText(context, requests),
    'x-ratelimit-reset-tokens': resetText(context, tokens),
  }
}

/** The plan of a call that limits count: where its head has rate-limit headers, they include the call itself. */
export function withReserved(plan: Plan, context: CallContext, reserved: ReservedTokens): Plan {
  const headers = headOf(plan.events)?.headers
  return headers !== undefined && 'x-ratelimit-limit-requests' in headers
    ? withHeaders(plan, rateLimitHeaders(context, reserved))
    : plan
}

/** When a limit is fully free again, in real time, rounded down as the service does. */
const resetText = (context: CallContext, { resetMs }: Level): string => goDuration(context.realMs(resetMs))

/** How long a refused client must wait, in real milliseconds, and as text. Rounded up, so that it is never early. */
export function clientWait(context: CallContext, ms: number) {
  const waitMs = Math.max(1, Math.ceil(context.realMs(ms)))
  return { waitMs, waitText: goDuration(waitMs) }
}

/** Where several rates of a kind apply, the headers show the one with the least left: the one that refuses first. */
function levelOf(context: CallContext, kind: Kind, extra = 0): Level {
  const rates = context.limits?.[kind] ?? []
  if (rates.length === 0) return unlimited(context, kind)
  const [first, ...others] = rates.map((rate) => context.session.bucket(rate).read(context.call.now, extra))
  return others.reduce((least, one) => (one.remaining < least.remaining ? one : least), first!)
}

function unlimited({ route, estimatedTokens }: CallContext, kind: Kind): Level {
  const limit = UNLIMITED[kind]
  const asked = kind === 'tokens' ? estimatedTokens : Number(route.readsBody)
  const used = Math.min(asked, limit)
  return { limit, remaining: limit - used, resetMs: (used * MINUTE_MS) / limit }
}
