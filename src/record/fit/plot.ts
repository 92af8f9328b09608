/** A histogram of a sample, with a mark where the fit would end each bar. */
import type { Distribution } from '../../core/lib/random/distribution.ts'
import { shareUpTo } from './shapes.ts'

const BINS = 12
const WIDTH = 40

/** One line for each bin. The bins grow by a constant factor, as the tails of latencies do. */
export function plotFit(values: readonly number[], distribution: Distribution): string[] {
  const sorted = [...values].sort((a, b) => a - b)
  const [least, most] = [sorted[0]!, sorted.at(-1)!]
  const factor = (most / least) ** (1 / BINS)
  const edges = Array.from({ length: BINS + 1 }, (_, index) => (index === BINS ? most : least * factor ** index))
  const bins = edges.slice(1).map((to, index) => ({
    to,
    // The first bin has all that is below it, and the last one all that is above it.
    sample: (countUpTo(sorted, to) - (index === 0 ? 0 : countUpTo(sorted, edges[index]!))) / sorted.length,
    fit:
      (index === BINS - 1 ? 1 : shareUpTo(distribution, to)) -
      (index === 0 ? 0 : shareUpTo(distribution, edges[index]!)),
  }))
  const highest = Math.max(...bins.flatMap(({ sample, fit }) => [sample, fit]))
  return bins.map(({ to, sample, fit }) => {
    const bar = '█'.repeat(Math.round((sample / highest) * WIDTH)).padEnd(WIDTH + 1)
    const mark = Math.round((fit / highest) * WIDTH)
    return `${formatMs(to).padStart(10)} ${bar.slice(0, mark)}│${bar.slice(mark + 1)} ${(sample * 100).toFixed(1).padStart(5)}%`
  })
}

const countUpTo = (sorted: readonly number[], ms: number): number => sorted.filter((value) => value <= ms).length

/** `15.32 ms`, `1204 ms`: four digits. */
export const formatMs = (ms: number): string => `${Number(ms.toPrecision(4))} ms`
