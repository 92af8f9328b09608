/**
 * Compiles a pace to distributions in milliseconds and a factor for the load; and the measured latencies of
 * `pace: { profile: <name> }`.
 *
 * Every figure of a profile was published by its source on its date (scripts/tables/pace-sources.ts); nothing is estimated. Services
 * change: a profile says how one of them was on one day.
 */
import type { Distribution } from '../../lib/random/distribution.ts'
import { durationMs } from '../../lib/text/duration.ts'
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
  const profile = source.profile && PACE_PROFILES[source.profile]
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

/** The profiles by name. Medians and 99th percentiles; one measured call is a constant. */
export const PACE_PROFILES = {
  'llama-2-70b-groq': { firstToken: { median: '221.9ms', p99: '350ms' }, perToken: { median: '5.3ms', p99: '6.6ms' } },
  'llama-2-70b-anyscale': {
    firstToken: { median: '212.8ms', p99: '474.5ms' },
    perToken: { median: '14.6ms', p99: '38.7ms' },
  },
  'llama-2-70b-together': {
    firstToken: { median: '635.3ms', p99: '870.9ms' },
    perToken: { median: '15.3ms', p99: '23ms' },
  },
  'llama-2-70b-replicate': {
    firstToken: { median: '1188ms', p99: '63626ms', tail: 'heavy' },
    perToken: { median: '96.9ms', p99: '591.8ms' },
  },
  'gpt-4-turbo': { firstToken: '400ms', perToken: '25.6ms' },
  'gpt-3.5-turbo': { firstToken: '210ms', perToken: '12.2ms' },
} as const satisfies Readonly<Record<string, Pick<PaceSource, 'firstToken' | 'perToken'>>>

export type PaceProfileName = keyof typeof PACE_PROFILES
export const PACE_PROFILE_NAMES = Object.keys(PACE_PROFILES) as readonly PaceProfileName[]
