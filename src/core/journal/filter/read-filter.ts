/** A filter from the query of an address: `?status=429&rule=replies[0]&user=/weather/i`. */
import { didYouMean } from '../../text/did-you-mean.ts'
import type { CallFilter } from './call-filter.ts'
import { FILTER_NAMES } from './compile-filter.ts'
import { FilterError, filterFields } from './conditions.ts'

/**
 * Reads a filter from a query. A name that comes more than once means any of its values.
 * @throws FilterError when a name is unknown.
 * @example readFilter(new URLSearchParams('status=429&status=500')) // { status: ['429', '500'] }
 */
export function readFilter(query: URLSearchParams): CallFilter {
  const filter: Record<string, unknown> = {}
  for (const name of new Set(query.keys())) {
    if (!Object.hasOwn(filterFields, name)) throw new FilterError(describeUnknown(name))
    const { parse = (text: string) => text } = filterFields[name]!
    const values = query.getAll(name).map(parse)
    filter[name] = values.length === 1 ? values[0] : values
  }
  return filter
}

const describeUnknown = (name: string): string =>
  `Unknown parameter '${name.slice(0, 60)}'.${didYouMean(name, FILTER_NAMES)} The journal is filtered by: ${FILTER_NAMES.join(', ')}.`
