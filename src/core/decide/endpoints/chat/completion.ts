/** Writes and stores a whole answer, a `chat.completion`, and the parts that it shares with a stream. */

import { MemoCache } from '../../../lib/cache/memo-cache.ts'
import { hash32 } from '../../../lib/random/hash.ts'
import { hex32 } from '../../../lib/random/random.ts'
import { isObject, objectsIn } from '../../../lib/text/json.ts'
import type { AssistantMessage, ToolCall } from '../../../protocol/plan/assistant-message.ts'
import { joinParts, jsonOfText, type Part } from '../../../protocol/plan/text-parts.ts'
import type { ToolType } from '../../../protocol/request/tools.ts'
import type { CallContext } from '../../call/call-context.ts'
import type { Effect } from '../../state/apply-effects.ts'
import { MAX_STORED_LENGTH, type StoredCompletion } from '../../state/mock-state.ts'
import { type Audio, audioParts } from './audio.ts'
import type { FinishedMessage } from './finish-message.ts'
import { type Logprobs, logprobsFrame } from './logprobs.ts'
import type { ChatRequest } from './read-chat.ts'
import { type ChatUsage, usageJson } from './usage.ts'

/** The fields that a whole answer has once and a stream repeats in every chunk. */
export interface CompletionFrame {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly serviceTier: string
  readonly systemFingerprint: string | null
  /** True if a choice has the key `logprobs` even where the request did not ask for them. */
  readonly hasLogprobsKey: boolean
  /** The JSON of the moderation that the request asks for. */
  readonly moderation: string | undefined
}

/** The choices of an answer. All hold the same message; only the ids of their calls differ. */
export interface Choices extends FinishedMessage {
  /** The ids of the calls of each choice. */
  readonly callIds: readonly (readonly string[])[]
  /** Undefined when the request did not ask for them. */
  readonly logprobs: Logprobs | undefined
  /** Undefined for an answer that is not spoken. */
  readonly audio: Audio | undefined
}

// Times come from the seed, not from a clock, so that the same call has the same bytes tomorrow: a second of 2025.
const FIRST_SECOND_OF_2025 = 1_735_689_600

/** Names of the configuration behind a model, by seed and model: the same for every call. */
const fingerprints = new MemoCache<string>(1000, 400)

export function frameOf(context: CallContext, request: ChatRequest): CompletionFrame {
  const { completionId, second } = context.ids
  const name = `${context.scenario.seed}|${request.model}`
  const { reasoning = false, fingerprint, logprobsKey = !reasoning } = context.modelRule ?? {}
  // Reasoning models, and those older than gpt-4o, have no fingerprint.
  const hasFingerprint = fingerprint ?? !(reasoning || context.encoding === 'cl100k_base')
  return {
    id: completionId,
    created: FIRST_SECOND_OF_2025 + second,
    model: context.modelRule?.snapshot ?? request.model,
    serviceTier: request.serviceTier,
    systemFingerprint: hasFingerprint
      ? fingerprints.of(name, () => `fp_${(hex32(hash32(name, 1)) + hex32(hash32(name, 2))).slice(0, 10)}`)
      : null,
    hasLogprobsKey: logprobsKey,
    moderation: moderationJson(context),
  }
}

