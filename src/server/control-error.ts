/** An error of the control plane: a status and a message, answered in the error envelope. */
import type { ErrorRequestHandler } from 'express'
import { envelope } from '../core/protocol/errors/error-catalogue.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'

export class ControlError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Answers with the error envelope. A MockError is the caller's mistake; any other error without a status is a 500. */
export const answerError: ErrorRequestHandler = (error: Error & { status?: number }, _request, response, next) => {
  if (response.headersSent) return next(error)
  const status = error instanceof MockError ? statusOf(error) : (error.status ?? 500)
  const isForbidden = error instanceof ControlError && (status === 401 || status === 403)
  const type = isForbidden ? 'request_forbidden' : status < 500 ? 'invalid_request_error' : 'server_error'
  response.status(status).json(envelope(error.message, type))
}

const statusOf = ({ code }: MockError): number => (code === 'unknown-scenario' ? 404 : 400)
