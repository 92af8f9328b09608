/** Counts the tokens of tool calls and of many texts. */
import type { Tokenizer } from '../../../lib/tokenizer/tokenizer.ts'
import { MAX_LIGHT_LENGTH, type Steps } from '../../../lib/work/steps.ts'

/** The tokens of a call besides its name and arguments. Parallel calls have a wrapper. As recorded answers count. */
export const frameTokens = (calls: number): number => (calls > 1 ? 14 : 7)

/** A text costs a unit of work for each character, and a few for itself. */
const UNITS_PER_TEXT = 5
const MAX_UNITS_PER_STEP = 2000

/** The tokens of a text. A short text is counted without a step. */
export function* countText(text: string, tokenizer: Tokenizer): Steps<number> {
  if (text.length <= MAX_LIGHT_LENGTH) return tokenizer.count(text)
  return yield* tokenizer.countInSteps(text)
}

/** The tokens of many texts. */
export function* countTexts(texts: Iterable<string>, tokenizer: Tokenizer): Steps<number> {
  let tokens = 0
  let units = 0
  for (const text of texts) {
    tokens += yield* countText(text, tokenizer)
    units += UNITS_PER_TEXT + Math.min(text.length, MAX_UNITS_PER_STEP)
    if (units < MAX_UNITS_PER_STEP) continue
    yield units
    units = 0
  }
  return tokens
}
