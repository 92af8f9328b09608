/**
 * Plays a web Response to a handler of undici, as undici's own client would.
 *
 *     onConnect -> onHeaders -> onData, onData, ... -> onComplete
 *               or, at any time: the client aborts, a time-out ends, the connection breaks -> onError
 */

import { type DispatchOptions, type HeaderValue, type LegacyHandler, urlOf } from './undici-handlers.ts'

// Not imported: the ES module of node:http would load the client of fetch.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** @param respond answers the call; undefined or an error response breaks the connection. */
export function playUndici(
  options: DispatchOptions,
  handler: LegacyHandler,
  respond: (request: Request) => Promise<Response | undefined>,
): void {
  /** Aborts when the call fails, so that the mock notices that the client has left. */
  const left = new AbortController()
  let timeout: NodeJS.Timeout | undefined
  /** True after `onComplete` or `fail`. From then on, the handler is not called. */
  let isOver = false
  const fail = (error: unknown): void => {
    if (isOver) return
    isOver = true
    clearTimeout(timeout)
    left.abort()
    handler.onError(error)
  }
  const startTimeout = (ms: number | null | undefined, name: 'Headers' | 'Body'): void => {
    clearTimeout(timeout)
    // 0 and null are no time-out.
    if (!ms) return
    const code = `UND_ERR_${name.toUpperCase()}_TIMEOUT`
    timeout = setTimeout(() => fail(undiciError(`${name}TimeoutError`, code, `${name} Timeout Error`)), ms)
  }

  const play = async (): Promise<void> => {
    startTimeout(options.headersTimeout, 'Headers')
    const { method, body: sentBody } = options
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const init = { method, headers: toHeaders(options.headers ?? {}), signal: left.signal }
    const request = new Request(urlOf(options), hasBody ? { ...init, body: await readBody(sentBody) } : init)
    const response = await respond(request)
    if (isOver) return
    if (response === undefined || response.type === 'error') {
      throw undiciError('SocketError', 'UND_ERR_SOCKET', 'other side closed')
    }
    const { status, statusText, headers, body } = response
    const rawHeaders = [...headers].flat().map((text) => Buffer.from(text, 'latin1'))
    // The client may resume before the next chunk is there, so a pause is a state, and not only a wait.
    let isPaused = false
    let endPause = (): void => {}
    const resume = (): void => {
      isPaused = false
      endPause()
    }
    isPaused = handler.onHeaders(status, rawHeaders, resume, statusText || (STATUS_CODES[status] ?? '')) === false
    for await (const chunk of body ?? []) {
      if (isPaused)
        await new Promise<void>((resolve) => {
          endPause = resolve
        })
      if (isOver) return
      startTimeout(options.bodyTimeout, 'Body')
      if (handler.onData(Buffer.from(chunk)) === false) isPaused = true
    }
    if (isOver) return
    isOver = true
    clearTimeout(timeout)
    handler.onComplete([])
  }

  const abort = (reason?: unknown): void =>
    fail(reason ?? undiciError('AbortError', 'UND_ERR_ABORTED', 'Request aborted'))
  // The client may abort at once.
  handler.onConnect?.(abort, null)
  // A broken body has the error of the connection as its cause.
  if (!isOver) play().catch((error: unknown) => fail((error as Error).cause ?? error))
}

/** An error as undici makes it: clients look at its name and its code. */
const undiciError = (name: string, code: string, message: string): Error =>
  Object.assign(new Error(message), { name, code })

function toHeaders(given: NonNullable<DispatchOptions['headers']>): Headers {
  const headers = new Headers()
  const add = (name: string, value: HeaderValue): void => {
    for (const item of [value].flat()) if (item !== undefined) headers.append(name, item)
  }
  if (Array.isArray(given)) {
    for (let index = 0; index < given.length; index += 2) add(given[index], given[index + 1])
    return headers
  }
  const isIterable = Symbol.iterator in given
  const pairs = isIterable ? (given as Iterable<readonly [string, HeaderValue]>) : Object.entries(given)
  for (const [name, value] of pairs) add(name, value)
  return headers
}

/** A body that fetch takes: a stream is read to its end. */
async function readBody(body: unknown): Promise<BodyInit | null> {
  const isStream = typeof body === 'object' && body !== null && Symbol.asyncIterator in body
  if (!isStream) return (body ?? null) as BodyInit
  const chunks: Buffer[] = []
  for await (const chunk of body as AsyncIterable<string | Uint8Array>) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}
