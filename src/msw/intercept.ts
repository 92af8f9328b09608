/** Interception for Node tests: msw's `setupServer` with a mock's handlers, and the guard that msw 2 needs. */
import { ClientRequest } from 'node:http'
import type { RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import { checkOptions, type OptionChecks, oneOf } from '../core/errors/check-options.ts'

/** Anything with msw handlers, such as a mock. */
export interface Interceptable {
  readonly handlers: readonly RequestHandler[]
}

export interface InterceptOptions {
  /** What happens to calls to other addresses: they pass, pass with a warning, or fail. Default: `bypass`. */
  readonly onUnhandledRequest?: 'bypass' | 'warn' | 'error' | undefined
}

/** Every option of intercept, to refuse others and wrong values. */
export const INTERCEPT_OPTIONS: OptionChecks<InterceptOptions> = {
  onUnhandledRequest: oneOf('bypass', 'warn', 'error'),
}

/** A running interception. */
export interface Interception {
  /** Ends the interception: calls go to the network again. */
  close(): void
  [Symbol.dispose](): void
}

/**
 * Answers every call of this process to the mock's base URL, whatever client makes it, until it is closed.
 * @throws MockError when an option is unknown or wrong.
 * @example
 * const interception = intercept(createMock('rate-limited'))
 * afterAll(() => interception.close())
 */
export function intercept({ handlers }: Interceptable, options: InterceptOptions = {}): Interception {
  checkOptions('intercept', options, INTERCEPT_OPTIONS)
  const { onUnhandledRequest = 'bypass' } = options
  const server = setupServer(...handlers)
  // Only msw 3 has a ready state, and it needs no guard.
  if (!('readyState' in server)) guardCancel(server)
  // msw 3 calls the option onUnhandledFrame; each version ignores the other's name.
  const settings = { onUnhandledRequest, onUnhandledFrame: onUnhandledRequest }
  server.listen(settings)
  const close = (): void => server.close()
  return { close, [Symbol.dispose]: close }
}

type EventSource = {
  on(
    event: 'response:mocked' | 'response:bypass',
    listener: (event: { request: Request; response?: Response }) => void,
  ): unknown
}

/**
 * msw 2 keeps a clone of every response for its events, and a body with an unread clone can't be cancelled: a
 * client that drops a 429 before it retries would wait forever. Cancelling the clone frees it; msw 3 has this fixed.
 * A client of node:http reads the very body that the event holds, so it must not be cancelled.
 */
function guardCancel({ events }: { readonly events: unknown }): void {
  for (const name of ['response:mocked', 'response:bypass'] as const) {
    ;(events as EventSource).on(name, ({ request, response }) => {
      if (!isOfNodeHttp(request)) response?.body?.cancel().catch(() => {})
    })
  }
}

/** Whether a request was made with node:http: the interceptor keeps what it was made from under a symbol of its own. */
const isOfNodeHttp = (request: Request): boolean =>
  Object.getOwnPropertySymbols(request).some((symbol) => Reflect.get(request, symbol) instanceof ClientRequest)
