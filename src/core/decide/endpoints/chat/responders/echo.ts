/** The responder of last resort: it echoes the last message. */
import type { CallContext } from '../../../call/call-context.ts'
import type { Response } from './responder.ts'

export const echo = (context: CallContext): Response => ({
  message: { type: 'text', text: echoText(context) },
  reason: { by: 'echo', name: 'echo' },
})

/** The last user message; after a tool's result that result, so that an agent's loop ends. */
export function echoText({ messages: { toolResult, user, userMessageCount, last } }: CallContext): string {
  return toolResult ?? (userMessageCount > 0 ? user : last)
}
