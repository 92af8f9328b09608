/**
 * Stored completions, which a chat with `store: true` leaves behind: lists them and their messages, and reads, changes and
 * deletes one.
 */

import { isObject, objectsIn, parseJson } from '../../lib/text/json.ts'
import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import { METADATA, object, required } from '../../protocol/request/field-checks.ts'
import type { EndpointDefinition } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import type { StoredCompletion } from '../state/answer-store.ts'
import { parameterCheck } from './checks/common-checks.ts'
import { checkList, type ListedItem, pageOf, readListQuery } from './list-page.ts'
import { answerStored, readMetadata } from './store-answer.ts'

// The fifth route, `GET /v1/chat/completions/{id}`, reads one completion. It needs no name: it is the default below.
const LIST = 'GET /v1/chat/completions'
const CHANGE = 'POST /v1/chat/completions/{id}'
const DELETE = 'DELETE /v1/chat/completions/{id}'
const LIST_MESSAGES = 'GET /v1/chat/completions/{id}/messages'

/** The fields of the body of a change, the only route with a body. */
const changedFields = object({ metadata: required(METADATA) })
const parameters = parameterCheck(changedFields)

export const storedCompletions: EndpointDefinition = {
  check(context) {
    const { route, call, request, key } = context
    const { body } = request
    const notFound = (id: string): ApiError => apiError('completion-not-found', { id: maskKeysIn(id, key) })
    if (route.name === LIST) return checkList(call.query, listCompletions(context), notFound)
    const completion = findCompletion(context)
    if (completion === undefined) return notFound(route.parameter!)
    switch (route.name) {
      case LIST_MESSAGES:
        return checkList(call.query, listMessages(completion), notFound)
      case CHANGE:
        // `null` removes the metadata.
        return parameters.check(context) ?? (body.metadata === null ? undefined : changedFields.problem(body, ''))
      default:
        return undefined
    }
  },
  notes: parameters.notes,
  answer(context) {
    const { route, call, request, answerLimit } = context
    const query = readListQuery(call.query)
    if (route.name === LIST) return answerStored(context, pageOf(listCompletions(context), query, answerLimit))
    const completion = findCompletion(context)!
    switch (route.name) {
      case LIST_MESSAGES:
        return answerStored(context, pageOf(listMessages(completion), query, answerLimit))
      case CHANGE: {
        const changed = { ...completion, metadata: readMetadata(request.body) }
        return answerStored(context, jsonOf(changed), { type: 'store-answer', answer: changed })
      }
      case DELETE: {
        const { id, sessionId } = completion
        const deleted = JSON.stringify({ object: 'chat.completion.deleted', id, deleted: true })
        return answerStored(context, deleted, { type: 'delete-answer', sessionId, id })
      }
      default:
        return answerStored(context, jsonOf(completion))
    }
  },
}

/** The completion that the path names. */
const findCompletion = ({ route, mockState, session }: CallContext): StoredCompletion | undefined =>
  mockState.answers.completion(session.id, route.parameter!)

/**
 * All completions of the caller. Those of the model and with the metadata that the query asks for are listed. The others are
 * not left out, because `after` may name one of them.
 */
function listCompletions({ mockState, session, call }: CallContext): readonly ListedItem[] {
  const { model, metadata } = readListQuery(call.query)
  return mockState.answers.completionsOf(session.id).map((completion) => ({
    id: completion.id,
    isListed:
      (model === undefined || completion.model === model) &&
      metadata.every(([key, value]) => completion.metadata[key] === value),
    json: () => jsonOf(completion),
  }))
}

/** The stored answer with its metadata as the last field: `{"id":"c1",...,"metadata":{"user":"7"}}`. */
const jsonOf = ({ answer, metadata }: StoredCompletion): string =>
  `${answer.slice(0, -1)},"metadata":${JSON.stringify(metadata)}}`

/**
 * The messages of the request that a completion answered. Content in parts moves to `content_parts`, without audio and
 * files.
 */
function listMessages({ id: completionId, request }: StoredCompletion): readonly ListedItem[] {
  const body = parseJson(request)
  return objectsIn(isObject(body) ? body.messages : undefined).map((message, index) => {
    const id = `${completionId}-${index}`
    const json = (): string => {
      const { role, content = null, name = null, ...others } = message
      const hasParts = Array.isArray(content)
      const parts = hasParts ? objectsIn(content).filter(({ type }) => type === 'text' || type === 'image_url') : null
      const text = hasParts ? null : content
      return JSON.stringify({ id, role, content: text, refusal: null, name, content_parts: parts, ...others })
    }
    return { id, isListed: true, json }
  })
}
