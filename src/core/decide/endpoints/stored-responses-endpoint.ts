/** Stored responses: reads and deletes one and lists its input; and counts the tokens of an input. */

import { toText } from '../../lib/text/json.ts'
import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { Part } from '../../protocol/plan/text-parts.ts'
import type { CallContext } from '../call/call-context.ts'
import { type Answer, answerJson, type EndpointDefinition } from '../call/respond.ts'
import { StoredItemReader } from '../call/stored-conversation.ts'
import type { StoredResponse } from '../state/answer-store.ts'
import type { Effect } from '../state/apply-effects.ts'
import { checkResponses, responsesNotes } from './checks/check-responses.ts'
import { fitTurn } from './generation/prompt.ts'
import { checkList, type ListedItem, pageOf, readListQuery } from './list-page.ts'

const INPUT_ITEMS = 'GET /v1/responses/{id}/input_items'
const READ = 'GET /v1/responses/{id}'
const DELETE = 'DELETE /v1/responses/{id}'

export const storedResponses: EndpointDefinition = {
  check(context) {
    const { route, call, key } = context
    const found = findNamed(context)
    if (found === undefined) return apiError('response-not-found', { id: maskKeysIn(route.parameter!, key) })
    if (route.name === READ) return replayProblem(new URLSearchParams(call.query))
    if (route.name !== INPUT_ITEMS) return undefined
    return checkList(call.query, listedItems(context, found), (id) =>
      apiError('item-not-found', { id: maskKeysIn(id, key) }),
    )
  },
  answer(context) {
    const { route, answerLimit, call } = context
    const answerWith = (text: Part, ...effects: readonly Effect[]): Answer => ({
      plan: answerJson(context, text, { by: 'stored', name: 'stored' }),
      effects,
    })
    const found = findNamed(context)!
    const { sessionId, id, answer } = found
    switch (route.name) {
      case INPUT_ITEMS:
        return answerWith(pageOf(listedItems(context, found), readListQuery(call.query, 'desc'), answerLimit))
      case DELETE: {
        const deleted = JSON.stringify({ id, object: 'response.deleted', deleted: true })
        return answerWith(deleted, { type: 'delete-answer', sessionId, id })
      }
      default:
        return answerWith(answer)
    }
  },
}

/** The events of a stored response are not replayed, from the first one on or from a later one. */
function replayProblem(query: URLSearchParams): ApiError | undefined {
  const path = query.get('stream') === 'true' ? 'stream' : 'starting_after'
  if (path !== 'stream' && !query.has(path)) return undefined
  const remedy = `Read it without ${path}, or ask again with stream: true`
  return apiError('not-mocked', { path, what: 'the replay of a stored response as a stream', remedy })
}

const findNamed = ({ route, mockState, session }: CallContext): StoredResponse | undefined =>
  mockState.answers.response(session.id, route.parameter!)

/** The input of a response as a list, with the items of the responses before it. */
const listedItems = ({ mockState }: CallContext, found: StoredResponse): readonly ListedItem[] =>
  new StoredItemReader(mockState.answers, found.sessionId).listInput(found).map((item) => ({
    id: toText(item.id),
    isListed: true,
    json: () => JSON.stringify(item),
  }))

export const inputTokens: EndpointDefinition = {
  check: checkResponses,
  notes: responsesNotes,
  answer(context) {
    const { prompt } = fitTurn(context)
    const json = JSON.stringify({ object: 'response.input_tokens', input_tokens: prompt.tokens })
    return { plan: answerJson(context, json, { by: 'count', name: 'count' }) }
  },
}
