/** The end of a limited call: its place is free for another one, and its tokens become those that it really used. */

import type { CallContext } from '../call/call-context.ts'
import { type Plan, type Send, tokensOf, waitsOf } from '../plan/plan.ts'

/** Notes when a charged call is due to end, by the plan that is played. */
export function scheduleRelease({ reservation, call }: CallContext, played: Plan): void {
  if (reservation === undefined || played.events.at(-1)?.type === 'stall') return
  reservation.inFlight.endsAt = call.now + waitsOf(played)
}

/**
 * Settles a call that has ended: what was reserved and not used is given back, what was used beyond it is charged now.
 * @param playedMs how long its plan was played before the client left; Infinity when it was played to its end.
 */
export function settleUsage(
  context: CallContext,
  plan: Plan,
  { playedMs, now }: { readonly playedMs: number; readonly now: number },
) {
  const { reservation, limits, session } = context
  if (reservation === undefined) return
  context.reservation = undefined
  for (const cap of limits!.concurrent) session.inFlightCalls(cap).delete(reservation.inFlight)
  if (limits!.tokens.length === 0) return
  const used = usedTokens(context, plan, playedMs)
  for (const rate of limits!.tokens) session.bucket(rate).use(used - reservation.tokens, now)
}

/** Nothing where the call was refused after all; else the prompt, and of the answer what was written by then. */
function usedTokens({ usage, body }: CallContext, plan: Plan, playedMs: number): number {
  if (usage === undefined) return 0
  const { prompt, completion, silent } = usage
  const sent = sentBy(plan, playedMs)
  if (sent.length === 0) return prompt
  // An answer that is no stream is all written before any of it is sent.
  return prompt + (body.stream === true ? silent + tokensOf(sent) : completion)
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
