/**
 * The limit condition: requests and tokens in windows that refill evenly, and calls under way at once.
 *
 * A call is counted when it comes: one request, and tokens by estimate. It is refused, and not counted at all, when one
 * limit has no room for it; the wait it is told is that of the limit that needs longest. When it ends, settlement.ts
 * makes the tokens those that it really used.
 */

import type { Turn } from '../call/call-context.ts'
import { inCallersTime } from '../call/rate-limit-headers.ts'
import { type ApiError, apiError } from '../errors/catalogue.ts'
import type { Limits } from '../scenario/compile/limits.ts'
import type { Bucket } from '../state/leaky-bucket.ts'
import type { Flight } from '../state/session-store.ts'

const UNIT_LETTER = { second: 'S', minute: 'M', hour: 'H', day: 'D' } as const
const UNIT_WORD = { second: 'sec', minute: 'min', hour: 'hour', day: 'day' } as const

// Where no call under way is due to end, all of them hanging, some time has to be told.
const UNKNOWN_END_MS = 1000

/** Counts the call, or refuses it and counts nothing. What reads no body, as the list of models, is not limited. */
export function checkLimits(turn: Turn): ApiError | undefined {
  const { limits, call, route } = turn
  if (limits === undefined || !route.readsBody) return undefined
  const tokens = limits.tokens.length === 0 ? 0 : turn.estimatedTokens
  const demands = demandsOf(turn, limits, tokens)
  const refusal = refuseByRate(turn, demands) ?? refuseByConcurrency(turn, limits)
  if (refusal !== undefined) return refusal
  for (const { bucket, count } of demands) bucket.use(count, call.now)
  const flight: Flight = { endsAt: Number.POSITIVE_INFINITY }
  for (const cap of limits.concurrent) turn.session.flights(cap).add(flight)
  turn.charge = { tokens, flight }
  return undefined
}

/** What a call asks of one rate. */
interface Demand {
  readonly kind: 'requests' | 'tokens'
  readonly bucket: Bucket
  readonly count: number
}

function demandsOf({ session }: Turn, { requests, tokens }: Limits, tokenCount: number): Demand[] {
  return [
    ...requests.map((rate): Demand => ({ kind: 'requests', bucket: session.bucket(rate), count: 1 })),
    ...tokens.map((rate): Demand => ({ kind: 'tokens', bucket: session.bucket(rate), count: tokenCount })),
  ]
}

function refuseByRate(turn: Turn, demands: readonly Demand[]): ApiError | undefined {
  const { now } = turn.call
  let longestMs = 0
  let slowest: Demand | undefined
  for (const demand of demands) {
    const { bucket, count } = demand
    if (count > bucket.rate.amount) return apiError('request-too-large', detailOf(turn, demand))
    const ms = bucket.waitMs(count, now)
    if (ms <= longestMs) continue
    longestMs = ms
    slowest = demand
  }
  if (slowest === undefined) return undefined
  const { used } = slowest.bucket.read(now)
  return apiError(`${slowest.kind}-limit`, { ...detailOf(turn, slowest), used, ...inCallersTime(turn, longestMs) })
}

/** The refusal tells when the first of the calls under way is due to end: a slot is free then, or before if it is left. */
function refuseByConcurrency(turn: Turn, { concurrent }: Limits): ApiError | undefined {
  const { model, session, scenario, call } = turn
  for (const cap of concurrent) {
    const flights = session.flights(cap)
    if (flights.size < cap.most) continue
    let endsAt = Number.POSITIVE_INFINITY
    for (const flight of flights) endsAt = Math.min(endsAt, flight.endsAt)
    return apiError('concurrent-limit', {
      model,
      organization: scenario.organization,
      unit: 'concurrent requests',
      limit: cap.most,
      used: flights.size,
      requested: 1,
      ...inCallersTime(turn, endsAt === Number.POSITIVE_INFINITY ? UNKNOWN_END_MS : endsAt - call.now),
    })
  }
  return undefined
}

/** What the message of a refusal says of a rate. */
function detailOf({ model, scenario }: Turn, { kind, bucket, count }: Demand) {
  const { amount, window } = bucket.rate
  const unit = `${kind} per ${UNIT_WORD[window]} (${kind === 'requests' ? 'RP' : 'TP'}${UNIT_LETTER[window]})`
  return { model, organization: scenario.organization, unit, limit: amount, requested: count }
}
