/** Checks of chat fields that depend on each other; the table at the end lists them in order. */

import { isMissing, isObject, type JsonObject, objectsIn } from '../../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../../protocol/errors/error-catalogue.ts'
import { contentText } from '../../../../protocol/request/chat-messages.ts'
import { namesInChoice, readTools } from '../../../../protocol/request/tools.ts'

type Rule = (body: JsonObject) => ApiError | undefined

const topLogprobsNeedLogprobs: Rule = ({ top_logprobs, logprobs }) =>
  !isMissing(top_logprobs) && logprobs !== true ? apiError('top-logprobs-alone') : undefined

const streamOptionsNeedStream: Rule = ({ stream_options, stream }) =>
  !isMissing(stream_options) && stream !== true ? apiError('stream-options-alone') : undefined

const toolChoiceNeedsTools: Rule = ({ tool_choice, tools }) =>
  !isMissing(tool_choice) && objectsIn(tools).length === 0 ? apiError('tool-choice-alone') : undefined

const parallelCallsNeedTools: Rule = ({ parallel_tool_calls, tools }) =>
  !isMissing(parallel_tool_calls) && objectsIn(tools).length === 0 ? apiError('parallel-tool-calls-alone') : undefined

const oneTokenLimit: Rule = ({ max_tokens, max_completion_tokens }) =>
  isMissing(max_tokens) || isMissing(max_completion_tokens) ? undefined : apiError('two-token-limits')

const namedFunctionsAreDeclared: Rule = (body) => {
  const names = namesInChoice(isMissing(body.tools) ? body.function_call : body.tool_choice)
  if (names.length === 0) return undefined
  const { declared } = readTools(body)
  const unknown = names.find((name) => !declared.some((tool) => tool.name === name))
  return unknown === undefined ? undefined : apiError('undeclared-function', { name: unknown })
}

/** Every tool call is answered by the tool messages right after it, and every tool message answers one. */
const toolMessagesAnswerCalls: Rule = ({ messages }) => {
  const all = messages as readonly JsonObject[]
  if (!all.some(({ role, tool_calls }) => role === 'tool' || !isMissing(tool_calls))) return undefined
  let open = new Set<unknown>()
  let called = new Set<unknown>()
  const unanswered = (index: number): ApiError | undefined =>
    open.size === 0 ? undefined : apiError('unanswered-tool-call', { index, ids: [...open].map(String) })
  for (const [index, message] of all.entries()) {
    if (message.role === 'tool') {
      if (!called.has(message.tool_call_id)) return apiError('orphan-tool-message', { index })
      open.delete(message.tool_call_id)
      continue
    }
    const problem = unanswered(index)
    if (problem !== undefined) return problem
    open = new Set(objectsIn(message.tool_calls).map(({ id }) => id))
    called = new Set(open)
  }
  return unanswered(all.length)
}

const jsonModeMentionsJson: Rule = ({ messages, response_format }) => {
  if (!isObject(response_format) || response_format.type !== 'json_object') return undefined
  const hasWord = (messages as readonly JsonObject[]).some(({ content }) => /json/i.test(contentText(content)))
  return hasWord ? undefined : apiError('json-word-missing')
}

/** Whether the answer is to be spoken. */
export const asksForAudio = ({ modalities }: JsonObject): boolean =>
  Array.isArray(modalities) && modalities.includes('audio')

const audioNeedsFormat: Rule = (body) => {
  if (!asksForAudio(body)) return undefined
  if (!isObject(body.audio)) return apiError('missing-parameter', { path: 'audio' })
  const { format } = body.audio
  return body.stream === true && format !== 'pcm16'
    ? apiError('audio-format-streamed', { got: format as string })
    : undefined
}

const rules: readonly Rule[] = [
  toolChoiceNeedsTools,
  parallelCallsNeedTools,
  oneTokenLimit,
  namedFunctionsAreDeclared,
  topLogprobsNeedLogprobs,
  jsonModeMentionsJson,
  streamOptionsNeedStream,
  toolMessagesAnswerCalls,
  audioNeedsFormat,
]

/** The first problem between fields that are valid on their own. */
export function crossProblem(body: JsonObject): ApiError | undefined {
  for (const rule of rules) {
    const problem = rule(body)
    if (problem !== undefined) return problem
  }
  return undefined
}
