/** Answers a call of undici with a web Response. */
import { STATUS_CODES } from 'node:http'
import type { DispatchOptions, HeaderValue, LegacyHandler } from './undici-protocol.ts'
import { urlOf } from './undici-protocol.ts'

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
    let resume = (): void => {}
    let isFlowing = handler.onHeaders(status, rawHeaders, () => resume(), statusText || (STATUS_CODES[status] ?? ''))
    for await (const chunk of body ?? []) {
      if (isFlowing === false)
        await new Promise<void>((resolve) => {
          resume = resolve
        })
      if (isOver) return
      startTimeout(options.bodyTimeout, 'Body')
      isFlowing = handler.onData(Buffer.from(chunk))
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
