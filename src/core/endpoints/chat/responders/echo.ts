/** The speaker that always knows what to say: what was said last. */
import type { Turn } from '../../../call/call-context.ts'
import type { Said } from './responder.ts'

/** The last user message said back; after a tool's result, that result, so that an agent's loop ends. */
export const echo = (turn: Turn): Said => ({
  speech: { type: 'text', text: echoOf(turn) },
  reason: { by: 'echo', name: 'echo' },
})

export function echoOf({ conversation: { toolResult, user, turn, last } }: Turn): string {
  return toolResult ?? (turn > 0 ? user : last)
}
