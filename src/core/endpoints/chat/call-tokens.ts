/** Counts the tokens of tool calls, in an answer and in the prompt of the next request. */
import { isObject, type JsonObject } from '../../text/json.ts'
import { toText } from '../../text/to-text.ts'
import type { Tokenizer } from '../../tokenizer/tokenizer.ts'

/** The tokens of a call besides its name and arguments. Parallel calls have a wrapper. As recorded answers count. */
export const frameTokens = (calls: number): number => (calls > 1 ? 14 : 7)

/** The calls of an assistant message in the prompt: as they were counted in its answer, and two for the message. */
export function madeCallTokens(calls: readonly JsonObject[], tokenizer: Tokenizer): number {
  let tokens = 2
  for (const call of calls) {
    const called = call.function ?? call.custom
    if (!isObject(called)) continue
    const { name, arguments: given, input } = called
    tokens += frameTokens(calls.length) + tokenizer.count(toText(name)) + tokenizer.count(toText(given ?? input ?? ''))
  }
  return tokens
}
