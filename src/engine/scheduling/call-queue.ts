/**
 * Begins calls: at once where little is to do, and otherwise in slices, after which the call is decided again. A call with
 * shared limits is decided again when their store has answered.
 *
 * Later calls of the same key, or the same session of it, wait for the one that is prepared, so they are decided in the
 * order in which they arrived. Other calls do not wait. A client that leaves meanwhile changes nothing: its call is decided and recorded.
 */

import type { Call } from '../../core/decide/call/call-context.ts'
import { identify } from '../../core/decide/call/identity.ts'
import type { SessionId } from '../../core/decide/state/session-id.ts'
import { NotReserved } from '../../core/decide/state/shared-limits.ts'
import {
  type Allowance,
  AT_ONCE,
  type Preparation,
  SlicedPreparation,
  Unfinished,
} from '../../core/lib/work/preparation.ts'
import { type Steps, UNITS_PER_TURN } from '../../core/lib/work/steps.ts'
import { fakeTimers } from '../clock/clock.ts'
import { type AskStore, StoredPreparation } from '../stored-limits.ts'
import { unitsToDecide } from './arrivals.ts'
import { Slices, type Task } from './slices.ts'

/** Decides a call and records it. @throws Unfinished when a computation has to run first, NotReserved when a store has to be asked. */
export type Begin<Begun> = (call: Call, preparation: Preparation) => Begun

interface Waiting<Begun> {
  readonly call: Call
  readonly begun: (begun: Begun) => void
  readonly failed: (error: unknown) => void
}

export class CallQueue<Begun> {
  readonly #begin: Begin<Begun>
  readonly #slices: Slices
  readonly #ask: AskStore | undefined
  /** The waiting calls of each key or session with a call in preparation. */
  readonly #waiting = new Map<SessionId, Set<Waiting<Begun>>>()

  /** @param ask asks the store of shared limits; without it, the limits have the levels that were last loaded. */
  constructor(begin: Begin<Begun>, slices = new Slices(), ask?: AskStore) {
    this.#begin = begin
    this.#slices = slices
    this.#ask = ask
  }

  /** Calls `begun` or `failed`: before it returns, or after the calls of the same key that came before. */
  add(call: Call, begun: (begun: Begun) => void, failed: (error: unknown) => void): void {
    const waiting = this.#waiting.size === 0 ? undefined : this.#waiting.get(identify(call).sessionId)
    if (waiting !== undefined) {
      waiting.add({ call, begun, failed })
      return
    }
    const { allowance } = this.#slices
    const preparation = this.#prepare()
    let made: Begun
    try {
      // First, because nothing may fail once the call is decided.
      allowance.spend(unitsToDecide(call))
      // A test that has faked the timers moves time itself, and may do so before the next turn.
      made = this.#begin(call, fakeTimers() === undefined ? preparation : AT_ONCE)
    } catch (error) {
      if (!isOpen(error)) return failed(error)
      const { sessionId } = identify(call)
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
  *#serve(id: SessionId, calls: Set<Waiting<Begun>>, first: Waiting<Begun>, steps: Task<Begun>): Task<void> {
    yield* settle(first, steps)
    for (const waiting of calls) {
      calls.delete(waiting)
      yield 0
      yield* settle(waiting, resume(this.#begin, waiting.call, this.#prepare(), this.#slices.allowance))
    }
    this.#waiting.delete(id)
  }

  #prepare(): SlicedPreparation {
    const { allowance } = this.#slices
    return this.#ask === undefined ? new SlicedPreparation(allowance) : new StoredPreparation(allowance, this.#ask)
  }
}

/** Resolves with what `begin` returns, once all computations have run. */
export const beginInSlices = <Begun>(begin: Begin<Begun>, call: Call, slices: Slices): Promise<Begun> =>
  new Promise((begun, failed) =>
    slices.run(settle({ call, begun, failed }, beginInSteps(begin, call, slices.allowance))),
  )

/** Begins a call in steps, and asks no store. */
export function beginInSteps<Begun>(begin: Begin<Begun>, call: Call, allowance: Allowance): Steps<Begun> {
  return resume(begin, call, new SlicedPreparation(allowance), allowance) as Steps<Begun>
}

function* resume<Begun>(
  begin: Begin<Begun>,
  call: Call,
  preparation: SlicedPreparation,
  allowance: Allowance,
  open?: Unfinished | NotReserved,
): Task<Begun> {
  let next = open
  for (;;) {
    try {
      if (next instanceof NotReserved) {
        yield (preparation as StoredPreparation).ask(next)
      } else if (next !== undefined) {
        // They may need another computation first; then the call and they begin again.
        yield* next.steps
        // Deciding begins a turn.
        yield UNITS_PER_TURN
      }
      allowance.spend(unitsToDecide(call))
      return begin(call, preparation)
    } catch (error) {
      if (!isOpen(error)) throw error
      next = error
    }
  }
}

/** Whether the call can be decided when more is known. */
const isOpen = (error: unknown): error is Unfinished | NotReserved =>
  error instanceof Unfinished || error instanceof NotReserved

/** Hands over what the steps return or throw. */
function* settle<Begun>({ call, begun, failed }: Waiting<Begun>, steps: Task<Begun>): Task<void> {
  try {
    const units = unitsToDecide(call)
    const made = yield* steps
    // Sending begins with it, and takes about as long as deciding.
    yield units
    begun(made)
  } catch (error) {
    failed(error)
  }
}
