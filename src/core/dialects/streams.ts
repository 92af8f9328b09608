/** The parts of streamed replies that do not depend on the dialect. */

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

/** Consecutive events or deltas of one kind, and the number of the first one. */
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

/** Finds the run of an event, and the place of the event in it. */
export function findRun<Run>(
  runs: readonly PlacedRun<Run>[],
  number: number,
): { readonly run: Run; readonly index: number } {
  // A loop and no callback, which would be allocated for every event that is read.
  let place = runs.length - 1
  while (runs[place]!.start > number) place--
  const { run, start } = runs[place]!
  return { run, index: number - start }
}
