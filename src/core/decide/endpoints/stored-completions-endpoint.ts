/** Stored completions: lists them, and reads, changes and deletes one. */

import { isObject, type JsonObject, objectsIn, parseJson } from '../../lib/text/json.ts'
import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { Part } from '../../protocol/plan/text-parts.ts'
import { METADATA, problemAmong, required, table } from '../../protocol/request/field-checks.ts'
import type { CallContext } from '../call/call-context.ts'
import { type Answer, answerJson, type EndpointDefinition } from '../call/respond.ts'
import type { StoredCompletion } from '../state/answer-store.ts'
import type { Effect } from '../state/apply-effects.ts'
import { parameterCheck } from './checks/unknown-parameters.ts'
import { checkList, type ListedItem, pageOf, readListQuery } from './list-page.ts'

/** The fields of a change. */
const changes = table({ metadata: required(METADATA) })
const parameters = parameterCheck(changes)

export const storedCompletions: EndpointDefinition = {
  check(context) {
    const { name, parameter } = context.route
    const { query } = context.call
    const found = findNamed(context)
    if (parameter !== undefined && found === undefined) return notFound(context, parameter)
    switch (name) {
      case 'GET /v1/chat/completions':
        return checkList(query, storedItems(context), (id) => notFound(context, id))
      case 'GET /v1/chat/completions/{id}/messages':
        return checkList(query, messagesOf(found!), (id) => notFound(context, id))
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
        const changed = { ...found, metadata }
        return answerWith(jsonOf(changed), { type: 'store-answer', answer: changed })
      }
      case 'DELETE /v1/chat/completions/{id}': {
        const deleted = JSON.stringify({ object: 'chat.completion.deleted', id, deleted: true })
        return answerWith(deleted, { type: 'delete-answer', sessionId, id })
      }
      default:
        return answerWith(jsonOf(found))
    }
  },
}

/** The completion that the path names; undefined for the list. */
function findNamed({ route, mockState, session }: CallContext): StoredCompletion | undefined {
  return route.parameter === undefined ? undefined : mockState.answers.completion(session.id, route.parameter)
}

const notFound = ({ key }: CallContext, id: string): ApiError =>
  apiError('completion-not-found', { id: maskKeysIn(id, key) })

/** The completions of the caller. The query says which of them are listed. */
function storedItems({ mockState, session, call }: CallContext): readonly ListedItem[] {
  const { model, metadata } = readListQuery(call.query)
  return mockState.answers.completionsOf(session.id).map((one) => ({
    id: one.id,
    isListed:
      (model === undefined || one.model === model) && metadata.every(([key, value]) => one.metadata[key] === value),
    json: () => jsonOf(one),
  }))
}

const jsonOf = ({ answer, metadata }: StoredCompletion): string =>
  `${answer.slice(0, -1)},"metadata":${JSON.stringify(metadata)}}`

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
