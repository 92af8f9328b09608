/**
 * Serves the user's own msw handlers over HTTP beside the mock.
 *
 * Under msw 2, @mswjs/http-middleware serves them. A handler that fails half-way, a client that leaves, or a request that
 * fetch cannot express would crash it, and the process. So it gets one handler of ours, which runs the user's handlers
 * and returns only responses that cannot fail. The package does not support msw 3, where we send the response ourselves.
 */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler as Middleware } from 'express'
import type { RequestHandler } from 'msw'
import { envelope } from '../core/protocol/errors/error-catalogue.ts'
import { ControlError } from './route-table.ts'

/** Express middleware that answers with the handlers of a module, and passes on the requests they do not handle. */
export async function userHandlers(file: string): Promise<Middleware> {
  const msw = await import('msw')
  const handlers = await loadHandlers(file)
  // The package calls this function of msw, which msw 3 no longer has.
  const serve = 'handleRequest' in msw ? await serveWithPackage(msw) : serveDirectly
  return async (request, response, next) => {
    const problem = findUnsupported(request)
    if (problem !== undefined) throw new ControlError(problem)
    const findResponse = async (fetched: Request) => {
      const mocked = await msw.getResponse(handlers, fetched, { baseUrl: new URL(fetched.url).origin })
      return mocked && makeSafe(mocked, response)
    }
    await serve(findResponse, request, response, next)
  }
}

/** Serves a call with the response that `find` gets from the user's handlers; undefined if none of them handles it. */
type Serve = (find: (sent: Request) => Promise<Response | undefined>, ...call: Parameters<Middleware>) => Promise<void>

/** For msw 2: the package writes the response, and passes on a request without one, and one with msw's `passthrough()`. */
async function serveWithPackage({ http }: typeof import('msw')): Promise<Serve> {
  const { createMiddleware } = await import('@mswjs/http-middleware')
  return async (findResponse, ...call) => {
    // The user's handlers read a copy: a body can be read only once, and msw goes on with the request of the package.
    const ours = http.all('*', async ({ request }) => (await findResponse(request.clone())) as never)
    // The package's types are those of Express 4 and CommonJS msw; the values are the same.
    await (createMiddleware(ours as never) as unknown as Middleware)(...call)
  }
}

/** For msw 3. */
const serveDirectly: Serve = async (findResponse, request, response, next) => {
  const { method, rawHeaders, originalUrl } = request
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) headers.append(rawHeaders[index]!, rawHeaders[index + 1]!)
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const init = { method, headers, ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }) }
  const mocked = await findResponse(new Request(`http://${request.headers.host}${originalUrl}`, init as RequestInit))
  // msw's `passthrough()` is a response with this header.
  if (mocked === undefined || mocked.headers.get('x-msw-intention') === 'passthrough') return next()
  response.status(mocked.status)
  mocked.headers.forEach((value, name) => void response.appendHeader(name, value))
  if (mocked.body === null) response.end()
  else Readable.fromWeb(mocked.body as Parameters<typeof Readable.fromWeb>[0]).pipe(response)
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
  const exported = module.handlers ?? module.default
  if (Array.isArray(exported) && exported.every((handler) => typeof handler?.run === 'function')) return exported
  const got = exported === undefined ? 'no such export' : 'something else'
  throw new Error(`${failure}: expected a list of msw handlers, exported as default or as 'handlers', got ${got}.`)
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

// The server frames the body itself: with a wrong length, the rest of a body would look like the next answer.
const FRAMING_HEADERS = ['content-length', 'transfer-encoding', 'trailer', 'connection', 'keep-alive', 'upgrade']

/**
 * A response that can be sent without failing: a network error becomes an error response, a body that breaks ends the
 * connection, and framing headers are left out.
 * @param response the response of the server that it will be sent with
 */
function makeSafe(mocked: Response, response: ExpressResponse): Response {
  if (mocked.type === 'error') {
    const message =
      'The handler answered with a network error, which HTTP cannot send. Use a fault of the mock instead, such as hang or cut.'
    return Response.json(envelope(message, 'server_error'), { status: 500 })
  }
  const headers = new Headers(mocked.headers)
  // The answer to HEAD has a length, but no body.
  for (const name of FRAMING_HEADERS)
    if (name !== 'content-length' || response.req.method !== 'HEAD') headers.delete(name)
  const head = { status: mocked.status, statusText: mocked.statusText, headers }
  if (mocked.body === null) return new Response(null, head)
  const reader = mocked.body.getReader()
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
