/** Failures that must not change an answer: reported once each on stderr. Listeners of the user are run with them. */

/** The most reports of one mock; more would flood the log without saying more. */
const MAX_REPORTS = 20

export class BugReports {
  readonly #reported = new Set<string>()

  /** Runs a part of the bookkeeping. If it fails, the failure is reported and the result is undefined. */
  guard<Result>(task: string, run: () => Result): Result | undefined {
    try {
      return run()
    } catch (error) {
      this.add(task, error)
      return undefined
    }
  }

  /** Reports a bug of the mock. @param task what failed, as a verb phrase: `record a call`. */
  readonly add = (task: string, error: unknown): void => {
    this.#report(
      `Failed to ${task}: a bug in llm-api-mock. Answers are not affected. Please report it with this error:`,
      error,
    )
  }

  /** Reports a listener of the user that threw. @param method where it was added: `onExchange`. */
  addListener(method: string, error: unknown): void {
    this.#report(`A listener of ${method} threw. The mock ignores it; fix the listener:`, error)
  }

  #report(text: string, error: unknown): void {
    const name = `${text} ${error instanceof Error ? error.message : typeof error}`
    if (this.#reported.has(name) || this.#reported.size >= MAX_REPORTS) return
    this.#reported.add(name)
    console.error(text, error)
  }
}

/** The listeners of one event. One that throws, or rejects, is reported and changes nothing else. */
export class Listeners<Value> {
  readonly #method: string
  readonly #bugs: BugReports
  readonly #all = new Set<(value: Value) => unknown>()

  /** @param method where users add them, for reports: `onExchange`. */
  constructor(method: string, bugs: BugReports) {
    this.#method = method
    this.#bugs = bugs
  }

  /** Adds a listener; returns a function that removes it. */
  add(listener: (value: Value) => unknown): () => void {
    this.#all.add(listener)
    return () => this.#all.delete(listener)
  }

  get isEmpty(): boolean {
    return this.#all.size === 0
  }

  notify(value: Value): void {
    for (const listener of this.#all) {
      try {
        const result = listener(value)
        if (result instanceof Promise) result.catch((error: unknown) => this.#report(error))
      } catch (error) {
        this.#report(error)
      }
    }
  }

  #report(error: unknown): void {
    this.#bugs.addListener(this.#method, error)
  }
}
