/** Writes a whole answer, a `chat.completion`, and the parts that it shares with a stream. */

import { MemoCache } from '../../../lib/cache/memo-cache.ts'
import { hash32 } from '../../../lib/random/hash.ts'
import { hex32 } from '../../../lib/random/random.ts'
import { isObject } from '../../../lib/text/json.ts'
import type { AssistantMessage, ToolCall } from '../../../protocol/plan/assistant-message.ts'
import { jsonOfText, type Part } from '../../../protocol/plan/text-parts.ts'
import type { ToolType } from '../../../protocol/request/tools.ts'
import type { CallContext } from '../../call/call-context.ts'
import { type Audio, audioParts } from './audio.ts'
import type { FinishedMessage } from './finish-message.ts'
import { type Logprobs, logprobsFrame } from './logprobs.ts'
import { moderationJson } from './moderation.ts'
import type { ChatRequest } from './read-chat.ts'
import { type Usage, usageJson } from './usage.ts'

/** The fields that a whole answer has once and a stream repeats in every chunk. */
export interface Frame {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly serviceTier: string
  readonly systemFingerprint: string | null
  /** The JSON of the metadata that the request has. */
  readonly metadata: string | undefined
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

export function frameOf(context: CallContext, request: ChatRequest): Frame {
  const { completionId, second } = context.ids
  // Reasoning models, and those older than gpt-4o, have no fingerprint.
  const hasNone = context.modelRule?.reasoning === true || context.encoding === 'cl100k_base'
  return {
    id: completionId,
    created: FIRST_SECOND_OF_2025 + second,
    model: context.modelRule?.snapshot ?? request.model,
    serviceTier: request.serviceTier,
    systemFingerprint: hasNone ? null : fingerprintOf(context.scenario.seed, request.model),
    metadata: isObject(context.body.metadata) ? JSON.stringify(context.body.metadata) : undefined,
    moderation: moderationJson(context),
  }
}

/** By seed: a name joined of both would be hashed for each call. */
const fingerprints = new MemoCache<MemoCache<string>>(16, 200)

/** Names the configuration behind a model: the same for every call. */
function fingerprintOf(seed: string, model: string): string {
  const ofSeed = fingerprints.of(seed, () => new MemoCache(256, 200))
  return ofSeed.of(model, () => {
    const name = `${seed}|${model}`
    return `fp_${(hex32(hash32(name, 1)) + hex32(hash32(name, 2))).slice(0, 10)}`
  })
}

/** The JSON of a whole answer, in parts that its choices share. */
export function completionParts(frame: Frame, choices: Choices, usage: Usage): Part[] {
  const { message, finishReason, callIds, logprobs, audio } = choices
  const [opening, closing] = logprobsFrame(message.type === 'refusal')
  const logprobParts = logprobs === undefined ? ['null'] : [opening, logprobs, closing]
  const partsWith = messageParts(message, audio, frame.created)
  const parts: Part[] = [
    `{"id":"${frame.id}","object":"chat.completion","created":${frame.created},"model":${JSON.stringify(frame.model)},"choices":[`,
  ]
  for (let index = 0; index < callIds.length; index++) {
    parts.push(`${index === 0 ? '' : ','}{"index":${index},"message":{"role":"assistant",`)
    parts.push(...partsWith(callIds[index]!), ',"annotations":[]},"logprobs":', ...logprobParts)
    parts.push(`,"finish_reason":"${finishReason}"}`)
  }
  parts.push(
    `],"usage":${usageJson(usage)},"service_tier":"${frame.serviceTier}",` +
      `"system_fingerprint":${JSON.stringify(frame.systemFingerprint)}`,
  )
  if (frame.metadata !== undefined) parts.push(`,"metadata":${frame.metadata}`)
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
      return callParts(message.calls)
    default:
      return message satisfies never
  }
}

function callParts(calls: readonly ToolCall[]): (ids: readonly string[]) => readonly Part[] {
  const called = calls.map(calledParts)
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

/** The name and the input of a call. */
export const calledParts = ({ type, name, input }: ToolCall): readonly Part[] => [
  `{"name":${JSON.stringify(name)},"${inputName(type)}":"`,
  jsonOfText(input),
  '"}',
]

/** The same with an empty input, as a streamed call begins. */
export const emptyCallJson = ({ type, name }: ToolCall): string =>
  `{"name":${JSON.stringify(name)},"${inputName(type)}":""}`

/** The field that holds the input of a call. */
export const inputName = (type: ToolType): string => (type === 'custom' ? 'input' : 'arguments')
