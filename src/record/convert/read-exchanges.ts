/**
 * Reads the HTTP exchanges of VCR cassettes and HAR files.
 *
 * VCR: vcrpy (`interactions`), its older stub for httpx, pydantic-ai (`parsed_body`) and the VCR of Ruby
 * (`http_interactions`). HAR 1.2: of a browser, of a proxy, or a recording of Polly.js (`recording.har`).
 * @see https://vcrpy.readthedocs.io/en/latest/advanced.html
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { isMissing, isObject, type JsonObject, parseJson } from '../../core/lib/text/json.ts'

/** The bytes or the text of a body. */
type Body = Uint8Array | string

/** One recorded HTTP exchange. */
export interface HttpExchange {
  readonly place: string
  readonly method: string
  readonly url: string
  /** By lower-case name. */
  readonly requestHeaders: ReadonlyMap<string, string>
  readonly requestBody: Body
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  /** Undefined if the file does not have it. */
  readonly body: Body | undefined
  /** Time until the answer began; 0 if the file does not say it. */
  readonly waitMs: number
  /** Time from there to its end. */
  readonly receiveMs: number
}

/** An exchange, or the place of an item without a request and a response. */
export type FoundExchange = HttpExchange | { readonly place: string }

/** The exchanges of a VCR cassette; undefined for another format. */
export function readVcr(file: JsonObject): readonly FoundExchange[] | undefined {
  const list = 'interactions' in file ? 'interactions' : 'http_interactions'
  const items = file[list]
  if (!Array.isArray(items)) return undefined
  return items.map((item: unknown, index): FoundExchange => {
    const place = `${list}[${index}]`
    if (!isObject(item) || !isObject(item.request) || !isObject(item.response)) return { place }
    const { request, response } = item
    const status = isObject(response.status) ? response.status.code : (response.status_code ?? response.status)
    return {
      place,
      method: String(request.method ?? ''),
      url: String(request.uri ?? ''),
      requestHeaders: readHeaders(request.headers),
      requestBody: readVcrBody(request),
      status: Number(status ?? 0),
      headers: readHeaders(response.headers),
      body: readVcrBody(response),
      waitMs: 0,
      receiveMs: 0,
    }
  })
}

/** Reads `body` or `content` (text, bytes, or a map that has them), or else `parsed_body`; '' without any. */
function readVcrBody({ body, content, parsed_body: parsed }: JsonObject): Body {
  const given = body ?? content
  const isMap = isObject(given) && !(given instanceof Uint8Array)
  const { string, base64_string: base64 } = isMap ? given : { string: given }
  if (typeof base64 === 'string') return Buffer.from(base64, 'base64')
  if (typeof string === 'string' || string instanceof Uint8Array) return string
  return isMissing(parsed) ? '' : JSON.stringify(parsed)
}

/** Reads headers by lower-case name: `{ Name: value }`, `{ Name: [value, value] }` or `[{ name: Name, value }]`. */
function readHeaders(given: unknown): Map<string, string> {
  const pairs: [unknown, unknown][] = Array.isArray(given)
    ? given.filter(isObject).map(({ name, value }) => [name, value])
    : Object.entries(isObject(given) ? given : {})
  const headers = new Map<string, string>()
  for (const [name, value] of pairs) {
    if (typeof name !== 'string' || isMissing(value)) continue
    const texts = [value]
      .flat()
      .map((part) => (part instanceof Uint8Array ? Buffer.from(part).toString() : String(part)))
    headers.set(name.toLowerCase(), texts.join(', '))
  }
  return headers
}

/** The exchanges of a HAR file; undefined for another format. */
export function readHar({ log }: JsonObject): readonly FoundExchange[] | undefined {
  if (!isObject(log) || !Array.isArray(log.entries)) return undefined
  return log.entries.map((entry: unknown, index): FoundExchange => {
    const place = `log.entries[${index}]`
    if (!isObject(entry) || !isObject(entry.request) || !isObject(entry.response)) return { place }
    const { request, response } = entry
    const timings = isObject(entry.timings) ? entry.timings : {}
    const receiveMs = durationOf(timings.receive)
    const headers = readHeaders(response.headers)
    const content = isObject(response.content) ? response.content : {}
    if (!headers.has('content-type') && typeof content.mimeType === 'string')
      headers.set('content-type', content.mimeType)
    const body = readHarBody(content, headers.get('content-encoding'))
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
  })
}

/** -1 stands for a time that is not known. */
const durationOf = (ms: unknown): number => (typeof ms === 'number' && ms > 0 ? ms : 0)

/**
 * The body; undefined if it is not in the file. Polly.js writes a compressed body as a JSON list of chunks, in base64 or
 * (older versions) in hex, and does not always say which; other recorders write base64.
 */
function readHarBody({ text, encoding, _isBinary, size }: JsonObject, compression = ''): Body | undefined {
  if (typeof text !== 'string') return size === 0 ? '' : undefined
  const isPlain = encoding !== 'base64' && _isBinary !== true
  if (isPlain && compression === '') return text
  const list = parseJson(text)
  const isList = Array.isArray(list) && list.length > 0 && list.every((item) => typeof item === 'string')
  if (isPlain && !isList) return text
  const chunks: readonly string[] = isList ? list : [text]
  const isHex = chunks.every((chunk) => chunk.length % 2 === 0 && /^[0-9a-f]*$/i.test(chunk))
  const forms = isHex ? (['hex', 'base64'] as const) : (['base64'] as const)
  for (const form of forms) {
    try {
      const bytes = decodeBody(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk, form))), compression)
      if (isUtf8(bytes)) return bytes
    } catch {
      // It is the other form.
    }
  }
  // Bytes that are no text are refused later.
  return isPlain ? text : Buffer.from(text, 'base64')
}

/** A small file can hold a body of many gigabytes, and a cassette holds 10 MB. */
const MAX_BODY_BYTES = 10_000_000

const DECODERS: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // With the header of zlib or without: servers disagree.
  deflate: (bytes, options) => ((bytes as Uint8Array)[0] === 0x78 ? inflateSync : inflateRawSync)(bytes, options),
  br: brotliDecompressSync,
}

/**
 * The bytes of a body. Some recorders decompress a body and keep its `content-encoding`, so bytes that cannot be
 * decompressed and are text are returned as they are.
 * @throws when the bytes are compressed in an unknown way.
 */
export function decodeBody(body: Body, encoding = 'identity'): Uint8Array {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const name = encoding.trim().toLowerCase()
  if (name === 'identity' || name === '' || bytes.length === 0) return bytes
  try {
    if (Object.hasOwn(DECODERS, name)) return DECODERS[name]!(bytes, { maxOutputLength: MAX_BODY_BYTES })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Error(`its body has more than ${MAX_BODY_BYTES} bytes when decompressed`)
  }
  if (isUtf8(bytes)) return bytes
  throw new Error(`its body is compressed (${name}) and cannot be decompressed`)
}
