/** The chat endpoint: from a request that passed its checks to the plan of its answer. */

import type { Answer } from '../../call/answer.ts'
import type { CallContext } from '../../call/call-context.ts'
import { answerError, answerJson, serviceHeaders } from '../../call/respond.ts'
import { type ApiError, apiError } from '../../errors/catalogue.ts'
import type { AnswerMutator } from '../../faults/answer-mutator.ts'
import { type Head, tokensOf, withNotes } from '../../plan/plan.ts'
import type { EndpointDefinition } from '../definition.ts'
import { type Choice, completionJson, frameOf } from './completion.ts'
import { type FinishedMessage, finishMessage, messageLimits } from './finish-message.ts'
import { logprobEntries, logprobsJson } from './logprobs.ts'
import { promptTokens } from './prompt-tokens.ts'
import { type ChatRequest, chatNotes, checkChat, readChat } from './request.ts'
import { respond } from './responders/respond.ts'
import { streamEvents } from './stream.ts'
import { splitMessage } from './stream-pieces.ts'
import { reasoningTokens, usageOf } from './usage.ts'

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
  const limit = context.modelRule?.contextTokens
  if (limit !== undefined && prompt.tokens > limit) {
    return refuse(apiError('context-length', { limit, tokens: prompt.tokens }))
  }
  const response = respond(context, request)
  if ('error' in response) return refuse(response.error)

  const { tokenizer } = context
  const message = mutator.message(response.message, context)
  const reasoning = reasoningTokens(context, request)
  const finished = finishMessage(message, messageLimits(request, reasoning), tokenizer)
  const counted = usageOf(prompt, finished, reasoning, request, tokenizer)
  const usage = { ...counted, total: mutator.total(counted.total) }
  const frame = frameOf(context, request)
  const logprobs = logprobsOf(finished, context, request)
  const choices = choicesOf(finished, context, request, logprobs)
  if (!request.isStream) {
    const plan = answerJson(context, completionJson(frame, choices, usage), response.reason, {
      tokens: finished.tokens,
    })
    return { plan: withNotes(plan, response.notes), usage: { ...counted, unstreamed: 0 }, sequence: response.sequence }
  }

  const pieces = splitMessage(finished.message, tokenizer)
  const events = streamEvents(frame, choices, {
    usage: request.includeUsage ? usage : undefined,
    obfuscation: request.includeObfuscation ? context.random('obfuscation') : undefined,
    pieces: mutator.pieces(pieces),
    logprobs,
  })
  const headers = serviceHeaders(context, 'text/event-stream; charset=utf-8')
  const head: Head = { type: 'head', status: 200, headers: { ...headers, 'cache-control': 'no-cache' } }
  return {
    plan: {
      events: [head, ...events, { type: 'end' }],
      reason: response.reason,
      isStream: true,
      notes: response.notes ?? [],
    },
    usage: { ...counted, unstreamed: counted.completion - tokensOf(events) },
    sequence: response.sequence,
  }
}

/** All choices hold the same message; only the ids of their calls differ. */
function choicesOf(
  finished: FinishedMessage,
  context: CallContext,
  { n }: ChatRequest,
  logprobs: readonly string[] | undefined,
): readonly Choice[] {
  const { message, finishReason, tokens } = finished
  const written = logprobs === undefined ? 'null' : logprobsJson(logprobs, message.type === 'refusal')
  const choice = (callIds: readonly string[]): Choice => ({ message, finishReason, tokens, callIds, logprobs: written })
  if (message.type !== 'calls') return Array<Choice>(n).fill(choice([]))
  const random = context.random('calls')
  return Array.from({ length: n }, () => choice(message.calls.map(() => `call_${random.alphanumeric(24)}`)))
}

/** The logprobs of each token of the text, if the request asks for them. Calls have none. */
function logprobsOf(
  { message }: FinishedMessage,
  context: CallContext,
  { topLogprobs }: ChatRequest,
): readonly string[] | undefined {
  if (topLogprobs === undefined || message.type === 'calls') return undefined
  return logprobEntries(context.tokenizer.pieces(message.text), topLogprobs, context.random('logprobs'))
}
