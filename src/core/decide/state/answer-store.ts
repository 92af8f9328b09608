/**
 * Stored answers: completions of chats, and responses, which later calls can continue. Their number and total size are
 * bounded, and the oldest are deleted first. A response stores the id of the previous one, not its content. If any response
 * of a chain is deleted, the chain is not found.
 *
 * A response `resp_<16 digits>...` and the items of its output, such as `msg_<the same 16 digits>...`, have a part of their
 * ids in common, so one map finds a response by its own id and by theirs.
 */

import type { SessionId } from './session-id.ts'

interface StoredText {
  /** The key that sent the request, or its session: no other finds it. */
  readonly sessionId: SessionId
  readonly id: string
  /** The JSON of the answer; that of a completion is without its metadata. */
  readonly answer: string
  /** The JSON of the request, for its messages or items. */
  readonly request: string
}

export interface StoredCompletion extends StoredText {
  readonly type: 'completion'
  readonly model: string
  readonly metadata: Readonly<Record<string, string>>
}

export interface StoredResponse extends StoredText {
  readonly type: 'response'
  /** The id of the response that it continues. */
  readonly previousId: string | undefined
  /** The ids of the stored items that its request refers to. */
  readonly references: readonly string[]
  /** The ids that its request gives to items. */
  readonly itemIds: readonly string[]
}

export type StoredAnswer = StoredCompletion | StoredResponse

/** The most characters of an answer with its request. A response holds what the next calls need, so any request fits. */
export const MAX_STORED_LENGTH = { completion: 1_000_000, response: 12_000_000 } as const
/** Bounds of a whole store. */
const MAX_STORED = 10_000
const MAX_TOTAL_LENGTH = 32_000_000
/** The size of an entry of `#byItem`, in characters. */
const ENTRY_LENGTH = 100
/** A call that names an answer of this length is heavy. Shorter ones are read once, so a chain of 10,000 takes 20 ms. */
export const MIN_LONG_LENGTH = 16_384
/** The most ids in the JSON of one request that are looked up before it is parsed. */
const MAX_NAMED = 1000

/** The store as deciding sees it. */
export type AnswerReader = Readonly<Omit<AnswerStore, 'put' | 'delete' | 'drop'>>

export class AnswerStore {
  /** All answers by `nameOf` their ids, in the order in which they were stored. */
  readonly #byName = new Map<string, StoredAnswer>()
  /** Responses by the ids that their requests gave to items. */
  readonly #byItem = new Map<string, StoredResponse>()
  readonly #share: number
  /** The characters of all answers. */
  #length = 0
  /** The number of long answers. */
  longCount = 0

  /** @param share the part of the bounds of a whole store that it may use. */
  constructor(share = 1) {
    this.#share = share
  }

  completion(sessionId: SessionId, id: string): StoredCompletion | undefined {
    const found = this.#byName.get(nameOf(sessionId, id))
    return found?.type === 'completion' && found.id === id ? found : undefined
  }

