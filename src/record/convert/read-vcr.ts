/**
 * Reads VCR cassettes: those of vcrpy (`interactions`), of its older stub for httpx, of pydantic-ai (`parsed_body`) and of
 * the VCR of Ruby (`http_interactions`).
 * @see https://vcrpy.readthedocs.io/en/latest/advanced.html
 */
import { isMissing, isObject, type JsonObject } from '../../core/lib/text/json.ts'
import type { Body, HttpExchange } from './conversion.ts'

/** The exchanges of a cassette; undefined for another format. An item without a request and a response is undefined. */
export function readVcr(file: JsonObject): readonly (HttpExchange | { readonly place: string })[] | undefined {
  const list = 'interactions' in file ? 'interactions' : 'http_interactions'
  const items = file[list]
  if (!Array.isArray(items)) return undefined
  return items.map((item, index) => readInteraction(item, `${list}[${index}]`))
}

function readInteraction(item: unknown, place: string): HttpExchange | { readonly place: string } {
  if (!isObject(item) || !isObject(item.request) || !isObject(item.response)) return { place }
  const { request, response } = item
  const status = isObject(response.status) ? response.status.code : (response.status_code ?? response.status)
  return {
    place,
    method: String(request.method ?? ''),
    url: String(request.uri ?? ''),
    requestHeaders: readHeaders(request.headers),
    requestBody: readBody(request) ?? '',
    status: Number(status ?? 0),
    headers: readHeaders(response.headers),
    body: readBody(response) ?? '',
    waitMs: 0,
    receiveMs: 0,
  }
}

/** Headers as a map of a value or a list of values, or as a list of names and values. */
export function readHeaders(headers: unknown): ReadonlyMap<string, string> {
  const pairs: [unknown, unknown][] = Array.isArray(headers)
    ? headers.map((one) => (isObject(one) ? [one.name, one.value] : [undefined, undefined]))
    : Object.entries(isObject(headers) ? headers : {})
  const read = new Map<string, string>()
  for (const [name, value] of pairs) {
    if (typeof name === 'string' && !isMissing(value))
      read.set(name.toLowerCase(), [value].flat().map(textOf).join(', '))
  }
  return read
}

const textOf = (value: unknown): string => (value instanceof Uint8Array ? Buffer.from(value).toString() : String(value))

/** `body` or `content`: text, bytes, or a map that has them; or the body as it was parsed. */
function readBody({ body, content, parsed_body: parsed }: JsonObject): Body | undefined {
  const given = body ?? content
  if (typeof given === 'string' || given instanceof Uint8Array) return given
  if (isObject(given)) {
    const { string, base64_string: base64 } = given
    if (typeof base64 === 'string') return Buffer.from(base64, 'base64')
    if (typeof string === 'string' || string instanceof Uint8Array) return string
  }
  return isMissing(parsed) ? undefined : JSON.stringify(parsed)
}
