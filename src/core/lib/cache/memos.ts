/** The results of the long computations on one call, by name and input. */
export class Memos {
  readonly #results = new Map<string, unknown>()

  /** The result of a computation, which runs if it is not known. It must be a function of the call, `name` and `input`. */
  of<Result>(name: string, input: string, compute: () => Result): Result {
    const key = keyOf(name, input)
    if (!this.#results.has(key)) this.#results.set(key, compute())
    return this.#results.get(key) as Result
  }

  add(name: string, input: string, result: unknown): void {
    this.#results.set(keyOf(name, input), result)
  }
}

const keyOf = (name: string, input: string): string => `${name}\n${input}`
