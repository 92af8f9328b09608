/**
 * The results of the long computations on one call, by name and input: `memos.of('inputs', 'o200k_base', countInputs)`.
 *
 * Not a cache like MemoCache: a worker thread computes the results of a heavy call, and `add` takes them over.
 */
export class Memos {
  readonly #results = new Map<string, unknown>()

  /** The known result, or that of `compute`, which must be a function of the call, `name` and `input`. */
  of<Result>(name: string, input: string, compute: () => Result): Result {
    const key = `${name}\n${input}`
    if (!this.#results.has(key)) this.#results.set(key, compute())
    return this.#results.get(key) as Result
  }

  /** Adds a result that was computed elsewhere. */
  add(name: string, input: string, result: unknown): void {
    this.#results.set(`${name}\n${input}`, result)
  }
}
