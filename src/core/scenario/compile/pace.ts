/** Compiles a pace: distributions in milliseconds, the load as a factor. */
import type { Distribution } from '../../lib/random/distribution.ts'
import { durationMs } from '../../lib/text/duration.ts'
import { PACE_PROFILES } from '../pace-profiles.ts'
import type { PaceSource } from '../scenario-source.ts'

type DurationSource = NonNullable<PaceSource['firstToken']>

/** How long answers take. */
export interface Pace {
  /** Until the first token of a chat, or the vectors of an embedding. */
  readonly firstToken?: Distribution
  /** For each token after the first. */
  readonly perToken?: Distribution
  /** For each token of a prompt, or of the inputs to embed, on top of the first token; drawn once for a call. */
  readonly perInputToken?: Distribution
  /** The same for each token of a prompt that is read from the prompt cache; undefined for no time. */
  readonly cachedInputToken?: Distribution
  /** How much longer everything takes for each other call in flight: 0.2 is a fifth. */
  readonly loadPerCall?: number
  readonly queue?: { readonly concurrent: number; readonly waiting: number }
  /** The path of the pace that sets load and queue: `models.slow-1.pace`. Calls with the same id are counted together. */
  readonly paceId: string
}

/** @param base the pace that supplies missing fields: the scenario's, for the pace of a model. */
export function compilePace(source: PaceSource | undefined, paceId: string, base?: Pace): Pace | undefined {
  if (source === undefined) return base
  const profile = source.profile && PACE_PROFILES[source.profile].pace
  const { firstToken, perToken, perInputToken, cachedInputToken, load, queue } = { ...profile, ...source }
  return {
    ...base,
    ...(firstToken !== undefined && { firstToken: distributionOf(firstToken) }),
    ...(perToken !== undefined && { perToken: distributionOf(perToken) }),
    ...(perInputToken !== undefined && { perInputToken: distributionOf(perInputToken) }),
    ...(cachedInputToken !== undefined && { cachedInputToken: distributionOf(cachedInputToken) }),
    ...(load !== undefined && { loadPerCall: Number.parseFloat(load) / 100 }),
    ...(queue !== undefined && { queue }),
    paceId: base === undefined || load !== undefined || queue !== undefined ? paceId : base.paceId,
  }
}

function distributionOf(source: DurationSource): Distribution {
  if (typeof source === 'string') return { shape: 'fixed', ms: durationMs(source) }
  if ('min' in source) return { shape: 'uniform', minMs: durationMs(source.min), maxMs: durationMs(source.max) }
  const shape = source.tail === 'heavy' ? 'pareto' : 'lognormal'
  return { shape, medianMs: durationMs(source.median), p99Ms: durationMs(source.p99) }
}
