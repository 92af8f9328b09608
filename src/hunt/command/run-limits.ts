/**
 * The time limits of the runs of a command. A run under faults has as long as those without faults took, and 10 seconds more
 * for the waits between retries. A client that waits 30 seconds for an answer turns out to need more when its first run under
 * `hang` times out. That run is then repeated, and later runs have the longer limit too.
 */
import type { JournalEntry } from '../../core/journal/entry.ts'
import type { SessionSettings } from './hunt-options.ts'

/** Longest time of a run without faults. */
const MAX_BASELINE_MS = 300_000
/** Time that a run may take longer than those without faults: clients wait between retries. */
const EXTRA_MS = 10_000
/** A client that ended its call this long before the limit did so by itself, and was not ended with the run. */
const GAVE_UP_MS = 1000
/** Number of time-outs, one for each attempt, that a client may wait for in a run. */
const MAX_TIME_OUTS = 4

/** The facts on which the limit of a run depends. */
export interface TimedRun {
  readonly isBaseline?: boolean
  /** The time that its slow answers take, in real milliseconds. Default: 0. */
  readonly slowMs?: number
}

export class RunLimits {
  readonly #settings: Pick<SessionSettings, 'jobs' | 'speed' | 'run-timeout'>
  /** Duration of the longest run without faults. `noteBaseline` raises it. */
  #longestMs = 0
  /** Time for retries. `allowMoreTime` raises it when a client turns out to wait longer for an answer. */
  #extraMs = EXTRA_MS

  constructor(settings: SessionSettings) {
    this.#settings = settings
  }

  noteBaseline(durationMs: number): void {
    this.#longestMs = Math.max(this.#longestMs, durationMs)
  }

  limitOf({ isBaseline = false, slowMs = 0 }: TimedRun): number {
    const { jobs, 'run-timeout': chosenMs } = this.#settings
    // Runs at the same time slow each other down.
    const usualMs = isBaseline ? MAX_BASELINE_MS : slowMs + this.#extraMs + (2 + jobs) * this.#longestMs
    return chosenMs ?? usualMs
  }

  /**
   * Says how to repeat a run that timed out; undefined if more time does not help. May raise the limit of later runs.
   * @param limitMs the limit of the run: the limit of now may be higher, because of another run at the same time
   */
  allowMoreTime(run: TimedRun, limitMs: number, entries: readonly JournalEntry[]): TimedRun | undefined {
    const { isBaseline = false, slowMs = 0 } = run
    const { speed, 'run-timeout': chosenMs } = this.#settings
    if (isBaseline || chosenMs !== undefined) return undefined
    // A client that gave up on an answer needs that time for all its attempts.
    const hung = entries.filter(({ fault }) => fault === 'hang')
    const gaveUp = hung.filter(({ at, durationMs }) => at + durationMs < (limitMs - GAVE_UP_MS) * speed)
    const timeOutMs = Math.max(0, ...gaveUp.map(({ durationMs }) => durationMs)) / speed
    const neededMs = MAX_TIME_OUTS * timeOutMs
    if (neededMs > this.#extraMs) {
      this.#extraMs = neededMs
      return run
    }
    // A client that still reads slow answers gets the time that they take, once.
    const steps = entries.flatMap(({ timeline = [] }) => timeline)
    const plannedMs = steps.reduce((sum, step) => sum + (step.type === 'wait' ? step.ms : 0), 0) / speed
    return slowMs === 0 && plannedMs > limitMs / 2 ? { ...run, slowMs: plannedMs } : undefined
  }
}
