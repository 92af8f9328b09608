/** Answers with the error envelope where no plan does: the mock itself failed, or the request is not valid HTTP. */

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ApiError, envelope } from '../core/protocol/errors/error-catalogue.ts'

/** Answers 500, or breaks the connection when the answer has begun. */
export function sendServerError(response: ServerResponse, message: string, code: string | null = null): void {
  if (response.headersSent) return void response.destroy()
  const body = JSON.stringify(envelope(message, 'server_error', { code }))
  response.writeHead(500, { 'content-type': 'application/json' }).end(body)
}

/** Answers on a bare socket, and closes it. */
export function sendSocketError(
  socket: Socket,
  status: string,
  { body: error, headers }: Pick<ApiError, 'body' | 'headers'>,
): void {
  const body = JSON.stringify(envelope(error.message, error.type, error))
  const lines = Object.entries({ ...headers, 'content-type': 'application/json', connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.on('error', () => {})
  socket.write(`HTTP/1.1 ${status}\r\n${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  socket.destroySoon()
}

/** Runs a part of a call, so that a bug in the mock fails this call and not the server. */
export function guard(response: ServerResponse, run: () => void): void {
  try {
    run()
  } catch (error) {
    sendBug(response, error)
  }
}

/** Logs a bug in the mock, and answers 500. */
export function sendBug(response: ServerResponse, error: unknown): void {
  console.error(error)
  const message = 'The mock itself failed on this call: a bug in llm-api-mock, and its log says more.'
  sendServerError(response, message, 'mock_bug')
}

/** An error of a request that is not valid HTTP, which no catalogue has. */
export const requestError = (message: string): Pick<ApiError, 'body' | 'headers'> => ({
  body: envelope(message, 'invalid_request_error').error,
  headers: {},
})

/** Answers and closes the connection: what follows on it may be another request than a proxy saw. */
export function refuseRequest(response: ServerResponse, message: string, status = 400): void {
  if (response.headersSent) return void response.destroy()
  const body = JSON.stringify({ error: requestError(message).body })
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body)
}
