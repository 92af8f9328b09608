/** The chat endpoint: from a request that passed its checks to the plan of its answer. */
import { answerError, answerJson, serviceHeaders } from '../answer.ts'
import { apiError } from '../errors.ts'
import type { Plan } from '../plan.ts'
import type { Turn } from '../turn.ts'
import { completionJson, frameOf, promptTokens, usageOf } from './completion.ts'
import { say, trim } from './reply.ts'
import { readChat } from './request.ts'
import { streamEvents } from './stream.ts'

export function answerChat(turn: Turn): Plan {
  const request = readChat(turn)
  const prompt = promptTokens(turn, request)
  const limit = turn.modelRule?.contextTokens
  if (limit !== undefined && prompt > limit) {
    const error = apiError('context-length', { limit, tokens: prompt })
    return answerError(turn, error, { by: 'request', name: error.name })
  }

  const { tokenizer } = turn
  const said = say(turn)
  const reply = trim(said.text, request, tokenizer)
  const replies = Array.from({ length: request.n }, () => reply)
  const usage = usageOf(prompt, replies)
  const frame = frameOf(turn, request)
  if (!request.isStream) {
    return answerJson(turn, completionJson(frame, replies, usage), said.reason, { tokens: reply.tokens })
  }

  const events = streamEvents(frame, replies, {
    usage: request.includeUsage ? usage : undefined,
    obfuscation: request.includeObfuscation ? turn.random('obfuscation') : undefined,
    tokenizer,
  })
  const headers = serviceHeaders(turn, 'text/event-stream; charset=utf-8')
  return {
    events: [
      { type: 'head', status: 200, headers: { ...headers, 'cache-control': 'no-cache' } },
      ...events,
      { type: 'end' },
    ],
    reason: said.reason,
    notes: turn.notes,
  }
}
