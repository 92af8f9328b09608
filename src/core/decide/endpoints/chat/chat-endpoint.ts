/** The chat endpoint: from a request that passed its checks to the plan of its answer. */

import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import type { AnswerMutator } from '../../../protocol/faults/answer-mutator.ts'
import { type Head, withNotes } from '../../../protocol/plan/plan.ts'
import { drawCallId } from '../../../protocol/plan/response-ids.ts'
import { joinParts, TextSize } from '../../../protocol/plan/text-parts.ts'
import type { CallContext } from '../../call/call-context.ts'
import type { Answer, EndpointDefinition } from '../../call/respond.ts'
import { answerError, answerJson, answerTooLarge, checkAnswerSize, serviceHeaders } from '../../call/respond.ts'
import { chatNotes, checkChat } from '../checks/check-chat.ts'
import { type Audio, audioOf } from './audio.ts'
import { ChatStream } from './chat-stream.ts'
import { type Choices, completionParts, frameOf, storeAnswer } from './completion.ts'
import { findReply } from './find-reply.ts'
import { type FinishedMessage, finishMessage } from './finish-message.ts'
import { type DrawnLogprobs, drawLogprobs, Logprobs } from './logprobs.ts'
import { promptTokens } from './prompt.ts'
import { type ChatRequest, readChat } from './read-chat.ts'
import { splitMessage } from './stream-deltas.ts'
import { reasoningTokens, usageOf } from './usage.ts'
import { cacheStyleOf, useCache } from './use-prompt-cache.ts'

export const chat: EndpointDefinition = {
  check: checkChat,
  notes: chatNotes,
  wrongModel: () => apiError('not-a-chat-model'),
  answer,
}

function answer(context: CallContext, mutator: AnswerMutator): Answer {
  const request = readChat(context)
  const refuse = (error: ApiError): Answer => ({
    plan: answerError(context, error, { by: 'request', name: error.name }),
  })
  const prompt = promptTokens(context, request)
  const lengthError = checkLength(prompt.tokens, request, context)
  if (lengthError !== undefined) return refuse(lengthError)
  const reply = findReply(context, request)
  if ('error' in reply) return refuse(reply.error)

  const message = mutator.message(reply.message, context)
  const reasoning = reasoningTokens(context, request)
  const finished = finishMessage(message, request, reasoning, context)
  const cacheUse = useCache(context, request, prompt.tokens)
  const audio = audioOf(finished, context, request)
  const counted = usageOf(prompt, finished, reasoning, request, context, {
    spoken: audio?.tokens ?? 0,
    isOfAudio: audio !== undefined || context.modelRule?.supports?.audio === 'required',
    cache: cacheUse?.counts,
    written: cacheStyleOf(context) === 'breakpoints' ? (cacheUse?.counts.cacheWriteTokens ?? 0) : undefined,
  })
  const total = mutator.total(counted.total)
  const usage = total === counted.total ? counted : { ...counted, total }
  const frame = frameOf(context, request)
  // A spoken answer has no content, so it has no logprobs.
  const drawn = audio === undefined ? logprobsOf(finished, context, request) : undefined
  // An estimate of a size that is above the limit anyway.
  if (drawn?.isComplete === false) return refuse(answerTooLarge(context, drawn.byteLength * request.n, REMEDY))
  const choices = choicesOf(finished, context, request, audio, drawn && new Logprobs(drawn))
  const { reason, sequence } = reply
  const { effects, notes: storeNotes } = storeAnswer(context, frame, choices, usage)
  const notes = [...(reply.notes ?? []), ...storeNotes]
  // Fields one by one: copying an object and adding a field took 5 % of a call.
  const { prompt: promptCount, completion, cache } = counted
  const cacheEntries = cacheUse?.entries

  if (!request.isStream) {
    const body = joinParts(completionParts(frame, choices, usage))
    const tooLarge = checkAnswerSize(context, new TextSize(body), REMEDY)
    if (tooLarge !== undefined) return refuse(tooLarge)
    const plan = answerJson(context, body, reason, { tokens: finished.tokens + counted.spoken })
    const spent = { prompt: promptCount, completion, unstreamed: 0, cache }
    return { plan: withNotes(plan, notes), usage: spent, sequence, effects, cacheEntries }
  }

  const { message: said, finishReason, callIds } = choices
  const decisive = [context.scenario.seed, context.attempt, frame, said, finishReason, callIds, usage, mutator.fault]
  const stream = new ChatStream(frame, choices, {
    usage: request.includeUsage ? usage : undefined,
    // On by default as in the service, where validation is strict; elsewhere short streams are worth more.
    obfuscation: (request.includeObfuscation ?? context.scenario.strict) ? context.random('obfuscation') : undefined,
    pieces: mutator.pieces(splitMessage(finished.message, context)),
    memo: (measure) => context.memo('stream', JSON.stringify(decisive), measure),
  })
  // Without this, measuring a stream of millions of events would take seconds.
  const { minBytes } = stream
  if (minBytes > context.answerLimit) return refuse(answerTooLarge(context, minBytes, REMEDY))
  const tooLarge = checkAnswerSize(context, stream, REMEDY)
  if (tooLarge !== undefined) return refuse(tooLarge)
  const events = stream.events()
  const headers = serviceHeaders(context, 'text/event-stream; charset=utf-8')
  const head: Head = { type: 'head', status: 200, headers: { ...headers, 'cache-control': 'no-cache' } }
  return {
    plan: { events: [head, ...events, { type: 'end' }], reason, isStream: true, notes },
    usage: { prompt: promptCount, completion, unstreamed: completion - stream.tokens, cache },
    sequence,
    effects,
    cacheEntries,
  }
}

/** A reasoning model can't finish a message of fewer tokens. */
const MIN_REASONING_CAP = 2

/** The messages, and the completion that they ask for, fit into the model. */
function checkLength(tokens: number, { maxTokens }: ChatRequest, { modelRule }: CallContext): ApiError | undefined {
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

const REMEDY = 'Ask for fewer choices (n), no logprobs or a shorter reply'

const ONE_WITHOUT_CALLS: readonly (readonly string[])[] = [[]]

/** All choices hold the same message; only the ids of their calls differ. */
function choicesOf(
  finished: FinishedMessage,
  context: CallContext,
  request: ChatRequest,
  audio: Audio | undefined,
  logprobs: Logprobs | undefined,
): Choices {
  const { message, tokens } = finished
  const { n } = request
  const finishReason = audio?.isCut ? 'length' : finished.finishReason
  if (message.type !== 'calls') {
    const callIds = n === 1 ? ONE_WITHOUT_CALLS : Array<readonly string[]>(n).fill([])
    return { message, finishReason, tokens, callIds, logprobs, audio }
  }
  const random = context.random('calls')
  const callIds = Array.from({ length: n }, () => message.calls.map(({ id }) => id ?? drawCallId(random)))
  return { message, finishReason, tokens, callIds, logprobs, audio }
}

/** The logprobs of each token of the text, if the request asks for them. Calls have none. */
function logprobsOf(
  { message }: FinishedMessage,
  context: CallContext,
  { topLogprobs, n }: ChatRequest,
): DrawnLogprobs | undefined {
  if (topLogprobs === undefined || message.type === 'calls') return undefined
  const maxBytes = Math.floor(context.answerLimit / n)
  const { scenario, attempt, encoding } = context
  return context.memo(
    `logprobs ${JSON.stringify([scenario.seed, attempt, encoding, topLogprobs, maxBytes])}`,
    message.text,
    () => drawLogprobs(context.tokenizer.pieces(message.text), topLogprobs, context.random('logprobs'), maxBytes),
  )
}
