/**
 * Route tables of the control plane: the handlers of each path by method, and the errors that they throw as answers.
 *
 *     { '/health': { get: answerHealth } }     GET /_mock/health; any other method there is a 405
 */
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { envelope } from '../core/protocol/errors/error-catalogue.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'

type Handlers = RequestHandler<Record<string, string>> | readonly RequestHandler<Record<string, string>>[]

export type RouteTable = Readonly<Record<string, { readonly [Method in 'get' | 'put' | 'post' | 'delete']?: Handlers }>>

/** A router of a table. Every other method on a path is refused. */
export function buildRouter(table: RouteTable): express.Router {
  const router = express.Router()
  for (const [path, methods] of Object.entries(table)) {
    const route = router.route(path)
    for (const [method, handlers] of Object.entries(methods)) {
      // `get` stands for all four, which have one type.
      route[method as 'get']([handlers].flat())
    }
    const allowed = listMethods(methods).join(', ')
    route.all(({ method }, response) => {
      response.setHeader('allow', allowed)
      throw new ControlError(`${method} is not accepted here. Use ${allowed}.`, 405)
    })
  }
  return router
}

/** `GET|PUT /_mock/scenario`: the routes of a table, for people. */
export const listRoutes = (table: RouteTable): string[] =>
  Object.entries(table).map(
    ([path, methods]) => `${listMethods(methods).join('|')} /_mock${path.replaceAll(/:(\w+)/g, '<$1>')}`,
  )

const listMethods = (methods: object): string[] => Object.keys(methods).map((method) => method.toUpperCase())

/** An error of the control plane: a status and a message, answered in the error envelope. */
export class ControlError extends Error {
  readonly status: number

  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

/** An error of a route. One of Express's body parsers has a type, and its limit in bytes. */
type RouteError = Error & { readonly status?: number; readonly type?: string; readonly limit?: number }

/** Answers with the error envelope. A MockError is the caller's mistake; any other error without a status is a 500. */
export const answerError: ErrorRequestHandler = (error: RouteError, _request, response, next) => {
  if (response.headersSent) return next(error)
  const status = error instanceof MockError ? statusOf(error) : (error.status ?? 500)
  const isForbidden = error instanceof ControlError && (status === 401 || status === 403)
  const type = isForbidden ? 'request_forbidden' : status < 500 ? 'invalid_request_error' : 'server_error'
  response.status(status).json(envelope(messageOf(error), type))
}

const statusOf = ({ code }: MockError): number => (code === 'unknown-scenario' ? 404 : 400)

function messageOf({ type, limit = 0, message }: RouteError): string {
  if (type === 'entity.too.large')
    return `The body has more than ${limit.toLocaleString('en')} bytes. Send a smaller one.`
  return type === 'entity.parse.failed' ? `The body is not JSON: ${message}.` : message
}
