/** The whole answer: a `chat.completion`, and the parts it has in common with a stream. */
import { textOf } from '../conversation.ts'
import { hash32 } from '../hash.ts'
import { countPrompt, encodingOf } from '../tokens.ts'
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

export interface Usage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly prompt_tokens_details: { readonly cached_tokens: number; readonly audio_tokens: number }
  readonly completion_tokens_details: {
    readonly reasoning_tokens: number
    readonly audio_tokens: number
    readonly accepted_prediction_tokens: number
    readonly rejected_prediction_tokens: number
  }
}

// Times come from the seed, not from a clock: the same call has the same bytes tomorrow. Some second of 2025.
const FIRST_SECOND_OF_2025 = 1_735_689_600
const SECONDS_OF_A_YEAR = 31_536_000

export function frameOf(turn: Turn, request: ChatRequest): Frame {
  const random = turn.random('completion')
  // Reasoning models, and those from before gpt-4o, have none.
  const hasNone = turn.modelRule?.reasoning === true || encodingOf(request.model) === 'cl100k_base'
  return {
    id: `chatcmpl-${random.alphanumeric(29)}`,
    created: FIRST_SECOND_OF_2025 + random.below(SECONDS_OF_A_YEAR),
    model: turn.modelRule?.snapshot ?? request.model,
    serviceTier: request.serviceTier,
    systemFingerprint: hasNone ? null : fingerprintOf(turn.scenario.seed, request.model),
  }
}

/** Names the configuration behind a model: the same for every call. */
function fingerprintOf(seed: string, model: string): string {
  const digits = (salt: number): string => hash32(`${seed}|${model}`, salt).toString(16).padStart(8, '0')
  return `fp_${(digits(1) + digits(2)).slice(0, 10)}`
}

/** Tokens of the prompt, by the service's formula. */
export function promptTokens(turn: Turn, { messages }: ChatRequest): number {
  const counted = messages.map(({ role, name, content }) => ({
    role: String(role),
    text: textOf(content),
    ...(typeof name === 'string' && { name }),
  }))
  return countPrompt(counted, turn.tokenizer, turn.modelRule?.reasoning === true)
}

export function usageOf(prompt: number, replies: readonly Reply[]): Usage {
  const completion = replies.reduce((sum, { tokens }) => sum + tokens, 0)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

/** The JSON of a whole answer. */
export function completionJson(frame: Frame, replies: readonly Reply[], usage: Usage): string {
  return JSON.stringify({
    id: frame.id,
    object: 'chat.completion',
    created: frame.created,
    model: frame.model,
    choices: replies.map(({ text, finishReason }, index) => ({
      index,
      message: { role: 'assistant', content: text, refusal: null, annotations: [] },
      logprobs: null,
      finish_reason: finishReason,
    })),
    usage,
    service_tier: frame.serviceTier,
    system_fingerprint: frame.systemFingerprint,
  })
}
