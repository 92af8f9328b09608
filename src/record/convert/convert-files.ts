/** Finds and reads the recordings and fixtures of other tools, and converts them into one scenario. */
import { isUtf8 } from 'node:buffer'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseDocument } from 'yaml'
import { isObject, parseJson } from '../../core/lib/text/json.ts'
import { MODEL_ENDPOINTS, pathOf } from '../../core/protocol/request/endpoints.ts'
import { Cassette } from '../cassette.ts'
import { EventSplitter, recordedAnswer, recordedRequest, retryAfterMs } from '../recorded-exchange.ts'
import type { Redactor } from '../redact/redact.ts'
import { addFixtures, type Loss } from './add-fixtures.ts'
import { hasVectors, IGNORED_FIELDS } from './fixture-response.ts'
import { decodeBody, type FoundExchange, type HttpExchange, readHar, readVcr } from './read-exchanges.ts'

/** The formats, for messages. */
const FORMATS =
  'a VCR cassette (with a list `interactions`), a HAR file (with a list `log.entries`) or fixtures of aimock (with a list `fixtures`)'
const MAX_NAMES = 5
const MAX_URL_LENGTH = 120

/** A file to convert, parsed. */
export interface DataFile {
  readonly path: string
  readonly value: unknown
}

export interface ConvertOptions {
  readonly redactor: Redactor
  /** Other parts of requests that are ignored when they are compared. */
  readonly ignore: readonly string[]
}

/** The result for one file. */
export interface Converted {
  readonly path: string
  readonly format: 'VCR' | 'HAR' | 'aimock'
  /** The number of interactions, entries or fixtures in the file, and of those in the scenario. */
  readonly items: number
  readonly carried: number
  readonly findings: readonly Loss[]
}

/**
 * Converts files to one cassette.
 * @throws ConvertError when the format of a file is not known.
 */
export function convertFiles(
  files: readonly DataFile[],
  { redactor, ignore }: ConvertOptions,
): { readonly cassette: Cassette; readonly converted: readonly Converted[] } {
  const fixtures = files.flatMap(({ value }) => fixturesIn(value) ?? [])
  const names = files.length === 1 ? basename(files[0]!.path) : `${files.length} files`
  const cassette = new Cassette({
    description: redactor.redactText(`Converted from ${names}.`),
    ignore: [...new Set([...ignore, ...(hasVectors(fixtures) ? IGNORED_FIELDS : [])])],
    ...(fixtures.length > 0 && { unmatched: 'refuse' }),
  })
  const converted = files.map(({ path, value }): Converted => {
    const file = isObject(value) ? value : {}
    const vcr = readVcr(file)
    if (vcr !== undefined) return { path, format: 'VCR', ...addExchanges(vcr, cassette, redactor) }
    const har = readHar(file)
    if (har !== undefined) return { path, format: 'HAR', ...addExchanges(har, cassette, redactor) }
    const own = fixturesIn(file)
    if (own !== undefined) return { path, format: 'aimock', ...addFixtures(own, cassette, redactor) }
    throw new ConvertError(`Failed to convert '${path}': expected ${FORMATS}, got ${describe(value)}.`)
  })
  return { cassette, converted }
}

const fixturesIn = (value: unknown): readonly unknown[] | undefined =>
  isObject(value) && Array.isArray(value.fixtures) ? value.fixtures : undefined

