/** The fields and events of a recorded answer that the service has added or dropped since. */
import { askToday } from '../../engine/index.ts'
import { compareAnswers } from '../answer-shape.ts'
import { answerIn, comparedOf, type Recording } from '../drift.ts'

/** Fields that an answer has or not, depending on what it says. */
const VARIANT =
  /tool_calls|function_call|logprobs|reasoning|audio|moderation|content_filter|encrypted|error|output\[\]|delta|embedding|tools\[\]|chunk\.(?:item|part|text|arguments|name|summary|refusal|annotation|code|partial|output_index|content_index)/
/** The events about a whole response, of which each stream has the same. */
const LIFE_OF_A_RESPONSE = /^event: response\.\w+$/gm
const ENDS = /response\.(?:completed|incomplete|failed|queued|cancelled)$/

export function answerChanges(recording: Recording): {
  readonly added: readonly string[]
  readonly dropped: readonly string[]
} {
  const recorded = recording.answers.findLast(({ status, isCut }) => status === 200 && !isCut)
  const now = answerIn(askToday(recording))
  if (recorded === undefined || now.status !== 200) return { added: [], dropped: [] }
  const before = comparedOf(recorded)
  const all = compareAnswers(before, now).filter(({ path }) => !VARIANT.test(path))
  const pathsOf = (wanted: string): string[] => all.flatMap(({ path, change }) => (change === wanted ? path : []))
  const [were, are] = [before, now].map(({ body }) => new Set(body.match(LIFE_OF_A_RESPONSE)))
  const only = (these: Set<string>, those: Set<string>): string[] =>
    [...these].filter((name) => !those.has(name) && !ENDS.test(name))
  return {
    added: [...pathsOf('added'), ...only(are!, were!)],
    dropped: [...pathsOf('missing'), ...only(were!, are!)],
  }
}
