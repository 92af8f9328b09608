/**
 * The description of a call besides its name, read from the journal. A chat whose last message is `Hello` has the label
 * `POST chat "Hello"`.
 */
import { turnReader } from '../../core/dialects/read-turn.ts'
import type { JournalEntry } from '../../core/journal/entry.ts'
import { hashName } from '../../core/lib/random/hash.ts'
import { shorten } from '../../core/lib/text/wording.ts'
import { placesIn } from '../../core/protocol/faults/responses-events.ts'
import type { AnswerKind, CallTraits } from './fault-classes.ts'

export interface CallDescription extends CallTraits {
  /** For reports: `POST chat "Summarise..."`. */
  readonly label: string
  /** A rule for a scenario that would match it: `{ when: { user: "Summarise" }, say: ... }`; '' if its last text is none. */
  readonly rule: string
  /** A hash of its body without what repeats earlier answers: the same for calls that carry on with other answers. */
  readonly asked: string
  /** The bytes of each event of its answer; empty unless it is a stream. */
  readonly eventSizes: readonly number[]
}

/** Most characters of a text in a rule that a report proposes. */
const RULE_TEXT = 40

export function describeCall(entry: JournalEntry): CallDescription {
  const { endpoint, body = {} } = entry
  const isStream = body.stream === true
  const { messages } = turnReader(endpoint)(body)
  // The text that tells calls apart best: the last message, or the input of an embedding.
  const last = messages.at(-1)
  const prompt = (last === undefined ? body.input : last.content) ?? ''
  const notOfModel = messages.filter(({ role }) => role !== 'assistant').map(({ role, content }) => ({ role, content }))
  // In a body with messages, these stand in place of all that may repeat earlier answers. JSON leaves undefined out.
  const withoutAnswers = last && { messages: notOfModel, input: undefined, previous_response_id: undefined }
  const condition = last?.role === 'user' ? 'user' : 'toolResult'
  const ruleText = typeof last?.content === 'string' ? JSON.stringify(last.content.slice(0, RULE_TEXT)) : undefined
  return {
    isStream,
    eventSizes: isStream ? eventSizesOf(entry) : [],
    content: answerKindOf(entry),
    asked: hashName(JSON.stringify([endpoint, { ...body, ...withoutAnswers }])),
    label: `POST ${endpoint} ${shorten(JSON.stringify(prompt))}`,
    rule: ruleText === undefined ? '' : `{ when: { ${condition}: ${ruleText} }, say: ... }`,
  }
}

/** The bytes between the places at which `cut` counts: those of each event, or up to each place of a response. */
function eventSizesOf({ endpoint, timeline = [] }: JournalEntry): readonly number[] {
  const sends = timeline.flatMap((step) => (step.type === 'send' ? [step] : []))
  if (endpoint !== 'responses') return sends.map(({ bytes }) => bytes)
  let start = 0
  return [...placesIn(sends.length, (index) => sends[index]!.data ?? '')].map((end) => {
    const size = sends.slice(start, end).reduce((sum, { bytes }) => sum + bytes, 0)
    start = end
    return size
  })
}

/** In an answer of a chat, and of a response. */
const TOOL_CALLS = /"tool_calls":\[|"type":\s*"function_call"/

function answerKindOf({ endpoint, body = {}, timeline = [] }: JournalEntry): AnswerKind {
  if (endpoint === 'embeddings') return 'embeddings'
  if (timeline.some((step) => step.type === 'send' && TOOL_CALLS.test(step.data ?? ''))) return 'tool calls'
  return turnReader(endpoint)(body).format.type === 'text' ? 'text' : 'json'
}
