/**
 * Begins a call that takes time: a heavy one, whose long computations run on another thread first; one with shared limits,
 * whose store is asked between the two parts of deciding; and any that waits for such a call of its key.
 *
 *     rehearse -> admit -> apply the effects of the admission -> ask the store -> answer -> record
 *
 * The store is asked for the calls of a key one right after the other, and each is answered after those before it.
 */

import type { Call } from '../core/decide/call/call.ts'
import { type CallContext, identify } from '../core/decide/call/call-context.ts'
import { admit, answer, type Decision, needsAnswersBefore } from '../core/decide/pipeline/decide.ts'
import type { StoredResponse } from '../core/decide/state/answer-store.ts'
import type { Effect } from '../core/decide/state/apply-effects.ts'
import type { Memos } from '../core/lib/cache/memos.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import type { CallTurn } from './call-order.ts'
import type { BugReports, Exchange } from './exchange.ts'
import type { StoredLimits } from './stored-limits.ts'
import type { Tenant, Tenants } from './tenant.ts'

/** Facts of the engine that a rehearsal needs: the scenario and the state that a call finds. */
export interface RehearsalStage {
  readonly scenario: Scenario
  readonly answerLimit: number | undefined
  /** Time of the start or the last reset, in milliseconds of the clock. */
  readonly startedAt: number
  /** The stored responses that the call may read. */
  readonly stored: readonly StoredResponse[]
  /** The number of times that its session has sent each request, by fingerprint. */
  readonly attempts: ReadonlyMap<number, number>
}

/** Runs the long computations of heavy calls elsewhere. */
export interface Rehearser {
  /** The results of the long computations of a call; undefined if there are none. Never rejects. */
  run(call: Call, stage: RehearsalStage): Promise<Memos | undefined>
  close(): Promise<void>
}

/** The part of the engine that begins such a call. */
interface Decider {
  readonly tenants: Tenants
  readonly storedLimits: StoredLimits
  readonly rehearsals: Rehearser | undefined
  readonly answerLimit: number | undefined
  readonly bugs: BugReports
  contextOf(call: Call, tenant: Tenant, memos?: Memos): CallContext
  apply(effects: readonly Effect[], tenant: Tenant): void
  record(context: CallContext, decision: Decision, tenant: Tenant): Exchange
}

/** Begins a call in its turn. @param isRehearsed true for a heavy call where there is a worker thread. */
export async function beginLater(engine: Decider, call: Call, isRehearsed: boolean, turn: CallTurn): Promise<Exchange> {
  const { scenario } = engine.tenants.ofCall(call)
  // The store may be asked for this call while calls before it wait for their answers, unless these decide what it needs.
  const isAskedBeside = scenario.sharedLimits !== undefined && !isRehearsed && !needsAnswersBefore(call, scenario)
  await (isAskedBeside ? turn.before.admitted : turn.before.begun)
  const memos = isRehearsed ? await rehearse(engine, call) : undefined
  let exchange = await admitAndAnswer(engine, call, turn, memos)
  // After a reset without the memos: they may be of another scenario.
  while (exchange === undefined) exchange = await admitAndAnswer(engine, call, turn)
  return exchange
}

/** Decides a call in two parts, and asks the store between them. Undefined if a reset has undone the first part meanwhile. */
async function admitAndAnswer(
  engine: Decider,
  call: Call,
  { before, admitted }: CallTurn,
  memos?: Memos,
): Promise<Exchange | undefined> {
  const { tenants, storedLimits, bugs } = engine
  const tenant = tenants.ofCall(call)
  const context = engine.contextOf(call, tenant, memos)
  const admission = admit(context)
  const { demand, effects } = admission
  // Now, so that no other call gets the same attempt or injected fault while the store is asked.
  engine.apply(effects, tenant)
  const { resets } = tenant
  const asked = tenant.scenario.sharedLimits && demand && storedLimits.reserve(demand)
  admitted()
  const verdict = await asked
  const reserved = verdict === undefined || 'problem' in verdict ? undefined : verdict
  /** The reservation that the answer keeps. Any other is given back. */
  let keptId: string | undefined
  try {
    await before.begun
    if (resets !== tenant.resets || tenant !== tenants.ofCall(call)) return undefined
    if (demand !== undefined && reserved !== undefined)
      engine.apply([{ type: 'load-limits', demand, levels: reserved.levels, now: call.now }], tenant)
    context.readSession()
    // The effects of the admission are applied already, so the answer adds its own to an empty list.
    const exchange = engine.record(context, answer(context, admission, [], verdict), tenant)
    keptId = exchange.decision.reservation?.sharedId
    return exchange
  } finally {
    const reservationId = reserved?.reservationId
    if (reservationId !== undefined && reservationId !== keptId)
      bugs.guard('give a reservation back', () => storedLimits.settle(reservationId))
  }
}

/** The results of the long computations of a heavy call; undefined if there are none, or if a reset came in between. */
export async function rehearse({ tenants, rehearsals, answerLimit }: Decider, call: Call): Promise<Memos | undefined> {
  const tenant = tenants.ofCall(call)
  const { state, resets, scenario } = tenant
  const { sessionId } = identify(call)
  const memos = await rehearsals?.run(call, {
    scenario,
    answerLimit,
    startedAt: call.now - state.elapsedMs(call.now),
    stored: state.answers.responsesNamedIn(sessionId, call.body ?? ''),
    attempts: new Map(state.sessions.get(sessionId)?.attempts),
  })
  // After a reset the call has another scenario or attempt, on which the results depend.
  return resets === tenant.resets && tenant === tenants.ofCall(call) ? memos : undefined
}