/** The JSON of a whole answer, in parts that its choices share. */
export function completionParts(frame: CompletionFrame, choices: Choices, usage: ChatUsage): Part[] {
  const { message, finishReason, callIds, logprobs, audio } = choices
  const [opening, closing] = logprobsFrame(message.type === 'refusal')
  const noLogprobs = frame.hasLogprobsKey ? [',"logprobs":null'] : []
  const logprobParts = logprobs === undefined ? noLogprobs : [`,"logprobs":${opening}`, logprobs, closing]
  const partsWith = messageParts(message, audio, frame.created)
  const parts: Part[] = [
    `{"id":"${frame.id}","object":"chat.completion","created":${frame.created},"model":${JSON.stringify(frame.model)},"choices":[`,
  ]
  for (let index = 0; index < callIds.length; index++) {
    parts.push(`${index === 0 ? '' : ','}{"index":${index},"message":{"role":"assistant",`)
    parts.push(...partsWith(callIds[index]!), ',"annotations":[]}', ...logprobParts)
    parts.push(`,"finish_reason":"${finishReason}"}`)
  }
  parts.push(
    `],"usage":${usageJson(usage)},"service_tier":"${frame.serviceTier}",` +
      `"system_fingerprint":${JSON.stringify(frame.systemFingerprint)}`,
  )
  if (frame.moderation !== undefined) parts.push(`,"moderation":${frame.moderation}`)
  parts.push('}')
  return parts
}

/** Writes the content, refusal or calls of a message, given the ids of its calls. */
function messageParts(
  message: AssistantMessage,
  audio: Audio | undefined,
  created: number,
): (ids: readonly string[]) => readonly Part[] {
  switch (message.type) {
    case 'text': {
      const parts = audio
        ? audioParts(audio, message.text, created)
        : ['"content":"', jsonOfText(message.text), '","refusal":null']
      return () => parts
    }
    case 'refusal': {
      const parts = ['"content":null,"refusal":"', jsonOfText(message.text), '"']
      return () => parts
    }
    case 'calls':
      break
    default:
      return message satisfies never
  }
  const { calls } = message
  const called = calls.map(({ type, name, input }): readonly Part[] => [
    `{"name":${JSON.stringify(name)},"${inputName(type)}":"`,
    jsonOfText(input),
    '"}',
  ])
  if (calls[0]!.type === 'function_call') {
    const parts = ['"content":null,"function_call":', ...called[0]!, ',"refusal":null']
    return () => parts
  }
  return (ids) => {
    const parts: Part[] = ['"content":null,"tool_calls":[']
    for (const [index, call] of calls.entries()) {
      parts.push(`${index === 0 ? '' : ','}{${callHead(call, ids[index]!)}`, ...called[index]!, '}')
    }
    parts.push('],"refusal":null')
    return parts
  }
}

/** The id and the type of a call, in a whole answer and in the first chunk of a streamed call. */
export const callHead = ({ type }: ToolCall, id: string): string => `"id":"${id}","type":"${type}","${type}":`

/** The field that holds the input of a call. */
export const inputName = (type: ToolType): string => (type === 'custom' ? 'input' : 'arguments')

/** The changes that storing an answer makes, or why it is not stored. */
interface Storing {
  readonly effects: readonly Effect[]
  readonly notes: readonly string[]
}

/** Stores the answer to a chat with `store: true`, as a whole completion even where it is streamed. */
export function storeAnswer(context: CallContext, frame: CompletionFrame, choices: Choices, usage: ChatUsage): Storing {
  const { session, body, call } = context
  if (body.store !== true) return NOT_STORED
  const joined = joinParts(completionParts(frame, choices, usage))
  const request = call.body ?? ''
  const length = request.length + (typeof joined === 'string' ? joined.length : joined.byteLength)
  if (length > MAX_STORED_LENGTH) {
    const note = `the completion was not stored: with its request it has ${length} bytes, and at most ${MAX_STORED_LENGTH} are stored`
    return { effects: [], notes: [note] }
  }
  const completion: StoredCompletion = {
    sessionId: session.id,
    id: frame.id,
    model: frame.model,
    completion: typeof joined === 'string' ? joined : [...joined].join(''),
    metadata: isObject(body.metadata) ? (body.metadata as StoredCompletion['metadata']) : {},
    request,
  }
  return { effects: [{ type: 'store-completion', completion }], notes: [] }
}

const NOT_STORED: Storing = { effects: [], notes: [] }

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
  const { moderation, messages } = context.body
  if (!isObject(moderation)) return undefined
  const model = moderation.model as string
  const random = context.random('moderation')
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
