/** A fit as the YAML of a scenario. */
import type { Distribution } from '../../core/lib/random/distribution.ts'

export interface FittedPace {
  readonly firstToken: Distribution
  /** Undefined when too few calls have it. */
  readonly perToken?: Distribution | undefined
}

/** `pace:` with a line for each field. */
export function formatPace({ firstToken, perToken }: FittedPace): string {
  const lines = ['pace:', `  firstToken: ${formatDistribution(firstToken)}`]
  if (perToken !== undefined) lines.push(`  perToken: ${formatDistribution(perToken)}`)
  return `${lines.join('\n')}\n`
}

function formatDistribution(distribution: Distribution): string {
  switch (distribution.shape) {
    case 'fixed':
      return duration(distribution.ms)
    case 'uniform':
      return `{ min: ${duration(distribution.minMs)}, max: ${duration(distribution.maxMs)} }`
    case 'lognormal':
      return `{ median: ${duration(distribution.medianMs)}, p99: ${duration(distribution.p99Ms)} }`
    case 'pareto':
      return `{ median: ${duration(distribution.medianMs)}, p99: ${duration(distribution.p99Ms)}, tail: heavy }`
    default:
      return distribution satisfies never
  }
}

/** Four digits, and not less than a microsecond. */
const duration = (ms: number): string => `${Math.max(0.001, Number(Number(ms.toPrecision(4)).toFixed(3)))}ms`
