/**
 * The limit stage: requests and tokens in windows that refill evenly, and calls in flight at once.
 *
 * A call is counted when it arrives: one request, and its tokens by estimate. It is refused, and not counted at all,
 * when one limit has no room for it; it is then told the wait of the limit that needs longest. When it ends,
 * settle-usage.ts replaces the estimate by the tokens that it really used.
 */

import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { Limits, SharedLimits } from '../../scenario/compile/limits.ts'
import type { CallContext } from '../call/call-context.ts'
import { clientWait, type ReservedTokens } from '../call/rate-limit-headers.ts'
import type { BucketReader } from '../state/leaky-bucket.ts'
import type { StoreAway } from '../state/shared-limits.ts'

/** How the note of a call begins whose limits no store has checked; the reason follows. */
export const UNCHECKED_LIMITS = 'limits were not checked: '

const UNIT_LETTER = { second: 'S', minute: 'M', hour: 'H', day: 'D' } as const
const UNIT_WORD = { second: 'sec', minute: 'min', hour: 'hour', day: 'day' } as const

// All in-flight calls hang, or other processes have some of them, so report a fixed wait.
const UNKNOWN_END_MS = 1000

/** What the limits decide: an error, or what they reserve for the call; neither where nothing is limited. */
export interface LimitCheck {
  readonly refusal?: ApiError
  readonly reserved?: ReservedTokens
  /** Why the limits could not be checked: the error of a call that is refused for it. */
  readonly unavailable?: ApiError
  readonly notes?: readonly string[]
}

const UNLIMITED: LimitCheck = {}

/** Checks the limits of a call. What reads no body, such as the list of models, is not limited. */
export function checkLimits(context: CallContext): LimitCheck {
  const { limits, route, scenario } = context
  if (limits === undefined || !route.readsBody) return UNLIMITED
  const tokens = limits.tokens.length === 0 ? 0 : context.estimatedTokens
  const shared = scenario.sharedLimits === undefined ? undefined : context.reserve(limits, tokens)
  if (shared !== undefined && 'problem' in shared) return checkUnavailable(scenario.sharedLimits!, shared)
  const refusals = [
    ...refuseByRate(context, demandsOf(context, limits, tokens)),
    ...refuseByConcurrency(context, limits),
  ]
  const [longest] = refusals.sort((a, b) => b.waitMs - a.waitMs)
  return longest === undefined ? { reserved: { tokens, sharedId: shared?.reservationId } } : { refusal: longest.error }
}

/** A store that does not answer refuses the call or lets it pass, as the scenario says. */
function checkUnavailable({ unavailable }: SharedLimits, { problem }: StoreAway): LimitCheck {
  return unavailable === 'allow'
    ? { notes: [`${UNCHECKED_LIMITS}${problem}`] }
    : { unavailable: apiError('limits-unavailable', { problem }) }
}

/** The refusal of one limit, and how long it lasts. */
interface Refusal {
  readonly waitMs: number
  readonly error: ApiError
}

/** What a call asks of one rate. */
interface Demand {
  readonly kind: 'requests' | 'tokens'
  readonly bucket: BucketReader
  readonly count: number
}

function demandsOf({ session }: CallContext, { requests, tokens }: Limits, tokenCount: number): Demand[] {
  return [
    ...requests.map((rate): Demand => ({ kind: 'requests', bucket: session.bucket(rate), count: 1 })),
    ...tokens.map((rate): Demand => ({ kind: 'tokens', bucket: session.bucket(rate), count: tokenCount })),
  ]
}

function refuseByRate(context: CallContext, demands: readonly Demand[]): Refusal[] {
  const { now } = context.call
  const refusals: Refusal[] = []
  for (const demand of demands) {
    const { kind, bucket, count } = demand
    const waitMs = count > bucket.rate.amount ? Number.POSITIVE_INFINITY : bucket.waitMs(count, now)
    if (waitMs === 0) continue
    const detail = detailOf(context, demand)
    const error =
      waitMs === Number.POSITIVE_INFINITY
        ? apiError('request-too-large', detail)
        : apiError(`${kind}-limit`, { ...detail, used: bucket.read(now).used, ...clientWait(context, waitMs) })
    refusals.push({ waitMs, error })
  }
  return refusals
}

/** A slot is free when the first of the calls in flight ends, or earlier if a client leaves. */
function refuseByConcurrency(context: CallContext, { concurrent }: Limits): Refusal[] {
  const { model, session, scenario, call } = context
  const refusals: Refusal[] = []
  for (const limit of concurrent) {
    const used = session.countInFlight(limit)
    if (used < limit.most) continue
    let endsAt = Number.POSITIVE_INFINITY
    if (scenario.sharedLimits === undefined)
      for (const other of session.inFlight(limit)) endsAt = Math.min(endsAt, other.endsAt)
    const waitMs = endsAt === Number.POSITIVE_INFINITY ? UNKNOWN_END_MS : endsAt - call.now
    const error = apiError('concurrent-limit', {
      model,
      organization: scenario.organization,
      unit: 'concurrent requests',
      limit: limit.most,
      used,
      requested: 1,
      ...clientWait(context, waitMs),
    })
    refusals.push({ waitMs, error })
  }
  return refusals
}

/** The details of a rate in the message of a refusal. */
function detailOf({ model, scenario }: CallContext, { kind, bucket, count }: Demand) {
  const { amount, window } = bucket.rate
  const unit = `${kind} per ${UNIT_WORD[window]} (${kind === 'requests' ? 'RP' : 'TP'}${UNIT_LETTER[window]})`
  return { model, organization: scenario.organization, unit, limit: amount, requested: count }
}
