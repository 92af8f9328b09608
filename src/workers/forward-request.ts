/** Forwards a request to the primary, which has the control plane and the user's own handlers. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { request as send } from '../http/node-http.ts'
import { sendServerError } from '../http/send-error.ts'

/** Headers about one connection; the two connections each have their own. */
const CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'proxy-connection'])

/** Returns the primary's answer. When the client leaves, the primary sees it too. */
export function forwardRequest(request: IncomingMessage, response: ServerResponse, socketPath: string): void {
  const fail = (error: Error): void => sendServerError(response, `The primary process did not answer: ${error.message}`)
  try {
    const forwarded = send({
      socketPath,
      method: request.method,
      path: request.url,
      headers: withoutConnection(request.rawHeaders),
      // A new connection each time: the primary could close an idle one just when it is used again.
      agent: false,
    })
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    if (length === undefined && coding === undefined) forwarded.useChunkedEncodingByDefault = false
    forwarded.on('error', (error) => {
      // When the primary refuses a body early, the rest cannot be sent. That is not a failure.
      if (!response.headersSent) fail(error)
    })
    forwarded.on('response', (answer) => {
      response.writeHead(
        answer.statusCode!,
        answer.statusMessage,
        withoutConnection(answer.rawHeaders, 'transfer-encoding'),
      )
      response.flushHeaders()
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  } catch (error) {
    fail(error as Error)
  }
}

/** Headers as a flat list of names and values, without those about the connection. */
function withoutConnection(headers: readonly string[], besides?: string): string[] {
  const kept: string[] = []
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]!.toLowerCase()
    if (!CONNECTION_HEADERS.has(name) && name !== besides) kept.push(headers[index]!, headers[index + 1]!)
  }
  return kept
}
