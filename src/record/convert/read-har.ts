/**
 * Reads HAR 1.2: of a browser, of a proxy, or a recording of Polly.js (`recording.har`).
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
import { isObject, type JsonObject } from '../../core/lib/text/json.ts'
import type { Body, HttpExchange } from './conversion.ts'
import { decodeBody, isText } from './decode-body.ts'
import { readHeaders } from './read-vcr.ts'

/** The exchanges of a file; undefined for another format. */
export function readHar({ log }: JsonObject): readonly (HttpExchange | { readonly place: string })[] | undefined {
  if (!isObject(log) || !Array.isArray(log.entries)) return undefined
  return log.entries.map((entry, index) => readEntry(entry, `log.entries[${index}]`))
}

function readEntry(entry: unknown, place: string): HttpExchange | { readonly place: string } {
  if (!isObject(entry) || !isObject(entry.request) || !isObject(entry.response)) return { place }
  const { request, response } = entry
  const timings = isObject(entry.timings) ? entry.timings : {}
  const receiveMs = durationOf(timings.receive)
  const headers = new Map(readHeaders(response.headers))
  const content = isObject(response.content) ? response.content : {}
  if (!headers.has('content-type') && typeof content.mimeType === 'string')
    headers.set('content-type', content.mimeType)
  const body = readContent(content, headers.get('content-encoding'))
  // The text of a body is decompressed already.
  headers.delete('content-encoding')
  return {
    place,
    method: String(request.method ?? ''),
    url: String(request.url ?? ''),
    requestHeaders: readHeaders(request.headers),
    requestBody: isObject(request.postData) && typeof request.postData.text === 'string' ? request.postData.text : '',
    status: Number(response.status ?? 0),
    headers,
    body,
    waitMs: Math.max(0, durationOf(timings.wait) || durationOf(entry.time) - receiveMs),
    receiveMs,
  }
}

/** -1 stands for a time that is not known. */
const durationOf = (ms: unknown): number => (typeof ms === 'number' && ms > 0 ? ms : 0)

/** The body; undefined if it is not in the file. */
function readContent({ text, encoding, _isBinary, size }: JsonObject, compression = ''): Body | undefined {
  if (typeof text !== 'string') return size === 0 ? '' : undefined
  const isPlain = encoding !== 'base64' && _isBinary !== true
  if (isPlain && compression === '') return text
  // Bytes that are no text are refused later.
  return readBytes(text, compression, isPlain) ?? (isPlain ? text : Buffer.from(text, 'base64'))
}

/**
 * Polly.js writes a compressed body as a JSON list of chunks, in base64 or (older versions) in hex, and does not always
 * say which; other recorders write base64.
 */
function readBytes(text: string, compression: string, isPlain: boolean): Uint8Array | undefined {
  const chunks = chunksIn(text)
  if (isPlain && chunks === undefined) return undefined
  for (const form of ['hex', 'base64'] as const) {
    const parts = (chunks ?? [text]).map((chunk) => decodeChunk(chunk, form))
    if (parts.includes(undefined)) continue
    try {
      const bytes = decodeBody(Buffer.concat(parts as Buffer[]), compression)
      if (isText(bytes)) return bytes
    } catch {
      // It is the other form.
    }
  }
  return undefined
}

function chunksIn(text: string): readonly string[] | undefined {
  if (!text.startsWith('["')) return undefined
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined
  } catch {
    return undefined
  }
}

function decodeChunk(chunk: string, form: 'hex' | 'base64'): Buffer | undefined {
  if (form === 'hex' && (chunk.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(chunk))) return undefined
  return Buffer.from(chunk, form)
}
