/**
 * The fields and events of a recorded answer that the service has added or dropped since.
 *
 *     { added: ['usage.prompt_tokens_details'], dropped: ['event: response.queued'] }
 */
import { askToday } from '../../engine/index.ts'
import { type ComparedAnswer, compareAnswers, type ShapeDifference } from '../answer-shape.ts'
import { answerIn } from '../drift.ts'
import { comparedOf, type Recording } from '../recorded-calls.ts'

/** Fields that an answer has or not, depending on what it says: they tell nothing about the service. */
const DEPENDS_ON_CONTENT =
  /tool_calls|function_call|logprobs|reasoning|audio|moderation|content_filter|encrypted|error|output\[\]|delta|embedding|tools\[\]|chunk\.(?:item|part|text|arguments|name|summary|refusal|annotation|code|partial|output_index|content_index)/
/** The events about a whole response, such as `event: response.created`. */
const RESPONSE_EVENT = /^event: response\.\w+$/gm
/** Those of them that not every stream has. */
const OPTIONAL_EVENT = /response\.(?:completed|incomplete|failed|queued|cancelled)$/

export function answerChanges(recording: Recording) {
  const recorded = recording.answers.findLast(({ status, isCut }) => status === 200 && !isCut)
  const now = answerIn(askToday(recording))
  if (recorded === undefined || now.status !== 200) return { added: [], dropped: [] }
  const before = comparedOf(recorded)
  const differences = compareAnswers(before, now).filter(({ path }) => !DEPENDS_ON_CONTENT.test(path))
  const pathsOf = (change: ShapeDifference['change']): string[] =>
    differences.filter((difference) => difference.change === change).map(({ path }) => path)
  return {
    added: [...pathsOf('added'), ...eventsOnlyIn(now, before)],
    dropped: [...pathsOf('missing'), ...eventsOnlyIn(before, now)],
  }
}

function eventsOnlyIn(one: ComparedAnswer, other: ComparedAnswer): string[] {
  const [events, otherEvents] = [one, other].map(({ body }) => new Set(body.match(RESPONSE_EVENT)))
  return [...events!].filter((event) => !otherEvents!.has(event) && !OPTIONAL_EVENT.test(event))
}
