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
  let body = new BodyText()
  let size = Number(request.headers['content-length'] ?? 0) > limit ? Number.POSITIVE_INFINITY : 0
  if (size > limit) done(undefined)
  request.on('data', (chunk: Buffer) => {
    if (size > limit) return
    size += chunk.length
    if (size <= limit) return body.add(chunk)
    // The rest is read and discarded: closing the connection while the client still sends would lose the answer.
    body = new BodyText()
    done(undefined)
  })
  request.on('end', () => {
    if (size > limit) return
    const text = body.end()
    // The request lives as long as its answer, and these listeners with it.
    body = new BodyText()
    done(text)
  })
  request.on('error', () => {})
}

/** Decodes a body as it arrives: a large one decoded at its end would hold the event loop. */
class BodyText {
  #first: Buffer | undefined
  #decoder: TextDecoder | undefined
  #text = ''

  add(chunk: Buffer): void {
    // Most bodies are one chunk, for which a decoder takes ten times as long as `toString`.
    if (this.#first === undefined) {
      this.#first = chunk
      return
    }
    if (this.#decoder === undefined) {
      // Node 24 drops a second byte order mark too unless it ignores both.
      this.#decoder = new TextDecoder('utf-8', { ignoreBOM: true })
      this.#text = this.#decoder.decode(this.#first, { stream: true })
    }
    this.#text += this.#decoder.decode(chunk, { stream: true })
  }

  /** The text without a byte order mark, as fetch reads a body. */
  end(): string {
    const text = this.#decoder === undefined ? (this.#first?.toString() ?? '') : this.#text + this.#decoder.decode()
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  }
}

/** The text of a body that an Express body parser has already read. */
function toBodyText(body: unknown): string {
  if (typeof body === 'string') return body
  return Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body)
}
