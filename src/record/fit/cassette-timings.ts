/** Timings from the recorded streams of a cassette. */

import { durationMs } from '../../core/lib/text/duration.ts'
import { isObject, parseJson } from '../../core/lib/text/json.ts'
import { toList } from '../../core/lib/text/to-list.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { type CallTiming, perTokenOf } from './call-timing.ts'

type Answer = Exclude<NonNullable<NonNullable<ScenarioSource['replies']>[number]['answer']>, readonly unknown[]>

/** One for each recorded stream with text. The last event's usage counts the tokens; without it, each event is one. */
export const readCassette = ({ replies = [] }: ScenarioSource): CallTiming[] =>
  replies.flatMap(({ answer }) => (answer === undefined ? [] : toList(answer).flatMap((one) => readStream(one) ?? [])))

function readStream({ events = [], cut }: Answer): CallTiming | undefined {
  let [firstMs, lastMs, chunks] = [0, 0, 0]
  let tokens: number | undefined
  for (const { at, data } of events) {
    const chunk = data === undefined ? undefined : parseJson(data)
    if (!isObject(chunk)) continue
    if (isObject(chunk.usage)) tokens = Number(chunk.usage.completion_tokens)
    if (!hasContent(chunk.choices)) continue
    lastMs = durationMs(at)
    if (chunks === 0) firstMs = lastMs
    chunks++
  }
  if (chunks === 0 || firstMs <= 0) return undefined
  return { firstTokenMs: firstMs, perTokenMs: cut === true ? undefined : perTokenOf(firstMs, lastMs, tokens ?? chunks) }
}

const hasContent = (choices: unknown): boolean =>
  Array.isArray(choices) &&
  choices.some(
    (choice) =>
      isObject(choice) &&
      isObject(choice.delta) &&
      ((typeof choice.delta.content === 'string' && choice.delta.content !== '') ||
        choice.delta.tool_calls !== undefined),
  )
