/**
 * The conversation of a responses call: the items of the responses that it goes on from, and its own, with stored items in
 * place of references. Each item of a chain is read once, and a stored item is put in for a reference once, so that a
 * conversation is never larger than the store and the call.
 */

import { readItems } from '../../dialects/responses/read-responses.ts'
import { inputItems, readListedItems, readOwnItems, type StoredItem } from '../../dialects/responses/stored-items.ts'
import { isMissing, type JsonObject, toText } from '../../lib/text/json.ts'
import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { shorten } from '../../lib/text/wording.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { Turn } from '../../protocol/turn/turn.ts'
import type { AnswerReader, StoredResponse } from '../state/answer-store.ts'
import { keyIn, type SessionId } from '../state/session.ts'

export interface StoredConversation {
  /** Those of the chain, then those of the call. */
  readonly items: readonly JsonObject[]
  /** The first response or item that is not found. The conversation then lacks it. */
  readonly problem: ApiError | undefined
}

/** True for a call with an id, which the service has stored. */
const isKnownCall = ({ type, id }: JsonObject): boolean => type === 'function_call' && typeof id === 'string'
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
      const found = this.#itemsBeside(id)?.get(id)
      if (found === undefined) this.problem ??= apiError('item-not-found', { id: this.#shown(id) })
      return found === undefined ? [] : [found]
    })
  }

  /** The items of the response that an item belongs to, by their ids. */
  #itemsBeside(id: string): ReadonlyMap<string, StoredItem> | undefined {
    const response = this.#answers.responseWith(this.#sessionId, id)
    if (response === undefined) return undefined
    let items = this.#byResponse.get(response)
    if (items === undefined) {
      const { input, output } = readListedItems(response)
      items = new Map([...input, ...output].filter((item) => !isReference(item)).map((item) => [item.id, item]))
      this.#byResponse.set(response, items)
    }
    return items
  }

  /** The items of the responses up to one: input and output of each. */
  readChain(lastId: string | undefined, read = readOwnItems): readonly JsonObject[] {
    if (lastId === undefined) return []
    const chain = this.#answers.chain(this.#sessionId, lastId)
    if ('missing' in chain) {
      this.problem ??= apiError('previous-response-not-found', { id: this.#shown(chain.missing) })
      return []
    }
    const items: JsonObject[] = []
    for (const response of chain.responses) {
      const { input, output } = read(response)
      for (const item of [...this.resolve(input), ...output]) {
        items.push(item)
        if (typeof item.id === 'string') this.#used.add(item.id)
      }
    }
    return items
  }

  /** The input of a response as it is listed, after the items of those before it. */
  listInput(response: StoredResponse): readonly JsonObject[] {
    const earlier = this.readChain(response.previousId, readListedItems)
    return [...earlier, ...this.resolve(readListedItems(response).input)]
  }

  /** An item of the chain that is sent again is a problem. */
  refuseRepeated(items: readonly JsonObject[]): void {
    const repeated = items.find(
      ({ type, id }) => type !== 'item_reference' && typeof id === 'string' && this.#used.has(id),
    )
    if (repeated !== undefined) this.problem ??= apiError('duplicate-item', { id: repeated.id as string })
  }

  /** Refuses a stored function call that is sent without the reasoning stored before it. */
  requireReasoning(items: readonly JsonObject[]): void {
    const sent = new Set(items.map(({ id }) => id))
    for (const { id } of items.filter(isKnownCall)) {
      const beside = this.#itemsBeside(id as string)
      const reasoning = beside?.has(id as string) && [...beside.values()].find(({ type }) => type === 'reasoning')
      if (!reasoning || sent.has(reasoning.id)) continue
      this.problem ??= apiError('call-without-reasoning', { id: id as string, reasoning: reasoning.id })
    }
  }

  /** An id of the request as an error shows it. */
  #shown(id: string): string {
    return shorten(maskKeysIn(id, keyIn(this.#sessionId)))
  }
}

/** The conversation of a call that names responses or items which may be stored; undefined for any other. */
export function findConversation(
  { previous_response_id: previousId, input }: JsonObject,
  answers: AnswerReader,
  sessionId: SessionId,
): StoredConversation | undefined {
  const own = inputItems(input)
  if (isMissing(previousId) && !own.some((item) => isReference(item) || isKnownCall(item))) return undefined
  const stored = new StoredItemReader(answers, sessionId)
  const earlier = stored.readChain(typeof previousId === 'string' ? previousId : undefined)
  stored.refuseRepeated(own)
  stored.requireReasoning(own)
  return { items: [...earlier, ...stored.resolve(own)], problem: stored.problem }
}

/** A turn with the messages of its conversation. The instructions of earlier calls are not among them. */
export function withConversation(turn: Turn, { instructions }: JsonObject, { items }: StoredConversation): Turn {
  const own = readItems(items)
  const messages = typeof instructions === 'string' ? [turn.messages[0]!, ...own] : own
  return { ...turn, messages }
}
