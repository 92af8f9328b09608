/**
 * Stored answers: completions of chats, and responses, which later calls can continue. Their number and total size are
 * bounded, and the oldest are deleted first. A response stores the id of the previous one, not its content. If any response
 * of a chain is deleted, the chain is not found.
 */

import type { SessionId } from './session.ts'

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

/** The most characters of one, with its request. A response holds what the next calls need, so any request fits. */
export const MAX_STORED_LENGTH = { completion: 1_000_000, response: 12_000_000 } as const
const MAX_STORED = 10_000
const MAX_TOTAL_LENGTH = 32_000_000

/** Shorter responses are read once, so a chain of 10,000 takes 20 ms, and sending it longer. */
export const MIN_LONG_LENGTH = 16_384

/** A place in the store is about as large as this many characters. */
const ENTRY_LENGTH = 100

const lengthOf = (one: StoredAnswer): number =>
  one.answer.length + one.request.length + (one.type === 'response' ? one.itemIds.length * ENTRY_LENGTH : 0)

/** The store as deciding sees it. */
export type AnswerReader = Readonly<Omit<AnswerStore, 'put' | 'delete' | 'drop'>>

/** More ids in one request are not looked up ahead of it. */
const MAX_NAMED = 1000

export class AnswerStore {
  /** In the order in which they were stored. */
  readonly #byName = new Map<string, StoredAnswer>()
  /** Responses by the ids that their requests gave to items. */
  readonly #byItem = new Map<string, StoredResponse>()
  readonly #share: number
  #length = 0
  #long = 0
  /** True if any answer is long. A field, because every call to a server reads it. */
  hasLong = false

  /** @param share the part of the bounds that it may use. */
  constructor(share = 1) {
    this.#share = share
  }

  completion(sessionId: SessionId, id: string): StoredCompletion | undefined {
    const found = this.#byName.get(nameOf(sessionId, id))
    return found?.type === 'completion' && found.id === id ? found : undefined
  }

  /** The completions of a key or session, the oldest first. */
  completionsOf(sessionId: SessionId): readonly StoredCompletion[] {
    return [...this.#byName.values()].flatMap((one) =>
      one.type === 'completion' && one.sessionId === sessionId ? [one] : [],
    )
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

  /** The responses that a request can read, given its JSON: those that it names, and those that they name. */
  responsesNamedIn(sessionId: SessionId, request: string): readonly StoredResponse[] {
    if (this.#byName.size === 0) return []
    const found = new Set<StoredResponse>()
    const add = (id: string): void => {
      const one = this.responseWith(sessionId, id)
      if (one !== undefined) found.add(one)
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

  /** Adds one, or replaces the one with its id in its place. */
  put(one: StoredAnswer): void {
    const name = nameOf(one.sessionId, one.id)
    this.#leave(this.#byName.get(name))
    this.#byName.set(name, one)
    this.#count(one, 1)
    if (one.type === 'response') for (const id of one.itemIds) this.#byItem.set(within(one.sessionId, id), one)
    for (const oldest of this.#byName.values()) {
      if (this.#byName.size <= MAX_STORED * this.#share && this.#length <= MAX_TOTAL_LENGTH * this.#share) return
      this.delete(oldest.sessionId, oldest.id)
    }
  }

  delete(sessionId: SessionId, id: string): void {
    const name = nameOf(sessionId, id)
    const found = this.#byName.get(name)
    if (found?.id !== id) return
    this.#leave(found)
    this.#byName.delete(name)
  }

  /** Deletes the answers of sessions. */
  drop(isOf: (id: SessionId) => boolean): void {
    for (const { sessionId, id } of this.#byName.values()) if (isOf(sessionId)) this.delete(sessionId, id)
  }

  #count(answer: StoredAnswer, number: 1 | -1): void {
    const length = lengthOf(answer)
    this.#length += number * length
    if (length >= MIN_LONG_LENGTH) this.#long += number
    this.hasLong = this.#long > 0
  }

  /** Counts an answer that leaves the store no more, and forgets its items. */
  #leave(answer: StoredAnswer | undefined): void {
    if (answer === undefined) return
    this.#count(answer, -1)
    if (answer.type !== 'response') return
    for (const id of answer.itemIds) {
      const item = within(answer.sessionId, id)
      if (this.#byItem.get(item) === answer) this.#byItem.delete(item)
    }
  }
}

const NAMED_ID = /"(?:previous_response_id|id)"\s*:\s*"([\w-]+)"/g

/** The 16 hexadecimal digits that a response and all its items have in common. */
const SHARED_PART = /^(?:resp|msg|rs|fc)_([0-9a-f]{16})/

/** Sessions can have answers with the same id. The length keeps the parts apart, whatever they contain. */
const within = (sessionId: SessionId, id: string): string => `${sessionId.length} ${sessionId}${id}`
const nameOf = (sessionId: SessionId, id: string): string => within(sessionId, SHARED_PART.exec(id)?.[1] ?? id)
