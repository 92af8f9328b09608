/**
 * The limit stage: requests and tokens in windows that refill evenly, and calls in flight at once.
 *
 * A call is counted when it arrives: one request, and the tokens that its headers show. It is refused, and not counted
 * at all, when one limit has no room for it; it is then told the wait of the limit that needs longest. With
 * `charge: answer`, `usedTokensOf` replaces the tokens by those that it really used when it ends.
 *
 *   demandOf        1 request, 12 tokens, 1 place
 *   checkLimits     a 429 with `retry-after`, or what to reserve
 *   usedTokensOf    9 tokens, once the call has ended
 */

import { goDuration } from '../../lib/text/duration.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import { type Plan, type Send, tokensOf } from '../../protocol/plan/plan.ts'
import type { Limits, Rate } from '../../scenario/compile/limits.ts'
import type { Answer, ReservedTokens, Usage } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import { refuse } from '../call/respond.ts'
import type { LimitAnswer, LimitRequest } from '../state/limit-request.ts'
import type { Reservation } from '../state/session.ts'

const UNIT_WORD = { second: 'sec', minute: 'min', hour: 'hour', day: 'day' } as const

/** The wait for a place when no end is known: all calls in flight hang, or other processes have some of them. */
const UNKNOWN_END_MS = 1000

/** The verdict of the limits: a refusal, or what they reserve for the call; neither where nothing is limited. */
interface LimitCheck {
  readonly refusal?: Answer
  readonly reserved?: ReservedTokens
  readonly notes?: readonly string[]
}

/** The demand of a call on its limits. One that reads no body, such as a call for the list of models, is not limited. */
export function demandOf({ route, session, rules }: CallContext, limits: Limits): LimitRequest | undefined {
  if (!route.readsBody) return undefined
  return { sessionId: session.id, limits, tokens: limits.tokens.length === 0 ? 0 : rules.charge.tokens }
}

/**
 * Checks the demand of a call against the levels of its session. Changes nothing.
 * @param verdict the answer of the store of shared limits, whose levels are loaded into the session; undefined if none was asked.
 */
export function checkLimits(context: CallContext, demand: LimitRequest, verdict?: LimitAnswer): LimitCheck {
  if (verdict !== undefined && 'problem' in verdict) {
    // A store that does not answer refuses the call or lets it pass, as the scenario says.
    const { problem } = verdict
    return context.scenario.sharedLimits?.unavailable === 'allow'
      ? { notes: [`limits were not checked: ${problem}`] }
      : { refusal: refuse(context, 'request', apiError('limits-unavailable', { problem })) }
  }
  const { limits, tokens } = demand
  const refusals = [
    ...refuseByRates(context, 'requests', limits.requests, 1),
    ...refuseByRates(context, 'tokens', limits.tokens, tokens),
    ...refuseByConcurrency(context, limits),
  ]
  const [longest] = refusals.sort((a, b) => b.waitMs - a.waitMs)
  return longest === undefined
    ? { reserved: { tokens, sharedId: verdict?.reservationId } }
    : { refusal: refuse(context, 'limit', longest.error) }
}

/** The refusal of one limit, and how long it lasts. */
interface Refusal {
  readonly waitMs: number
  readonly error: ApiError
}

/** The refusals of a call that takes `count` from each rate. A rate with room is recorded for a call that is explained. */
function refuseByRates(context: CallContext, kind: 'requests' | 'tokens', rates: readonly Rate[], count: number) {
  const { call, request, scenario, session } = context
  const { now } = call
  const refusals: Refusal[] = []
  for (const rate of rates) {
    const { amount, window } = rate
    const bucket = session.bucket(rate)
    const neverFits = count > amount
    const waitMs = neverFits ? Number.POSITIVE_INFINITY : bucket.waitMs(count, now)
    if (waitMs === 0) {
      const why = `${bucket.read(now).remaining} left, the call takes ${count}`
      context.rules.passOver?.('limit', `${amount} ${kind} per ${window}`, why)
      continue
    }
    // `tokens per min (TPM)`
    const unit = `${kind} per ${UNIT_WORD[window]} (${kind === 'requests' ? 'RP' : 'TP'}${window[0]!.toUpperCase()})`
    const detail = { model: request.model, organization: scenario.organization, unit, limit: amount, requested: count }
    const error = neverFits
      ? apiError('request-too-large', detail)
      : apiError(`${kind}-limit`, { ...detail, used: bucket.read(now).used, ...clientWait(context, waitMs) })
    refusals.push({ waitMs, error })
  }
  return refusals
}

/** A slot is free when the first of the calls in flight ends, or earlier if a client leaves. */
function refuseByConcurrency(context: CallContext, { concurrent }: Limits): Refusal[] {
  const { request, session, scenario, call, rules } = context
  const refusals: Refusal[] = []
  for (const limit of concurrent) {
    const used = session.countInFlight(limit)
    if (used < limit.most) {
      rules.passOver?.('limit', `${limit.most} concurrent`, `${used} in flight`)
      continue
    }
    let firstEnd = Number.POSITIVE_INFINITY
    if (scenario.sharedLimits === undefined)
      for (const { endsAt } of session.inFlight(limit)) firstEnd = Math.min(firstEnd, endsAt)
    const waitMs = firstEnd === Number.POSITIVE_INFINITY ? UNKNOWN_END_MS : firstEnd - call.now
    const error = apiError('concurrent-limit', {
      model: request.model,
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

/** The wait of a refused client, in real milliseconds, and as text. Rounded up, so that it is never early. */
function clientWait(context: CallContext, ms: number) {
  const waitMs = Math.max(1, Math.ceil(context.realMs(ms)))
  return { waitMs, waitText: goDuration(waitMs) }
}

/**
 * The tokens that a call is charged at its end: as on its arrival, or with `charge: answer` the prompt and the part of the
 * answer written by then. A refused call keeps its charge.
 * @param playedMs time for which the plan was played before the client left; Infinity when it was played to its end.
 */
export function usedTokensOf(
  { plan, usage, reservation }: { plan: Plan; usage: Usage | undefined; reservation: Reservation | undefined },
  playedMs: number,
): number {
  if (reservation === undefined || reservation.tokens === 0) return 0
  if (usage === undefined || !reservation.chargesAnswer) return reservation.tokens
  const { prompt, completion, unstreamed } = usage
  const sent: Send[] = []
  let due = 0
  for (const event of plan.events) {
    if (event.type === 'wait') due += event.ms
    if (due > playedMs) break
    if (event.type === 'send') sent.push(event)
  }
  if (sent.length === 0) return prompt
  // A whole answer is written before any of it is sent.
  return prompt + (plan.isStream ? unstreamed + tokensOf(sent) : completion)
}
