/** Route tables: the handlers of each path by method. Every other method on the path is refused. */
import express, { type RequestHandler } from 'express'
import { ControlError } from './control-error.ts'

type Handlers = RequestHandler<Record<string, string>> | readonly RequestHandler<Record<string, string>>[]

export type RouteTable = Readonly<Record<string, { readonly [Method in 'get' | 'put' | 'post' | 'delete']?: Handlers }>>

export function buildRouter(table: RouteTable): express.Router {
  const router = express.Router()
  for (const [path, methods] of Object.entries(table)) {
    const route = router.route(path)
    for (const [method, handlers] of Object.entries(methods)) route[method as 'get']([handlers].flat())
    const allowed = listMethods(methods).join(', ')
    route.all(({ method }, response) => {
      response.setHeader('allow', allowed)
      throw new ControlError(405, `${method} is not accepted here. Use ${allowed}.`)
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
