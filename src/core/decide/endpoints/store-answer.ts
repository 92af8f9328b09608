/**
 * Stores the answer to a generation, which the endpoints of stored answers read, and which `previous_response_id` goes on
 * from. A chat is stored if it has `store: true`, a response unless it has `store: false`.
 */

import { itemType } from '../../dialects/responses/read-responses.ts'
import { isObject, type JsonObject, objectsIn } from '../../lib/text/json.ts'
import { type Part, textOfPart } from '../../protocol/plan/text-parts.ts'
import type { Answer } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import { answerJson } from '../call/respond.ts'
import {
  MAX_STORED_LENGTH,
  type StoredAnswer,
  type StoredCompletion,
  type StoredResponse,
} from '../state/answer-store.ts'
import type { Effect } from '../state/apply-effects.ts'
import type { WrittenReply } from './generation/generate.ts'

/** The effect that stores an answer, or the note that it is too long to be stored. */
type Storing = Pick<WrittenReply, 'effects' | 'notes'>

/** Answers with a stored answer, or with what became of it. */
export const answerStored = (context: CallContext, text: Part, ...effects: readonly Effect[]): Answer => ({
  plan: answerJson(context, text, { by: 'stored', name: 'stored' }),
  effects,
})

/** The metadata of a request; none for `null`. */
export const readMetadata = ({ metadata }: JsonObject): StoredCompletion['metadata'] =>
  isObject(metadata) ? (metadata as StoredCompletion['metadata']) : {}

/** @param body the answer as a whole response, even where it is streamed. */
export function storeResponse(context: CallContext, { id }: Pick<StoredResponse, 'id'>, body: Part): Storing {
  const { previous_response_id: previous, input } = context.request.body
  const references: string[] = []
  const itemIds: string[] = []
  for (const item of objectsIn(input)) {
    if (typeof item.id !== 'string') continue
    if (itemType(item) === 'item_reference') references.push(item.id)
    else itemIds.push(item.id)
  }
  const previousId = typeof previous === 'string' ? previous : undefined
  return storeAnswer(context, { type: 'response', id, previousId, references, itemIds }, body)
}

/** The fields of a stored answer that are the same for completions and responses. */
type CommonField = 'sessionId' | 'answer' | 'request'

/** @param body the whole answer, even where it is streamed. */
export function storeAnswer(
  { session, call }: CallContext,
  ownFields: Omit<StoredCompletion, CommonField> | Omit<StoredResponse, CommonField>,
  body: Part,
): Storing {
  const { type } = ownFields
  const request = call.body ?? ''
  const length = request.length + (typeof body === 'string' ? body.length : body.byteLength)
  const limit = MAX_STORED_LENGTH[type]
  if (length > limit) {
    const note = `the ${type} was not stored: with its request it has ${length} bytes, and at most ${limit} are stored`
    return { notes: [note] }
  }
  const text = textOfPart(body)
  const answer: StoredAnswer = { ...ownFields, sessionId: session.id, answer: text, request }
  return { effects: [{ type: 'store-answer', answer }] }
}
