/** The end of a limited call: its place is free for another one, and its tokens become those that it really used. */
import type { JsonObject } from '../conversation.ts'
import { type Plan, type PlanEvent, statusOf, waitsOf } from '../plan.ts'
import { countPrompt } from '../tokens.ts'
import type { Turn, Usage } from '../turn.ts'

/**
 * Notes what the end of a charged call will need: when it is due, by the plan that is played, and the tokens of the
 * whole answer, by the plan that no fault has bent yet.
 */
export function foreseeSettlement(turn: Turn, plan: Plan, played: Plan): void {
  const { charge, limits, call } = turn
  if (charge === undefined) return
  if (played.events.at(-1)?.type !== 'stall') charge.flight.endsAt = call.now + waitsOf(played)
  if (limits!.tokens.length > 0 && statusOf(plan) === 200) turn.usage ??= usageOfChat(turn, plan)
}

function usageOfChat({ body, tokenizer, modelRule }: Turn, plan: Plan): Usage {
  const prompt = countPrompt(body.messages as readonly JsonObject[], tokenizer, modelRule?.reasoning === true)
  // A whole answer says the tokens of one choice, as all are written at the same time.
  const choices = body.stream === true ? 1 : ((body.n as number | null | undefined) ?? 1)
  return { prompt, completion: tokensOf(sentBy(plan, Number.POSITIVE_INFINITY)) * choices }
}

/**
 * Settles a call that has ended: what was reserved and not used is given back, what was used beyond it is charged now.
 * @param playedMs how long its plan was played before the client left; Infinity when it was played to its end.
 */
export function settle(turn: Turn, plan: Plan, { playedMs, now }: { readonly playedMs: number; readonly now: number }) {
  const { charge, limits, session } = turn
  if (charge === undefined) return
  turn.charge = undefined
  for (const cap of limits!.concurrent) session.flights(cap).delete(charge.flight)
  if (limits!.tokens.length === 0) return
  const used = usedTokens(turn, plan, playedMs)
  for (const rate of limits!.tokens) session.bucket(rate).use(used - charge.tokens, now)
}

/** Nothing where the call was refused after all; else the prompt, and of the answer what was written by then. */
function usedTokens({ usage, body }: Turn, plan: Plan, playedMs: number): number {
  if (usage === undefined) return 0
  const { prompt, completion } = usage
  const sent = sentBy(plan, playedMs)
  if (body.stream === true) return prompt + tokensOf(sent)
  // An answer that is no stream is all written before any of it is sent.
  return prompt + (sent.length > 0 ? completion : 0)
}

type Send = Extract<PlanEvent, { type: 'send' }>

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

const tokensOf = (sent: readonly Send[]): number => sent.reduce((sum, { tokens = 0 }) => sum + tokens, 0)
