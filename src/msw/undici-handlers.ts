/**
 * The interface between undici and its dispatchers: the options of a call, and the handler that receives the answer.
 *
 * The methods of handlers have other names from version 7 on. `toLegacyHandler` wraps a new handler as an old one, so that
 * code which answers a call needs to know one kind only.
 */

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

/** The URL of a call, with the parameters of its option `query`. */
export function urlOf({ origin, path, query }: DispatchOptions): URL {
  const url = new URL(path, origin)
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of [value].flat()) url.searchParams.append(name, String(item))
  }
  return url
}

type Abort = (reason?: unknown) => void

/** The handlers of undici 5 to 7. A method that returns false asks for a pause, until `resume` is called. */
export interface LegacyHandler {
  onConnect?(abort: Abort, context: unknown): void
  onHeaders(status: number, rawHeaders: Buffer[], resume: () => void, statusText: string): unknown
  onData(chunk: Buffer): unknown
  onComplete(rawTrailers: Buffer[]): void
  onError(error: unknown): void
}

/** The control of a new handler over the answer. */
interface Controller {
  rawHeaders: Buffer[]
  rawTrailers: Buffer[]
  paused: boolean
  aborted: boolean
  reason: unknown
  pause(): void
  resume(): void
  abort: Abort
}

/** The handlers of undici 8, which 7 takes too. Several headers of one name become a list. */
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

/** A handler with the methods of undici 5 to 7. */
export function toLegacyHandler(handler: AnyHandler): LegacyHandler {
  if (!('onRequestStart' in handler)) return handler
  // Set by `onConnect` and `onHeaders`. A call may fail before both.
  let abortCall: Abort = () => {}
  let resumeAnswer = (): void => {}
  const controller: Controller = {
    rawHeaders: [],
    rawTrailers: [],
    paused: false,
    aborted: false,
    reason: null,
    pause() {
      controller.paused = true
    },
    resume() {
      controller.paused = false
      resumeAnswer()
    },
    abort(reason) {
      controller.aborted = true
      controller.reason = reason
      abortCall(reason)
    },
  }
  return {
    onConnect(abort, context) {
      abortCall = abort
      handler.onRequestStart(controller, context)
    },
    onHeaders(status, rawHeaders, resume, statusText) {
      controller.rawHeaders = rawHeaders
      resumeAnswer = resume
      const headers: Record<string, string | string[]> = {}
      for (let index = 0; index < rawHeaders.length; index += 2) {
        const name = String(rawHeaders[index]).toLowerCase()
        const value = rawHeaders[index + 1]!.toString('latin1')
        const earlier = headers[name]
        headers[name] = earlier === undefined ? value : [earlier, value].flat()
      }
      handler.onResponseStart?.(controller, status, headers, statusText)
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
