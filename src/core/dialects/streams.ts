/**
 * The parts of streamed replies that do not depend on the dialect: their options, and runs. A run is a row of events of one kind;
 * a stream with the runs of 1, 5 and 1 events has event 3 at index 2 of the second run.
 */

import type { Random } from '../lib/random/random.ts'
import type { Pieces } from '../protocol/turn/pieces.ts'

export interface StreamOptions {
  /** Undefined for a stream without obfuscation. */
  readonly obfuscation: Random | undefined
  /** The message of every choice, in pieces: the text, or the input of each call. */
  readonly pieces: Pieces
  /** Computes the ends of the events of a long stream, or has them already. */
  readonly memo: (measure: () => Uint32Array) => Uint32Array
}

/** A run, and the number of its first event. */
export interface PlacedRun<Run> {
  readonly run: Run
  readonly start: number
}

/** Places runs one after the other. */
export function placeRuns<Run extends { readonly length: number }>(runs: readonly Run[]): readonly PlacedRun<Run>[] {
  let end = 0
  return runs.map((run) => {
    const start = end
    end += run.length
    return { run, start }
  })
}

/** Finds the run of an event, and the index of the event in it. */
export function findRun<Run>(
  runs: readonly PlacedRun<Run>[],
  number: number,
): { readonly run: Run; readonly index: number } {
  // A loop and no callback, which would be allocated for every event that is read.
  let last = runs.length - 1
  while (runs[last]!.start > number) last--
  const { run, start } = runs[last]!
  return { run, index: number - start }
}
