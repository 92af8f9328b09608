/** What every level of fuzzing is: a property, created for each run, and what is asked of it in the meantime. */
import type fc from 'fast-check'

export interface Level extends AsyncDisposable {
  /** Throws, or rejects, with what is wrong. */
  readonly property: fc.IRawProperty<unknown>
  /** How much came of what so far: `answers by a fault: 12`. Says whether the runs met what they should. */
  readonly tally: ReadonlyMap<string, number>
}

/** Counts by name. */
export class Tally extends Map<string, number> {
  count(name: string): void {
    this.set(name, (this.get(name) ?? 0) + 1)
  }
}

/** Ends a run that found something. */
export function fail(problems: readonly string[], about: string): void {
  if (problems.length > 0) throw new Error(`${about}: ${[...new Set(problems)].slice(0, 5).join('; ')}`)
}
