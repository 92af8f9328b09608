/**
 * Serves a mock over HTTP: `listen` has both planes on one port, `middleware` has the data plane only, for a server of the
 * user. The control plane is loaded at its first call.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkSessionName } from '../core/decide/state/session-id.ts'
import { checkOptions, invalidOption } from '../core/protocol/errors/check-options.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { readAddressBelow, sessionUrl, trimSlashes } from '../core/protocol/request/request-path.ts'
import { type Engine, engineOf, type Mock } from '../engine/index.ts'
import { EventLoopLag } from '../engine/node.ts'
import {
  bind,
  Connections,
  createHttpServer,
  createRouter,
  createServing,
  type Handler,
  LISTEN_OPTIONS,
  type ListenOptions,
  pathOf,
  sendServerError,
  serve,
} from '../http/index.ts'
import type { Shutdown } from './routes.ts'

/** A running server. */
export interface MockServer {
  /** The base URL for clients; ends in `/v1`, or in the option `basePath`. */
  readonly url: string
  /**
   * The base URL of a session, for clients that share a key.
   * @throws MockError for a name that is not 1 to 128 letters, digits, `.`, `_`, `~` or `-`.
   */
  urlOf(session: string): string
  /** The URL of the control plane; ends in `/_mock`. */
  readonly controlUrl: string
  readonly port: number
  /**
   * Lets balancers and clients leave before `close`: `/ready` is 503, and each connection is closed with its next answer. The
   * port stays open, and calls are answered.
   */
  drain(): void
  /**
   * Stops accepting calls, gives those in flight `graceMs` milliseconds to finish (default: 2,000), then cuts them off.
   * @throws MockError when `graceMs` is not a number from 0; it may be infinite.
   */
  close(graceMs?: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Serves a mock over HTTP.
 * @throws MockError `cannot-listen` when the port is in use or the address is not one of this machine; the message says
 * what to do.
 * @example await using server = await listen(mock, { port: 0 })
 */
export async function listen(mock: Mock, options: ListenOptions = {}): Promise<MockServer> {
  checkOptions('listen', options, LISTEN_OPTIONS)
  const { port = 4010, host = '127.0.0.1', token = '', sessionTokens = {} } = options
  const basePath = options.basePath === undefined ? undefined : trimSlashes(options.basePath)
  const engine = engineOf(mock)
  const tokens = [token, ...Object.values(sessionTokens)]
  if (new Set(tokens).size < tokens.length)
    throw new MockError(
      'invalid-option',
      'listen: expected a token of its own for each session and for the server, got the same token twice.',
    )
  engine.tenants.reserve(Object.keys(sessionTokens))
  engine.storedLimits.connect()
  const lag = new EventLoopLag()
  engine.timing.watchLoop(lag)
  const [closing, draining] = [new AbortController(), new AbortController()]
  const control = lazyControlPlane(engine, options, { closing: closing.signal, draining: draining.signal })
  const serving = createServing(engine, options.unreadLimit)
  const hasHandlers = options.handlers !== undefined
  const server = createHttpServer(createRouter(serving, { hasHandlers, basePath }, control))
  const connections = new Connections(server)
  const address = await bind(server, port, host)

  const origin = originOf(address)
  const url = `${origin}${basePath ?? '/v1'}`
  const close = async (graceMs = 2000): Promise<void> => {
    if (typeof graceMs !== 'number' || !(graceMs >= 0)) {
      throw invalidOption('close', 'graceMs', 'a number of milliseconds from 0', graceMs)
    }
    closing.abort()
    await connections.close(graceMs)
    await engine.close()
    lag.stop()
  }
  return {
    url,
    urlOf: (session) => sessionUrl(url, checkSessionName('urlOf', session)),
    controlUrl: `${origin}/_mock`,
    port: address.port,
    drain() {
      draining.abort()
      connections.drain()
    },
    close,
    [Symbol.asyncDispose]: () => close(0),
  }
}

/** The URL under which this machine reaches a server. */
function originOf({ family, address, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/**
 * The data plane as Express or Connect middleware: `app.use(middleware(mock))`. Mounted at the root, it answers paths
 * under `/v1` and `/s/<session>/v1` and passes others on; mounted at a path that ends in `/v1`, it answers everything below it.
 */
export function middleware(mock: Mock): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  const serving = createServing(engineOf(mock))
  return (request, response, next) => {
    const { baseUrl = '' } = request as IncomingMessage & { baseUrl?: string }
    const path = pathOf(request.url)
    const address = readAddressBelow('/v1', baseUrl.endsWith('/v1') ? `/v1${path}` : path)
    if (address === undefined) next()
    else serve(serving, request, response, address)
  }
}

/** The environment of a command that calls a mock: that of this process, with the address and the key for its clients. */
export function commandEnvironment(served: {
  readonly mock: Mock
  readonly server: MockServer
  /** The token of the control plane, if it requires one. */
  readonly token?: string | undefined
}): NodeJS.ProcessEnv {
  const { mock, server, token } = served
  return {
    ...process.env,
    OPENAI_BASE_URL: server.url,
    OPENAI_API_KEY: mock.scenario.exampleKey,
    API_MOCK_URL: new URL(server.url).origin,
    ...(token !== undefined && { API_MOCK_TOKEN: token }),
  }
}

/** A handler that loads the control plane at its first call. */
function lazyControlPlane(engine: Engine, options: ListenOptions, shutdown: Shutdown): Handler {
  let loaded: Promise<Handler> | undefined
  return (request, response) => {
    loaded ??= import('./routes.ts').then(({ createControlPlane }) => createControlPlane(engine, options, shutdown))
    loaded.then(
      (handle) => handle(request, response),
      (error: Error) => sendServerError(response, `Failed to load the control plane: ${error.message}`),
    )
  }
}
