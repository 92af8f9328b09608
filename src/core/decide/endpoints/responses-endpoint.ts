/**
 * The responses endpoint: checks a body, and writes the reply to its turn as a response, or only counts its tokens.
 *
 *     {"model": "gpt-4o", "input": "Hi"}
 *     -> {"id": "resp_68...", "object": "response", "status": "completed", "output": [{"type": "message", ...}], ...}
 *     {"model": "gpt-4o", "input": "Hi", "max_tokens": 5}
 *     -> 400 `moved-parameter` of the error catalogue: here it is called max_output_tokens
 *
 * The checks run in the order of the real service, and the first problem is the answer. Who replies, and how the reply is
 * streamed and counted, is the same as in a chat: see generation/generate.ts.
 */

import { namesInChoice, readResponseTools } from '../../dialects/read-tools.ts'
import { itemType } from '../../dialects/responses/read-responses.ts'
import { echoRequest, type ResponseFrame, responseParts } from '../../dialects/responses/response-body.ts'
import { CHECKED_RESPONSES_FIELDS, RESPONSES_FIELDS } from '../../dialects/responses/response-fields.ts'
import { buildOutput } from '../../dialects/responses/response-items.ts'
import { ResponseStream } from '../../dialects/responses/response-stream.ts'
import { isMissing, isObject, type JsonObject, objectsIn } from '../../lib/text/json.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import { FIRST_SECOND_OF_2025 } from '../../protocol/plan/response-ids.ts'
import { joinParts } from '../../protocol/plan/text-parts.ts'
import type { Reply } from '../../protocol/turn/reply.ts'
import { USUAL_EFFORT } from '../../protocol/turn/turn.ts'
import { contentText } from '../../protocol/turn/turn-texts.ts'
import type { EndpointDefinition } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import { answerJson } from '../call/respond.ts'
import { outputProblem, parameterCheck, schemaProblem, withNumberAsSent } from './checks/common-checks.ts'
import { fileProblem, imageProblem } from './checks/media-problems.ts'
import { responsesSupportProblem } from './checks/model-support.ts'
import { fieldNotSimulated, partNotSimulated } from './checks/simulated-parts.ts'
import { type DialectWriter, generate } from './generation/generate.ts'
import { fitTurn, inputLimit } from './generation/prompt.ts'
import { storeResponse } from './store-answer.ts'

const parameters = parameterCheck(RESPONSES_FIELDS)

export const responses: EndpointDefinition = {
  check: checkResponses,
  notes: parameters.notes,
  answer: (context, mutator) => generate(context, mutator, responsesWriter),
}

/** Counts the tokens of the same body without answering it: `{"object":"response.input_tokens","input_tokens":9}`. */
export const inputTokens: EndpointDefinition = {
  ...responses,
  answer(context) {
    const { prompt } = fitTurn(context)
    const json = JSON.stringify({ object: 'response.input_tokens', input_tokens: prompt.tokens })
    return { plan: answerJson(context, json, { by: 'count', name: 'count' }) }
  },
}

/** The first problem of a responses request. */
function checkResponses(context: CallContext): ApiError | undefined {
  const { request, rules, scenario, call } = context
  const { body, parsed } = request
  const { strict } = scenario
  // A rule with items scripts what the hosted tools did.
  const scriptsItems = rules.search.found?.rule.items !== undefined
  const problem =
    parsed.once(movedParameter) ??
    parsed.once(fieldNotSimulated) ??
    (scriptsItems ? undefined : parsed.once(partNotSimulated)) ??
    parameters.check(context) ??
    parsed.once(fieldProblem) ??
    responsesSupportProblem(request, rules.modelRule) ??
    parsed.once(problemBetweenFields) ??
    // The checks of the whole conversation, with the stored items that this call goes on from.
    request.conversation?.problem ??
    callPairProblem(request.turn.messages) ??
    (strict ? imageProblem(request.turn.messages) : undefined) ??
    (strict ? parsed.once(fileProblem) : undefined) ??
    outputProblem(body, ['max_output_tokens'], rules.modelRule)
  return problem && withNumberAsSent(problem, body, call.body ?? '')
}

/** The parameters of a chat that have another name here. */
const MOVED: readonly (readonly [from: string, to: string])[] = [
  ['messages', 'input'],
  ['reasoning_effort', 'reasoning.effort'],
  ['response_format', 'text.format'],
  ['verbosity', 'text.verbosity'],
  ['max_tokens', 'max_output_tokens'],
  ['max_completion_tokens', 'max_output_tokens'],
]

/** The first parameter of a chat. A lenient scenario refuses it too, because the request would mean something else without it. */
function movedParameter(body: JsonObject): ApiError | undefined {
  const moved = MOVED.find(([from]) => !isMissing(body[from]))
  return moved && apiError('moved-parameter', { from: moved[0], to: moved[1] })
}

/** The first problem of a field. An empty text is an input; an empty list is one only after an earlier response. */
function fieldProblem(body: JsonObject): ApiError | undefined {
  const { input, previous_response_id: previous } = body
  const problem = CHECKED_RESPONSES_FIELDS.problem(body, '')
  if (problem !== undefined || !isMissing(previous)) return problem
  const isEmptyList = Array.isArray(input) && input.length === 0
  return isMissing(input) || isEmptyList ? apiError('input-missing') : undefined
}

