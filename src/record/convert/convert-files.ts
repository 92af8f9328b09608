/**
 * Converts the recordings and fixtures of other tools into one scenario.
 *
 * A file is a VCR cassette, a HAR file or a list of fixtures of aimock, by the fields that it has. Of VCR and HAR, each
 * exchange becomes a recorded answer; `add-fixtures.ts` makes rules of fixtures.
 */
import { isUtf8 } from 'node:buffer'
import { basename } from 'node:path'
import { isObject, type JsonObject, objectsIn } from '../../core/lib/text/json.ts'
import { MODEL_ENDPOINTS, pathOf } from '../../core/protocol/request/endpoints.ts'
import { Cassette } from '../cassette.ts'
import { EventSplitter, recordedAnswer, recordedRequest, retryAfterMs } from '../recorded-exchange.ts'
import type { Redactor } from '../redact/redact.ts'
import type { TimedText } from '../redact/redact-stream.ts'
import { addFixtures, type Loss } from './add-fixtures.ts'
import { IGNORED_FIELDS } from './fixture-vector.ts'
import { decodeBody, type FoundExchange, type HttpExchange, readHar, readVcr } from './read-exchanges.ts'

/** The formats, for messages. */
const FORMATS =
  'a VCR cassette (with a list `interactions`), a HAR file (with a list `log.entries`) or fixtures of aimock (with a list `fixtures`)'
/** Most names of fields, and characters of an address, that a message shows. */
const MAX_NAMES = 5
const MAX_URL_LENGTH = 120

/**
 * Converts files to one cassette.
 * @param files each with its parsed content; one that was found in a folder is left out if its format is not known.
 * @param ignore other parts of requests that are ignored when they are compared.
 * @returns the cassette; `converted`, with the number of items of each file that it carries; and `leftOut`, with the reason for each
 *   file of a folder that is left out.
 * @throws Error when the format of a file is not known.
 */
export function convertFiles(
  files: readonly { readonly path: string; readonly value: unknown; readonly isFound?: boolean }[],
  redactor: Redactor,
  ignore: readonly string[],
) {
  const leftOut: string[] = []
  const known = files.flatMap(({ path, value, isFound }) => {
    const content = readContent(isObject(value) ? value : {})
    if (content !== undefined) return [{ path, ...content }]
    const message = `Failed to convert '${path}': expected ${FORMATS}, got ${describeUnknown(value)}.`
    if (isFound !== true) throw new Error(message)
    leftOut.push(message)
    return []
  })
  const allFixtures = known.flatMap(({ format, items }) => (format === 'aimock' ? items : []))
  const responses = objectsIn(allFixtures).map(({ response }) => response)
  const hasVectors = responses.some((response) => isObject(response) && Array.isArray(response.embedding))
  // A fixture with a vector answers whatever the request says in these fields.
  const ignored = [...ignore, ...(hasVectors ? IGNORED_FIELDS : [])]
  const names = known.length === 1 ? basename(known[0]!.path) : `${known.length} files`
  const cassette = new Cassette({
    description: redactor.redactText(`Converted from ${names}.`),
    ignore: [...new Set(ignored)],
    // aimock refuses a request that no fixture matches.
    ...(allFixtures.length > 0 && { unmatched: 'refuse' }),
  })
  const converted = known.map(({ path, format, items }) => {
    const added = format === 'aimock' ? addFixtures(items, cassette, redactor) : addExchanges(items, cassette, redactor)
    return { path, format, ...added }
  })
  return { cassette, converted, leftOut }
}

/** The interactions, entries or fixtures of a file; undefined for an unknown format. */
function readContent(file: JsonObject) {
  const [vcr, har] = [readVcr(file), readHar(file)]
  if (vcr !== undefined) return { format: 'VCR', items: vcr } as const
  if (har !== undefined) return { format: 'HAR', items: har } as const
  return Array.isArray(file.fixtures) ? ({ format: 'aimock', items: file.fixtures } as const) : undefined
}

/** Describes a file of an unknown format, for people: `a map of "log", "pages"`. */
function describeUnknown(value: unknown): string {
  if (value === undefined || value === null) return 'an empty file'
  if (Array.isArray(value)) return 'a list'
  if (!isObject(value)) return 'text'
  const names = Object.keys(value)
  if (names.length === 0) return 'an empty map'
  if (Array.isArray(value.replies)) return 'a scenario of this mock'
  const shown = names.slice(0, MAX_NAMES).map((name) => JSON.stringify(name.slice(0, 40)))
  return `a map of ${shown.join(', ')}${names.length > MAX_NAMES ? ', ...' : ''}`
}

