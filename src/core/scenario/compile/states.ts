/**
 * The states of a scenario as a state machine, moved by calls and time.
 *
 *   healthy ──(20 calls)──> degraded ──(30s)──> down ──(10s)──> recovering ──(5 calls)──> healthy
 *
 * There is no timer: elapsed time is applied when the position is read. All functions are pure.
 */

/** A number of calls as scenarios write it: `1 call`, `5 calls`. */
export type CallCount = '1 call' | `${number} calls`
export const CALL_COUNT_PATTERN = /^(?:1 call|[1-9]\d{0,11} calls)$/

/** The transition out of a state, after a number of calls or a time. */
export interface StateExit {
  readonly next: string
  /** The state ends after this number of calls. */
  readonly calls?: number
  /** In milliseconds, at least 1. */
  readonly ms?: number
}

/** The states by name. One without an exit never ends. */
export interface StateMachine {
  /** The initial state. */
  readonly first: string
  readonly byName: ReadonlyMap<string, { readonly exit?: StateExit | undefined }>
}

/** The current state. */
export interface StatePosition {
  readonly state: string
  /** Time at which it was entered, in milliseconds since the start. */
  readonly sinceMs: number
  /** The calls in it so far. */
  readonly calls: number
}

/** The position at the start. */
export const initialPosition = ({ first }: StateMachine): StatePosition => ({ state: first, sinceMs: 0, calls: 0 })

/**
 * The position after some time without calls. In a cycle of timed states, only the first and the last round are walked,
 * because all rounds take the same time: a call after days costs no more. With `up` (30s) and `down` (10s), the position after an
 * hour takes three steps: to `down`, to `up`, and over 89 rounds.
 */
export function positionAt({ byName }: StateMachine, before: StatePosition, elapsedMs: number): StatePosition {
  let position = before
  /** Time at which each state was entered in this walk, to notice the end of a round. */
  let enteredMs: Map<string, number> | undefined
  for (;;) {
    const { state, sinceMs } = position
    const exit = byName.get(state)?.exit
    if (exit?.ms === undefined || sinceMs + exit.ms > elapsedMs) return position
    enteredMs ??= new Map()
    // Above 0 if this walk has been in the state before: the round that it closes.
    const roundMs = sinceMs - (enteredMs.get(state) ?? sinceMs)
    const skippedMs = roundMs === 0 ? 0 : Math.floor((elapsedMs - sinceMs) / roundMs) * roundMs
    if (skippedMs > 0) {
      position = { ...position, sinceMs: sinceMs + skippedMs }
    } else {
      enteredMs.set(state, sinceMs)
      position = { state: exit.next, sinceMs: sinceMs + exit.ms, calls: 0 }
    }
  }
}

/** The position after one more call in the state. */
export function advance(
  { byName }: StateMachine,
  { state, sinceMs, calls }: StatePosition,
  elapsedMs: number,
): StatePosition {
  const exit = byName.get(state)?.exit
  if (exit?.calls === undefined || calls + 1 < exit.calls) return { state, sinceMs, calls: calls + 1 }
  // Calls may come in another order than they were timed; time never goes back.
  return { state: exit.next, sinceMs: Math.max(sinceMs, elapsedMs), calls: 0 }
}

/** A position for people: what comes next, and when. Times are real milliseconds. */
export type StateStatus = Readonly<ReturnType<typeof describePosition>>

export function describePosition(
  { byName }: StateMachine,
  { state, sinceMs, calls }: StatePosition,
  elapsedMs: number,
  speed: number,
) {
  const exit = byName.get(state)?.exit
  return {
    state,
    /** Time for which it has lasted. */
    forMs: Math.max(0, elapsedMs - sinceMs) / speed,
    /** The calls in it so far. */
    calls,
    // The state that follows, and when; left out for a state that never ends.
    ...(exit !== undefined && { next: exit.next }),
    ...(exit?.calls !== undefined && { callsLeft: exit.calls - calls }),
    ...(exit?.ms !== undefined && { leftMs: Math.max(0, sinceMs + exit.ms - elapsedMs) / speed }),
  }
}
