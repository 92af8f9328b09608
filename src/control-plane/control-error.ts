/** An error of the control plane: a status and a message, answered in the error envelope. */
import type { ErrorRequestHandler } from 'express'
import { envelope } from '../core/errors/catalogue.ts'

export class ControlError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Answers with the error envelope. An error that is not the caller's has status 500. */
export const answerError: ErrorRequestHandler = (
  error: Error & { status?: number; problems?: unknown },
  _request,
  response,
  next,
) => {
  if (response.headersSent) return next(error)
  // A scenario error has a list of problems.
  const status = error.problems !== undefined ? 400 : (error.status ?? 500)
  const isForbidden = error instanceof ControlError && (status === 401 || status === 403)
  const type = isForbidden ? 'request_forbidden' : status < 500 ? 'invalid_request_error' : 'server_error'
  response.status(status).json(envelope(error.message, type))
}
