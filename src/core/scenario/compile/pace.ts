/** Compiles a pace: distributions in milliseconds, the load as a factor. */
import type { Distribution } from '../../lib/random/distribution.ts'
import { durationMs } from '../../lib/text/duration.ts'
import { PACE_PROFILES } from '../pace-profiles.ts'
import type { PaceSource } from '../scenario-source.ts'

/** The latency of answers. */
export interface Pace {
  /** Until the first token of a chat, or the vectors of an embedding. */
  readonly firstToken: Distribution | undefined
  /** For each token after the first. */
  readonly perToken: Distribution | undefined
  /** For each token of a prompt, or of the inputs to embed, on top of the first token; drawn once for a call. */
  readonly perInputToken: Distribution | undefined
  /** The same for each token of a prompt that is read from the prompt cache; undefined for no time. */
  readonly cachedInputToken: Distribution | undefined
  /** Share by which all times grow for each other call in flight: 0.2 is a fifth. */
  readonly loadPerCall: number | undefined
  readonly queue: { readonly concurrent: number; readonly waiting: number } | undefined
  /** The path of the pace that sets load and queue: `models.slow-1.pace`. Calls with the same id are counted together. */
  readonly paceId: string
}

/** @param base the pace that supplies missing fields: the scenario's, for the pace of a model. */
export function compilePace(source: PaceSource | undefined, paceId: string, base?: Pace): Pace | undefined {
  if (source === undefined) return base
  const profile = source.profile && PACE_PROFILES[source.profile].pace
  const { firstToken, perToken, perInputToken, cachedInputToken, load, queue } = { ...profile, ...source }
  const isOwn = base === undefined || load !== undefined || queue !== undefined
  return {
    firstToken: distributionOf(firstToken) ?? base?.firstToken,
    perToken: distributionOf(perToken) ?? base?.perToken,
    perInputToken: distributionOf(perInputToken) ?? base?.perInputToken,
    cachedInputToken: distributionOf(cachedInputToken) ?? base?.cachedInputToken,
    loadPerCall: load === undefined ? base?.loadPerCall : Number.parseFloat(load) / 100,
    queue: queue ?? base?.queue,
    paceId: isOwn ? paceId : base.paceId,
  }
}

function distributionOf(source: PaceSource['firstToken']): Distribution | undefined {
  if (source === undefined) return undefined
  if (typeof source === 'string') return { shape: 'fixed', ms: durationMs(source) }
  if ('min' in source) return { shape: 'uniform', minMs: durationMs(source.min), maxMs: durationMs(source.max) }
  const shape = source.tail === 'heavy' ? 'pareto' : 'lognormal'
  return { shape, medianMs: durationMs(source.median), p99Ms: durationMs(source.p99) }
}
