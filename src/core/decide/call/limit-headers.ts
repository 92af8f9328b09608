/**
 * The rate limits of a call as headers: `x-ratelimit-remaining-requests: 59`, `x-ratelimit-reset-requests: 1s`. The call
 * itself counts as taken.
 */

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

/** The reservation of a call besides the request itself. */
export interface ReservedTokens {
  readonly tokens: number
  /** Names the reservation to the store of shared limits. */
  readonly sharedId?: string | undefined
}

/** The six headers, and three more for images. `reserved` is what this call is about to take; undefined for a call that limits do not count. */
export function rateLimitHeaders(context: CallContext, reserved?: ReservedTokens): Record<string, string> {
  const requests = levelOf(context, 'requests', reserved && 1)
  const tokens = levelOf(context, 'tokens', reserved?.tokens)
  const { speed = 1 } = context.call
  const { images } = context.rules.charge
  return {
    'x-ratelimit-limit-requests': String(requests.limit),
    'x-ratelimit-limit-tokens': String(tokens.limit),
    'x-ratelimit-remaining-requests': String(requests.remaining),
    'x-ratelimit-remaining-tokens': String(tokens.remaining),
    // Times until a limit is fully free again, in real time, rounded down as the service does.
    'x-ratelimit-reset-requests': goDuration(requests.resetMs / speed),
    'x-ratelimit-reset-tokens': goDuration(tokens.resetMs / speed),
    ...(images > 0 && imageHeaders(context.request.model, images)),
  }
}

/** The limit of images, as recorded. It refuses nothing. */
function imageHeaders(model: string, images: number): Record<string, string> {
  const limit = /^gpt-4o(?!-mini)/.test(model) ? 250_000 : 50_000
  return {
    'x-ratelimit-limit-input-images': String(limit),
    'x-ratelimit-remaining-input-images': String(Math.max(0, limit - images)),
    'x-ratelimit-reset-input-images': goDuration((images * MINUTE_MS) / limit),
  }
}

/** The plan of a call that limits count: where its head has rate-limit headers, they include the call itself. */
export function withReserved(plan: Plan, context: CallContext, reserved: ReservedTokens): Plan {
  const headers = headOf(plan.events)?.headers
  return headers !== undefined && 'x-ratelimit-limit-requests' in headers
    ? withHeaders(plan, rateLimitHeaders(context, reserved))
    : plan
}

/** The level of a kind of limit. Of several rates it is the one with the least left: the one that refuses first. */
function levelOf(context: CallContext, kind: Kind, extra = 0): Level {
  const rates = context.rules.limits?.[kind] ?? []
  const levels = rates.map((rate) => context.session.bucket(rate).read(context.call.now, extra))
  if (levels.length > 0) return levels.reduce((least, one) => (one.remaining < least.remaining ? one : least))
  const limit = UNLIMITED[kind]
  const used = Math.min(kind === 'tokens' ? context.rules.charge.tokens : Number(context.route.readsBody), limit)
  return { limit, remaining: limit - used, resetMs: (used * MINUTE_MS) / limit }
}
