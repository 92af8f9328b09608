/** An answer that ends in the middle, with a finish_reason that says so. */

import { lastCut } from '../../../lib/text/graphemes.ts'
import type { AssistantMessage, UnfinishedReason } from '../../plan/assistant-message.ts'
import { faultWith } from '../fault.ts'

export const unfinished = faultWith({
  kind: 'semantic',
  name: 'unfinished',
  summary: 'An answer that ends in the middle, with a finish_reason that says so.',
  options: {
    reason: {
      kind: 'choice',
      of: ['length', 'content_filter'],
      default: 'length',
      summary: 'the finish_reason: out of tokens, or stopped by a filter',
    },
  },
  endpoint: 'chat',
  needs: 'a text or a tool call with arguments',
  message: (message, _about, _random, { reason }) => finishEarly(message, reason),
})

function finishEarly(message: AssistantMessage, finishReason: UnfinishedReason): AssistantMessage | undefined {
  if (message.type === 'refusal') return undefined
  if (message.type === 'text') {
    return message.text === '' ? undefined : { ...message, text: firstHalf(message.text), finishReason }
  }
  const last = message.calls.at(-1)!
  if (last.input === '') return undefined
  return { ...message, calls: message.calls.with(-1, { ...last, input: firstHalf(last.input) }), finishReason }
}

const firstHalf = (text: string): string => text.slice(0, lastCut(text, Math.floor(text.length / 2)))
