/** The query of a list: where it begins, how long it is, in which order, and which completions are in it. */

import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'

export interface ListQuery {
  /** The id of the item that the page comes after. */
  readonly after: string | undefined
  readonly limit: number
  readonly order: 'asc' | 'desc'
  readonly model: string | undefined
  readonly metadata: readonly (readonly [key: string, value: string])[]
}

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100
const ORDERS = ['asc', 'desc']
/** A completion has no more metadata. */
const MAX_METADATA = 16

/** Reads `after`, `limit`, `order`, `model` and `metadata[key]`. Others are ignored. */
export function readListQuery(query = ''): ListQuery {
  const fields = new URLSearchParams(query)
  return {
    after: fields.get('after') ?? undefined,
    limit: Number(fields.get('limit') ?? DEFAULT_LIMIT),
    order: fields.get('order') === 'desc' ? 'desc' : 'asc',
    model: fields.get('model') ?? undefined,
    metadata: [...fields].flatMap(([name, value]) => {
      const key = /^metadata\[(.*)\]$/.exec(name)?.[1]
      return key === undefined ? [] : [[key, value] as const]
    }),
  }
}

export function listQueryProblem(query = ''): ApiError | undefined {
  const fields = new URLSearchParams(query)
  const order = fields.get('order')
  if (order !== null && !ORDERS.includes(order))
    return apiError('invalid-value', { path: 'order', got: order, allowed: ORDERS })
  const { length } = readListQuery(query).metadata
  if (length > MAX_METADATA)
    return apiError('too-many-properties', { path: 'metadata', bound: MAX_METADATA, got: length })
  const text = fields.get('limit')
  if (text === null) return undefined
  if (!/^-?\d+$/.test(text)) return apiError('invalid-type', { path: 'limit', expected: 'an integer', got: 'a string' })
  const got = Number(text)
  if (got < 1) return apiError('integer-below-min', { path: 'limit', bound: 1, got })
  return got > MAX_LIMIT ? apiError('integer-above-max', { path: 'limit', bound: MAX_LIMIT, got }) : undefined
}