function describe(value: unknown): string {
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
    let { place } = exchange
    try {
      if (!('url' in exchange)) throw new Error('expected a request and a response')
      // `interactions[2] (GET https://api.openai.com/v1/models)`; the query may hold a key.
      const url = redactor.redactText(exchange.url.replace(/[?#].*$/s, '')).slice(0, MAX_URL_LENGTH)
      place += ` (${exchange.method.toUpperCase().slice(0, 20)} ${url})`
      // A small file can hold more compressed bodies than can be decompressed in a reasonable time.
      if (cassette.full !== undefined) throw new Error(cassette.full)
      addExchange(exchange, cassette, redactor)
    } catch (error) {
      const { message } = error as Error
      const reason = error instanceof RangeError ? 'it is nested too deeply' : redactor.redactText(message)
      findings.push({ place, reason: `not converted: ${reason}` })
    }
  }
  return { items: exchanges.length, carried: exchanges.length - findings.length, findings }
}

const PATHS = MODEL_ENDPOINTS.map((name) => pathOf(name).slice('/v1'.length))

const REPLAYED = PATHS.map((end) => `.../v1${end}`)
  .join(', ')
  .replace(/, ([^,]+)$/, ' and $1')

/**
 * Adds a recorded HTTP exchange to a cassette, without secrets.
 * @throws when it cannot be replayed; the message says why.
 */
function addExchange(exchange: HttpExchange, cassette: Cassette, redactor: Redactor): void {
  const { method, url, requestHeaders, requestBody, status, headers, body, waitMs, receiveMs } = exchange
  // By the end of the path: gateways and deployments have paths of their own before it.
  const path = url.replace(/[?#].*$/s, '').replace(/\/$/, '')
  const endpoint = MODEL_ENDPOINTS[PATHS.findIndex((end) => path.endsWith(end))]
  if (method.toUpperCase() !== 'POST' || endpoint === undefined)
    throw new Error(`only POST ${REPLAYED} can be replayed`)
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
  const splitter = new EventSplitter()
  splitter.add(text, 0)
  const events = splitter.end(0)
  const answer = {
    status,
    contentType,
    retryAfterMs: status >= 400 ? retryAfterMs(Object.fromEntries(headers)) : undefined,
    waitMs: isStream ? waitMs : waitMs + receiveMs,
    // Evenly over the time in which the stream came: the file has only its beginning and its end.
    body: isStream
      ? events.map((event, index) => ({
          text: event.text,
          atMs: waitMs + (receiveMs * index) / Math.max(1, events.length - 1),
        }))
      : text,
    isCut: false,
  }
  cassette.add(endpoint, request, recordedAnswer(answer, withKey))
}

const EXTENSIONS = /\.(?:har|ya?ml|json)$/i
const MAX_FILE_BYTES = 100_000_000
// Python writes an alias for each list that it has met before, such as those of equal headers.
const MAX_ALIASES = 100_000

/** A file that cannot be converted; the message says what was expected. */
export class ConvertError extends Error {
  override readonly name = 'ConvertError'
}

/**
 * The given files, and for each folder the .har, .yaml, .yml and .json files below it, in the order of their names.
 * @param verb the command in messages
 * @throws ConvertError when a folder has none
 */
export async function findFiles(paths: readonly string[], verb = 'convert'): Promise<readonly string[]> {
  const found: string[] = []
  for (const path of paths) {
    const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true
    if (!isFolder) {
      found.push(path)
      continue
    }
    const entries = await readdir(path, { withFileTypes: true, recursive: true })
    const files = entries.filter((entry) => entry.isFile() && EXTENSIONS.test(entry.name))
    if (files.length === 0)
      throw new ConvertError(`Failed to ${verb} '${path}': the folder has no .har, .yaml, .yml or .json file.`)
    found.push(...files.map((entry) => join(entry.parentPath, entry.name)).sort())
  }
  return found
}

/** @throws ConvertError when the file cannot be read. */
export async function readDataFile(path: string): Promise<unknown> {
  const failure = `Failed to convert '${path}'`
  const text = await readPlainFile(path, failure)
  const json = parseJson(text)
  if (json !== undefined) return json
  const document = parseDocument(text, { version: '1.1', uniqueKeys: false, logLevel: 'silent', prettyErrors: true })
  const [problem] = document.errors
  if (problem !== undefined) {
    const { line, col } = problem.linePos?.[0] ?? { line: 1, col: 1 }
    const [reason] = problem.message.split(/ at line |\n/)
    throw new ConvertError(`${failure}: it is neither JSON nor YAML: line ${line}, column ${col}: ${reason}.`)
  }
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (error) {
    throw new ConvertError(`${failure}: ${(error as Error).message}.`)
  }
}

/**
 * The text of a file, without a byte order mark.
 * @throws ConvertError when it cannot be read, or is too large; the message begins with `failure`.
 */
export async function readPlainFile(path: string, failure: string): Promise<string> {
  const status = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new ConvertError(`${failure}: ${error.code === 'ENOENT' ? 'there is no such file.' : `${error.message}.`}`)
  })
  if (!status.isFile()) throw new ConvertError(`${failure}: it is not a plain file.`)
  if (status.size > MAX_FILE_BYTES)
    throw new ConvertError(`${failure}: expected at most ${MAX_FILE_BYTES} bytes, got ${status.size}.`)
  return (await readFile(path, 'utf8')).replace(/^\ufeff/, '')
}
