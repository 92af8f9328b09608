/** A decision: the plan of a call, and everything that it changes, as data. */

import type { Plan } from '../../protocol/plan/plan.ts'
import type { Usage } from '../call/answer.ts'
import type { Effect } from '../state/apply-effects.ts'
import type { Reservation } from '../state/session.ts'

export interface Decision {
  readonly plan: Plan
  /** What the call changes in the state, once it is known to be played. */
  readonly effects: readonly Effect[]
  /** The tokens that the whole answer uses; undefined for one that uses none. */
  readonly usage: Usage | undefined
  /** What the limits count until the call ends; undefined for a call that they do not count. */
  readonly reservation: Reservation | undefined
}
