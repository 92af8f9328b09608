/**
 * The limit condition: requests and tokens in windows that refill evenly, and calls under way at once.
 *
 * A call is counted when it comes: one request, and tokens by estimate. It is refused, and not counted at all, when one
 * limit has no room for it; the wait it is told is that of the limit that needs longest. When it ends, settlement.ts
 * makes the tokens those that it really used.
 */

import type { CallContext } from '../call/call-context.ts'
import { inCallersTime } from '../call/rate-limit-headers.ts'
import { type ApiError, apiError } from '../errors/catalogue.ts'
import type { Limits } from '../scenario/compile/limits.ts'
import type { LeakyBucket } from '../state/leaky-bucket.ts'
import type { InFlightCall } from '../state/session-store.ts'

const UNIT_LETTER = { second: 'S', minute: 'M', hour: 'H', day: 'D' } as const
const UNIT_WORD = { second: 'sec', minute: 'min', hour: 'hour', day: 'day' } as const

// Where no call under way is due to end, all of them hanging, some time has to be told.
const UNKNOWN_END_MS = 1000

/** Counts the call, or refuses it and counts nothing. What reads no body, as the list of models, is not limited. */
export function checkLimits(context: CallContext): ApiError | undefined {
  const { limits, call, route } = context
  if (limits === undefined || !route.readsBody) return undefined
  const tokens = limits.tokens.length === 0 ? 0 : context.estimatedTokens
  const demands = demandsOf(context, limits, tokens)
  const refusal = refuseByRate(context, demands) ?? refuseByConcurrency(context, limits)
  if (refusal !== undefined) return refusal
  for (const { bucket, count } of demands) bucket.use(count, call.now)
  const inFlight: InFlightCall = { endsAt: Number.POSITIVE_INFINITY }
  for (const cap of limits.concurrent) context.session.inFlightCalls(cap).add(inFlight)
  context.reservation = { tokens, inFlight }
  return undefined
}

/** What a call asks of one rate. */
interface Demand {
  readonly kind: 'requests' | 'tokens'
  readonly bucket: LeakyBucket
  readonly count: number
}

function demandsOf({ session }: CallContext, { requests, tokens }: Limits, tokenCount: number): Demand[] {
  return [
    ...requests.map((rate): Demand => ({ kind: 'requests', bucket: session.bucket(rate), count: 1 })),
    ...tokens.map((rate): Demand => ({ kind: 'tokens', bucket: session.bucket(rate), count: tokenCount })),
  ]
}

function refuseByRate(context: CallContext, demands: readonly Demand[]): ApiError | undefined {
  const { now } = context.call
  let longestMs = 0
  let slowest: Demand | undefined
  for (const demand of demands) {
    const { bucket, count } = demand
    if (count > bucket.rate.amount) return apiError('request-too-large', detailOf(context, demand))
    const ms = bucket.waitMs(count, now)
    if (ms <= longestMs) continue
    longestMs = ms
    slowest = demand
  }
  if (slowest === undefined) return undefined
  const { used } = slowest.bucket.read(now)
  return apiError(`${slowest.kind}-limit`, {
    ...detailOf(context, slowest),
    used,
    ...inCallersTime(context, longestMs),
  })
}

/** The refusal tells when the first of the calls under way is due to end: a slot is free then, or before if it is left. */
function refuseByConcurrency(context: CallContext, { concurrent }: Limits): ApiError | undefined {
  const { model, session, scenario, call } = context
  for (const cap of concurrent) {
    const flights = session.inFlightCalls(cap)
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
      ...inCallersTime(context, endsAt === Number.POSITIVE_INFINITY ? UNKNOWN_END_MS : endsAt - call.now),
    })
  }
  return undefined
}

/** What the message of a refusal says of a rate. */
function detailOf({ model, scenario }: CallContext, { kind, bucket, count }: Demand) {
  const { amount, window } = bucket.rate
  const unit = `${kind} per ${UNIT_WORD[window]} (${kind === 'requests' ? 'RP' : 'TP'}${UNIT_LETTER[window]})`
  return { model, organization: scenario.organization, unit, limit: amount, requested: count }
}
