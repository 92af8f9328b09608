/** Stored responses, which a responses call leaves behind unless it has `store: false`: reads and deletes one, and lists its input. */

import { toText } from '../../lib/text/json.ts'
import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { apiError } from '../../protocol/errors/error-catalogue.ts'
import type { EndpointDefinition } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import { StoredItemReader } from '../call/stored-conversation.ts'
import type { StoredResponse } from '../state/answer-store.ts'
import { checkList, type ListedItem, pageOf, readListQuery } from './list-page.ts'
import { answerStored } from './store-answer.ts'

const READ = 'GET /v1/responses/{id}'
const DELETE = 'DELETE /v1/responses/{id}'
const LIST_INPUT = 'GET /v1/responses/{id}/input_items'

export const storedResponses: EndpointDefinition = {
  check(context) {
    const { route, call, key } = context
    const response = findResponse(context)
    if (response === undefined) return apiError('response-not-found', { id: maskKeysIn(route.parameter!, key) })
    switch (route.name) {
      case READ: {
        // The events of a stored response are not replayed, neither all of them nor those after one.
        const query = new URLSearchParams(call.query)
        const asksForAll = query.get('stream') === 'true'
        if (!asksForAll && !query.has('starting_after')) return undefined
        const path = asksForAll ? 'stream' : 'starting_after'
        const remedy = `Read it without ${path}, or ask again with stream: true`
        return apiError('not-mocked', { path, what: 'the replay of a stored response as a stream', remedy })
      }
      case LIST_INPUT:
        return checkList(call.query, listInput(context, response), (id) =>
          apiError('item-not-found', { id: maskKeysIn(id, key) }),
        )
      default:
        return undefined
    }
  },
  answer(context) {
    const { route, answerLimit, call } = context
    const response = findResponse(context)!
    switch (route.name) {
      case LIST_INPUT:
        return answerStored(
          context,
          pageOf(listInput(context, response), readListQuery(call.query, 'desc'), answerLimit),
        )
      case DELETE: {
        const { id, sessionId } = response
        const deleted = JSON.stringify({ id, object: 'response.deleted', deleted: true })
        return answerStored(context, deleted, { type: 'delete-answer', sessionId, id })
      }
      default:
        return answerStored(context, response.answer)
    }
  },
}

/** The response that the path names. */
const findResponse = ({ route, mockState, session }: CallContext): StoredResponse | undefined =>
  mockState.answers.response(session.id, route.parameter!)

/** The input of a response as a list, with the items of the responses before it. */
const listInput = ({ mockState }: CallContext, response: StoredResponse): readonly ListedItem[] =>
  new StoredItemReader(mockState.answers, response.sessionId).listInput(response).map((item) => ({
    id: toText(item.id),
    isListed: true,
    json: () => JSON.stringify(item),
  }))
