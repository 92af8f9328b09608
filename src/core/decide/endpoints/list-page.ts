/**
 * Lists in pages, as the endpoints of stored answers have them: reads the query, checks it, and writes the page.
 *
 *     GET /v1/chat/completions?limit=2&after=c1
 *     -> {"object": "list", "data": [{"id": "c2"}, {"id": "c3"}], "first_id": "c2", "last_id": "c3", "has_more": true}
 */

import { MAX_BYTES_PER_UNIT } from '../../lib/text/bytes.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import { joinParts, type Part } from '../../protocol/plan/text-parts.ts'

/** An item of a list. */
export interface ListedItem {
  readonly id: string
  /** True if the query asks for it. A page may begin after an item that is not listed. */
  readonly isListed: boolean
  readonly json: () => string
}

const ORDERS = ['asc', 'desc'] as const

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100
/** A completion has no more metadata. */
const MAX_METADATA = 16

type ListQuery = ReturnType<typeof readListQuery>

/** Reads `after` (the id of the item that the page comes after), `limit`, `order`, `model` and `metadata[key]`. Others are ignored. */
export function readListQuery(query = '', defaultOrder: (typeof ORDERS)[number] = 'asc') {
  const params = new URLSearchParams(query)
  return {
    after: params.get('after') ?? undefined,
    limit: Number(params.get('limit') ?? DEFAULT_LIMIT),
    order: ORDERS.find((order) => order === params.get('order')) ?? defaultOrder,
    model: params.get('model') ?? undefined,
    metadata: [...params].flatMap(([name, value]) => {
      const key = /^metadata\[(.*)\]$/.exec(name)?.[1]
      return key === undefined ? [] : [[key, value] as const]
    }),
  }
}

/**
 * The first problem of a query.
 * @param notFound makes the error for an `after` that names none of the items.
 */
export function checkList(
  query: string | undefined,
  items: readonly ListedItem[],
  notFound: (id: string) => ApiError,
): ApiError | undefined {
  const params = new URLSearchParams(query)
  const order = params.get('order')
  if (order !== null && !ORDERS.some((known) => known === order))
    return apiError('invalid-value', { path: 'order', got: order, allowed: ORDERS })
  const { after, limit, metadata } = readListQuery(query)
  if (metadata.length > MAX_METADATA)
    return apiError('too-many-properties', { path: 'metadata', bound: MAX_METADATA, got: metadata.length })
  if (!/^-?\d+$/.test(params.get('limit') ?? '1'))
    return apiError('invalid-type', { path: 'limit', expected: 'an integer', got: 'a string' })
  if (limit < 1) return apiError('integer-below-min', { path: 'limit', bound: 1, got: limit })
  if (limit > MAX_LIMIT) return apiError('integer-above-max', { path: 'limit', bound: MAX_LIMIT, got: limit })
  return after === undefined || items.some(({ id }) => id === after) ? undefined : notFound(after)
}

/** The page of a checked query: as many items as its limit allows and as fit in `maxBytes`, but at least one. */
export function pageOf(items: readonly ListedItem[], { after, limit, order }: ListQuery, maxBytes: number): Part {
  const ordered = order === 'asc' ? items : items.toReversed()
  // Without `after` no item is found, and the page starts at -1 + 1.
  const start = ordered.findIndex(({ id }) => id === after) + 1
  const listed = ordered.slice(start).filter(({ isListed }) => isListed)
  const data: string[] = []
  let bytes = 0
  for (const item of listed.slice(0, limit)) {
    const json = item.json()
    bytes += json.length * MAX_BYTES_PER_UNIT
    if (data.length > 0 && bytes > maxBytes) break
    data.push(json)
  }
  const idAt = (index: number): string => JSON.stringify(listed[index]?.id ?? null)
  return joinParts([
    '{"object":"list","data":[',
    ...data.flatMap((json, index) => (index === 0 ? [json] : [',', json])),
    `],"first_id":${idAt(0)},"last_id":${idAt(data.length - 1)},"has_more":${data.length < listed.length}}`,
  ])
}
