/** A filter from the query of an address: `?status=429&rule=replies[0]&user=/weather/i`. */
import { didYouMean } from '../../text/did-you-mean.ts'
import type { CallFilter } from './call-filter.ts'
import { FILTER_NAMES } from './compile-filter.ts'
import { FilterError } from './conditions.ts'

const NUMBERS = new Set(['attempt', 'turn', 'since', 'until'])

/**
 * The filter that a query means. A name that comes more than once means any of its values.
 * @throws FilterError when a name is unknown, or a value is none.
 * @example readFilter(new URLSearchParams('status=429&status=500')) // { status: ['429', '500'] }
 */
export function readFilter(query: URLSearchParams): CallFilter {
  const filter: Record<string, unknown> = {}
  for (const name of new Set(query.keys())) {
    if (!(FILTER_NAMES as readonly string[]).includes(name)) throw new FilterError(unknownParameter(name))
    const values = query.getAll(name).map((value) => readValue(name, value))
    filter[name] = values.length === 1 ? values[0] : values
  }
  return filter
}

function readValue(name: string, value: string): unknown {
  if (name === 'unmatched') return value === 'true' ? true : value === 'false' ? false : value
  return NUMBERS.has(name) && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
}

const unknownParameter = (name: string): string =>
  `Unknown parameter '${name.slice(0, 60)}'.${didYouMean(name, FILTER_NAMES)} The journal is filtered by: ${FILTER_NAMES.join(', ')}.`
