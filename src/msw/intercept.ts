/**
 * Interception for Node tests: calls of any client to the base URL of a mock are answered in the process of the test.
 *
 * One msw server has the handlers of all intercepted mocks. It sees fetch and node:http, but not the package undici, whose
 * dispatchers are replaced besides: see undici.ts.
 */

import { syncBuiltinESMExports } from 'node:module'
import type { RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import { checkOptions, invalidOption, type OptionChecks, oneOf } from '../core/protocol/errors/check-options.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { readAddressBelow, routeOf, trimSlashes } from '../core/protocol/request/request-path.ts'
import { handleBelow } from './handlers.ts'
import { passthrough } from './msw-functions.ts'
import { guardCancel } from './msw2-workarounds.ts'
import { holdProcessForCalls, releaseProcess } from './stalled-calls.ts'
import { interceptUndici } from './undici.ts'

/** Anything with msw handlers and an address, such as a mock. */
export interface Interceptable {
  readonly handlers: readonly RequestHandler[]
  readonly baseURL: string
  readonly scenario: { readonly name: string }
}

/** The treatments of a call that is not mocked, the strictest first. */
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

/** An intercepted mock. */
interface Intercepted extends Record<keyof InterceptOptions, Strategy> {
  readonly mock: Interceptable
  readonly origin: string
  /** The path of the base URL, without a slash at its end. */
  readonly basePath: string
}

interface Interceptions {
  readonly all: Set<Intercepted>
  /** The warnings so far, to warn once. */
  readonly warnings: Set<string>
  /** The msw server; undefined while nothing is intercepted. `update` starts it, `stop` closes it. */
  server?: { resetHandlers(...handlers: RequestHandler[]): void; close(): void }
  /** Gives undici its own dispatchers back. */
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
  const intercepted = { mock, origin, basePath: trimSlashes(pathname), unhandled, onUnhandledRequest }
  refuseOverlap(intercepted)
  shared.all.add(intercepted)
  update()
  const close = (): void => {
    if (shared.all.delete(intercepted)) update()
  }
  return { close, [Symbol.dispose]: close }
}

/** @throws MockError when a mock already answers calls to this address. */
function refuseOverlap({ mock, origin, basePath }: Intercepted): void {
  for (const other of shared.all) {
    const [path, otherPath] = [`${basePath}/`, `${other.basePath}/`] as const
    const overlaps = other.origin === origin && (path.startsWith(otherPath) || otherPath.startsWith(path))
    if (!overlaps) continue
    const holder = other.mock === mock ? 'the same mock' : `the mock of '${other.mock.scenario.name}'`
    throw new MockError(
      'already-intercepted',
      `Failed to intercept ${mock.baseURL} with the mock of '${mock.scenario.name}': ${holder} already intercepts ` +
        `${other.mock.baseURL}. Close that interception first, or give the mocks different base URLs. With useMock, ` +
        'only one mock of a file or describe can have an address.',
    )
  }
}

/** Brings the msw server and undici's dispatchers in line with `shared.all`, after each change of it. */
function update(): void {
  if (shared.all.size === 0) return stop()
  const handlers = [...shared.all].flatMap(handlersFor)
  if (shared.server !== undefined) return shared.server.resetHandlers(...handlers)
  const server = setupServer(...handlers)
  shared.server = server
  // Only msw 3 has a ready state, and it needs no guard.
  if (!('readyState' in server)) guardCancel(server)
  server.listen(UNHANDLED)
  holdProcessForCalls()
  // msw 2 replaces http.request. Without this, code that imported it by name (`{ request }`) would keep the original.
  syncBuiltinESMExports()
  shared.restoreUndici = interceptUndici(mockOrPass)
}

function stop(): void {
  shared.restoreUndici?.()
  shared.server?.close()
  releaseProcess()
  syncBuiltinESMExports()
  shared.warnings.clear()
  delete shared.server
}

function handlersFor({ mock, origin, basePath, unhandled }: Intercepted): RequestHandler[] {
  if (unhandled === 'error') return [...mock.handlers]
  const passUnknown = handleBelow(origin, basePath, ({ request }) =>
    mockOrPass(request.method, new URL(request.url)) === undefined ? passthrough() : undefined,
  )
  return [passUnknown, ...mock.handlers]
}

/**
 * The option for calls that no handler answers. msw 3 calls it onUnhandledFrame, and has WebSockets among the frames; each
 * version ignores the other's name.
 */
const UNHANDLED = {
  onUnhandledRequest: ({ method, url }: Request): void => void mockOrPass(method, new URL(url)),
  onUnhandledFrame: ({ frame }: { readonly frame: { readonly data: unknown } }): void => {
    const { request, connection } = frame.data as {
      readonly request?: Request
      readonly connection?: { readonly client: { readonly url: URL } }
    }
    void mockOrPass(request?.method ?? 'GET', new URL(request?.url ?? connection!.client.url))
  },
}

/**
 * The mock that answers a call; no mock answers a WebSocket. For a call that no mock answers, warns if an option says so, and
 * returns undefined.
 * @throws MockError when such a call must fail.
 */
function mockOrPass(method: string, url: URL): Interceptable | undefined {
  const found = [...shared.all].find(({ origin, basePath, unhandled }) => {
    const address = origin === url.origin ? readAddressBelow(basePath, url.pathname) : undefined
    if (address === undefined) return false
    if (unhandled === 'error') return true
    const { allow, accepts } = routeOf(method, address.path)
    return accepts || (allow !== undefined && method === 'OPTIONS')
  })
  if (found === undefined) passOrFail(method, url)
  return found?.mock
}

/**
 * Lets a call pass that no mock answers, with a warning or without one, as the options of the mocks say.
 * @throws MockError when it must fail.
 */
function passOrFail(method: string, { protocol, host, pathname }: URL): void {
  // The handshake of a WebSocket goes to the host over HTTP.
  const origin = `${protocol.replace('ws', 'http')}//${host}`
  const call = `${method} ${origin}${pathname}`
  const ofHost = [...shared.all].filter((intercepted) => intercepted.origin === origin)
  const isOfHost = ofHost.length > 0
  const addresses = ofHost.map(({ mock }) => mock.baseURL).join(' and ')
  const why = isOfHost ? `the mock answers calls under ${addresses}` : 'no mock has this host'
  const option = isOfHost ? 'unhandled' : 'onUnhandledRequest'
  // Mocks may differ in the option: the strictest wins.
  const strategies = (isOfHost ? ofHost : [...shared.all]).map((intercepted) => intercepted[option])
  const strategy = STRATEGIES.find((name) => strategies.includes(name))
  if (strategy === 'error') {
    const message = `${call} is not mocked: ${why}. To let such calls pass, set the option ${option} of intercept or useMock to 'bypass'.`
    console.error(`[llm-api-mock] ${message}`)
    // msw hands an error on to the client only if it looks like one of Node: with a code and an errno.
    throw Object.assign(new MockError('not-mocked', message), { errno: undefined })
  }
  const warning = `[llm-api-mock] ${call} is not mocked and goes to the network: ${why}.`
  if (strategy !== 'warn' || shared.warnings.has(warning)) return
  console.warn(warning)
  shared.warnings.add(warning)
}
