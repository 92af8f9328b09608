/** Stores the answer to a generation: a completion if the chat asks for it, a response unless its request declines. */

import { itemType } from '../../dialects/responses/read-responses.ts'
import { isObject, objectsIn } from '../../lib/text/json.ts'
import type { Part } from '../../protocol/plan/text-parts.ts'
import type { CallContext } from '../call/call-context.ts'
import { MAX_STORED_LENGTH, type StoredAnswer, type StoredCompletion } from '../state/answer-store.ts'
import type { WrittenReply } from './generation/generate.ts'

/** The changes that storing an answer makes, or why it is not stored. */
type Storing = Pick<WrittenReply, 'effects' | 'notes'>

/** Stores the answer to a chat, as a whole completion even where it is streamed. */
export function storeCompletion(
  context: CallContext,
  { id, model }: Pick<StoredCompletion, 'id' | 'model'>,
  body: Part,
): Storing {
  const { metadata } = context.body
  const kept = isObject(metadata) ? (metadata as StoredCompletion['metadata']) : {}
  return storeAnswer(context, { type: 'completion', id, model, metadata: kept }, body)
}

/** Stores the answer to a responses call. @param body the answer as JSON, even where it is streamed. */
export function storeResponse(context: CallContext, { id }: Pick<StoredAnswer, 'id'>, body: Part): Storing {
  const { previous_response_id: given, input } = context.body
  const references: string[] = []
  const itemIds: string[] = []
  for (const item of objectsIn(input)) {
    if (typeof item.id !== 'string') continue
    if (itemType(item) === 'item_reference') references.push(item.id)
    else itemIds.push(item.id)
  }
  const previousId = typeof given === 'string' ? given : undefined
  return storeAnswer(context, { type: 'response', id, previousId, references, itemIds }, body)
}

type Named<One extends StoredAnswer> = One extends StoredAnswer ? Omit<One, 'sessionId' | 'answer' | 'request'> : never

function storeAnswer({ session, call }: CallContext, named: Named<StoredAnswer>, body: Part): Storing {
  const request = call.body ?? ''
  const length = request.length + (typeof body === 'string' ? body.length : body.byteLength)
  const limit = MAX_STORED_LENGTH[named.type]
  if (length > limit) {
    const note = `the ${named.type} was not stored: with its request it has ${length} bytes, and at most ${limit} are stored`
    return { notes: [note] }
  }
  const answer = typeof body === 'string' ? body : [...body].join('')
  return { effects: [{ type: 'store-answer', answer: { ...named, sessionId: session.id, answer, request } }] }
}
