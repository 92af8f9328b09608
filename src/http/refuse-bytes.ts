/**
 * Answers what Node cannot read as a request, in the error envelope of the API, and closes the connection:
 *
 *     GARBAGE\r\n\r\n                         400
 *     a head that is too large                431
 *     a request that takes too long to come   408
 */

import type { Socket } from 'node:net'
import { apiError } from '../core/protocol/errors/error-catalogue.ts'
import { hasEnded, lastResponseOf } from './connections.ts'
import { requestError, sendSocketError } from './send-error.ts'

// Not imported, for the reason in http-server.ts.
const { maxHeaderSize } = process.getBuiltinModule('node:http')
const HEAD_TOO_LARGE = requestError(
  `The head of the request is too large. Expected at most ${maxHeaderSize} bytes for the request line and all headers.`,
)

/** Time within which a whole request has to arrive. */
export const REQUEST_MS = 60_000
const TOO_LATE = requestError(
  `The request did not arrive in time. Expected its head and its body within ${REQUEST_MS / 1000} seconds.`,
)

/**
 * Refuses what a connection has sent after its last whole request, and closes it. That request must have been answered.
 * @param code of the error that Node reports
 */
export function refuseBytes(socket: Socket, code = ''): void {
  const response = lastResponseOf(socket)
  // A body may be answered before all of it has arrived, such as one that is too large: then its rest gets no answer.
  const isBeingAnswered = response?.headersSent === true && !hasEnded(response)
  if (isBeingAnswered) return void response.once('finish', () => socket.destroySoon())
  // Such a rest may also never arrive. Its request has an answer, so it gets no 408.
  const isLateRest = code === 'ERR_HTTP_REQUEST_TIMEOUT' && response?.req.complete === false && hasEnded(response)
  if (isLateRest || !socket.writable) return void socket.destroy()
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return sendSocketError(socket, '408 Request Timeout', TOO_LATE)
    case 'HPE_HEADER_OVERFLOW':
      return sendSocketError(socket, '431 Request Header Fields Too Large', HEAD_TOO_LARGE)
    default:
      return sendSocketError(socket, '400 Bad Request', apiError('invalid-json'))
  }
}
