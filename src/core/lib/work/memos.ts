/** The results of the long computations on one call, by name and input. */
export class Memos {
  readonly #results = new Map<string, Map<string, unknown>>()

  /** The result of a computation, which runs if it is not known. It must be a function of the call, `name` and `input`. */
  of<Result>(name: string, input: string, compute: () => Result): Result {
    const results = this.#results.get(name)
    if (results?.has(input) === true) return results.get(input) as Result
    const result = compute()
    this.add(name, input, result)
    return result
  }

  add(name: string, input: string, result: unknown): void {
    const results = this.#results.get(name)
    if (results === undefined) this.#results.set(name, new Map([[input, result]]))
    else results.set(input, result)
  }
}
