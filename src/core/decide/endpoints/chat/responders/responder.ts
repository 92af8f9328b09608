/** What a responder is: a function that may know the response to a chat. */

import type { ApiError } from '../../../../protocol/errors/error-catalogue.ts'
import type { AssistantMessage } from '../../../../protocol/plan/assistant-message.ts'
import type { Reason } from '../../../../protocol/plan/plan.ts'
import type { CallContext } from '../../../call/call-context.ts'
import type { ChatRequest } from '../request.ts'

/** The message of the assistant and its reason, or an error if no message can fulfil the request. */
export type Response =
  | {
      readonly message: AssistantMessage
      readonly reason: Reason
      readonly notes?: readonly string[]
      /** The sequence that it took its turn from; it advances by one. */
      readonly sequence?: string | undefined
    }
  | { readonly error: ApiError }

/** Responds, or returns undefined to leave it to the next responder. */
export type Responder = (context: CallContext, request: ChatRequest) => Response | undefined
