/** The protocol of undici between a call, its dispatcher and the handler that gets the answer. */

/** A call. */
export interface DispatchOptions {
  readonly origin?: string | URL
  readonly path: string
  readonly method: string
  readonly query?: Readonly<Record<string, unknown>> | null
  /** Names and values by turns, pairs, or an object. */
  readonly headers?: readonly string[] | Iterable<readonly [string, HeaderValue]> | Record<string, HeaderValue> | null
  readonly body?: unknown
  readonly headersTimeout?: number | null
  readonly bodyTimeout?: number | null
}

export type HeaderValue = string | readonly string[] | undefined

type Abort = (reason?: unknown) => void

/** The handlers of undici 5 to 7. A method that returns false asks for a pause, until `resume` is called. */
export interface LegacyHandler {
  onConnect?(abort: Abort, context: unknown): void
  onHeaders(status: number, rawHeaders: Buffer[], resume: () => void, statusText: string): unknown
  onData(chunk: Buffer): unknown
  onComplete(rawTrailers: Buffer[]): void
  onError(error: unknown): void
}

/** The handlers of undici 8, which 7 takes too. */
interface Handler {
  onRequestStart(controller: Controller, context: unknown): void
  onResponseStart?(
    controller: Controller,
    status: number,
    headers: Record<string, string | string[]>,
    text: string,
  ): void
  onResponseData?(controller: Controller, chunk: Buffer): void
  onResponseEnd?(controller: Controller, trailers: object): void
  onResponseError?(controller: Controller, error: unknown): void
}

export type AnyHandler = LegacyHandler | Handler

/** The controls of a handler of undici 8 over the answer. */
class Controller {
  rawHeaders: Buffer[] = []
  rawTrailers: Buffer[] = []
  paused = false
  aborted = false
  reason: unknown = null
  onResume: () => void = () => {}
  readonly #abort: Abort

  constructor(abort: Abort) {
    this.#abort = abort
  }

  pause(): void {
    this.paused = true
  }

  resume(): void {
    this.paused = false
    this.onResume()
  }

  abort(reason?: unknown): void {
    this.aborted = true
    this.reason = reason
    this.#abort(reason)
  }
}

/** A handler with the methods of undici 5 to 7. */
export function toLegacyHandler(handler: AnyHandler): LegacyHandler {
  if (!('onRequestStart' in handler)) return handler
  let controller = new Controller(() => {})
  return {
    onConnect(abort, context) {
      controller = new Controller(abort)
      handler.onRequestStart(controller, context)
    },
    onHeaders(status, rawHeaders, resume, statusText) {
      controller.rawHeaders = rawHeaders
      controller.onResume = resume
      handler.onResponseStart?.(controller, status, toObject(rawHeaders), statusText)
      return !controller.paused
    },
    onData(chunk) {
      handler.onResponseData?.(controller, chunk)
      return !controller.paused
    },
    onComplete: () => handler.onResponseEnd?.(controller, {}),
    onError: (error) => handler.onResponseError?.(controller, error),
  }
}

/** Several headers of one name become a list. */
function toObject(rawHeaders: readonly Buffer[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = String(rawHeaders[index]).toLowerCase()
    const value = rawHeaders[index + 1]!.toString('latin1')
    const before = headers[name]
    headers[name] = before === undefined ? value : [before, value].flat()
  }
  return headers
}

export function urlOf({ origin, path, query }: DispatchOptions): URL {
  const url = new URL(path, origin)
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of [value].flat()) url.searchParams.append(name, String(one))
  }
  return url
}
