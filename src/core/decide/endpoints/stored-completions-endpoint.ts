/** Stored completions: lists them, and reads, changes and deletes one. */

import { isObject, type JsonObject, objectsIn, parseJson } from '../../lib/text/json.ts'
import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import { joinParts, type Part } from '../../protocol/plan/text-parts.ts'
import { METADATA, problemAmong, required, table } from '../../protocol/request/field-checks.ts'
import type { CallContext } from '../call/call-context.ts'
import { type Answer, answerJson, type EndpointDefinition } from '../call/respond.ts'
import type { Effect } from '../state/apply-effects.ts'
import type { StoredCompletion } from '../state/mock-state.ts'
import { parameterCheck } from './checks/unknown-parameters.ts'

/** The fields of a change. */
const changes = table({ metadata: required(METADATA) })
const parameters = parameterCheck(['metadata'])

export const storedCompletions: EndpointDefinition = {
  check(context) {
    const { name, parameter } = context.route
    const found = findNamed(context)
    if (parameter !== undefined && found === undefined) return notFound(context, parameter)
    switch (name) {
      case 'GET /v1/chat/completions':
        return checkList(context, storedItems(context))
      case 'GET /v1/chat/completions/{id}/messages':
        return checkList(context, messagesOf(found!))
      case 'POST /v1/chat/completions/{id}': {
        const { body } = context
        // `null` removes the metadata.
        return parameters.check(context) ?? (body.metadata === null ? undefined : problemAmong(changes, body))
      }
      default:
        return undefined
    }
  },
  notes: (context) => (context.route.parsesBody ? parameters.notes(context) : []),
  answer(context) {
    const { route, body, answerLimit, call } = context
    const answerWith = (text: Part, ...effects: readonly Effect[]): Answer => ({
      plan: answerJson(context, text, { by: 'stored', name: 'stored' }),
      effects,
    })
    const query = readListQuery(call.query)
    if (route.name === 'GET /v1/chat/completions') return answerWith(pageOf(storedItems(context), query, answerLimit))
    const found = findNamed(context)!
    const { sessionId, id } = found
    switch (route.name) {
      case 'GET /v1/chat/completions/{id}/messages':
        return answerWith(pageOf(messagesOf(found), query, answerLimit))
      case 'POST /v1/chat/completions/{id}': {
        const metadata = isObject(body.metadata) ? (body.metadata as StoredCompletion['metadata']) : {}
        const completion = { ...found, metadata }
        return answerWith(jsonOf(completion), { type: 'store-completion', completion })
      }
      case 'DELETE /v1/chat/completions/{id}': {
        const deleted = JSON.stringify({ object: 'chat.completion.deleted', id, deleted: true })
        return answerWith(deleted, { type: 'delete-completion', sessionId, id })
      }
      default:
        return answerWith(jsonOf(found))
    }
  },
}

/** The completion that the path names; undefined for the list. */
function findNamed({ route, mockState, session }: CallContext): StoredCompletion | undefined {
  return route.parameter === undefined ? undefined : mockState.completions.find(session.id, route.parameter)
}

const notFound = ({ key }: CallContext, id: string): ApiError =>
  apiError('completion-not-found', { id: maskKeysIn(id, key) })

/** The completions of the caller. The query says which of them are listed. */
function storedItems({ mockState, session, call }: CallContext): readonly ListedItem[] {
  const { model, metadata } = readListQuery(call.query)
  return mockState.completions.of(session.id).map((one) => ({
    id: one.id,
    isListed:
      (model === undefined || one.model === model) && metadata.every(([key, value]) => one.metadata[key] === value),
    json: () => jsonOf(one),
  }))
}

/** The problem of a query, such as an item to begin after that does not exist. */
function checkList(context: CallContext, items: readonly ListedItem[]): ApiError | undefined {
  const { query } = context.call
  const problem = listQueryProblem(query)
  if (problem !== undefined) return problem
  const { after } = readListQuery(query)
  return after === undefined || items.some(({ id }) => id === after) ? undefined : notFound(context, after)
}

const jsonOf = ({ completion, metadata }: StoredCompletion): string =>
  `${completion.slice(0, -1)},"metadata":${JSON.stringify(metadata)}}`

const LISTED_PARTS = new Set<unknown>(['text', 'image_url'])

/** The messages of the request that a completion answered. A list of content moves to `content_parts`, without audio and files. */
function messagesOf({ id, request }: StoredCompletion): readonly ListedItem[] {
  const body = parseJson(request)
  return objectsIn(isObject(body) ? body.messages : undefined).map((message, index) => {
    const messageId = `${id}-${index}`
    const json = (): string => {
      const { role, content = null, name = null, ...more }: JsonObject = message
      const parts = Array.isArray(content) ? objectsIn(content).filter(({ type }) => LISTED_PARTS.has(type)) : null
      const text = parts === null ? content : null
      return JSON.stringify({ id: messageId, role, content: text, refusal: null, name, content_parts: parts, ...more })
    }
    return { id: messageId, isListed: true, json }
  })
}

interface ListQuery {
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
function readListQuery(query = ''): ListQuery {
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

function listQueryProblem(query = ''): ApiError | undefined {
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

/** An item of a list. */
interface ListedItem {
  readonly id: string
  /** True if the query asks for it. A page may begin after an item that is not listed. */
  readonly isListed: boolean
  readonly json: () => string
}

const MAX_BYTES_PER_CHARACTER = 3

/** The items after `after` as `{object, data, first_id, last_id, has_more}`: as many as `limit` allows and as fit in an answer, at least one. */
function pageOf(items: readonly ListedItem[], { after, limit, order }: ListQuery, maxBytes: number): Part {
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
