/** Interception for Node tests: one msw server for all intercepted mocks of the process, and undici's dispatchers. */

import { syncBuiltinESMExports } from 'node:module'
import type { RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import { checkOptions, invalidOption, type OptionChecks, oneOf } from '../core/protocol/errors/check-options.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { readAddressBelow } from '../core/protocol/request/address.ts'
import { routeOf, trimSlashes } from '../core/protocol/request/endpoint-route.ts'
import { handleBelow } from './handlers.ts'
import { passthrough } from './msw-functions.ts'
import { guardCancel } from './msw2-workarounds.ts'
import { releaseProcess } from './play-fetch.ts'
import { interceptUndici } from './undici.ts'

/** Anything with msw handlers and an address, such as a mock. */
export interface Interceptable {
  readonly handlers: readonly RequestHandler[]
  readonly baseURL: string
  readonly scenario: { readonly name: string }
}

const STRATEGIES = ['error', 'warn', 'bypass'] as const
type Strategy = (typeof STRATEGIES)[number]

export interface InterceptOptions {
  /**
   * The treatment of calls to the mock's host that it does not mock: they fail, pass with a warning, or pass. Default:
   * `error`; the mock then answers unknown paths under its base URL with 404, as the service does.
   */
  readonly unhandled?: Strategy | undefined
  /** The treatment of calls to other hosts: they fail, pass with a warning, or pass. Default: `bypass`. */
  readonly onUnhandledRequest?: Strategy | undefined
}

/** Every option of intercept, to refuse others and wrong values. */
export const INTERCEPT_OPTIONS: OptionChecks<InterceptOptions> = {
  unhandled: oneOf(...STRATEGIES),
  onUnhandledRequest: oneOf(...STRATEGIES),
}

/** A running interception. */
export interface Interception {
  /** Ends the interception: calls go to the network again. */
  close(): void
  [Symbol.dispose](): void
}

/** One intercepted mock. */
interface Intercepted extends Required<InterceptOptions> {
  readonly mock: Interceptable
  readonly origin: string
  /** The path of the base URL, without a slash at its end. */
  readonly basePath: string
  /** An error made where the interception began: its stack names the place. */
  readonly startedAt: Error
}

interface Interceptions {
  readonly all: Set<Intercepted>
  /** The warnings so far, to warn once. */
  readonly warnings: Set<string>
  server?: { resetHandlers(...handlers: RequestHandler[]): void; close(): void }
  restoreUndici?: () => void
}

/** Of the process, not of this module: msw has one interception per process, and a second one would replace the first. */
const KEY = Symbol.for('llm-api-mock.interceptions')
const shared: Interceptions = ((globalThis as Record<symbol, unknown>)[KEY] ??= {
  all: new Set(),
  warnings: new Set(),
} satisfies Interceptions) as Interceptions

/**
 * Answers every call of this process to the mock's base URL, whatever client makes it, until it is closed.
 * @throws MockError when an option is unknown or wrong, and when a mock already intercepts the address.
 * @example
 * const interception = intercept(createMock('rate-limited'))
 * afterAll(() => interception.close())
 */
export function intercept(mock: Interceptable, options: InterceptOptions = {}): Interception {
  checkOptions('intercept', options, INTERCEPT_OPTIONS)
  if (typeof mock?.baseURL !== 'string') throw invalidOption('intercept', 'the mock', 'one of createMock()', mock)
  const { unhandled = 'error', onUnhandledRequest = 'bypass' } = options
  const { origin, pathname } = new URL(mock.baseURL)
  const startedAt = new Error(`The interception of ${mock.baseURL} began here.`)
  Error.captureStackTrace(startedAt, intercept)
  const one = { mock, origin, basePath: trimSlashes(pathname), unhandled, onUnhandledRequest, startedAt }
  refuseOverlap(one)
  shared.all.add(one)
  update()
  const close = (): void => {
    if (shared.all.delete(one)) update()
  }
  return { close, [Symbol.dispose]: close }
}

/** @throws MockError when a mock already answers calls to this address. */
function refuseOverlap({ mock, origin, basePath }: Intercepted): void {
  for (const other of shared.all) {
    const paths = [`${basePath}/`, `${other.basePath}/`] as const
    if (other.origin !== origin || !(paths[0].startsWith(paths[1]) || paths[1].startsWith(paths[0]))) continue
    const holder = other.mock === mock ? 'the same mock' : `the mock of '${other.mock.scenario.name}'`
    throw new MockError(
      'already-intercepted',
      `Failed to intercept ${mock.baseURL} with the mock of '${mock.scenario.name}': ${holder} already intercepts ` +
        `${other.mock.baseURL}. Close that interception first, or give the mocks different base URLs. With useMock, ` +
        'only one mock of a file or describe can have an address.',
      { cause: other.startedAt },
    )
  }
}

/** Brings the msw server and undici's dispatchers in line with the intercepted mocks. */
function update(): void {
  if (shared.all.size === 0) {
    shared.restoreUndici?.()
    shared.server?.close()
    releaseProcess()
    syncBuiltinESMExports()
    shared.warnings.clear()
    delete shared.server
    return
  }
  const handlers = [...shared.all].flatMap(handlersFor)
  if (shared.server !== undefined) return shared.server.resetHandlers(...handlers)
  const server = setupServer(...handlers)
  shared.server = server
  // Only msw 3 has a ready state, and it needs no guard.
  if (!('readyState' in server)) guardCancel(server)
  server.listen(UNHANDLED)
  // msw 2 replaces http.request; without this, what is imported by name, `{ request }`, stays as it was.
  syncBuiltinESMExports()
  shared.restoreUndici = interceptUndici(findMock)
}

function handlersFor({ mock, origin, basePath, unhandled }: Intercepted): RequestHandler[] {
  if (unhandled === 'error') return [...mock.handlers]
  const passUnknown = handleBelow(origin, basePath, ({ request }) =>
    findMock(request.method, new URL(request.url)) === undefined ? passthrough() : undefined,
  )
  return [passUnknown, ...mock.handlers]
}

/** msw 3 calls the option onUnhandledFrame, and has WebSockets among the frames; each version ignores the other's name. */
const UNHANDLED = {
  onUnhandledRequest: ({ method, url }: Request): void => void findMock(method, new URL(url)),
  onUnhandledFrame: ({ frame }: { readonly frame: { readonly data: unknown } }): void => {
    const { request, connection } = frame.data as Frame
    void findMock(request?.method ?? 'GET', new URL(request?.url ?? connection!.client.url))
  },
}

interface Frame {
  readonly request?: Request
  readonly connection?: { readonly client: { readonly url: URL } }
}

/**
 * The mock that answers a call; undefined when the call passes.
 * @throws MockError when the call must fail.
 */
function findMock(method: string, { protocol, host, pathname }: URL): Interceptable | undefined {
  // No mock answers a WebSocket. Its handshake would go to the host over HTTP.
  const isWebSocket = protocol.startsWith('ws')
  const origin = `${protocol.replace('ws', 'http')}//${host}`
  const ofHost = [...shared.all].filter((one) => one.origin === origin)
  for (const { basePath, mock, unhandled } of isWebSocket ? [] : ofHost) {
    const address = readAddressBelow(basePath, pathname)
    if (address !== undefined && (unhandled === 'error' || isMocked(method, address.path))) return mock
  }
  const { option, strategies, why } =
    ofHost.length > 0
      ? {
          option: 'unhandled',
          strategies: ofHost.map(({ unhandled }) => unhandled),
          why: `the mock answers calls under ${ofHost.map(({ mock }) => mock.baseURL).join(' and ')}`,
        }
      : {
          option: 'onUnhandledRequest',
          strategies: [...shared.all].map(({ onUnhandledRequest }) => onUnhandledRequest),
          why: 'no mock has this host',
        }
  // Mocks may differ; the strictest wins.
  const strategy = STRATEGIES.find((name) => strategies.includes(name))
  if (strategy === 'error') {
    const message = `${method} ${origin}${pathname} is not mocked: ${why}. To let such calls pass, set the option ${option} of intercept or useMock to 'bypass'.`
    console.error(`[llm-api-mock] ${message}`)
    // msw hands an error on to the client only if it looks like one of Node: with a code and an errno.
    throw Object.assign(new MockError('not-mocked', message), { errno: undefined })
  }
  const message = `[llm-api-mock] ${method} ${origin}${pathname} is not mocked and goes to the network: ${why}.`
  if (strategy === 'warn' && !shared.warnings.has(message)) console.warn(message)
  if (strategy === 'warn') shared.warnings.add(message)
  return undefined
}

/** True if the mock has an endpoint of this path. */
function isMocked(method: string, path: string): boolean {
  const { allow, accepts } = routeOf(method, path)
  return accepts || (allow !== undefined && method === 'OPTIONS')
}
