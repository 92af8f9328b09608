/**
 * Answers the global fetch without msw, while an interception runs. Through msw, a call of the official client takes three
 * times the processor time (2.1 ms and 0.7 ms on a busy machine), and a hunt makes thousands: `npm run bench -- --only hunt`.
 *
 * It takes only plain calls: POST with a body that is a text. All others go to msw, and get the same answers there.
 */

import { trimSlashes } from '../core/protocol/request/request-path.ts'
import type { Engine } from '../engine/index.ts'
import { answerCall, readHeaders } from './answer-call.ts'
import { isBelow } from './handlers.ts'

/** The parts of a plain call to fetch. */
interface PlainCall {
  readonly url: URL
  readonly text: string
  readonly headers: Headers
  readonly signal: AbortSignal | undefined
}

/** Characters that fetch changes on their way: it drops a byte order mark, and replaces half a surrogate pair. */
const CHANGED = /^\ufeff|\p{Surrogate}/u

/** Answers plain calls below a base URL. Returns a function that ends that, also for clients that kept this fetch. */
export function interceptFetch(engine: Engine, baseURL: URL): () => void {
  const { fetch: next } = globalThis
  const basePath = trimSlashes(baseURL.pathname)
  let isOpen = true
  const direct: typeof fetch = async (input, init) => {
    // A client that kept this function calls the fetch of today.
    if (!isOpen) return (globalThis.fetch === direct ? next : globalThis.fetch)(input, init)
    const call = readPlainCall(input, init)
    const isMocked = call !== undefined && isBelow(baseURL.origin, basePath, call.url)
    return isMocked ? answer(engine, call, basePath) : next(input, init)
  }
  globalThis.fetch = direct
  return () => {
    isOpen = false
    if (globalThis.fetch === direct) globalThis.fetch = next
  }
}

/** Reads the arguments of fetch; undefined for a call that is not plain. */
function readPlainCall(input: RequestInfo | URL, init: RequestInit = {}): PlainCall | undefined {
  const { method, body, headers, signal } = init
  if (input instanceof Request || method?.toUpperCase() !== 'POST') return undefined
  if (typeof body !== 'string' || CHANGED.test(body)) return undefined
  // A call with an undici dispatcher of its own is refused later.
  if ('dispatcher' in init) return undefined
  const href = String(input)
  if (!URL.canParse(href)) return undefined
  const readableHeaders = headers instanceof Headers ? headers : new Headers(headers)
  return { url: new URL(href), text: body, headers: readableHeaders, signal: signal ?? undefined }
}

/** The answer, or the errors that fetch has when the client leaves and when the connection breaks. */
async function answer(engine: Engine, { url, text, headers, signal }: PlainCall, basePath: string): Promise<Response> {
  signal?.throwIfAborted()
  const contentType = headers.get('content-type') ?? 'text/plain;charset=UTF-8'
  const sent = { ...readHeaders(headers), 'content-type': contentType }
  const call = { method: 'POST', url, headers: sent, text, signal: signal ?? new AbortController().signal }
  const response = await answerCall(engine, call, basePath)
  signal?.throwIfAborted()
  if (response.type === 'error') throw new TypeError('Failed to fetch', { cause: response })
  // fetch unzips a body, and the mock sends no other encoding than gzip.
  const isZipped = response.body !== null && response.headers.get('content-encoding') === 'gzip'
  const unzip = (): ReadableWritablePair<Uint8Array, Uint8Array> => new DecompressionStream('gzip') as never
  const decoded = isZipped ? new Response(response.body!.pipeThrough(unzip()), response) : response
  return Object.defineProperty(decoded, 'url', { value: url.href })
}
