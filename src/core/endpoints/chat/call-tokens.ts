/** Counts the tokens of tool calls, in an answer and in the prompt of the next request; and those of many texts. */
import { isObject, type JsonObject } from '../../text/json.ts'
import { toText } from '../../text/to-text.ts'
import type { Tokenizer } from '../../tokenizer/tokenizer.ts'
import type { Steps } from '../../work/steps.ts'

/** The tokens of a call besides its name and arguments. Parallel calls have a wrapper. As recorded answers count. */
export const frameTokens = (calls: number): number => (calls > 1 ? 14 : 7)

/** The calls of an assistant message in the prompt: as they were counted in its answer, and two for the message. */
export function* madeCallTokens(calls: readonly JsonObject[], tokenizer: Tokenizer): Steps<number> {
  let tokens = 2
  const texts: string[] = []
  for (const call of calls) {
    const called = call.function ?? call.custom
    if (!isObject(called)) continue
    const { name, arguments: given, input } = called
    tokens += frameTokens(calls.length)
    texts.push(toText(name), toText(given ?? input ?? ''))
  }
  return tokens + (yield* countTexts(texts, tokenizer))
}

/** A text costs a unit of work for each character, and a few for itself. */
const UNITS_PER_TEXT = 5
const MAX_UNITS_PER_STEP = 2000

/** The tokens of a text. A short text is counted without a step. */
export function* countText(text: string, tokenizer: Tokenizer): Steps<number> {
  if (text.length <= MAX_UNITS_PER_STEP) return tokenizer.count(text)
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
