/** A decision and what leads to it: the admission of a call, a draft of its answer, and refusals. */

import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { truncate } from '../../lib/text/wording.ts'
import type { ApiError } from '../../protocol/errors/error-catalogue.ts'
import type { ConfiguredFault } from '../../protocol/faults/fault.ts'
import { type Plan, type Reason, type Send, tokensOf } from '../../protocol/plan/plan.ts'
import type { CallContext } from '../call/call-context.ts'
import { type Answer, addNotes, answerError, type Usage } from '../call/respond.ts'
import type { Effect } from '../state/apply-effects.ts'
import type { LimitRequest, Reservation } from '../state/session.ts'
import type { Recorded } from './replay.ts'

const MAX_NOTE_LENGTH = 500

/** The fault that applies to a call, and its source. */
export interface SelectedFault {
  readonly configured: ConfiguredFault
  readonly source: 'header' | 'injection' | 'key' | 'fault-rule' | 'reply-rule'
  /** The source for messages: `header`, `injected`, `key`, or the id of the rule. */
  readonly from: string
}

/** The result of the stages before the limits. */
export interface Admission {
  /** The answer to a call that a stage has refused or a fault has answered; undefined for a call that goes on. */
  readonly draft: Answer | undefined
  /** The fault that changes the answer of a call that goes on. */
  readonly fault: SelectedFault | undefined
  /** The recorded answers to the call; undefined without any. */
  readonly recorded: Recorded | undefined
  /** The demand on the limits; undefined for a call that they do not count. */
  readonly demand: LimitRequest | undefined
  /** Changes that the call makes whatever its answer is. */
  readonly effects: Effect[]
}

/** The plan of a call, and everything that it changes, as data. */
export interface Decision {
  readonly plan: Plan
  /** Changes of the state, to be applied once the call is known to be played. */
  readonly effects: readonly Effect[]
  /** The tokens that the whole answer uses; undefined for one that uses none. */
  readonly usage: Usage | undefined
  /** Tokens and places that the limits count until the call ends; undefined for a call that they do not count. */
  readonly reservation: Reservation | undefined
}

export function refuse(context: CallContext, by: Reason['by'], error: ApiError): Answer {
  return { plan: answerError(context, error, { by, name: error.name }) }
}

/** Refuses a call with a session or a fault that the mock cannot use. The note says why in the log, which shows no bodies. */
export function refuseForMock(context: CallContext, error: ApiError): Answer {
  const note = truncate(maskKeysIn(error.body.message, context.key), MAX_NOTE_LENGTH)
  return addNotes(refuse(context, 'request', error), [note])
}

/**
 * The tokens that a call is charged at its end: as on its arrival, or with `charge: answer` the prompt and the part of the
 * answer written by then. A refused call keeps its charge.
 * @param playedMs time for which the plan was played before the client left; Infinity when it was played to its end.
 */
export function usedTokensOf({ plan, usage, reservation }: Decision, playedMs: number): number {
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
