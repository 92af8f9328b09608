/** The tokenizer of one call: long texts are computations that the engine may run in slices. */
import type { Encoding, Piece, Tokenizer, VisitPiece } from '../tokenizer/tokenizer.ts'
import type { Preparation } from '../work/preparation.ts'
import { MAX_LIGHT_LENGTH, type Steps } from '../work/steps.ts'

export class PreparedTokenizer implements Tokenizer {
  readonly encoding: Encoding
  readonly #tokenizer: Tokenizer
  readonly #preparation: Preparation

  constructor(tokenizer: Tokenizer, preparation: Preparation) {
    this.encoding = tokenizer.encoding
    this.#tokenizer = tokenizer
    this.#preparation = preparation
  }

  count(text: string, enough?: number): number {
    if (text.length <= MAX_LIGHT_LENGTH) return this.#tokenizer.count(text)
    return this.#preparation.of(`count up to ${enough}`, text, () => this.#tokenizer.countInSteps(text, enough))
  }

  countInSteps(text: string, enough?: number): Steps<number> {
    return this.#tokenizer.countInSteps(text, enough)
  }

  pieces(text: string, enough?: number): Piece[] {
    if (text.length <= MAX_LIGHT_LENGTH) return this.#tokenizer.pieces(text, enough)
    return this.#preparation.of(`pieces up to ${enough}`, text, () => this.#tokenizer.piecesInSteps(text, enough))
  }

  piecesInSteps(text: string, enough?: number): Steps<Piece[]> {
    return this.#tokenizer.piecesInSteps(text, enough)
  }

  walkInSteps(text: string, visit: VisitPiece): Steps<void> {
    return this.#tokenizer.walkInSteps(text, visit)
  }

  decode(tokens: readonly number[]): string {
    return this.#tokenizer.decode(tokens)
  }
}
