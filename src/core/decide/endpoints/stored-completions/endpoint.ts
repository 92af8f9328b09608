/** Stored completions: lists them, and reads, changes and deletes one. */

import { isObject } from '../../../lib/text/json.ts'
import { maskKeysIn } from '../../../lib/text/mask-keys.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import type { Part } from '../../../protocol/plan/text-parts.ts'
import { problemAmong, required, table } from '../../../protocol/request/field-checks.ts'
import type { Answer } from '../../call/answer.ts'
import type { CallContext } from '../../call/call-context.ts'
import { answerJson } from '../../call/respond.ts'
import { parameterCheck } from '../../call/unknown-parameters.ts'
import type { Effect } from '../../state/apply-effects.ts'
import type { StoredCompletion } from '../../state/completion-store.ts'
import { metadata } from '../chat/request.ts'
import type { EndpointDefinition } from '../definition.ts'
import { messagesOf } from './messages.ts'
import { type Item, pageOf } from './page.ts'
import { listQueryProblem, readListQuery } from './query.ts'

/** What a completion can be changed in. */
const changes = table({ metadata: required(metadata) })
const parameters = parameterCheck(['metadata'])

/** One route: its problem, and its answer. `found` is the completion that its path names. */
interface Operation {
  readonly check?: (context: CallContext, found: StoredCompletion) => ApiError | undefined
  readonly answer: (context: CallContext, found: StoredCompletion) => Answer
}

const list: Operation = {
  check: (context) => checkList(context, storedItems(context)),
  answer: (context) => answerList(context, storedItems(context)),
}

const read: Operation = { answer: (context, found) => answerWith(context, jsonOf(found)) }

const change: Operation = {
  check: (context) =>
    parameters.check(context) ??
    // `null` removes the metadata.
    (context.body.metadata === null ? undefined : problemAmong(changes, context.body)),
  answer(context, found) {
    const { metadata } = context.body
    const completion = { ...found, metadata: isObject(metadata) ? (metadata as StoredCompletion['metadata']) : {} }
    return answerWith(context, jsonOf(completion), { type: 'store-completion', completion })
  },
}

const remove: Operation = {
  answer(context, { sessionId, id }) {
    const body = JSON.stringify({ object: 'chat.completion.deleted', id, deleted: true })
    return answerWith(context, body, { type: 'delete-completion', sessionId, id })
  },
}

const messages: Operation = {
  check: (context, found) => checkList(context, messagesOf(found)),
  answer: (context, found) => answerList(context, messagesOf(found)),
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /v1/chat/completions': list,
  'GET /v1/chat/completions/{id}': read,
  'POST /v1/chat/completions/{id}': change,
  'DELETE /v1/chat/completions/{id}': remove,
  'GET /v1/chat/completions/{id}/messages': messages,
}

export const storedCompletions: EndpointDefinition = {
  check(context) {
    const { name, parameter } = context.route
    const found = findNamed(context)
    if (parameter !== undefined && found === undefined) return notFound(context, parameter)
    return OPERATIONS[name]!.check?.(context, found!)
  },
  notes: (context) => (context.route.parsesBody ? parameters.notes(context) : []),
  answer: (context) => OPERATIONS[context.route.name]!.answer(context, findNamed(context)!),
}

/** The completion that the path names; undefined for the list. */
function findNamed({ route, mockState, session }: CallContext): StoredCompletion | undefined {
  return route.parameter === undefined ? undefined : mockState.completions.find(session.id, route.parameter)
}

const notFound = ({ key }: CallContext, id: string): ApiError =>
  apiError('completion-not-found', { id: maskKeysIn(id, key) })

/** The completions of the caller. The query says which of them are listed. */
function storedItems({ mockState, session, call }: CallContext): readonly Item[] {
  const { model, metadata } = readListQuery(call.query)
  return mockState.completions.of(session.id).map((one) => ({
    id: one.id,
    isListed:
      (model === undefined || one.model === model) && metadata.every(([key, value]) => one.metadata[key] === value),
    json: () => jsonOf(one),
  }))
}

/** The problem of a query, such as an item to begin after that does not exist. */
function checkList(context: CallContext, items: readonly Item[]): ApiError | undefined {
  const { query } = context.call
  const problem = listQueryProblem(query)
  if (problem !== undefined) return problem
  const { after } = readListQuery(query)
  return after === undefined || items.some(({ id }) => id === after) ? undefined : notFound(context, after)
}

const answerList = (context: CallContext, items: readonly Item[]): Answer =>
  answerWith(context, pageOf(items, readListQuery(context.call.query), context.answerLimit))

const answerWith = (context: CallContext, body: Part, ...effects: readonly Effect[]): Answer => ({
  plan: answerJson(context, body, { by: 'stored', name: 'stored' }),
  effects,
})

const jsonOf = ({ completion, metadata }: StoredCompletion): string =>
  `${completion.slice(0, -1)},"metadata":${JSON.stringify(metadata)}}`
