/**
 * The chat endpoint: checks a body, and writes the reply to its turn as a chat completion. The checks run in the order of the
 * real service, and the first problem is the answer:
 *
 *     {"messages": [...], "top_logprobs": 3}
 *     -> 400 `top-logprobs-alone` of the error catalogue, because `logprobs` is not true
 */

import { CHAT_FIELDS, CHECKED_CHAT_FIELDS } from '../../dialects/chat/chat-fields.ts'
import { ChatStream } from '../../dialects/chat/chat-stream.ts'
import { type CompletionFrame, completionParts } from '../../dialects/chat/completion.ts'
import { asksForAudio } from '../../dialects/chat/read-chat.ts'
import { namesInChoice, readChatTools } from '../../dialects/read-tools.ts'
import { MemoCache } from '../../lib/cache/bounded-maps.ts'
import { hash32 } from '../../lib/random/hash.ts'
import { hex32 } from '../../lib/random/random.ts'
import { isMissing, isObject, type JsonObject, objectsIn } from '../../lib/text/json.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import { FIRST_SECOND_OF_2025 } from '../../protocol/plan/response-ids.ts'
import { joinParts } from '../../protocol/plan/text-parts.ts'
import type { Turn } from '../../protocol/turn/turn.ts'
import { contentText } from '../../protocol/turn/turn-texts.ts'
import type { EndpointDefinition } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import type { CallRules } from '../call/call-rules.ts'
import { outputProblem, parameterCheck, schemaProblem, withNumberAsSent } from './checks/common-checks.ts'
import { imageProblem } from './checks/media-problems.ts'
import { chatSupportProblem, unknownToModel } from './checks/model-support.ts'
import { type DialectWriter, generate } from './generation/generate.ts'
import { moderationJson } from './moderation.ts'
import { readMetadata, storeAnswer } from './store-answer.ts'

const parameters = parameterCheck(CHAT_FIELDS)

export const chat: EndpointDefinition = {
  // Clients send the same request again and again, so its problem is kept.
  check: (context) =>
    context.request.parsed.keep(`checks ${context.scenario.strict}`, context.rules.modelRule, () =>
      findProblem(context),
    ),
  notes: parameters.notes,
  answer: (context, mutator) => generate(context, mutator, chatWriter),
}

/** The first problem of a chat request. */
function findProblem(context: CallContext): ApiError | undefined {
  const { request, rules, scenario, call } = context
  const { body } = request
  const { modelRule = {} } = rules
  if (body.messages === undefined) return apiError('missing-parameter', { path: 'messages' })
  const { strict } = scenario
  const functions = [
    ...objectsIn(body.tools).map((tool, index) => [`tools[${index}].function.parameters`, tool.function] as const),
    ...objectsIn(body.functions).map((declared, index) => [`functions[${index}].parameters`, declared] as const),
  ]
  const format = isObject(body.response_format) ? body.response_format.json_schema : undefined
  // Reasoning models refuse `max_tokens`, whatever its value.
  const refusesMaxTokens = modelRule.reasoning === true && !isMissing(body.max_tokens)
  const problem =
    parameters.check(context) ??
    (strict ? unknownToModel(body, modelRule) : undefined) ??
    (refusesMaxTokens ? apiError('max-tokens-unsupported') : undefined) ??
    CHECKED_CHAT_FIELDS.problem(body, '') ??
    chatSupportProblem(body, modelRule) ??
    pairProblem(body) ??
    toolMessageProblem(body) ??
    audioProblem(body) ??
    schemaProblem(functions, format, 'invalid-response-schema', 'response_format') ??
    missingContent(body) ??
    (strict ? imageProblem(objectsIn(body.messages)) : undefined) ??
    outputProblem(body, ['max_completion_tokens', 'max_tokens'], modelRule)
  return problem && withNumberAsSent(problem, body, call.body ?? '')
}

/** The first field that is not allowed beside, or without, another one. */
function pairProblem(body: JsonObject): ApiError | undefined {
  const isSent = (name: string): boolean => !isMissing(body[name])
  const hasTools = objectsIn(body.tools).length > 0
  if (isSent('tool_choice') && !hasTools) return apiError('tool-choice-alone')
  if (isSent('parallel_tool_calls') && !hasTools) return apiError('parallel-tool-calls-alone')
  if (isSent('max_tokens') && isSent('max_completion_tokens')) return apiError('two-token-limits')
  const declared = new Set(readChatTools(body).declared.map(({ name }) => name))
  const named = namesInChoice(isMissing(body.tools) ? body.function_call : body.tool_choice)
  const undeclared = named.find((name) => !declared.has(name))
  if (undeclared !== undefined) return apiError('undeclared-function', { name: undeclared })
  const hasMetadata = isObject(body.metadata) && Object.keys(body.metadata).length > 0
  if (hasMetadata && body.store !== true) return apiError('metadata-without-store')
  if (isSent('top_logprobs') && body.logprobs !== true) return apiError('top-logprobs-alone')
  const { response_format: format, messages } = body
  if (isObject(format) && format.type === 'json_object') {
    const saysJson = objectsIn(messages).some(({ content }) => /json/i.test(contentText(content)))
    if (!saysJson) return apiError('json-word-missing')
  }
  return isSent('stream_options') && body.stream !== true ? apiError('stream-options-alone') : undefined
}

