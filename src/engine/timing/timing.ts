/**
 * How far the mock's timing can be trusted: it measures itself.
 *
 * The pacing error is how far from its due time an answer went on after a wait, in real milliseconds. The event-loop
 * lag is how long the process was too busy to do anything; a server measures it from its first wait on.
 */
import { DurationHistogram, type Percentiles } from './duration-histogram.ts'

/** Above these, in milliseconds, what was measured against the mock says as much about the machine as about the client. */
export const MAX_ERROR_MS = 10
export const MAX_LAG_MS = 20

/** What watches the event loop, where there is a way to. */
export interface LoopWatch {
  /** Goes on when it is started already. */
  start(): void
  reset(): void
  /** How long the loop was held up; undefined before the start. */
  percentiles(): Percentiles | undefined
}

/** Times are real milliseconds since the start or the last reset. */
export interface TimingReport {
  /** How many waits have ended. */
  readonly waits: number
  readonly errorMs: Percentiles
  /** Null where it is not measured: in process, and before the first wait. */
  readonly eventLoopLagMs: Percentiles | null
  /** False when the p99 of the pacing error is above 10 ms, or that of the event-loop lag above 20 ms. */
  readonly valid: boolean
  /** The same as a sentence, with the reason. */
  readonly verdict: string
}

export class Timing {
  readonly #errors = new DurationHistogram()
  #loop: LoopWatch | undefined

  /** From now on the event loop's lag is part of the report. */
  watchLoop(loop: LoopWatch): void {
    this.#loop = loop
  }

  /** Notes the end of a wait, so many real milliseconds after it was due, or before. */
  record(lateMs: number): void {
    this.#loop?.start()
    this.#errors.record(Math.abs(lateMs))
  }

  report(): TimingReport {
    const waits = this.#errors.count
    const errorMs = this.#errors.percentiles()
    const eventLoopLagMs = this.#loop?.percentiles() ?? null
    const problems = [
      problem('pacing error', errorMs.p99, MAX_ERROR_MS),
      problem('event-loop lag', eventLoopLagMs?.p99 ?? 0, MAX_LAG_MS),
    ].filter((one) => one !== undefined)
    return { waits, errorMs, eventLoopLagMs, valid: problems.length === 0, verdict: verdict(waits, problems) }
  }

  reset(): void {
    this.#errors.reset()
    this.#loop?.reset()
  }
}

const problem = (what: string, p99: number, most: number): string | undefined =>
  p99 > most ? `the p99 of the ${what} is ${p99} ms, above ${most} ms` : undefined

function verdict(waits: number, problems: readonly string[]): string {
  if (problems.length > 0) {
    return `results invalid: ${problems.join('; ')}. Send fewer calls at once, or give the mock a core of its own.`
  }
  return waits === 0 ? 'nothing measured: no answer has waited yet' : 'results valid'
}
