/** Keeps calls of one key in order of arrival while the tokenizer of an earlier one is loaded. */

export class ArrivalOrder {
  readonly #last = new Map<string, Promise<void>>()

  /** Whether an earlier call of the key waits, so that a later one has to wait as well. */
  isWaiting(key: string): boolean {
    return this.#last.size > 0 && this.#last.has(key)
  }

  /** Resolves when all earlier calls of the key have run. */
  before(key: string): Promise<void> {
    return this.#last.get(key) ?? Promise.resolve()
  }

  /** Runs `decide` once `ready` and all earlier calls of the key are done. A failure of one does not hold up the next. */
  run<Result>(key: string, ready: Promise<void>, decide: () => Result): Promise<Result> {
    const leave = (): void => {
      if (this.#last.get(key) === done) this.#last.delete(key)
    }
    // Both are awaited at once: a rejected `ready` must never be unhandled.
    const result = Promise.all([this.before(key), ready]).then(() => {
      leave()
      return decide()
    })
    const done: Promise<void> = result.then(leave, leave)
    this.#last.set(key, done)
    return result
  }
}
