/**
 * The states of a scenario as a machine: where it stands after so many calls and so much time.
 *
 *   healthy ──(20 calls)──> degraded ──(30s)──> down ──(10s)──> recovering ──(5 calls)──> healthy
 *
 * Nothing ticks: time is made up for when a call comes or somebody asks. All functions are pure.
 */

/** The way out of a state: to which one, and after how many calls or how much time in it. */
export interface Exit {
  readonly next: string
  /** The call after so many is the first in the next state. */
  readonly calls?: number
  /** In milliseconds, at least 1. */
  readonly ms?: number
}

/** The states by name; the first is where it starts, one without an exit is stayed in. */
export interface StateMachine {
  readonly first: string
  readonly exits: ReadonlyMap<string, Exit | undefined>
}

/** Where a machine stands. */
export interface StatePosition {
  readonly state: string
  /** When it was entered, in milliseconds since the start. */
  readonly sinceMs: number
  /** The calls in it so far. */
  readonly calls: number
}

/** Where a machine stands when nothing has happened. */
export const initialPosition = ({ first }: StateMachine): StatePosition => ({ state: first, sinceMs: 0, calls: 0 })

/**
 * Where time alone has led by then. A ring of timed states is walked once; of all further rounds, which take the same
 * time each, only the last is: after days of silence the next call still costs no more.
 */
export function positionAt({ exits }: StateMachine, before: StatePosition, elapsedMs: number): StatePosition {
  let standing = before
  let entered: Map<string, number> | undefined
  for (;;) {
    const { state, sinceMs } = standing
    const exit = exits.get(state)
    if (exit?.ms === undefined || sinceMs + exit.ms > elapsedMs) return standing
    entered ??= new Map()
    const roundMs = sinceMs - (entered.get(state) ?? sinceMs)
    const skippedMs = roundMs === 0 ? 0 : Math.floor((elapsedMs - sinceMs) / roundMs) * roundMs
    if (skippedMs > 0) {
      standing = { ...standing, sinceMs: sinceMs + skippedMs }
    } else {
      entered.set(state, sinceMs)
      standing = { state: exit.next, sinceMs: sinceMs + exit.ms, calls: 0 }
    }
  }
}

/** Where it stands after one more call in its state. */
export function advance(
  { exits }: StateMachine,
  { state, sinceMs, calls }: StatePosition,
  elapsedMs: number,
): StatePosition {
  const exit = exits.get(state)
  if (exit?.calls === undefined || calls + 1 < exit.calls) return { state, sinceMs, calls: calls + 1 }
  // Calls may come in another order than they were timed; time never goes back.
  return { state: exit.next, sinceMs: Math.max(sinceMs, elapsedMs), calls: 0 }
}
