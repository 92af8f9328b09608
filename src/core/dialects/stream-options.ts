/** Options of a streamed reply, for every dialect. */

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
