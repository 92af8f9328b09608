/** The turn of a call as its model reads it: with `truncation: auto`, without the oldest messages that do not fit. */

import type { Turn } from '../../../protocol/turn/turn.ts'
import type { CallContext } from '../../call/call-context.ts'
import { countMessage, type PromptTokens, promptOf, promptTokens } from './prompt.ts'

interface FittedTurn {
  readonly turn: Turn
  readonly prompt: PromptTokens
}

/** The most tokens of a prompt. */
export const inputLimit = ({ modelRule }: CallContext): number =>
  modelRule?.inputTokens ?? modelRule?.contextTokens ?? Number.POSITIVE_INFINITY

export function fitTurn(context: CallContext): FittedTurn {
  const { turn, route, body } = context
  const prompt = promptTokens(context, turn)
  const limit = inputLimit(context)
  if (prompt.tokens <= limit || route.readsItems !== true || body.truncation !== 'auto') return { turn, prompt }
  const { kept, tokens } = context.memo('truncation', String(limit), () => dropOldest(context, prompt.tokens, limit))
  const messages = kept.map((index) => turn.messages[index]!)
  return { turn: { ...turn, messages }, prompt: { ...prompt, tokens } }
}

/** The messages that are left, by their numbers. Instructions stay, and so does the last message. */
function dropOldest(context: CallContext, all: number, limit: number): { kept: readonly number[]; tokens: number } {
  const { turn, tokenizer } = context
  const prompt = promptOf(context, turn)
  const last = turn.messages.length - 1
  const kept: number[] = []
  let tokens = all
  let isDropping = true
  for (const [index, message] of turn.messages.entries()) {
    const { role } = message
    const isFixed = role === 'system' || role === 'developer' || index === last
    // The result of a call that is dropped goes with it.
    if (!isFixed) isDropping = tokens > limit || (isDropping && role === 'tool')
    if (isFixed || !isDropping) kept.push(index)
    else tokens -= countMessage(message, prompt, tokenizer).tokens
  }
  return { kept, tokens }
}
