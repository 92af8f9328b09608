/**
 * Begins calls: at once where little is to do, and otherwise in slices, after which the call is decided again.
 *
 * Later calls of the same key, or the same session of it, wait for the one that is prepared, so they are decided in the
 * order in which they arrived. Other calls do not wait. A client that leaves meanwhile changes nothing: its call is decided and recorded.
 */

import type { Call } from '../core/call/call-context.ts'
import { identify } from '../core/call/identity.ts'
import type { SessionId } from '../core/state/session-id.ts'
import { type Allowance, AT_ONCE, type Preparation, SlicedPreparation, Unfinished } from '../core/work/preparation.ts'
import { type Steps, UNITS_PER_TURN } from '../core/work/steps.ts'
import { unitsToDecide } from './arrivals.ts'
import { fakeTimers } from './clock/clock.ts'
import { Slices } from './slices.ts'

/** Decides a call and records it. @throws Unfinished when a computation has to run first. */
export type Begin<Begun> = (call: Call, preparation: Preparation) => Begun

interface Waiting<Begun> {
  readonly call: Call
  readonly begun: (begun: Begun) => void
  readonly failed: (error: unknown) => void
}

export class CallQueue<Begun> {
  readonly #begin: Begin<Begun>
  readonly #slices: Slices
  /** The waiting calls of each key or session with a call in preparation. */
  readonly #waiting = new Map<SessionId, Set<Waiting<Begun>>>()

  constructor(begin: Begin<Begun>, slices = new Slices()) {
    this.#begin = begin
    this.#slices = slices
  }

  /** Calls `begun` or `failed`: before it returns, or after the calls of the same key that came before. */
  add(call: Call, begun: (begun: Begun) => void, failed: (error: unknown) => void): void {
    const { sessionId } = identify(call)
    const waiting = this.#waiting.get(sessionId)
    if (waiting !== undefined) {
      waiting.add({ call, begun, failed })
      return
    }
    const { allowance } = this.#slices
    const preparation = new SlicedPreparation(allowance)
    let made: Begun
    try {
      // First, because nothing may fail once the call is decided.
      allowance.spend(unitsToDecide(call))
      // A test that has faked the timers moves time itself, and may do so before the next turn.
      made = this.#begin(call, fakeTimers() === undefined ? preparation : AT_ONCE)
    } catch (error) {
      if (!(error instanceof Unfinished)) return failed(error)
      const calls = new Set<Waiting<Begun>>()
      this.#slices.run(
        this.#serve(
          sessionId,
          calls,
          { call, begun, failed },
          resume(this.#begin, call, preparation, allowance, error),
        ),
      )
      // Only now: a session with waiting calls and nothing that serves them would wait forever.
      this.#waiting.set(sessionId, calls)
      return
    }
    begun(made)
  }

  /** Begins the calls of a key or session, the first of which has unfinished work, until none waits. */
  *#serve(id: SessionId, calls: Set<Waiting<Begun>>, first: Waiting<Begun>, steps: Steps<Begun>): Steps<void> {
    yield* settle(first, steps)
    for (const waiting of calls) {
      calls.delete(waiting)
      yield 0
      yield* settle(waiting, beginInSteps(this.#begin, waiting.call, this.#slices.allowance))
    }
    this.#waiting.delete(id)
  }
}

/** Resolves with what `begin` returns, once all computations have run. */
export const beginInSlices = <Begun>(begin: Begin<Begun>, call: Call, slices: Slices): Promise<Begun> =>
  new Promise((begun, failed) => slices.run(settle({ begun, failed }, beginInSteps(begin, call, slices.allowance))))

/** Begins a call in steps. */
export function beginInSteps<Begun>(begin: Begin<Begun>, call: Call, allowance: Allowance): Steps<Begun> {
  return resume(begin, call, new SlicedPreparation(allowance), allowance)
}

function* resume<Begun>(
  begin: Begin<Begun>,
  call: Call,
  preparation: SlicedPreparation,
  allowance: Allowance,
  unfinished?: Unfinished,
): Steps<Begun> {
  let next = unfinished
  for (;;) {
    if (next !== undefined) {
      yield* next.steps
      // Deciding begins a turn.
      yield UNITS_PER_TURN
    }
    try {
      allowance.spend(unitsToDecide(call))
      return begin(call, preparation)
    } catch (error) {
      if (!(error instanceof Unfinished)) throw error
      next = error
    }
  }
}

/** Hands over what the steps return or throw. */
function* settle<Begun>({ begun, failed }: Pick<Waiting<Begun>, 'begun' | 'failed'>, steps: Steps<Begun>): Steps<void> {
  try {
    begun(yield* steps)
  } catch (error) {
    failed(error)
  }
}
