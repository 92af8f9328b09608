/**
 * The responses endpoint: checks a body, and writes the reply to its turn as a response.
 *
 *     {"model": "gpt-4o", "input": "Hi"}
 *     -> {"id": "resp_68...", "object": "response", "status": "completed", "output": [{"type": "message", ...}], ...}
 *
 * Who replies, and how the reply is streamed and counted, is the same as in a chat: see generation/generate.ts.
 */

import {
  echoRequest,
  type ModelFacts,
  type ResponseFrame,
  responseParts,
} from '../../dialects/responses/response-body.ts'
import { buildOutput } from '../../dialects/responses/response-items.ts'
import { ResponseStream } from '../../dialects/responses/response-stream.ts'
import { isMissing, isObject } from '../../lib/text/json.ts'
import { apiError } from '../../protocol/errors/error-catalogue.ts'
import { FIRST_SECOND_OF_2025 } from '../../protocol/plan/response-ids.ts'
import { joinParts } from '../../protocol/plan/text-parts.ts'
import type { Reply } from '../../protocol/turn/reply.ts'
import { USUAL_EFFORT } from '../../protocol/turn/turn.ts'
import type { Model } from '../../scenario/compile/compile.ts'
import type { CallContext } from '../call/call-context.ts'
import type { EndpointDefinition } from '../call/respond.ts'
import { checkResponses, responsesNotes } from './checks/check-responses.ts'
import { type DialectWriter, generate } from './generation/generate.ts'
import { inputLimit } from './generation/prompt.ts'
import { storeResponse } from './store-answer.ts'

export const responses: EndpointDefinition = {
  check: checkResponses,
  notes: responsesNotes,
  answer: (context, mutator) => generate(context, mutator, responsesWriter),
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
  const { body, turn } = request
  const createdAt = FIRST_SECOND_OF_2025 + draws.ids.second
  const reasoning = isObject(body.reasoning) ? body.reasoning : {}
  const settings = {
    createdAt,
    isEncrypted: Array.isArray(body.include) && body.include.includes('reasoning.encrypted_content'),
    isSummarized: !isMissing(reasoning.summary),
    hasPhase: rules.modelRule?.responses?.phase === true,
  }
  return {
    createdAt,
    askedTier: (body.service_tier ?? 'auto') as string,
    serviceTier: turn.serviceTier,
    output: buildOutput(reply, settings, draws.idRandom('response')),
    ...echoRequest(body, modelFacts(request.model, rules.modelRule)),
  }
}

/** The facts about the model that a response repeats. */
function modelFacts(model: string, modelRule: Model = {}): ModelFacts {
  const { snapshot = model, reasoning = false, effort = USUAL_EFFORT, responses: echoed = {} } = modelRule
  const { topP = 1, retention = 'in_memory', context = 'current_turn' } = echoed
  return { name: snapshot, isReasoning: reasoning, effort, topP, retention, context }
}