function addExchanges(exchanges: readonly FoundExchange[], cassette: Cassette, redactor: Redactor) {
  const findings: Loss[] = []
  for (const exchange of exchanges) {
    try {
      // What has only a place was no exchange.
      if (!('url' in exchange)) throw new Error('expected a request and a response')
      // A small file can hold more compressed bodies than can be decompressed in a reasonable time.
      if (cassette.full !== undefined) throw new Error(cassette.full)
      addExchange(exchange, cassette, redactor)
    } catch (error) {
      const { message } = error as Error
      // A body that is nested too deeply exhausts the stack, which is a RangeError.
      const reason = error instanceof RangeError ? 'it is nested too deeply' : redactor.redactText(message)
      let { place } = exchange
      if ('url' in exchange) {
        // `interactions[2] (GET https://api.openai.com/v1/models)`, without the query, which may hold a key.
        const address = redactor.redactText(exchange.url.replace(/[?#].*$/s, '')).slice(0, MAX_URL_LENGTH)
        place += ` (${exchange.method.toUpperCase().slice(0, 20)} ${address})`
      }
      findings.push({ place, reason: `not converted: ${reason}` })
    }
  }
  return { items: exchanges.length, carried: exchanges.length - findings.length, findings }
}

/** The ends of the paths of endpoints: `/chat/completions`. Gateways and deployments have paths of their own before it. */
const PATH_ENDS = MODEL_ENDPOINTS.map((name) => pathOf(name).slice('/v1'.length))

/** `.../v1/chat/completions, .../v1/responses and .../v1/embeddings` */
const REPLAYED_PATHS = PATH_ENDS.map((end) => `.../v1${end}`)
  .join(', ')
  .replace(/, ([^,]+)$/, ' and $1')

/**
 * Adds a recorded HTTP exchange to a cassette, without secrets.
 * @throws when it cannot be replayed; the message says why.
 */
function addExchange(exchange: HttpExchange, cassette: Cassette, redactor: Redactor): void {
  const { method, url, requestHeaders, requestBody, status, headers, body, waitMs, receiveMs } = exchange
  const path = url.replace(/[?#].*$/s, '').replace(/\/$/, '')
  const endpoint = MODEL_ENDPOINTS[PATH_ENDS.findIndex((end) => path.endsWith(end))]
  if (method.toUpperCase() !== 'POST' || endpoint === undefined)
    throw new Error(`only POST ${REPLAYED_PATHS} can be replayed`)
  const key = requestHeaders.get('authorization') ?? requestHeaders.get('api-key') ?? ''
  const withKey = redactor.forKey(key.replace(/^\S+ +/, '').trim())
  const request = recordedRequest(decodeBody(requestBody, requestHeaders.get('content-encoding')), withKey)

  if (status === 0) throw new Error('it has no answer')
  if (body === undefined) throw new Error('the file does not have the body of its answer')
  const bytes = decodeBody(body, headers.get('content-encoding'))
  if (!isUtf8(bytes)) throw new Error('its body is not UTF-8 text')
  const text = Buffer.from(bytes).toString()
  const contentType = headers.get('content-type') ?? 'application/json'
  const isStream = /^text\/event-stream/i.test(contentType)
  const answer = {
    status,
    contentType,
    retryAfterMs: status >= 400 ? retryAfterMs(Object.fromEntries(headers)) : undefined,
    waitMs: isStream ? waitMs : waitMs + receiveMs,
    body: isStream ? spreadEvents(text, exchange) : text,
    isCut: false,
  }
  cassette.add(endpoint, request, recordedAnswer(answer, withKey))
}

/** The events of a stream, spread evenly over the time in which it came: the file has only its beginning and its end. */
function spreadEvents(text: string, { waitMs, receiveMs }: HttpExchange): TimedText[] {
  const splitter = new EventSplitter()
  splitter.add(text, 0)
  const events = splitter.end(0)
  const gaps = Math.max(1, events.length - 1)
  return events.map((event, index) => ({ text: event.text, atMs: waitMs + (receiveMs * index) / gaps }))
}
