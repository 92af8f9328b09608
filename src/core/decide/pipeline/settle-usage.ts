/** The end of a call that limits count: its place is free for another, and its tokens become those that it really used. */

import { type Plan, type Send, tokensOf, waitsOf } from '../../protocol/plan/plan.ts'
import type { Usage } from '../call/answer.ts'
import type { Effect } from '../state/apply-effects.ts'
import type { SessionId } from '../state/session-id.ts'
import type { Decision } from './decision.ts'

/** When a call of a plan ends, in milliseconds of the clock; Infinity for one that hangs. */
export const releaseTime = (plan: Plan, now: number): number =>
  plan.events.at(-1)?.type === 'stall' ? Number.POSITIVE_INFINITY : now + waitsOf(plan)

/**
 * The effects of a call's end: tokens reserved and not used are given back, and what was used beyond them is counted.
 * @param playedMs how long the plan was played before the client left; Infinity when it was played to its end.
 */
export function settleUsage(
  { plan, usage, reservation }: Decision,
  sessionId: SessionId,
  { playedMs, now }: { readonly playedMs: number; readonly now: number },
): readonly Effect[] {
  if (reservation === undefined) return []
  const usedTokens = reservation.limits.tokens.length === 0 ? 0 : usedBy(plan, usage, playedMs)
  return [{ type: 'settle', sessionId, reservation, usedTokens, now }]
}

/** Nothing for a call that was refused after all; otherwise the prompt, and the part of the answer written by then. */
function usedBy(plan: Plan, usage: Usage | undefined, playedMs: number): number {
  if (usage === undefined) return 0
  const { prompt, completion, unstreamed } = usage
  const sent = sentBy(plan, playedMs)
  if (sent.length === 0) return prompt
  // A whole answer is written before any of it is sent.
  return prompt + (plan.isStream ? unstreamed + tokensOf(sent) : completion)
}

/** What a plan has sent after so many milliseconds. */
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
