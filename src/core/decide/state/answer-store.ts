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

/** Shorter responses are read once, so a chain of 10,000 takes 10 ms, and sending it longer. */
export const MIN_LONG_LENGTH = 16_384

/** A place in the store is about as large as this many characters. */
const ENTRY_LENGTH = 100

const lengthOf = (one: StoredAnswer): number =>
  one.answer.length + one.request.length + (one.type === 'response' ? one.itemIds.length * ENTRY_LENGTH : 0)

/** The store as deciding sees it. */
export type AnswerReader = Readonly<Omit<AnswerStore, 'put' | 'delete' | 'drop'>>

/** The responses from the first one on, or the id of one that is not stored. */
export type Chain = { readonly responses: readonly StoredResponse[] } | { readonly missing: string }

/** A place in the store. Without its answer it was deleted. */
interface Entry {
  answer: StoredAnswer | undefined
  /** That of the response before it, once it was found. */
  previous: Entry | undefined
}

/** More ids in one request are not looked up ahead of it. */
const MAX_NAMED = 1000

export class AnswerStore {
  /** In the order in which they were stored. */
  readonly #byName = new Map<string, Entry>()
  /** Responses by the ids that their requests gave to items. */
  readonly #byItem = new Map<string, Entry>()
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
    const found = this.#byName.get(nameOf(sessionId, id))?.answer
    return found?.type === 'completion' && found.id === id ? found : undefined
  }

  /** The completions of a key or session, the oldest first. */
  completionsOf(sessionId: SessionId): readonly StoredCompletion[] {
    return [...this.#byName.values()].flatMap(({ answer }) =>
      answer?.type === 'completion' && answer.sessionId === sessionId ? [answer] : [],
    )
  }

  response(sessionId: SessionId, id: string): StoredResponse | undefined {
    const found = this.#byName.get(nameOf(sessionId, id))?.answer
    return found?.type === 'response' && found.id === id ? found : undefined
  }

  /** The response that an item belongs to, by the id of the item. */
  responseWith(sessionId: SessionId, itemId: string): StoredResponse | undefined {
    const found = (this.#byName.get(nameOf(sessionId, itemId)) ?? this.#byItem.get(within(sessionId, itemId)))?.answer
    return found?.type === 'response' ? found : undefined
  }

  /** The responses that end with the one with an id. */
  chain(sessionId: SessionId, lastId: string): Chain {
    const responses: StoredResponse[] = []
    let id: string | undefined = lastId
    let entry = this.#byName.get(nameOf(sessionId, id))
    while (id !== undefined) {
      const found = entry?.answer
      // A response is stored after the one before it, so no chain is longer than the store.
      if (found?.type !== 'response' || found.id !== id || responses.length === this.#byName.size)
        return { missing: id }
      responses.push(found)
      id = found.previousId
      if (id !== undefined && entry!.previous?.answer === undefined)
        entry!.previous = this.#byName.get(nameOf(sessionId, id))
      entry = entry!.previous
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
    const entry = this.#byName.get(name) ?? { answer: undefined, previous: undefined }
    this.#clear(entry)
    entry.answer = one
    this.#count(one, 1)
    this.#byName.set(name, entry)
    if (one.type === 'response') for (const id of one.itemIds) this.#byItem.set(within(one.sessionId, id), entry)
    for (const [oldest, { answer }] of this.#byName) {
      if (this.#byName.size <= MAX_STORED * this.#share && this.#length <= MAX_TOTAL_LENGTH * this.#share) return
      this.#delete(oldest, answer!.id)
    }
  }

  delete(sessionId: SessionId, id: string): void {
    this.#delete(nameOf(sessionId, id), id)
  }

  /** Deletes the answers of sessions. */
  drop(isOf: (id: SessionId) => boolean): void {
    for (const [name, { answer }] of this.#byName)
      if (answer !== undefined && isOf(answer.sessionId)) this.#delete(name, answer.id)
  }

  #delete(name: string, id: string): void {
    const entry = this.#byName.get(name)
    if (entry?.answer?.id !== id) return
    this.#clear(entry)
    this.#byName.delete(name)
  }

  #count(answer: StoredAnswer, number: 1 | -1): void {
    const length = lengthOf(answer)
    this.#length += number * length
    if (length >= MIN_LONG_LENGTH) this.#long += number
    this.hasLong = this.#long > 0
  }

  /** Takes the answer out of its place, which later responses may still know. */
  #clear(entry: Entry): void {
    const { answer } = entry
    if (answer === undefined) return
    this.#count(answer, -1)
    entry.answer = undefined
    entry.previous = undefined
    if (answer.type !== 'response') return
    for (const id of answer.itemIds) {
      const item = within(answer.sessionId, id)
      if (this.#byItem.get(item) === entry) this.#byItem.delete(item)
    }
  }
}

const NAMED_ID = /"(?:previous_response_id|id)"\s*:\s*"([\w-]+)"/g

/** The 16 hexadecimal digits that a response and all its items have in common. */
const SHARED_PART = /^(?:resp|msg|rs|fc)_([0-9a-f]{16})/

/** Sessions can have answers with the same id. The length keeps the parts apart, whatever they contain. */
const within = (sessionId: SessionId, id: string): string => `${sessionId.length} ${sessionId}${id}`
const nameOf = (sessionId: SessionId, id: string): string => within(sessionId, SHARED_PART.exec(id)?.[1] ?? id)
