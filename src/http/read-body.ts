/** Reads the body of a request as text. */
import type { IncomingMessage } from 'node:http'

/**
 * Calls back once with the body as text, or with undefined as soon as it is known to exceed `limit` bytes. Never calls
 * back when the client leaves before the end.
 */
export function readBody(request: IncomingMessage, limit: number, done: (text: string | undefined) => void): void {
  const parsed = (request as IncomingMessage & { readonly body?: unknown }).body
  if (parsed !== undefined && request.complete) {
    const text = toBodyText(parsed)
    return done(Buffer.byteLength(text) <= limit ? text : undefined)
  }
  let chunks: Buffer[] = []
  let size = Number(request.headers['content-length'] ?? 0) > limit ? Number.POSITIVE_INFINITY : 0
  if (size > limit) done(undefined)
  request.on('data', (chunk: Buffer) => {
    if (size > limit) return
    size += chunk.length
    chunks.push(chunk)
    if (size <= limit) return
    // The rest is read and discarded: closing the connection while the client still sends would lose the answer.
    chunks = []
    done(undefined)
  })
  request.on('end', () => {
    if (size > limit) return
    const text = chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString()
    // The request lives as long as its answer, and these listeners with it.
    chunks = []
    // Without a byte order mark, as fetch reads a body.
    done(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  })
  request.on('error', () => {})
}

/** The text of a body that an Express body parser has already read. */
function toBodyText(body: unknown): string {
  if (typeof body === 'string') return body
  return Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body)
}
