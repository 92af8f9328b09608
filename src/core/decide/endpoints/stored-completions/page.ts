/** A page of a list, in the form of the service: `{object, data, first_id, last_id, has_more}`. */

import { joinParts, type Part } from '../../../protocol/plan/text-parts.ts'
import type { ListQuery } from './query.ts'

/** An item of a list. */
export interface Item {
  readonly id: string
  /** Whether the query asks for it. A page may begin after an item that is not listed. */
  readonly isListed: boolean
  readonly json: () => string
}

const MAX_BYTES_PER_CHARACTER = 3

/** The items after `after`, as many as `limit` allows and as fit in an answer, at least one. */
export function pageOf(items: readonly Item[], { after, limit, order }: ListQuery, maxBytes: number): Part {
  const ordered = order === 'asc' ? items : items.toReversed()
  const start = ordered.findIndex(({ id }) => id === after) + 1
  const listed = ordered.slice(start).filter(({ isListed }) => isListed)
  const data: string[] = []
  let bytes = 0
  for (const item of listed.slice(0, limit)) {
    const json = item.json()
    bytes += json.length * MAX_BYTES_PER_CHARACTER
    if (data.length > 0 && bytes > maxBytes) break
    data.push(json)
  }
  const last = data.length - 1
  const idAt = (index: number): string => JSON.stringify(listed[index]?.id ?? null)
  return joinParts([
    '{"object":"list","data":[',
    ...data.flatMap((json, index) => (index === 0 ? [json] : [',', json])),
    `],"first_id":${idAt(0)},"last_id":${idAt(last)},"has_more":${data.length < listed.length}}`,
  ])
}
