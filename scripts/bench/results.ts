/** What was measured, as data, and what follows from it: medians, ratios in the same run, goals met and missed. */

export type Unit = 'calls/s' | 'experiments/s' | 'us/call' | 'ms' | 'MB' | 'us/event' | '%' | 'packages'

/** What one contender took in one measure, once for each round. */
export interface Result {
  readonly measure: string
  readonly contender: string
  /** As shown: a name with its version. */
  readonly label: string
  readonly unit: Unit
  /** In the order of the rounds, so that those of two contenders at the same place were taken side by side. */
  readonly samples: readonly number[]
  /** The contender that it is compared with, where that is not the usual one of `referenceOf`. */
  readonly of?: string
  /** The least share of its core that the server had in a round, where that is measured. */
  readonly coreShare?: number
}

/** A result by its names. */
export interface Place {
  readonly measure: string
  readonly contender: string
}

/** What the mock should reach: at least or at most so much, of another result of the same run or as it stands. */
export interface Goal extends Place {
  readonly of?: Place
  readonly least?: number
  readonly most?: number
}

export interface Verdict {
  readonly goal: Goal
  /** Undefined when one of the two was not measured. */
  readonly value: number | undefined
  readonly isMet: boolean | undefined
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/** Between the two nearest values, in proportion. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const place = ((sorted.length - 1) * percent) / 100
  const [below = Number.NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return below + (above - below) * (place - Math.floor(place))
}

/** The median of the ratios round by round: what slowed the machine for a while slowed both. */
export function ratio(result: Result, of: Result): number {
  if (result.samples.length !== of.samples.length) return median(result.samples) / median(of.samples)
  return median(result.samples.map((sample, round) => sample / of.samples[round]!))
}

export function find(results: readonly Result[], { measure, contender }: Place): Result | undefined {
  return results.find((result) => result.measure === measure && result.contender === contender)
}

export function judge(goal: Goal, results: readonly Result[]): Verdict {
  const result = find(results, goal)
  const of = goal.of && find(results, goal.of)
  if (result === undefined || (goal.of !== undefined && of === undefined)) {
    return { goal, value: undefined, isMet: undefined }
  }
  const value = of === undefined ? median(result.samples) : ratio(result, of)
  return { goal, value, isMet: value >= (goal.least ?? 0) && value <= (goal.most ?? Number.POSITIVE_INFINITY) }
}
