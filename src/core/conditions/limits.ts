/**
 * The limit condition: requests and tokens of a key per window, refilled evenly (a token bucket).
 *
 * A call that costs c is refused when the bucket would overflow, used + c > limit, and what is too much divided by
 * the refill rate is exactly how long to wait: (used + c - limit) / limit x window, as the service prints it.
 */
import { isObject, textOf } from '../conversation.ts'
import { goDuration } from '../duration.ts'
import { type ApiError, apiError } from '../errors.ts'
import type { Rate } from '../scenario/compile.ts'
import type { Turn } from '../turn.ts'

const KINDS = ['requests', 'tokens'] as const
type Kind = (typeof KINDS)[number]

// What sums of fractions may be off by: far less than the millisecond that counts.
const TOLERANCE = 1e-6
const UNIT_LETTER = { second: 'S', minute: 'M', hour: 'H', day: 'D' } as const
const UNIT_WORD = { second: 'sec', minute: 'min', hour: 'hour', day: 'day' } as const

/** Charges the call, or refuses it and charges nothing. Sets the limit headers of the turn either way. */
export function checkLimits(turn: Turn): ApiError | undefined {
  const { limits } = turn.keyRule ?? {}
  if (limits === undefined || (limits.requests === undefined && limits.tokens === undefined)) return undefined
  const charges: Charge[] = []
  for (const kind of KINDS) {
    const rate = limits[kind]
    if (rate === undefined) continue
    charges.push({ kind, rate, used: usedOf(turn, kind, rate), cost: kind === 'requests' ? 1 : tokenEstimate(turn) })
  }
  const over = charges.find((charge) => excessMs(charge) > TOLERANCE)
  for (const { kind, used, cost } of charges) {
    turn.session.buckets.set(kind, { used: over === undefined ? used + cost : used, at: turn.call.now })
  }
  turn.limitHeaders = limitHeaders(turn, charges)
  return over && refuse(turn, over)
}

interface Charge {
  readonly kind: Kind
  readonly rate: Rate
  /** Used up before this call. */
  readonly used: number
  readonly cost: number
}

/** How long until the call fits, in milliseconds; 0 or less when it does. */
function excessMs({ used, cost, rate }: Charge): number {
  return ((used + cost - rate.amount) * rate.windowMs) / rate.amount
}

function refuse(turn: Turn, charge: Charge): ApiError {
  const { kind, rate, used, cost } = charge
  const unit = `${kind} per ${UNIT_WORD[rate.window]} (${kind === 'requests' ? 'RP' : 'TP'}${UNIT_LETTER[rate.window]})`
  const detail = {
    model: turn.model,
    organization: turn.scenario.organization,
    unit,
    limit: rate.amount,
    requested: cost,
  }
  if (cost > rate.amount) return apiError('request-too-large', detail)
  const waitMs = Math.ceil(turn.realMs(excessMs(charge)) - TOLERANCE)
  const shownUsed = Math.min(rate.amount, Math.ceil(used - TOLERANCE))
  return apiError(`${kind}-limit`, { ...detail, used: shownUsed, waitMs, waitText: goDuration(waitMs) })
}

/** What is used up of a bucket now. */
function usedOf({ session, call: { now } }: Turn, kind: Kind, { amount, windowMs }: Rate): number {
  const { used, at } = session.buckets.get(kind) ?? { used: 0, at: now }
  return Math.max(0, used - (Math.max(0, now - at) * amount) / windowMs)
}

function limitHeaders(turn: Turn, charges: readonly Charge[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { kind, rate } of charges) {
    const remaining = Math.max(0, Math.floor(rate.amount - usedOf(turn, kind, rate) + TOLERANCE))
    headers[`x-ratelimit-limit-${kind}`] = String(rate.amount)
    headers[`x-ratelimit-remaining-${kind}`] = String(remaining)
    headers[`x-ratelimit-reset-${kind}`] = goDuration(
      turn.realMs(((rate.amount - remaining) * rate.windowMs) / rate.amount),
    )
  }
  return headers
}

/** What the service reserves before it counts: a quarter of the characters, and what the answer may have. */
function tokenEstimate({ endpoint, body }: Turn): number {
  if (endpoint === 'embeddings') {
    const inputs = Array.isArray(body.input) ? body.input.flat() : [body.input]
    const estimate = inputs.reduce((sum: number, input) => sum + (typeof input === 'string' ? input.length / 4 : 1), 0)
    return Math.max(1, Math.floor(estimate))
  }
  const messages = Array.isArray(body.messages) ? body.messages.filter(isObject) : []
  const characters = messages.reduce((sum, { content }) => sum + textOf(content).length, 0)
  const reserved = body.max_completion_tokens ?? body.max_tokens
  return Math.ceil(characters / 4) + 2 + (typeof reserved === 'number' && reserved > 0 ? Math.floor(reserved) : 0)
}
