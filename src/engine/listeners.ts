/** The listeners of one event. One that throws, or rejects, is reported and changes nothing else. */
import type { BugReports } from './bug-reports.ts'

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
