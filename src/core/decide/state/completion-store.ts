/** Stored completions: answers to chats with `store: true`, of all keys together. The oldest go when there are too many. */

import type { SessionId } from './session-id.ts'

export interface StoredCompletion {
  /** The key that sent the chat, or its session: no other finds it. */
  readonly sessionId: SessionId
  readonly id: string
  readonly model: string
  /** The JSON of the completion, without its metadata. */
  readonly completion: string
  readonly metadata: Readonly<Record<string, string>>
  /** The JSON of the request, for its messages. */
  readonly request: string
}

/** The most characters of one, with its request. */
export const MAX_STORED_LENGTH = 1_000_000
const MAX_STORED = 10_000
const MAX_TOTAL_LENGTH = 32_000_000

export const lengthOf = ({ completion, request }: Pick<StoredCompletion, 'completion' | 'request'>): number =>
  completion.length + request.length

/** The store as deciding sees it. */
export interface CompletionReader {
  find(sessionId: SessionId, id: string): StoredCompletion | undefined
  /** The oldest first. */
  of(sessionId: SessionId): readonly StoredCompletion[]
}

export class CompletionStore implements CompletionReader {
  /** In the order in which they were stored. */
  readonly #byId = new Map<string, StoredCompletion>()
  #length = 0

  find(sessionId: SessionId, id: string): StoredCompletion | undefined {
    return this.#byId.get(nameOf({ sessionId, id }))
  }

  of(sessionId: SessionId): readonly StoredCompletion[] {
    return [...this.#byId.values()].filter((one) => one.sessionId === sessionId)
  }

  /** Adds one, or replaces the one with its id in its place. */
  put(one: StoredCompletion): void {
    const name = nameOf(one)
    const before = this.#byId.get(name)
    this.#length += lengthOf(one) - (before === undefined ? 0 : lengthOf(before))
    this.#byId.set(name, one)
    for (const { sessionId, id } of this.#byId.values()) {
      if (this.#byId.size <= MAX_STORED && this.#length <= MAX_TOTAL_LENGTH) return
      this.delete(sessionId, id)
    }
  }

  delete(sessionId: SessionId, id: string): void {
    const found = this.find(sessionId, id)
    if (found === undefined) return
    this.#length -= lengthOf(found)
    this.#byId.delete(nameOf(found))
  }
}

/** Sessions can have completions with the same id. The length keeps the parts apart, whatever they contain. */
const nameOf = ({ sessionId, id }: Pick<StoredCompletion, 'sessionId' | 'id'>): string =>
  `${sessionId.length} ${sessionId}${id}`
