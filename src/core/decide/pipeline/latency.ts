/**
 * The latency stage: when an answer begins, and when each of its tokens is sent.
 *
 *   a stream        [in the queue + first token] head, first token [token] second token [token] third ...
 *   a whole answer  [in the queue + first token + token + token + ...] head, body
 *   an embedding    [in the queue + first token + input tokens] head, body
 *
 * Refusals and the list of models do not wait. All draws are those of the call, so the same call has the same waits in
 * every transport and at any speed. Load and queue depend on earlier calls. Their planned ends are
 * known, so the wait in the queue is computed, not awaited. A call counts until its planned end, even if its client
 * leaves earlier.
 */

import { draw, toMicroseconds } from '../../lib/random/distribution.ts'
import { LongStream } from '../../protocol/plan/event-list.ts'
import { type Head, headOf, type PlanEvent, type PlanEvents, tokensOf } from '../../protocol/plan/plan.ts'
import type { Pace } from '../../scenario/compile/compile.ts'
import type { Answer, Usage } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'

/** The answer with its waits; `openai-processing-ms` is how long it waits before its head. */
export function addLatency(answer: Answer, context: CallContext, pace: Pace): Answer {
  const { plan, usage } = answer
  // The endpoint has refused the request, such as for its length, and a refusal does not wait.
  if (plan.reason.by === 'request') return answer
  const { isStream } = plan
  const { queue, loadPerCall } = pace
  const { now } = context.call
  /** The ends of the calls that are served, and the most of them at once. */
  const ends = context.mockState.endsAfter(pace.paceId, now, context.session.name)
  const concurrent = queue?.concurrent ?? Number.POSITIVE_INFINITY
  // First come, first served: the call starts when enough earlier ones have ended. Those served with it slow it down.
  const queueMs = ends.length < concurrent ? 0 : ends[ends.length - concurrent]! - now
  const factor = 1 + (loadPerCall ?? 0) * Math.min(ends.length, concurrent - 1)
  const tokenMs = tokenWaits(context, pace, factor)
  const firstMs = factor * firstTokenMs(context, pace, usage)
  const headMs = toMicroseconds(queueMs + firstMs + (isStream ? 0 : tokenMs(tokensOf(plan.events))))

  let head = headOf(plan.events)!
  if (headMs > 0) {
    const ms = String(Math.round(headMs))
    head = { ...head, headers: { ...head.headers, 'openai-processing-ms': ms, 'x-envoy-upstream-service-time': ms } }
  }
  /** The waits before each event. */
  const waits = Array.from(plan.events, (event) => {
    if (event.type === 'head') return headMs
    const isNext = event.type === 'send' && isStream && event.isBeside !== true
    return isNext ? tokenMs(event.tokens ?? 0) : 0
  })
  const paced = { ...answer, plan: { ...plan, events: withWaits(plan.events, head, waits) } }
  const isShared = queue !== undefined || loadPerCall !== undefined
  return isShared ? { ...paced, endsAt: now + waits.reduce((sum, ms) => sum + ms) } : paced
}

/** The events of an answer with waits before them, in ms, and with another head. */
function withWaits(events: PlanEvents, head: Head, waits: readonly number[]): PlanEvents {
  // A copy of the waits has no spare room for more.
  if (events instanceof LongStream) return events.with(head, [...waits])
  // Waits are mostly equal: one object for all of them, as concurrent streams are what fills the memory.
  let wait: PlanEvent & { type: 'wait' } = { type: 'wait', ms: 0 }
  return [...events].flatMap((event, index) => {
    const ms = waits[index]!
    if (ms !== wait.ms) wait = { type: 'wait', ms }
    const sent = event.type === 'head' ? head : event
    return ms > 0 ? [wait, sent] : sent
  })
}

/** The wait for the first token, by the tokens of the prompt. */
function firstTokenMs(context: CallContext, pace: Pace, { prompt = 0, cache }: Partial<Usage> = {}): number {
  const cached = cache?.cachedTokens ?? 0
  const parts = [
    ['pace/first-token', pace.firstToken, 1],
    ['pace/per-input-token', pace.perInputToken, prompt - cached],
    ['pace/cached-input-token', pace.cachedInputToken, cached],
  ] as const
  let ms = 0
  for (const [purpose, duration, times] of parts)
    if (duration !== undefined && times > 0) ms += draw(duration, context.draws.random(purpose)) * times
  return ms
}

/** Returns the wait for so many more tokens of the answer. Its first token is the one that `firstToken` has waited for. */
function tokenWaits(context: CallContext, { perToken }: Pace, factor: number): (tokens: number) => number {
  if (perToken === undefined) return () => 0
  const random = context.draws.random('pace/per-token')
  const isDrawnOnce = perToken.shape !== 'fixed' && perToken.isDrawnOnce
  const each = isDrawnOnce ? { shape: 'fixed' as const, ms: draw(perToken, random) } : perToken
  let isFirst = true
  return (tokens) => {
    const count = isFirst && tokens > 0 ? tokens - 1 : tokens
    isFirst &&= tokens === 0
    return toMicroseconds(factor * draw(each, random, count))
  }
}
