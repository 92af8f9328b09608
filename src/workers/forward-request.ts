/** Passes on to the owner, as it came, what is no call: the control plane and the user's own handlers are there. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerFailure } from '../http/http-server.ts'
import { request as send } from '../http/node-http.ts'

/** Those that are about one connection; each of the two has its own. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'proxy-connection'])

/** Answers with what the owner answers at its back door, a socket's path. Who leaves is gone there too. */
export function forwardRequest(request: IncomingMessage, response: ServerResponse, socketPath: string): void {
  const fail = (error: Error): void =>
    answerFailure(response, `The mock's own process did not answer: ${error.message}`)
  try {
    const asked = send({
      socketPath,
      method: request.method,
      path: request.url,
      headers: withoutConnection(request.rawHeaders),
      // A connection each: one that is kept could be closed by the owner as it is used again.
      agent: false,
    })
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    if (length === undefined && coding === undefined) asked.useChunkedEncodingByDefault = false
    asked.on('error', (error) => {
      // A body that is refused before its end can't be sent to its end.
      if (!response.headersSent) fail(error)
    })
    asked.on('response', (answer) => {
      response.writeHead(
        answer.statusCode!,
        answer.statusMessage,
        withoutConnection(answer.rawHeaders, 'transfer-encoding'),
      )
      response.flushHeaders()
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    response.on('close', () => asked.destroy())
    request.pipe(asked)
  } catch (error) {
    fail(error as Error)
  }
}

/** Headers as a flat list of names and values, without those of the connection. */
function withoutConnection(headers: readonly string[], besides?: string): string[] {
  const kept: string[] = []
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]!.toLowerCase()
    if (!OF_THE_CONNECTION.has(name) && name !== besides) kept.push(headers[index]!, headers[index + 1]!)
  }
  return kept
}
