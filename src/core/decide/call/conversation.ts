/**
 * The conversation of a responses call: the items of the responses that it goes on from, and its own, with stored items in
 * place of references. Each item of a chain is read once, and a stored item is put in for a reference once, so that a
 * conversation is never larger than the store and the call.
 */

import { readItems } from '../../dialects/responses/read-responses.ts'
import { inputItems, readStoredItems, type StoredItem } from '../../dialects/responses/stored-items.ts'
import { isMissing, type JsonObject, toText } from '../../lib/text/json.ts'
import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { shorten } from '../../lib/text/wording.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { Turn } from '../../protocol/turn/turn.ts'
import type { AnswerReader, StoredResponse } from '../state/answer-store.ts'
import { keyIn, type SessionId } from '../state/session.ts'

export interface Conversation {
  /** Those of the chain, then those of the call. */
  readonly items: readonly JsonObject[]
  /** The first response or item that is not found. The conversation then lacks it. */
  readonly problem: ApiError | undefined
}

const isReference = ({ type }: JsonObject): boolean => type === 'item_reference'

/** Reads stored items, those of each response once. */
export class StoredItemReader {
  readonly #answers: AnswerReader
  readonly #sessionId: SessionId
  readonly #byResponse = new Map<StoredResponse, ReadonlyMap<string, StoredItem>>()
  readonly #used = new Set<string>()
  problem: ApiError | undefined

  constructor(answers: AnswerReader, sessionId: SessionId) {
    this.#answers = answers
    this.#sessionId = sessionId
  }

  /** Items with stored ones in place of references. A reference to one that was put in before is left out. */
  resolve(items: readonly JsonObject[]): readonly JsonObject[] {
    if (!items.some(isReference)) return items
    return items.flatMap((item) => {
      if (!isReference(item)) return [item]
      const id = toText(item.id)
      if (this.#used.has(id)) return []
      this.#used.add(id)
      const found = this.#find(id)
      if (found === undefined) this.problem ??= apiError('item-not-found', { id: this.#shown(id) })
      return found === undefined ? [] : [found]
    })
  }

  #find(id: string): StoredItem | undefined {
    const response = this.#answers.responseWith(this.#sessionId, id)
    if (response === undefined) return undefined
    let items = this.#byResponse.get(response)
    if (items === undefined) {
      const { input, output } = readStoredItems(response)
      items = new Map([...input, ...output].filter((item) => !isReference(item)).map((item) => [item.id, item]))
      this.#byResponse.set(response, items)
    }
    return items.get(id)
  }

  /** The items of the responses up to one: input and output of each. */
  readChain(lastId: string): readonly JsonObject[] {
    const chain = this.#answers.chain(this.#sessionId, lastId)
    if ('missing' in chain) {
      this.problem ??= apiError('previous-response-not-found', { id: this.#shown(chain.missing) })
      return []
    }
    return chain.responses.flatMap((one) => this.#readResponse(one))
  }

  #readResponse(response: StoredResponse): readonly JsonObject[] {
    const { input, output } = readStoredItems(response)
    const items = [...this.resolve(input), ...output]
    for (const { id } of items) this.#used.add(id as string)
    return items
  }

  /** An item of the chain that is sent again is a problem. */
  refuseRepeated(items: readonly JsonObject[]): void {
    const repeated = items.find((item) => !isReference(item) && this.#used.has(item.id as string))
    if (repeated !== undefined) this.problem ??= apiError('duplicate-item', { id: repeated.id as string })
  }

  /** An id of the request as an error shows it. */
  #shown(id: string): string {
    return shorten(maskKeysIn(id, keyIn(this.#sessionId)))
  }

  /** The input of a response after the items of those before it. */
  readInput(response: StoredResponse): readonly JsonObject[] {
    const { previousId } = response
    const earlier = previousId === undefined ? [] : this.readChain(previousId)
    return [...earlier, ...this.resolve(readStoredItems(response).input)]
  }
}

/** The conversation of a call that names stored responses or items; undefined for any other. */
export function findConversation(
  { previous_response_id: previousId, input }: JsonObject,
  answers: AnswerReader,
  sessionId: SessionId,
): Conversation | undefined {
  const own = inputItems(input)
  if (isMissing(previousId) && !own.some(isReference)) return undefined
  const stored = new StoredItemReader(answers, sessionId)
  const earlier = typeof previousId === 'string' ? stored.readChain(previousId) : []
  stored.refuseRepeated(own)
  return { items: [...earlier, ...stored.resolve(own)], problem: stored.problem }
}

/** A turn with the messages of its conversation. The instructions of earlier calls are not among them. */
export function withConversation(turn: Turn, { instructions }: JsonObject, { items }: Conversation): Turn {
  const own = readItems(items)
  const messages = typeof instructions === 'string' ? [turn.messages[0]!, ...own] : own
  return { ...turn, messages }
}
