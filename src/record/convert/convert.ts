/** Converts the recordings and fixtures of other tools into one scenario. */
import { basename } from 'node:path'
import { isObject } from '../../core/lib/text/json.ts'
import { Cassette, FULL } from '../cassette.ts'
import type { Redactor } from '../redact/redact.ts'
import { addExchange } from './add-exchange.ts'
import { addFixtures } from './add-fixtures.ts'
import { ConvertError, type Finding, type HttpExchange } from './conversion.ts'
import { hasVectors, IGNORED_FIELDS } from './fixture-response.ts'
import { readHar } from './read-har.ts'
import { readVcr } from './read-vcr.ts'

/** The formats, for messages. */
const FORMATS =
  'a VCR cassette (with a list `interactions`), a HAR file (with a list `log.entries`) or fixtures of aimock (with a list `fixtures`)'

/** A file to convert, parsed. */
export interface DataFile {
  readonly path: string
  readonly value: unknown
}

export interface ConvertOptions {
  readonly redactor: Redactor
  /** What else is ignored when requests are compared. */
  readonly ignore: readonly string[]
}

/** How much of a file was converted. */
export interface Converted {
  readonly path: string
  readonly format: 'VCR' | 'HAR' | 'aimock'
  /** How many interactions, entries or fixtures it has, and how many of them are in the scenario. */
  readonly items: number
  readonly carried: number
  /** What is missing in the scenario, or different. */
  readonly findings: readonly Finding[]
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
  return { cassette, converted: files.map((file) => ({ path: file.path, ...convertFile(file, cassette, redactor) })) }
}

function convertFile({ value, path }: DataFile, cassette: Cassette, redactor: Redactor): Omit<Converted, 'path'> {
  const file = isObject(value) ? value : {}
  const vcr = readVcr(file)
  if (vcr !== undefined) return { format: 'VCR', ...addExchanges(vcr, cassette, redactor) }
  const har = readHar(file)
  if (har !== undefined) return { format: 'HAR', ...addExchanges(har, cassette, redactor) }
  const fixtures = fixturesIn(file)
  if (fixtures !== undefined) return { format: 'aimock', ...addFixtures(fixtures, cassette, redactor) }
  throw new ConvertError(`Failed to convert '${path}': expected ${FORMATS}, got ${describe(value)}.`)
}

const fixturesIn = (value: unknown): readonly unknown[] | undefined =>
  isObject(value) && Array.isArray(value.fixtures) ? value.fixtures : undefined

const MAX_NAMES = 5

function describe(value: unknown): string {
  if (value === undefined || value === null) return 'an empty file'
  if (Array.isArray(value)) return 'a list'
  if (!isObject(value)) return 'text'
  const names = Object.keys(value)
  if (names.length === 0) return 'an empty map'
  if (Array.isArray(value.replies)) return 'a scenario of this mock'
  const more = names.length > MAX_NAMES ? ', ...' : ''
  return `a map of ${names
    .slice(0, MAX_NAMES)
    .map((name) => JSON.stringify(name.slice(0, 40)))
    .join(', ')}${more}`
}

function addExchanges(
  exchanges: readonly (HttpExchange | { readonly place: string })[],
  cassette: Cassette,
  redactor: Redactor,
): Pick<Converted, 'items' | 'carried' | 'findings'> {
  const findings: Finding[] = []
  for (const exchange of exchanges) {
    try {
      if (!('url' in exchange)) throw new Error('expected a request and a response')
      // A small file can hold more compressed bodies than can be decompressed in a reasonable time.
      if (cassette.isFull) throw new Error(FULL)
      addExchange(exchange, cassette, redactor)
    } catch (error) {
      findings.push({ place: placeOf(exchange, redactor), reason: `not converted: ${reasonOf(error, redactor)}` })
    }
  }
  return { items: exchanges.length, carried: exchanges.length - findings.length, findings }
}

const MAX_URL_LENGTH = 120

/** `interactions[2] (GET https://api.openai.com/v1/models)`; the query may hold a key. */
function placeOf(exchange: HttpExchange | { readonly place: string }, redactor: Redactor): string {
  if (!('url' in exchange)) return exchange.place
  const url = redactor.redactText(exchange.url.replace(/[?#].*$/s, '')).slice(0, MAX_URL_LENGTH)
  return `${exchange.place} (${exchange.method.toUpperCase().slice(0, 20)} ${url})`
}

const reasonOf = (error: unknown, redactor: Redactor): string =>
  error instanceof RangeError ? 'it is nested too deeply' : redactor.redactText((error as Error).message)
