/** The whole answer: a `chat.completion`, and the parts it has in common with a stream. */
import { hash32 } from '../hash.ts'
import { hex32 } from '../random.ts'
import { countPrompt } from '../tokens.ts'
import type { Turn } from '../turn.ts'
import type { Reply } from './reply.ts'
import type { ChatRequest } from './request.ts'

/** What every chunk of a stream repeats, and the whole answer says once. */
export interface Frame {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly serviceTier: string
  readonly systemFingerprint: string | null
}

/** Tokens of the prompt and of all choices. */
export interface Usage {
  readonly prompt: number
  readonly completion: number
}

// Times come from the seed, not from a clock: the same call has the same bytes tomorrow. Some second of 2025.
const FIRST_SECOND_OF_2025 = 1_735_689_600

export function frameOf(turn: Turn, request: ChatRequest): Frame {
  const { completionId, second } = turn.identity
  // Reasoning models, and those from before gpt-4o, have none.
  const hasNone = turn.modelRule?.reasoning === true || turn.encoding === 'cl100k_base'
  return {
    id: completionId,
    created: FIRST_SECOND_OF_2025 + second,
    model: turn.modelRule?.snapshot ?? request.model,
    serviceTier: request.serviceTier,
    systemFingerprint: hasNone ? null : fingerprintOf(turn.scenario.seed, request.model),
  }
}

/** Names the configuration behind a model: the same for every call. */
function fingerprintOf(seed: string, model: string): string {
  const name = `${seed}|${model}`
  return `fp_${(hex32(hash32(name, 1)) + hex32(hash32(name, 2))).slice(0, 10)}`
}

/** Tokens of the prompt, by the service's formula. */
export function promptTokens(turn: Turn, { messages }: ChatRequest): number {
  return countPrompt(messages, turn.tokenizer, turn.modelRule?.reasoning === true)
}

export function usageOf(prompt: number, replies: readonly Reply[]): Usage {
  return { prompt, completion: replies.reduce((sum, { tokens }) => sum + tokens, 0) }
}

/** The JSON of a whole answer. Written out, as the parts that vary are few: this is most of what a call costs. */
export function completionJson(frame: Frame, replies: readonly Reply[], usage: Usage): string {
  const choices = replies.map(
    ({ text, finishReason }, index) =>
      `{"index":${index},"message":{"role":"assistant","content":${JSON.stringify(text)},"refusal":null,"annotations":[]},` +
      `"logprobs":null,"finish_reason":"${finishReason}"}`,
  )
  return (
    `{"id":"${frame.id}","object":"chat.completion","created":${frame.created},"model":${JSON.stringify(frame.model)},` +
    `"choices":[${choices.join(',')}],"usage":${usageJson(usage)},"service_tier":"${frame.serviceTier}",` +
    `"system_fingerprint":${JSON.stringify(frame.systemFingerprint)}}`
  )
}

/** The JSON of the usage, in a whole answer and in the last chunk of a stream. */
export function usageJson({ prompt, completion }: Usage): string {
  return (
    `{"prompt_tokens":${prompt},"completion_tokens":${completion},"total_tokens":${prompt + completion},` +
    '"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,' +
    '"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}'
  )
}
