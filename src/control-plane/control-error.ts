/** A problem with a call to the control plane, as a status and a sentence. */
import type { RequestHandler } from 'express'

export class ControlError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Refuses every method but these. */
export function allowOnly(...methods: string[]): RequestHandler {
  return (request, response) => {
    response.setHeader('allow', methods.join(', '))
    throw new ControlError(405, `${request.method} is not accepted here. Allowed are: ${methods.join(', ')}.`)
  }
}
