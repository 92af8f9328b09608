/** Answers a call of undici with a web Response. */

// Not imported: the ES module of node:http would load the client of fetch.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** Sends what `respond` answers to the handler, in the order and with the errors of undici's own client. */
export function playUndici(
  options: DispatchOptions,
  handler: LegacyHandler,
  respond: (request: Request) => Promise<Response | undefined>,
): void {
  const left = new AbortController()
  let timeout: NodeJS.Timeout | undefined
  let isOver = false
  const finish = (): boolean => {
    if (isOver) return false
    clearTimeout(timeout)
    isOver = true
    return true
  }
  const fail = (error: unknown): void => {
    if (!finish()) return
    left.abort()
    handler.onError(error)
  }
  const startTimeout = (ms: number | null | undefined, name: 'Headers' | 'Body'): void => {
    clearTimeout(timeout)
    const code = `UND_ERR_${name.toUpperCase()}_TIMEOUT`
    if (ms) timeout = setTimeout(() => fail(undiciError(`${name}TimeoutError`, code, `${name} Timeout Error`)), ms)
  }

  const play = async (): Promise<void> => {
    startTimeout(options.headersTimeout, 'Headers')
    const response = await respond(await toRequest(options, left.signal))
    if (isOver) return
    if (response === undefined || response.type === 'error') {
      throw undiciError('SocketError', 'UND_ERR_SOCKET', 'other side closed')
    }
    const { status, statusText, headers, body } = response
    const rawHeaders = [...headers].flat().map((text) => Buffer.from(text, 'latin1'))
    // The client may resume before the next chunk is there, so the pause is a state, not only a wait.
    let isPaused = false
    let goOn = (): void => {}
    const resume = (): void => {
      isPaused = false
      goOn()
    }
    isPaused = handler.onHeaders(status, rawHeaders, resume, statusText || (STATUS_CODES[status] ?? '')) === false
    for await (const chunk of body ?? []) {
      if (isPaused)
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
      if (isOver) return
      startTimeout(options.bodyTimeout, 'Body')
      if (handler.onData(Buffer.from(chunk)) === false) isPaused = true
    }
    if (finish()) handler.onComplete([])
  }

  handler.onConnect?.((reason) => fail(reason ?? undiciError('AbortError', 'UND_ERR_ABORTED', 'Request aborted')), null)
  // A broken body has the error of the connection as its cause.
  if (!isOver) play().catch((error: unknown) => fail((error as Error).cause ?? error))
}

async function toRequest(options: DispatchOptions, signal: AbortSignal): Promise<Request> {
  const { method, headers, body } = options
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const init = { method, headers: toHeaders(headers ?? {}), signal }
  return new Request(urlOf(options), hasBody ? { ...init, body: await readBody(body) } : init)
}

function toHeaders(given: NonNullable<DispatchOptions['headers']>): Headers {
  const headers = new Headers()
  const add = (name: string, value: HeaderValue): void => {
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one)
  }
  if (Array.isArray(given)) for (let index = 0; index < given.length; index += 2) add(given[index], given[index + 1])
  else for (const [name, value] of isIterable(given) ? given : Object.entries(given)) add(name, value)
  return headers
}

async function readBody(body: unknown): Promise<BodyInit | null> {
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return (body ?? null) as BodyInit
  const chunks: Buffer[] = []
  for await (const chunk of body as AsyncIterable<string | Uint8Array>) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}

const isIterable = (value: object): value is Iterable<readonly [string, HeaderValue]> => Symbol.iterator in value

/** An error as undici makes it: clients look at its name and its code. */
const undiciError = (name: string, code: string, message: string): Error =>
  Object.assign(new Error(message), { name, code })

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

type HeaderValue = string | readonly string[] | undefined

type Abort = (reason?: unknown) => void

/** The handlers of undici 5 to 7. A method that returns false asks for a pause, until `resume` is called. */
interface LegacyHandler {
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
