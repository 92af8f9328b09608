/** What the calls of tools are counted as, in an answer and in the prompt after it. */
import { isObject, type JsonObject } from '../../text/json.ts'
import { toText } from '../../text/to-text.ts'
import type { Tokenizer } from '../../tokenizer/tokenizer.ts'

/** What each call has besides its name and arguments; calls made at once are wrapped. As the recorded answers count. */
export const frameTokens = (calls: number): number => (calls > 1 ? 14 : 7)

/** Calls that the assistant has made: as they were counted when it made them, and two for the message. */
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
