/** How a mock notices that a client has left: the signal of a request, also for clients of node:http. */

/** What is used of a ClientRequest of node:http; this code runs in browsers too, so it does not import one. */
interface NodeHttpClient {
  readonly destroyed: boolean
  once(event: 'close', listener: () => void): unknown
}

/**
 * Aborts when the client leaves. msw 2 never aborts the request of a node:http client, so the client itself is asked;
 * this can go with msw 2.
 */
export function clientSignal(request: Request): AbortSignal {
  const client = nodeHttpClientOf(request)
  if (client === undefined) return request.signal
  if (client.destroyed) return AbortSignal.abort()
  const left = new AbortController()
  client.once('close', () => left.abort())
  return left.signal
}

/** The client of node:http behind a request: msw 2 keeps it under a private symbol. */
export function nodeHttpClientOf(request: Request): NodeHttpClient | undefined {
  const values = Object.getOwnPropertySymbols(request).map((symbol): unknown => Reflect.get(request, symbol))
  return values.find(isNodeHttpClient)
}

const isNodeHttpClient = (value: unknown): value is NodeHttpClient =>
  typeof value === 'object' && value !== null && 'reusedSocket' in value
