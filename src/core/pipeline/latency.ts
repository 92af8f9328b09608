/**
 * The pace condition: when an answer begins, and when each of its tokens comes.
 *
 *   a stream        [in the queue + first token] head, first token [token] second token [token] third ...
 *   a whole answer  [in the queue + first token + token + token + ...] head, body
 *   an embedding    [in the queue + first token + input tokens] head, body
 *
 * Refusals and the list of models do not wait. All draws are those of the call, so the same call has the same waits in
 * every transport and at any speed. Load and queue are state, as limits are: they go by when the calls before came.
 * What those were planned to take is known, so a call's place in the queue tells when its turn is, and nothing awaits.
 * A call counts until its planned end, also when its client has left before.
 */

import type { CallContext } from '../call/call-context.ts'
import { type ApiError, apiError } from '../errors/catalogue.ts'
import { type Head, type Plan, type PlanEvent, tokensOf } from '../plan/plan.ts'
import { draw, drawSum, toMicroseconds } from '../random/distribution.ts'
import type { Pace } from '../scenario/compile/compile.ts'

/** The refusal of a call that finds all places taken, those to wait in too. */
export function checkQueue(context: CallContext): ApiError | undefined {
  const queue = context.pace?.queue
  if (queue === undefined || !context.route.readsBody) return undefined
  const ends = context.memory.ends(context.pace!.place, context.call.now)
  return ends.length < queue.concurrent + queue.waiting
    ? undefined
    : apiError('overloaded', { requestId: context.ids.requestId })
}

/** The plan with its waits; `openai-processing-ms` says how long it waits before its head. */
export function addLatency(plan: Plan, context: CallContext): Plan {
  const { pace } = context
  if (pace === undefined || !context.route.readsBody || plan.reason.by === 'request') return plan
  const { queueMs, factor } = loadFactor(context, pace)
  const isStream = plan.events.filter(({ type }) => type === 'send').length > 1
  const tokenMs = tokenWaits(context, pace, factor)
  const firstMs = factor * firstTokenMs(context, pace)
  const headMs = toMicroseconds(queueMs + firstMs + (isStream ? 0 : tokenMs(tokensOf(plan.events))))

  let endMs = headMs
  const events: PlanEvent[] = []
  let wait: Extract<PlanEvent, { type: 'wait' }> = { type: 'wait', ms: headMs }
  if (headMs > 0) events.push(wait)
  for (const event of plan.events) {
    const isNext = event.type === 'send' && isStream && event.isBeside !== true
    const ms = isNext ? tokenMs(event.tokens ?? 0) : 0
    endMs += ms
    // Mostly the same again: one object for all, as streams at once are what fills the memory.
    if (ms !== wait.ms) wait = { type: 'wait', ms }
    if (ms > 0) events.push(wait)
    events.push(event.type === 'head' && headMs > 0 ? withProcessing(event, headMs) : event)
  }
  if (isShared(pace)) context.memory.addEnd(pace.place, context.call.now + endMs)
  return { ...plan, events }
}

const isShared = ({ queue, loadPerCall }: Pace): boolean => queue !== undefined || loadPerCall !== undefined

/** How long the call is in the queue, and by what it is slowed down by those served beside it. */
function loadFactor(context: CallContext, pace: Pace): { queueMs: number; factor: number } {
  if (!isShared(pace)) return { queueMs: 0, factor: 1 }
  const { place, queue, loadPerCall = 0 } = pace
  const { now } = context.call
  const ends = context.memory.ends(place, now)
  const concurrent = queue?.concurrent ?? Number.POSITIVE_INFINITY
  // First come, first served: its turn is when so many of those before have ended that one place is free.
  const queueMs = ends.length < concurrent ? 0 : ends[ends.length - concurrent]! - now
  return { queueMs, factor: 1 + loadPerCall * Math.min(ends.length, concurrent - 1) }
}

function firstTokenMs(context: CallContext, { firstToken, perInputToken }: Pace): number {
  const ms = firstToken === undefined ? 0 : draw(firstToken, context.random('pace/first-token'))
  const inputTokens = context.usage?.prompt ?? 0
  if (perInputToken === undefined || inputTokens === 0) return ms
  return ms + draw(perInputToken, context.random('pace/per-input-token')) * inputTokens
}

/** The waits of so many more tokens; the first token of the answer is the one that firstToken waits for. */
function tokenWaits(context: CallContext, { perToken }: Pace, factor: number): (tokens: number) => number {
  if (perToken === undefined) return () => 0
  const random = context.random('pace/per-token')
  let isFirst = true
  return (tokens) => {
    const count = isFirst && tokens > 0 ? tokens - 1 : tokens
    isFirst &&= tokens === 0
    return toMicroseconds(factor * drawSum(perToken, count, random))
  }
}

const withProcessing = (head: Head, ms: number): Head => ({
  ...head,
  headers: { ...head.headers, 'openai-processing-ms': String(Math.round(ms)) },
})
