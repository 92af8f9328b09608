/** Writes a whole answer, a `chat.completion`, and the parts that it shares with a stream. */

import { MemoCache } from '../../cache/memo-cache.ts'
import type { CallContext } from '../../call/call-context.ts'
import type { ToolCall } from '../../plan/assistant-message.ts'
import { hash32 } from '../../random/hash.ts'
import { hex32 } from '../../random/random.ts'
import type { ToolType } from '../../request/tools.ts'
import type { FinishedMessage } from './finish-message.ts'
import type { ChatRequest } from './request.ts'
import { type Usage, usageJson } from './usage.ts'

/** The fields that a whole answer has once and a stream repeats in every chunk. */
export interface Frame {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly serviceTier: string
  readonly systemFingerprint: string | null
}

/** One choice of an answer. */
export interface Choice extends FinishedMessage {
  /** The ids of its calls. */
  readonly callIds: readonly string[]
  /** The JSON of its `logprobs`. */
  readonly logprobs: string
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
  }
}

const fingerprints = new MemoCache<string>(256, 200)

/** Names the configuration behind a model: the same for every call. */
function fingerprintOf(seed: string, model: string): string {
  const name = `${seed}|${model}`
  return fingerprints.of(name, () => `fp_${(hex32(hash32(name, 1)) + hex32(hash32(name, 2))).slice(0, 10)}`)
}

/** The JSON of a whole answer. Joined by hand because few parts vary: writing it is most of what a call costs. */
export function completionJson(frame: Frame, choices: readonly Choice[], usage: Usage): string {
  const written = choices.length === 1 ? choiceJson(choices[0]!, 0) : choices.map(choiceJson).join(',')
  return (
    `{"id":"${frame.id}","object":"chat.completion","created":${frame.created},"model":${JSON.stringify(frame.model)},` +
    `"choices":[${written}],"usage":${usageJson(usage)},"service_tier":"${frame.serviceTier}",` +
    `"system_fingerprint":${JSON.stringify(frame.systemFingerprint)}}`
  )
}

const choiceJson = (choice: Choice, index: number): string =>
  `{"index":${index},"message":{"role":"assistant",${partsJson(choice)},"annotations":[]},` +
  `"logprobs":${choice.logprobs},"finish_reason":"${choice.finishReason}"}`

/** The content, refusal or calls of a message. */
function partsJson({ message, callIds }: Choice): string {
  switch (message.type) {
    case 'text':
      return `"content":${JSON.stringify(message.text)},"refusal":null`
    case 'refusal':
      return `"content":null,"refusal":${JSON.stringify(message.text)}`
    case 'calls':
      return `"content":null,${callsJson(message.calls, callIds)},"refusal":null`
    default:
      return message satisfies never
  }
}

function callsJson(calls: readonly ToolCall[], ids: readonly string[]): string {
  if (calls[0]!.type === 'function_call') return `"function_call":${calledJson(calls[0]!)}`
  const written = calls.map((call, index) => `{${headJson(call, ids[index]!)}}`)
  return `"tool_calls":[${written.join(',')}]`
}

/** The id and function of a call, in a whole answer and in the first chunk of a streamed call. */
export function headJson(call: ToolCall, id: string): string {
  return `"id":"${id}","type":"${call.type}","${call.type}":${calledJson(call)}`
}

/** The name and the input of a call. */
export function calledJson({ type, name, input }: ToolCall): string {
  return `{"name":${JSON.stringify(name)},"${inputName(type)}":${JSON.stringify(input)}}`
}

/** The field that holds the input of a call. */
export const inputName = (type: ToolType): string => (type === 'custom' ? 'input' : 'arguments')
