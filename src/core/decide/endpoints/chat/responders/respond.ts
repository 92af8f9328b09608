/** Finds the response to a chat: the first responder that has one decides. */

import type { CallContext } from '../../../call/call-context.ts'
import type { ChatRequest } from '../request.ts'
import { echo } from './echo.ts'
import { forcedToolCall } from './forced-tool-call.ts'
import type { Responder, Response } from './responder.ts'
import { scripted } from './scripted.ts'
import { structuredOutput } from './structured-output.ts'

const RESPONDERS: readonly Responder[] = [scripted, forcedToolCall, structuredOutput]

export function respond(context: CallContext, request: ChatRequest): Response {
  for (const responder of RESPONDERS) {
    const response = responder(context, request)
    if (response !== undefined) return response
  }
  return echo(context)
}
