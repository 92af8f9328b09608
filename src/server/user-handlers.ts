/**
 * Serves the user's own msw handlers over HTTP beside the mock. A handler that fails half-way, a client that leaves, or a
 * request that fetch cannot express ends one answer, and not the process.
 */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import type { Request as ExpressRequest, RequestHandler as Middleware } from 'express'
import type { RequestHandler } from 'msw'
import { ControlError } from './route-table.ts'

// The server frames the body itself: with a wrong length, the rest of a body would look like the next answer.
const FRAMING_HEADERS = ['content-length', 'transfer-encoding', 'trailer', 'connection', 'keep-alive', 'upgrade']

/** Express middleware that answers with the handlers of a module, and passes on the requests they do not handle. */
export async function userHandlers(file: string): Promise<Middleware> {
  const { getResponse } = await import('msw')
  const handlers = await loadHandlers(file)
  return async (request, response, next) => {
    const problem = findUnsupported(request)
    if (problem !== undefined) throw new ControlError(problem)
    const fetched = toFetchRequest(request)
    const found = await getResponse(handlers, fetched, { baseUrl: new URL(fetched.url).origin })
    // msw's `passthrough()` is a response with this header.
    if (found === undefined || found.headers.get('x-msw-intention') === 'passthrough') return next()
    if (found.type === 'error') {
      const advice = 'Use a fault of the mock instead, such as hang or cut.'
      throw new ControlError(`The handler answered with a network error, which HTTP cannot send. ${advice}`, 500)
    }
    response.status(found.status)
    response.statusMessage = found.statusText
    for (const [name, value] of found.headers) {
      // The answer to HEAD has a length, but no body.
      const isOfHead = name === 'content-length' && request.method === 'HEAD'
      if (isOfHead || !FRAMING_HEADERS.includes(name)) response.appendHeader(name, value)
    }
    if (found.body === null) return void response.end()
    // A body that breaks ends the connection, and a client that leaves cancels the body.
    const body = Readable.fromWeb(found.body as Parameters<typeof Readable.fromWeb>[0])
    await pipeline(body, response).catch(() => response.destroy())
  }
}

async function loadHandlers(file: string): Promise<RequestHandler[]> {
  const path = resolve(file)
  const failure = `Failed to load the handlers of '${file}'`
  if (!existsSync(path)) throw new Error(`${failure}: there is no such file (looked for ${path}). Check the path.`)
  let module: { default?: unknown; handlers?: unknown }
  try {
    module = await import(pathToFileURL(path).href)
  } catch (error) {
    // Node's message also names the module of ours that imported the file.
    const cause = (error as Error).message.replace(/ imported from .*$/s, '').replace(/\.$/, '')
    throw new Error(`${failure}: ${cause}. Expected a JavaScript module that Node can import.`)
  }
  const found = module.handlers ?? module.default
  if (Array.isArray(found) && found.every((one) => typeof one?.run === 'function')) return found
  throw new Error(
    `${failure}: expected a list of msw handlers, exported as default or as 'handlers', got ${found === undefined ? 'no such export' : 'something else'}.`,
  )
}

/** The reason why fetch cannot express a request; undefined if it can. */
function findUnsupported({ method, path, headers: { host = '' } }: ExpressRequest): string | undefined {
  if (['TRACE', 'TRACK', 'CONNECT'].includes(method)) return `The method ${method} is not accepted.`
  // With one of these characters, fetch would read a part of the host as a user name, a path or a query.
  if (/[/?#@\\]/.test(host) || !URL.canParse(`http://${host}/`)) return `The Host header '${host}' is not a valid host.`
  if (!path.startsWith('/') || path.startsWith('//')) return 'The path is not valid.'
  try {
    decodeURIComponent(path)
    return undefined
  } catch {
    return 'The path cannot be decoded as UTF-8.'
  }
}

function toFetchRequest(request: ExpressRequest): Request {
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const headers = new Headers()
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    headers.append(request.rawHeaders[index]!, request.rawHeaders[index + 1]!)
  }
  const init = { method: request.method, headers, ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }) }
  return new Request(`http://${request.headers.host}${request.originalUrl}`, init as RequestInit)
}
