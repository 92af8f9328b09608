/** The end of a call that limits count: its place is free for another, and its tokens become those that it really used. */

import { type Plan, type Send, tokensOf, waitsOf } from '../../protocol/plan/plan.ts'
import type { Decision } from './decision.ts'

/** End of the call of a plan, in milliseconds of the clock; Infinity for one that hangs. */
export const releaseTime = (plan: Plan, now: number): number =>
  plan.events.at(-1)?.type === 'stall' ? Number.POSITIVE_INFINITY : now + waitsOf(plan)

/**
 * The tokens that a call has used at its end: none if it was refused after all, otherwise the prompt and the part of the
 * answer written by then.
 * @param playedMs time for which the plan was played before the client left; Infinity when it was played to its end.
 */
export function usedTokensOf({ plan, usage, reservation }: Decision, playedMs: number): number {
  if (usage === undefined || reservation?.limits.tokens.length === 0) return 0
  const { prompt, completion, unstreamed } = usage
  const sent = sentBy(plan, playedMs)
  if (sent.length === 0) return prompt
  // A whole answer is written before any of it is sent.
  return prompt + (plan.isStream ? unstreamed + tokensOf(sent) : completion)
}

/** The sends of a plan up to so many milliseconds. */
function sentBy({ events }: Plan, playedMs: number): Send[] {
  const sent: Send[] = []
  let due = 0
  for (const event of events) {
    if (event.type === 'wait') due += event.ms
    if (due > playedMs) break
    if (event.type === 'send') sent.push(event)
  }
  return sent
}
