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
  /** True if its request has references to stored items. */
  readonly hasReferences: boolean
}

export type StoredAnswer = StoredCompletion | StoredResponse

/** The most characters of one, with its request. A response holds what the next calls need, so any request fits. */
export const MAX_STORED_LENGTH = { completion: 1_000_000, response: 12_000_000 } as const
const MAX_STORED = 10_000
const MAX_TOTAL_LENGTH = 32_000_000

const lengthOf = ({ answer, request }: StoredText): number => answer.length + request.length

/** The store as deciding sees it. */
export type AnswerReader = Omit<AnswerStore, 'put' | 'delete'>

/** The responses from the first one on, or the id of one that is not stored. */
export type Chain = { readonly responses: readonly StoredResponse[] } | { readonly missing: string }

export class AnswerStore {
  /** In the order in which they were stored. */
  readonly #byName = new Map<string, StoredAnswer>()
  #length = 0

  completion(sessionId: SessionId, id: string): StoredCompletion | undefined {
    const found = this.#byName.get(nameOf({ sessionId, id }))
    return found?.type === 'completion' && found.id === id ? found : undefined
  }

  /** The completions of a key or session, the oldest first. */
  completionsOf(sessionId: SessionId): readonly StoredCompletion[] {
    return [...this.#byName.values()].filter(
      (one): one is StoredCompletion => one.type === 'completion' && one.sessionId === sessionId,
    )
  }

  response(sessionId: SessionId, id: string): StoredResponse | undefined {
    const found = this.responseWith(sessionId, id)
    return found?.id === id ? found : undefined
  }

  /** The response that an item belongs to, by the id of the item. */
  responseWith(sessionId: SessionId, itemId: string): StoredResponse | undefined {
    const found = this.#byName.get(nameOf({ sessionId, id: itemId }))
    return found?.type === 'response' ? found : undefined
  }

  /** The responses that end with the one with an id. */
  chain(sessionId: SessionId, lastId: string): Chain {
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
    const found = new Set<StoredResponse>()
    const add = (id: string): void => {
      const one = this.responseWith(sessionId, id)
      if (one !== undefined) found.add(one)
    }
    const addReferences = (text: string): void => {
      for (const [, id] of text.matchAll(ITEM_ID)) add(id!)
    }
    if (request.includes('"previous_response_id"')) for (const [, id] of request.matchAll(PREVIOUS_ID)) add(id!)
    if (request.includes('"item_reference"')) addReferences(request)
    // A set goes on with what is added meanwhile.
    for (const { previousId, hasReferences, request: before } of found) {
      if (previousId !== undefined) add(previousId)
      if (hasReferences) addReferences(before)
    }
    return [...found]
  }

  /** Adds one, or replaces the one with its id in its place. */
  put(one: StoredAnswer): void {
    const name = nameOf(one)
    const before = this.#byName.get(name)
    this.#length += lengthOf(one) - (before === undefined ? 0 : lengthOf(before))
    this.#byName.set(name, one)
    for (const oldest of this.#byName.values()) {
      if (this.#byName.size <= MAX_STORED && this.#length <= MAX_TOTAL_LENGTH) return
      this.delete(oldest.sessionId, oldest.id)
    }
  }

  delete(sessionId: SessionId, id: string): void {
    const name = nameOf({ sessionId, id })
    const found = this.#byName.get(name)
    if (found?.id !== id) return
    this.#length -= lengthOf(found)
    this.#byName.delete(name)
  }
}

const PREVIOUS_ID = /"previous_response_id"\s*:\s*"([\w-]+)"/g
const ITEM_ID = /"((?:msg|rs|fc)_[0-9a-f]{16}\w*)"/g

/** The 16 hexadecimal digits that a response and all its items have in common. */
const SHARED_PART = /^(?:resp|msg|rs|fc)_([0-9a-f]{16})/

/** Sessions can have answers with the same id. The length keeps the parts apart, whatever they contain. */
function nameOf({ sessionId, id }: Pick<StoredText, 'sessionId' | 'id'>): string {
  return `${sessionId.length} ${sessionId}${SHARED_PART.exec(id)?.[1] ?? id}`
}