  /** The completions of a key or session, the oldest first. */
  completionsOf(sessionId: SessionId): readonly StoredCompletion[] {
    const answers = [...this.#byName.values()]
    return answers.filter((answer) => answer.type === 'completion').filter((answer) => answer.sessionId === sessionId)
  }

  response(sessionId: SessionId, id: string): StoredResponse | undefined {
    const found = this.#byName.get(nameOf(sessionId, id))
    return found?.type === 'response' && found.id === id ? found : undefined
  }

  /** The response that an item belongs to, by the id of the item. */
  responseWith(sessionId: SessionId, itemId: string): StoredResponse | undefined {
    const found = this.#byName.get(nameOf(sessionId, itemId)) ?? this.#byItem.get(within(sessionId, itemId))
    return found?.type === 'response' ? found : undefined
  }

  /** The responses that end with the one with an id, the first one first; or the id of one that is not stored. */
  chain(sessionId: SessionId, lastId: string): { readonly responses: StoredResponse[] } | { readonly missing: string } {
    const responses: StoredResponse[] = []
    for (let id: string | undefined = lastId; id !== undefined; ) {
      const found = this.response(sessionId, id)
      // A response is stored after the one before it, so no chain is longer than the store.
      if (found === undefined || responses.length === this.#byName.size) return { missing: id }
      responses.push(found)
      id = found.previousId
    }
    return { responses: responses.reverse() }
  }

  /**
   * The responses that a request can read: those that it names, and those that they name.
   * @param request its JSON, which may be long and is not parsed.
   */
  responsesNamedIn(sessionId: SessionId, request: string): readonly StoredResponse[] {
    if (this.#byName.size === 0) return []
    const found = new Set<StoredResponse>()
    const add = (id: string): void => {
      const response = this.responseWith(sessionId, id)
      if (response !== undefined) found.add(response)
    }
    let named = 0
    for (const [, id] of request.matchAll(NAMED_ID)) {
      add(id!)
      if (++named === MAX_NAMED) break
    }
    // A set goes on with what is added meanwhile.
    for (const { previousId, references } of found) {
      if (previousId !== undefined) add(previousId)
      for (const id of references) add(id)
    }
    return [...found]
  }

  /** Adds an answer, or replaces the one with its id in its place. Deletes the oldest ones while the store is too full. */
  put(answer: StoredAnswer): void {
    const { sessionId } = answer
    const name = nameOf(sessionId, answer.id)
    this.#uncount(this.#byName.get(name))
    this.#byName.set(name, answer)
    this.#count(answer, 1)
    if (answer.type === 'response') for (const id of answer.itemIds) this.#byItem.set(within(sessionId, id), answer)
    for (const oldest of this.#byName.values()) {
      if (this.#byName.size <= MAX_STORED * this.#share && this.#length <= MAX_TOTAL_LENGTH * this.#share) return
      this.delete(oldest.sessionId, oldest.id)
    }
  }

  delete(sessionId: SessionId, id: string): void {
    const name = nameOf(sessionId, id)
    const found = this.#byName.get(name)
    // An item of a response has the name of the response, and is not deleted alone.
    if (found?.id !== id) return
    this.#uncount(found)
    this.#byName.delete(name)
  }

  /** Deletes the answers of the chosen sessions. */
  drop(isChosen: (id: SessionId) => boolean): void {
    for (const { sessionId, id } of this.#byName.values()) if (isChosen(sessionId)) this.delete(sessionId, id)
  }

  /** Adds an answer to the totals, or takes it away. */
  #count(answer: StoredAnswer, times: 1 | -1): void {
    const itemLength = answer.type === 'response' ? answer.itemIds.length * ENTRY_LENGTH : 0
    const length = answer.answer.length + answer.request.length + itemLength
    this.#length += times * length
    if (length >= MIN_LONG_LENGTH) this.longCount += times
  }

  /** Takes an answer that leaves the store from the totals, and its items from `#byItem`. */
  #uncount(answer: StoredAnswer | undefined): void {
    if (answer === undefined) return
    this.#count(answer, -1)
    if (answer.type !== 'response') return
    for (const id of answer.itemIds) {
      const item = within(answer.sessionId, id)
      if (this.#byItem.get(item) === answer) this.#byItem.delete(item)
    }
  }
}

/** An id in the JSON of a request: `"previous_response_id": "resp_1"`. */
const NAMED_ID = /"(?:previous_response_id|id)"\s*:\s*"([\w-]+)"/g

/** The digits that the ids of a response and of all items of its output have in common. */
const SHARED_PART = /^(?:resp|msg|rs|fc)_([0-9a-f]{16})/

/** An id within a session: two can have answers with the same id. The length keeps the parts apart, whatever they contain. */
const within = (sessionId: SessionId, id: string): string => `${sessionId.length} ${sessionId}${id}`
/** The name under which an answer is stored: equal for a response and the items of its output. */
const nameOf = (sessionId: SessionId, id: string): string => within(sessionId, SHARED_PART.exec(id)?.[1] ?? id)
