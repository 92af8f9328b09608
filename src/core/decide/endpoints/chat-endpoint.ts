/** The chat endpoint: checks a body, and writes the reply to its turn as a chat completion. */

import { ChatStream } from '../../dialects/chat/chat-stream.ts'
import { type CompletionFrame, completionParts } from '../../dialects/chat/completion.ts'
import { MemoCache } from '../../lib/cache/bounded-maps.ts'
import { hash32 } from '../../lib/random/hash.ts'
import { hex32 } from '../../lib/random/random.ts'
import { isObject, objectsIn } from '../../lib/text/json.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import { FIRST_SECOND_OF_2025 } from '../../protocol/plan/response-ids.ts'
import { joinParts } from '../../protocol/plan/text-parts.ts'
import type { Turn } from '../../protocol/turn/turn.ts'
import type { CallContext } from '../call/call-context.ts'
import type { CallRules } from '../call/call-rules.ts'
import type { EndpointDefinition } from '../call/respond.ts'
import { chatNotes, checkChat } from './checks/check-chat.ts'
import { type DialectWriter, generate } from './generation/generate.ts'
import { storeCompletion } from './store-answer.ts'

export const chat: EndpointDefinition = {
  check: checkChat,
  notes: chatNotes,
  answer: (context, mutator) => generate(context, mutator, chatWriter),
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
    return {
      frame,
      body,
      stream: (options) => new ChatStream(frame, reply, { ...options, usage }),
      ...(isStored && storeCompletion(context, frame, body!)),
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

/** The categories of omni-moderation, and whether it applies them to images too. */
const CATEGORIES: Readonly<Record<string, boolean>> = {
  harassment: false,
  'harassment/threatening': false,
  hate: false,
  'hate/threatening': false,
  illicit: false,
  'illicit/violent': false,
  'self-harm': true,
  'self-harm/intent': true,
  'self-harm/instructions': true,
  sexual: true,
  'sexual/minors': false,
  violence: true,
  'violence/graphic': true,
}
const NAMES = Object.keys(CATEGORIES)
/** Scores are below this. */
const MAX_SCORE = 0.001
const DIGITS = 1e8

/** The JSON of `moderation`; undefined when the request does not ask for it. */
function moderationJson(context: CallContext): string | undefined {
  const { moderation, messages } = context.request.body
  if (!isObject(moderation)) return undefined
  const model = moderation.model as string
  const random = context.draws.random('moderation')
  const byCategory = <Value>(read: (name: string) => Value): Record<string, Value> =>
    Object.fromEntries(NAMES.map((name) => [name, read(name)]))
  const resultsWith = (hasImage: boolean): object => {
    const result = {
      type: 'moderation_result',
      model,
      flagged: false,
      categories: byCategory(() => false),
      category_scores: byCategory(() => Math.round(random.fraction() * MAX_SCORE * DIGITS) / DIGITS),
      category_applied_input_types: byCategory((name) => (hasImage && CATEGORIES[name] ? ['text', 'image'] : ['text'])),
    }
    return { type: 'moderation_results', model, results: [result] }
  }
  const hasImages = objectsIn(messages).some(({ content }) =>
    objectsIn(content).some(({ type }) => type === 'image_url'),
  )
  return JSON.stringify({ input: resultsWith(hasImages), output: resultsWith(false) })
}