/** The first problem between fields that are valid on their own. */
function problemBetweenFields(body: JsonObject): ApiError | undefined {
  const { tools, tool_choice: choice, text, input, previous_response_id: previous, stream, stream_options } = body
  if (choice === 'required' && objectsIn(tools).length === 0) return apiError('tool-choice-without-tools')
  const declared = new Set(readResponseTools(body).declared.map(({ name }) => name))
  const namesDeclaredTools = namesInChoice(choice).every((name) => declared.has(name))
  if (!namesDeclaredTools) return apiError('undeclared-tool', { type: 'function' })
  const format = isObject(text) ? text.format : undefined
  // An earlier response may have said the word.
  if (isObject(format) && format.type === 'json_object' && isMissing(previous)) {
    const texts =
      typeof input === 'string' ? [input] : objectsIn(input).map((item) => contentText(item.content ?? item.output))
    if (!texts.some((said) => /json/i.test(said))) return apiError('json-word-missing-in-input')
  }
  if (!isMissing(stream_options) && stream !== true) return apiError('stream-options-alone')
  // Only a tool with `strict: true` must have a strict schema: that of a tool without `strict` is completed by the service.
  const functions = objectsIn(tools).map((tool, index) => [`tools[${index}].parameters`, tool] as const)
  const withSchema = isObject(format) && format.type === 'json_schema' ? format : undefined
  return schemaProblem(functions, withSchema, 'invalid-text-schema', 'text.format.schema') ?? itemProblem(body)
}

/** Every call of a conversation has its output later, and every output its call earlier. */
export function callPairProblem(messages: readonly JsonObject[]): ApiError | undefined {
  const called = new Set<unknown>()
  const open = new Set<unknown>()
  for (const { role, tool_calls, tool_call_id: id } of messages) {
    for (const call of objectsIn(tool_calls)) {
      called.add(call.id)
      open.add(call.id)
    }
    if (role !== 'tool') continue
    if (!called.has(id)) return apiError('missing-tool-call', { id: String(id) })
    open.delete(id)
  }
  const [first] = open
  return first === undefined ? undefined : apiError('missing-tool-output', { id: String(first) })
}

/** The beginning of all encrypted content: it is a Fernet token. */
const ENCRYPTED_START = 'gAAAAA'

/** The first problem of an item: a repeated id, content that can't be decrypted, or reasoning without the item after it. */
export function itemProblem({ input }: JsonObject): ApiError | undefined {
  if (!Array.isArray(input)) return undefined
  const ids = new Set<string>()
  /** The id of the reasoning that still needs the item after it. */
  let reasoningId: string | undefined
  for (const item of input) {
    if (!isObject(item)) continue
    const { id, encrypted_content: encrypted } = item
    const hasId = typeof id === 'string'
    if (hasId && ids.has(id)) return apiError('duplicate-item', { id })
    if (hasId) ids.add(id)
    const type = itemType(item)
    if (type === 'reasoning') {
      if (typeof encrypted === 'string' && !encrypted.startsWith(ENCRYPTED_START))
        return apiError('invalid-encrypted-content', { shown: `${encrypted.slice(0, 4)}...${encrypted.slice(-4)}` })
      reasoningId = hasId ? id : undefined
      continue
    }
    // A message without an id was written by the client: it is not the one that the service stored after the reasoning.
    const isNext = type !== 'function_call_output' && (type !== 'message' || hasId)
    if (reasoningId !== undefined && !isNext) break
    reasoningId = undefined
  }
  return reasoningId === undefined ? undefined : apiError('reasoning-alone', { id: reasoningId })
}

const responsesWriter: DialectWriter = {
  checkLength: (tokens, _turn, rules) => (tokens > inputLimit(rules) ? apiError('context-window') : undefined),
  write(context, reply) {
    const frame = frameOf(context, reply)
    const { body: sent, turn } = context.request
    const isStored = sent.store !== false
    const needsBody = isStored || !turn.isStream
    const body = needsBody ? joinParts(responseParts(frame, reply)) : undefined
    return {
      frame,
      body,
      stream: (options) => new ResponseStream(frame, reply, options),
      ...(isStored && storeResponse(context, frame.output, body!)),
    }
  },
}

/** The parts of a response around its reply. */
function frameOf(context: CallContext, reply: Reply): ResponseFrame {
  const { request, rules, draws } = context
  const { body, turn, model } = request
  const { snapshot = model, reasoning: isReasoning = false, effort = USUAL_EFFORT } = rules.modelRule ?? {}
  const {
    phase,
    topP = 1,
    retention = 'in_memory',
    context: usualContext = 'current_turn',
  } = rules.modelRule?.responses ?? {}
  const createdAt = FIRST_SECOND_OF_2025 + draws.ids.second
  const settings = {
    createdAt,
    isEncrypted: Array.isArray(body.include) && body.include.includes('reasoning.encrypted_content'),
    isSummarized: isObject(body.reasoning) && !isMissing(body.reasoning.summary),
    hasPhase: phase === true,
  }
  return {
    createdAt,
    askedTier: (body.service_tier ?? 'auto') as string,
    serviceTier: turn.serviceTier,
    output: buildOutput(reply, settings, draws.random('response', request.parsed)),
    ...echoRequest(body, { name: snapshot, isReasoning, effort, topP, retention, context: usualContext }),
  }
}