/** Every tool call is answered by the tool messages right after it, and every tool message answers one. */
function toolMessageProblem(body: JsonObject): ApiError | undefined {
  const messages = body.messages as readonly JsonObject[]
  if (!messages.some(({ role, tool_calls }) => role === 'tool' || !isMissing(tool_calls))) return undefined
  /** The ids of the calls of the last message that is not of a tool, and those without an answer so far. */
  let called = new Set<unknown>()
  let unanswered = new Set<unknown>()
  const unansweredProblem = (index: number): ApiError | undefined =>
    unanswered.size === 0 ? undefined : apiError('unanswered-tool-call', { index, ids: [...unanswered].map(String) })
  for (const [index, { role, tool_calls, tool_call_id: id }] of messages.entries()) {
    if (role === 'tool') {
      if (!called.has(id)) return apiError('orphan-tool-message', { index })
      unanswered.delete(id)
      continue
    }
    const problem = unansweredProblem(index)
    if (problem !== undefined) return problem
    called = new Set(objectsIn(tool_calls).map((call) => call.id))
    unanswered = new Set(called)
  }
  return unansweredProblem(messages.length)
}

function audioProblem(body: JsonObject): ApiError | undefined {
  if (!asksForAudio(body)) return undefined
  if (!isObject(body.audio)) return apiError('missing-parameter', { path: 'audio' })
  const { format } = body.audio
  if (body.stream !== true || format === 'pcm16') return undefined
  return apiError('audio-format-streamed', { got: format as string })
}

/** A message without content is allowed for a function, and for an assistant that calls a tool, refuses or has audio. */
function missingContent(body: JsonObject): ApiError | undefined {
  for (const [index, message] of (body.messages as readonly JsonObject[]).entries()) {
    const { role, content, tool_calls, function_call, refusal, audio } = message
    if (!isMissing(content) || role === 'function') continue
    if (role === 'assistant' && !isMissing(tool_calls ?? function_call ?? refusal ?? audio)) continue
    return apiError('missing-content', { path: `messages.[${index}].content`, got: 'null' })
  }
  return undefined
}

/** Names of the configuration behind a model, by seed and model: the same for every call. */
const fingerprints = new MemoCache<string>(1000, 400)

const chatWriter: DialectWriter = {
  checkLength,
  write(context, reply) {
    const { request, rules, scenario, draws } = context
    const { turn, body: sent } = request
    const { ids } = draws
    const { reasoning = false, snapshot = turn.model, fingerprint, logprobsKey = !reasoning } = rules.modelRule ?? {}
    // Reasoning models, and those older than gpt-4o, have no fingerprint.
    const hasFingerprint = fingerprint ?? !(reasoning || request.encoding === 'cl100k_base')
    const name = `${scenario.seed}|${turn.model}`
    const frame: CompletionFrame = {
      id: ids.completionId,
      created: FIRST_SECOND_OF_2025 + ids.second,
      model: snapshot,
      serviceTier: turn.serviceTier,
      systemFingerprint: hasFingerprint
        ? fingerprints.of(name, () => `fp_${(hex32(hash32(name, 1)) + hex32(hash32(name, 2))).slice(0, 10)}`)
        : null,
      hasLogprobsKey: logprobsKey,
      moderation: sent.moderation === undefined ? undefined : moderationJson(context),
    }
    const usage = turn.includeUsage ? reply.usage : undefined
    const isStored = sent.store === true
    const body = isStored || !turn.isStream ? joinParts(completionParts(frame, reply)) : undefined
    const { id, model } = frame
    return {
      frame,
      body,
      stream: (options) => new ChatStream(frame, reply, { ...options, usage }),
      ...(isStored && storeAnswer(context, { type: 'completion', id, model, metadata: readMetadata(sent) }, body!)),
    }
  },
}

/** A reasoning model can't finish a message of fewer tokens. */
const MIN_REASONING_CAP = 2

/** The messages, and the completion that they ask for, fit into the model. */
function checkLength(tokens: number, { maxTokens }: Turn, { modelRule }: CallRules): ApiError | undefined {
  const {
    reasoning,
    inputTokens = Number.POSITIVE_INFINITY,
    contextTokens = Number.POSITIVE_INFINITY,
  } = modelRule ?? {}
  if (tokens > inputTokens) return apiError('input-tokens', { limit: inputTokens, tokens })
  if (tokens > contextTokens) return apiError('context-length', { limit: contextTokens, tokens })
  if (reasoning === true && maxTokens < MIN_REASONING_CAP) return apiError('output-limit-reached')
  if (maxTokens === Number.POSITIVE_INFINITY || tokens + maxTokens <= contextTokens) return undefined
  const sum = tokens + maxTokens
  return apiError('context-length-with-output', { limit: contextTokens, tokens, asked: maxTokens, sum })
}
