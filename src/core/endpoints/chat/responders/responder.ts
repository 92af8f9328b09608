/** What a speaker is: something that may know what to answer. */

import type { CallContext } from '../../../call/call-context.ts'
import type { ApiError } from '../../../errors/catalogue.ts'
import type { AssistantMessage } from '../../../plan/assistant-message.ts'
import type { Reason } from '../../../plan/plan.ts'
import type { ChatRequest } from '../request.ts'

/** What is said and why it is that; an error when the request asks for what can't be. */
export type Response = { readonly speech: AssistantMessage; readonly reason: Reason } | { readonly error: ApiError }

/** Says something, or leaves it to the next speaker. */
export type Responder = (context: CallContext, request: ChatRequest) => Response | undefined
