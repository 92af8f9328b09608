/** The tokenizer of one call: long texts are computations that the engine may run in slices. */
import type { Beginning, Encoding, Piece, Tokenizer, VisitPiece } from '../../lib/tokenizer/tokenizer.ts'
import type { Preparation } from '../../lib/work/preparation.ts'
import { MAX_LIGHT_LENGTH, type Steps } from '../../lib/work/steps.ts'

export class PreparedTokenizer implements Tokenizer {
  readonly encoding: Encoding
  readonly #tokenizer: Tokenizer
  readonly #preparation: Preparation

  constructor(tokenizer: Tokenizer, preparation: Preparation) {
    this.encoding = tokenizer.encoding
    this.#tokenizer = tokenizer
    this.#preparation = preparation
  }

  count(text: string): number {
    if (text.length <= MAX_LIGHT_LENGTH) return this.#tokenizer.count(text)
    return this.#preparation.of('count', text, () => this.#tokenizer.countInSteps(text))
  }

  countInSteps(text: string): Steps<number> {
    return this.#tokenizer.countInSteps(text)
  }

  cut(text: string, maxTokens: number): Beginning {
    if (text.length <= MAX_LIGHT_LENGTH) return this.#tokenizer.cut(text, maxTokens)
    return this.#preparation.of(`cut ${maxTokens}`, text, () => this.#tokenizer.cutInSteps(text, maxTokens))
  }

  cutInSteps(text: string, maxTokens: number): Steps<Beginning> {
    return this.#tokenizer.cutInSteps(text, maxTokens)
  }

  pieces(text: string): Piece[] {
    if (text.length <= MAX_LIGHT_LENGTH) return this.#tokenizer.pieces(text)
    return this.#preparation.of('pieces', text, () => this.#tokenizer.piecesInSteps(text))
  }

  piecesInSteps(text: string): Steps<Piece[]> {
    return this.#tokenizer.piecesInSteps(text)
  }

  walkInSteps(text: string, visit: VisitPiece): Steps<void> {
    return this.#tokenizer.walkInSteps(text, visit)
  }

  decode(tokens: readonly number[]): string {
    return this.#tokenizer.decode(tokens)
  }
}
