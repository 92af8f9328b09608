/** The speaker that always knows what to say: what was said last. */
import type { CallContext } from '../../../call/call-context.ts'
import type { Response } from './responder.ts'

/** The last user message said back; after a tool's result, that result, so that an agent's loop ends. */
export const echo = (context: CallContext): Response => ({
  speech: { type: 'text', text: echoOf(context) },
  reason: { by: 'echo', name: 'echo' },
})

export function echoOf({ messages: { toolResult, user, userMessageCount, last } }: CallContext): string {
  return toolResult ?? (userMessageCount > 0 ? user : last)
}
