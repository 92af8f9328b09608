/** What every measure is given: how long to measure, and where to say what happens. */
export interface Bench {
  readonly rounds: number
  readonly seconds: number
  /** What is being done now. */
  progress(text: string): void
  /** What makes the figures less certain. */
  warn(text: string): void
}
