/** The chat endpoint: from a request that passed its checks to the plan of its answer. */

import type { CallContext } from '../../call/call-context.ts'
import { answerError, answerJson, serviceHeaders } from '../../call/respond.ts'
import { type ApiError, apiError } from '../../errors/catalogue.ts'
import type { AnswerMutator } from '../../faults/answer-mutator.ts'
import { type Plan, tokensOf } from '../../plan/plan.ts'
import type { EndpointDefinition } from '../definition.ts'
import { type Choice, completionJson, frameOf } from './completion.ts'
import { logprobEntries, logprobsJson } from './logprobs.ts'
import { piecesOf } from './pieces.ts'
import { promptTokens } from './prompt-tokens.ts'
import { boundsOf, type Reply, say, trim } from './reply.ts'
import { type ChatRequest, checkChat, readChat } from './request.ts'
import { streamEvents } from './stream.ts'
import { reasoningTokens, usageOf } from './usage.ts'

export const chat: EndpointDefinition = { check: checkChat, wrongModel: () => apiError('not-a-chat-model'), answer }

function answer(context: CallContext, twist?: AnswerMutator): Plan {
  const request = readChat(context)
  const refuse = (error: ApiError): Plan => answerError(context, error, { by: 'request', name: error.name })
  const prompt = promptTokens(context, request)
  const limit = context.modelRule?.contextTokens
  if (limit !== undefined && prompt.tokens > limit) {
    return refuse(apiError('context-length', { limit, tokens: prompt.tokens }))
  }
  const said = say(context, request)
  if ('error' in said) return refuse(said.error)

  const { tokenizer } = context
  const speech = twist === undefined ? said.speech : twist.speech(said.speech, context.facts)
  const reasoning = reasoningTokens(context, request)
  const reply = trim(speech, boundsOf(request, reasoning), tokenizer)
  const counted = usageOf(prompt, reply, reasoning, request, tokenizer)
  const usage = twist === undefined ? counted : { ...counted, total: twist.total(counted.total) }
  const frame = frameOf(context, request)
  const logprobs = logprobsOf(reply, context, request)
  const choices = choicesOf(reply, context, request, logprobs)
  if (!request.isStream) {
    context.usage = { ...counted, silent: 0 }
    return answerJson(context, completionJson(frame, choices, usage), said.reason, { tokens: reply.tokens })
  }

  const pieces = piecesOf(reply.speech, tokenizer)
  const events = streamEvents(frame, choices, {
    usage: request.includeUsage ? usage : undefined,
    obfuscation: request.includeObfuscation ? context.random('obfuscation') : undefined,
    pieces: twist === undefined ? pieces : twist.pieces(pieces),
    logprobs,
  })
  context.usage = { ...counted, silent: counted.completion - tokensOf(events) }
  const headers = serviceHeaders(context, 'text/event-stream; charset=utf-8')
  return {
    events: [
      { type: 'head', status: 200, headers: { ...headers, 'cache-control': 'no-cache' } },
      ...events,
      { type: 'end' },
    ],
    reason: said.reason,
    notes: context.notes,
  }
}

const NO_IDS: readonly string[] = []

/** Every choice says the same; only the ids of calls tell them apart. */
function choicesOf(
  reply: Reply,
  context: CallContext,
  { n }: ChatRequest,
  logprobs: readonly string[] | undefined,
): readonly Choice[] {
  const { speech, finishReason, tokens } = reply
  const written = logprobs === undefined ? 'null' : logprobsJson(logprobs, speech.type === 'refusal')
  if (speech.type !== 'calls') {
    return Array<Choice>(n).fill({ speech, finishReason, tokens, callIds: NO_IDS, logprobs: written })
  }
  const random = context.random('calls')
  return Array.from({ length: n }, () => ({
    ...reply,
    callIds: speech.calls.map(() => `call_${random.alphanumeric(24)}`),
    logprobs: written,
  }))
}

/** The logprobs of each token that is said, where the request asks for them. Calls have none. */
function logprobsOf(
  { speech }: Reply,
  context: CallContext,
  { topLogprobs }: ChatRequest,
): readonly string[] | undefined {
  if (topLogprobs === undefined || speech.type === 'calls') return undefined
  return logprobEntries(context.tokenizer.pieces(speech.text), topLogprobs, context.random('logprobs'))
}
