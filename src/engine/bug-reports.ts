/** Reports failures that must not change an answer, once each, on stderr. */

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
