/** The body of a request as text. */
import type { IncomingMessage } from 'node:http'

/**
 * Calls back once with the body as text; with undefined as soon as it is known to be too large, by its declared
 * length or by what came; never when the client leaves before the end.
 */
export function readBody(request: IncomingMessage, limit: number, done: (text: string | undefined) => void): void {
  const parsed = (request as IncomingMessage & { readonly body?: unknown }).body
  if (parsed !== undefined && request.complete) {
    const text = alreadyRead(parsed)
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
    // The rest is read and dropped: a connection closed on a client that still sends would lose the answer.
    chunks = []
    done(undefined)
  })
  request.on('end', () => {
    if (size > limit) return
    const text = chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString()
    // As fetch reads a body: without a byte order mark.
    done(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  })
  request.on('error', () => {})
}

/** A body that an Express body parser in front has read: the text, or the value it was parsed to. */
function alreadyRead(body: unknown): string {
  if (typeof body === 'string') return body
  return Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body)
}
