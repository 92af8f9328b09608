/**
 * The user's own msw handlers, served over HTTP beside the mock.
 *
 * @mswjs/http-middleware serves them under msw 2. It does not expect a handler to fail half-way, a client to leave, or
 * a request that fetch can't express, and each would end the process; so it is given one handler of ours, which runs
 * the user's and hands on only what can't fail. Under msw 3, which the package does not support, we send it ourselves.
 */

import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler as Middleware } from 'express'
import type { RequestHandler } from 'msw'
import { envelope } from '../core/errors/catalogue.ts'

/** Express middleware that answers with the handlers of a module, and passes on what they do not handle. */
export async function userHandlers(file: string): Promise<Middleware> {
  const msw = await import('msw')
  const handlers = await loadHandlers(file)
  const isSupported = 'handleRequest' in msw
  const { createMiddleware } = isSupported ? await import('@mswjs/http-middleware') : { createMiddleware: undefined }

  return async (request, response, next) => {
    const problem = inexpressible(request)
    if (problem !== undefined) throw Object.assign(new Error(problem), { status: 400 })
    const answer = async (fetched: Request): Promise<Response | undefined> => {
      const found = await msw.getResponse(handlers, fetched, { baseUrl: new URL(fetched.url).origin })
      return found && tame(found, response)
    }
    if (createMiddleware !== undefined) {
      const ours = msw.http.all('*', async ({ request: fetched }) => (await answer(fetched.clone())) as never)
      // The package's types are of Express 4 and of the CommonJS msw; the values are the same.
      await (createMiddleware(ours as never) as unknown as Middleware)(request, response, next)
      return
    }
    const found = await answer(fetchRequest(request))
    if (found === undefined || isPassthrough(found)) next()
    else send(found, response)
  }
}

async function loadHandlers(file: string): Promise<RequestHandler[]> {
  let module: { default?: unknown; handlers?: unknown }
  try {
    module = await import(pathToFileURL(resolve(file)).href)
  } catch (error) {
    throw new Error(
      `Failed to load the handlers of '${file}': ${(error as Error).message}. It must be a JavaScript module that Node can import.`,
    )
  }
  const found = module.handlers ?? module.default
  if (Array.isArray(found) && found.every((one) => typeof one?.run === 'function')) return found
  throw new Error(
    `Failed to load the handlers of '${file}': found ${found === undefined ? 'no export' : 'an export that is none'}, allowed is a list of msw handlers, exported as default or as 'handlers'.`,
  )
}

/** msw's own answer for "not mine": a redirect that says so in a header. */
const isPassthrough = ({ headers }: Response): boolean => headers.get('x-msw-intention') === 'passthrough'

/** What fetch has no way to say. */
function inexpressible({ method, path, headers: { host = '' } }: ExpressRequest): string | undefined {
  if (['TRACE', 'TRACK', 'CONNECT'].includes(method)) return `The method ${method} is not accepted.`
  // With one of these, fetch would take a part of it for a name, a path or a query.
  if (/[/?#@\\]/.test(host) || !URL.canParse(`http://${host}/`)) return `The Host '${host}' is no host.`
  if (!path.startsWith('/') || path.startsWith('//')) return 'The path is none.'
  try {
    decodeURIComponent(path)
    return undefined
  } catch {
    return 'The path is no text when decoded.'
  }
}

// Where an answer ends is the server's to say: a length that is not the body's would let the rest of the body pass for
// the next answer on the connection.
const FRAMING = ['content-length', 'transfer-encoding', 'trailer', 'connection', 'keep-alive', 'upgrade']

/**
 * A response that can't fail on its way: a network error becomes an answer, a body that breaks ends the connection, and
 * what frames a body is left out.
 */
function tame(found: Response, response: ExpressResponse): Response {
  if (found.type === 'error') {
    const message =
      'The handler answered with a network error. Over HTTP there is no such answer; use a fault of the mock, such as hang or cut.'
    return Response.json(envelope(message, 'server_error'), { status: 500 })
  }
  const { status, statusText } = found
  const headers = new Headers(found.headers)
  // The answer to HEAD has no body that its length could differ from.
  for (const name of FRAMING) if (name !== 'content-length' || response.req.method !== 'HEAD') headers.delete(name)
  const head = { status, statusText, headers }
  if (found.body === null) return new Response(null, head)
  const reader = found.body.getReader()
  response.on('close', () => void reader.cancel().catch(() => {}))
  const body = new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch {
        response.destroy()
        controller.close()
      }
    },
  })
  return new Response(body, head)
}

function fetchRequest(request: ExpressRequest): Request {
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const headers = new Headers()
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    headers.append(request.rawHeaders[index]!, request.rawHeaders[index + 1]!)
  }
  const init = { method: request.method, headers, ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }) }
  return new Request(`http://${request.headers.host}${request.originalUrl}`, init as RequestInit)
}

function send(found: Response, response: ExpressResponse): void {
  response.status(found.status)
  found.headers.forEach((value, name) => void response.appendHeader(name, value))
  if (found.body === null) return void response.end()
  Readable.fromWeb(found.body as Parameters<typeof Readable.fromWeb>[0]).pipe(response)
}
