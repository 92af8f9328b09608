/**
 * The conversation of a responses call: the items of the earlier responses in its chain, then its own items.
 *
 *     resp_1: "Hi" -> "Hello"     resp_2 with `previous_response_id: resp_1`: "Who are you?" -> "A mock"
 *     a call with `previous_response_id: resp_2`: "Really?"
 *     -> the messages "Hi", "Hello", "Who are you?", "A mock", "Really?"
 *
 * Stored items replace references, each at most once, so a conversation is never larger than the store and the call together.
 * A stored response is read once for all calls. Otherwise each call of a chain would take longer than the one before.
 */

import { inputItems, itemType, readItems } from '../../dialects/responses/read-responses.ts'
import { type OwnItems, readListedItems, readOwnItems, type StoredItem } from '../../dialects/responses/stored-items.ts'
import { isMissing, type JsonObject, toText } from '../../lib/text/json.ts'
import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { shorten } from '../../lib/text/wording.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { AnswerReader, StoredResponse } from '../state/answer-store.ts'
import { keyIn, type SessionId } from '../state/session-id.ts'

/**
 * The conversation of a call that refers to responses or items which may be stored: the messages of the chain, then its own.
 * If a response or an item is not found, it is left out, and the first one is the problem. Undefined for other calls.
 */
export function findConversation(body: JsonObject, answers: AnswerReader, sessionId: SessionId) {
  const { previous_response_id: previousId, input } = body
  const own = inputItems(input)
  if (isMissing(previousId) && !own.some((item) => isReference(item) || isStoredCall(item))) return undefined
  const stored = new StoredItemReader(answers, sessionId)
  const chain = stored.findChain(typeof previousId === 'string' ? previousId : undefined)
  // The usual chain, without references: no item has to be looked up.
  if (own.every(({ id }) => id === undefined) && chain.every(({ references }) => references.length === 0))
    return {
      messages: joinMessages([...chain.map((response) => readStored(response).messages), readItems(own)]),
      problem: stored.problem,
    }
  const earlier = stored.joinChain(chain.map(readStored))
  stored.checkOwn(own)
  return { messages: readItems([...earlier, ...stored.resolve(own)]), problem: stored.problem }
}

/** Messages of several responses as one list. Calls in a row are one message. */
function joinMessages(lists: readonly (readonly JsonObject[])[]): readonly JsonObject[] {
  const messages: JsonObject[] = []
  for (const list of lists) {
    const last = messages.at(-1)
    const isRow = last?.tool_calls !== undefined && list[0]?.tool_calls !== undefined
    if (isRow) messages.push({ ...messages.pop(), tool_calls: [last.tool_calls, list[0]!.tool_calls].flat() })
    // One by one: a list may have more messages than a call can have arguments.
    for (let index = isRow ? 1 : 0; index < list.length; index++) messages.push(list[index]!)
  }
  return messages
}

/** Reads the stored items of one conversation, and keeps the first problem that it finds. */
export class StoredItemReader {
  readonly #answers: AnswerReader
  readonly #sessionId: SessionId
  /** The items of each response that a reference has named, by their ids. */
  readonly #byResponse = new Map<StoredResponse, ReadonlyMap<string, StoredItem>>()
  /** The ids of the items that are in the conversation so far. */
  readonly #used = new Set<string>()
  /** The first problem; each method that reads or checks may set it. */
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
      // After the first problem the call is refused: 16,000 unknown references would take 60 ms.
      if (this.problem !== undefined || this.#used.has(id)) return []
      this.#used.add(id)
      const found = this.#itemsBeside(id)?.get(id)
      if (found !== undefined) return [found]
      this.problem = apiError('item-not-found', { id: this.#shown(id) })
      return []
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

  /** The responses of a chain, up to the given one; none, and a problem, if one of them is not stored. */
  findChain(lastId: string | undefined): readonly StoredResponse[] {
    if (lastId === undefined) return []
    const chain = this.#answers.chain(this.#sessionId, lastId)
    if ('responses' in chain) return chain.responses
    this.problem ??= apiError('previous-response-not-found', { id: this.#shown(chain.missing) })
    return []
  }

  /** The items of the responses of a chain as one list: input and output of each. */
  joinChain(chain: readonly OwnItems<JsonObject>[]): readonly JsonObject[] {
    const items: JsonObject[] = []
    for (const { input, output } of chain) {
      for (const item of [...this.resolve(input), ...output]) {
        items.push(item)
        if (typeof item.id === 'string') this.#used.add(item.id)
      }
    }
    return items
  }

  /** The input of a response as it is listed, after the items of those before it. */
  listInput(response: StoredResponse): readonly JsonObject[] {
    const earlier = this.joinChain(this.findChain(response.previousId).map(readListedItems))
    return [...earlier, ...this.resolve(readListedItems(response).input)]
  }

  /** Refuses an item of the chain that is sent again, and a stored function call without the reasoning stored before it. */
  checkOwn(items: readonly JsonObject[]): void {
    const repeated = items.find((item) => !isReference(item) && typeof item.id === 'string' && this.#used.has(item.id))
    if (repeated !== undefined) this.problem ??= apiError('duplicate-item', { id: repeated.id as string })
    const sent = new Set(items.map(({ id }) => id))
    for (const { id } of items.filter(isStoredCall)) {
      const beside = this.#itemsBeside(id as string)
      if (beside?.has(id as string) !== true) continue
      const reasoning = [...beside.values()].find(({ type }) => type === 'reasoning')
      if (reasoning === undefined || sent.has(reasoning.id)) continue
      this.problem ??= apiError('call-without-reasoning', { id: id as string, reasoning: reasoning.id })
    }
  }

  /** An id of the request as an error shows it. */
  #shown(id: string): string {
    return shorten(maskKeysIn(id, keyIn(this.#sessionId)))
  }
}

/** True for a call with an id: it comes from an earlier response, which may be stored. */
const isStoredCall = ({ type, id }: JsonObject): boolean => type === 'function_call' && typeof id === 'string'
const isReference = (item: JsonObject): boolean => itemType(item) === 'item_reference'

/** A stored response as it is read: its items, and their messages. */
interface ReadResponse extends OwnItems<JsonObject> {
  readonly messages: readonly JsonObject[]
}

/** The responses that were read. */
const readResponses = new WeakMap<StoredResponse, ReadResponse>()

/**
 * The messages of stored responses, with their tokens once a call has counted them. `readStored` adds a message, `countPrompt`
 * (prompt.ts) its tokens.
 */
export const storedCounts = new WeakMap<
  JsonObject,
  { readonly settings: string; readonly tokens: number; readonly audio: number } | undefined
>()

function readStored(response: StoredResponse): ReadResponse {
  const known = readResponses.get(response)
  if (known !== undefined) return known
  const { input, output } = readOwnItems(response)
  const messages = readItems([...input, ...output])
  for (const message of messages) storedCounts.set(message, undefined)
  const read = { input, output, messages }
  readResponses.set(response, read)
  return read
}
