/**
 * Interception of the npm package undici, whose clients msw does not see.
 *
 *     request(mock.baseURL)                                     answered by the mock
 *     request('https://example.com')                            passed on
 *     request(mock.baseURL, { dispatcher: new ProxyAgent() })   refused before anything is sent
 *
 * undici sends calls through a global dispatcher, under the symbol `undici.globalDispatcher.1`, and from version 8 on under
 * `.2`; Node's own fetch uses the same symbols. It is replaced by a dispatcher that answers calls to intercepted addresses
 * and passes all others on.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { runInThisContext } from 'node:vm'
import type { RequestHandler } from 'msw'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { getResponse } from './msw-functions.ts'
import { playUndici } from './play-undici.ts'
import { type AnyHandler, type DispatchOptions, toLegacyHandler, urlOf } from './undici-handlers.ts'

/** Returns the mock that answers a call; undefined when the call passes. Throws when it must fail. */
type MockOrPass = (method: string, url: URL) => { readonly handlers: readonly RequestHandler[] } | undefined

interface Dispatcher {
  dispatch(options: DispatchOptions, handler: AnyHandler): boolean
}

type Globals = Record<symbol, Dispatcher | undefined>

/** The global objects of this code and of Node's own fetch. Jest runs tests with a global object of their own. */
const realms = new Set<Globals>([globalThis as unknown as Globals, runInThisContext('globalThis') as Globals])
const VERSION_1 = Symbol.for('undici.globalDispatcher.1')
const VERSION_2 = Symbol.for('undici.globalDispatcher.2')
/** On this channel, undici says that a request was made, before it is queued for a connection. */
const REQUEST_CREATED = 'undici:request:create'

/** Intercepts undici; returns a function that ends it. */
export function interceptUndici(mockOrPass: MockOrPass): () => void {
  const restores = [...realms].flatMap((globals) => {
    const version1 = globals[VERSION_1]
    return [VERSION_1, VERSION_2].map((symbol) => replaceDispatcher(globals, symbol, version1, mockOrPass))
  })
  restores.push(patchFetch(mockOrPass))
  const onCreated = (message: unknown): void => failUnseen((message as { request: CreatedRequest }).request, mockOrPass)
  subscribe(REQUEST_CREATED, onCreated)
  return () => {
    unsubscribe(REQUEST_CREATED, onCreated)
    for (const restore of restores) restore()
  }
}

/**
 * Puts a dispatcher before the one under a symbol. Where there is none, it is put before that of version 1, because an undici
 * that is loaded later keeps the dispatcher that it finds.
 * @returns a function that restores the original
 */
function replaceDispatcher(
  globals: Globals,
  symbol: symbol,
  version1: Dispatcher | undefined,
  mockOrPass: MockOrPass,
): () => void {
  const original = globals[symbol]
  const next = original ?? version1
  if (next === undefined) return () => {}
  const dispatch = (options: DispatchOptions, handler: AnyHandler): boolean => {
    try {
      const mock = mockOrPass(options.method, urlOf(options))
      // A dispatcher of version 1 takes old handlers only.
      if (mock === undefined) return next.dispatch(options, original === undefined ? toLegacyHandler(handler) : handler)
      playUndici(options, toLegacyHandler(handler), (request) => getResponse([...mock.handlers], request))
    } catch (error) {
      toLegacyHandler(handler).onError(error)
    }
    return true
  }
  const replacement = new Proxy(next, {
    get(target, name) {
      if (name === 'dispatch') return dispatch
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  setDispatcher(globals, symbol, replacement)
  return () => {
    // One that was set meanwhile stays, and so does the replacement of none: the symbol cannot be deleted.
    if (original !== undefined && globals[symbol] === replacement) setDispatcher(globals, symbol, original)
  }
}

/** Sets a dispatcher as undici does. */
function setDispatcher(globals: Globals, symbol: symbol, value: Dispatcher): void {
  Object.defineProperty(globals, symbol, { value, writable: true, enumerable: false, configurable: false })
}

/** Removes the `dispatcher` option from a call of Node's fetch to a mock. Only msw 3 needs this: msw 2 answers without it. */
function patchFetch(mockOrPass: MockOrPass): () => void {
  const original = globalThis.fetch
  const replacement: typeof fetch = async (input, init) => {
    if (init === undefined || !('dispatcher' in init)) return original(input, init)
    const { url, method } = input instanceof Request ? input : { url: input, method: 'GET' }
    const mock = mockOrPass(init.method ?? method, new URL(url))
    return original(input, mock === undefined ? init : { ...init, dispatcher: undefined })
  }
  setFetch(replacement)
  return () => {
    if (globalThis.fetch === replacement) setFetch(original)
  }
}

/** Defines `fetch`, because happy-dom makes it a property that cannot be assigned. */
function setFetch(value: typeof fetch): void {
  Object.defineProperty(globalThis, 'fetch', { value, writable: true, enumerable: true, configurable: true })
}

/** A request of undici's own client. Its method for errors has another name from version 8 on. */
interface CreatedRequest extends DispatchOptions {
  onError?(error: unknown): void
  onResponseError?(error: unknown): void
}

/** Fails a request to an intercepted address that a client of undici is about to send, past the replaced dispatchers. */
function failUnseen(request: CreatedRequest, mockOrPass: MockOrPass): void {
  if (request.method === 'CONNECT') return
  const fail = (error: unknown): void => (request.onError ?? request.onResponseError)?.call(request, error)
  try {
    const url = urlOf(request)
    if (mockOrPass(request.method, url) === undefined) return
    fail(
      new MockError(
        'not-mocked',
        `Failed to intercept ${request.method} ${url.origin}${url.pathname}: the call has an undici dispatcher of its own. ` +
          'Leave out the option dispatcher in tests, and call setGlobalDispatcher before intercept.',
      ),
    )
  } catch (error) {
    fail(error)
  }
}
