/**
 * Compiles a pace, the latency of answers, to distributions in milliseconds and a factor for the load; and has the measured
 * latencies of `pace: { profile: <name> }`.
 *
 *   { firstToken: '300ms', perToken: { p50: '20ms', p99: '80ms' }, load: '20% per call' }
 *   { firstToken: { shape: 'fixed', ms: 300 }, perToken: { shape: 'quantiles', points: [...] }, loadPerCall: 0.2, ... }
 *
 * Every figure of a profile is from the calls that its source published (scripts/tables/pace-sources.ts); nothing is
 * estimated. Services change: a profile says how one of them was on one day.
 */
import { type Distribution, normalQuantile } from '../../lib/random/distribution.ts'
import { type Duration, durationMs, WINDOWS } from '../../lib/text/duration.ts'
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
  // Fields of the source replace those of its profile.
  const { firstToken, perToken, perInputToken, cachedInputToken, load, queue } = { ...profile, ...source }
  const setsLoadOrQueue = load !== undefined || queue !== undefined
  return {
    firstToken: distributionOf(firstToken) ?? base?.firstToken,
    perToken: distributionOf(perToken) ?? base?.perToken,
    perInputToken: distributionOf(perInputToken) ?? base?.perInputToken,
    cachedInputToken: distributionOf(cachedInputToken) ?? base?.cachedInputToken,
    loadPerCall: load === undefined ? base?.loadPerCall : Number.parseFloat(load) / 100,
    queue: queue ?? base?.queue,
    paceId: base === undefined || setsLoadOrQueue ? paceId : base.paceId,
  }
}

/** The distribution of a duration, a range `{ min, max }` or quantiles `{ p50, p99 }`; undefined for undefined. */
export function distributionOf(source: PaceSource['firstToken']): Distribution | undefined {
  if (source === undefined) return undefined
  if (typeof source === 'string') return { shape: 'fixed', ms: durationMs(source) }
  const { min, max, drawn } = source
  const bounds = {
    minMs: durationMs(min),
    maxMs: max === undefined ? WINDOWS.day : durationMs(max),
    isDrawnOnce: drawn === 'once',
  }
  const points = readQuantiles(source).map(({ p, value }) => ({ z: normalQuantile(p), ms: durationMs(value) }))
  return points.length === 0 ? { shape: 'uniform', ...bounds } : { shape: 'quantiles', points, ...bounds }
}

/** Names of quantiles above 0 and below 100 percent, without trailing zeros: `p5`, `p50`, `p99.9`. */
export const QUANTILE = /^p(?=.*[1-9])(?:0|[1-9]\d?)(?:\.\d{0,2}[1-9])?$/

/** The quantiles of a duration in ascending order of their share `p`; `median` is p50. */
export function readQuantiles<Value>(spread: Readonly<Record<string, Value>>) {
  return Object.entries(spread)
    .filter(([name]) => name === 'median' || QUANTILE.test(name))
    .map(([name, value]) => ({ name, value, p: name === 'median' ? 0.5 : Number(name.slice(1)) / 100 }))
    .sort((a, b) => a.p - b.p)
}

/**
 * The profiles by name: quantiles of the published calls, and one measured call as a constant. The time for each token is
 * (end to end - first token) / (tokens - 1) of the calls with at least 100 tokens, as shorter answers are no measure of a
 * speed. The inter-token latency that LLMPerf publishes counts the first token too, so it is not used.
 */
export const PACE_PROFILES = {
  'llama-2-70b-groq': {
    firstToken: quantiles(172, 186, 221.9, 240.7, 298.8, 303.7, 350, 363.1),
    perToken: perCall(3.45, 3.652, 3.742, 4.222, 4.326, 4.535, 4.563, 4.586),
  },
  'llama-2-70b-anyscale': {
    firstToken: quantiles(175, 193, 212.8, 297.3, 321.2, 362, 474.5, 592.8),
    perToken: perCall(9.816, 12.4, 13.48, 15.95, 17.86, 19.28, 22.46, 23.93),
  },
  'llama-2-70b-together': {
    firstToken: quantiles(455.9, 546.3, 635.3, 674.2, 733.6, 770.1, 870.9, 891.3),
    perToken: perCall(9.636, 10.89, 11.49, 12.36, 13.88, 14.82, 18.18, 18.87),
  },
  'llama-2-70b-replicate': {
    firstToken: quantiles(970.4, 1027, 1188, 1699, 12_323, 24_228, 63_626, 71_565),
    perToken: perCall(83.43, 84.25, 85.58, 89.11, 89.88, 90.22, 90.93, 91.11),
  },
  'gpt-4-turbo': { firstToken: '400ms', perToken: '25.6ms' },
  'gpt-3.5-turbo': { firstToken: '210ms', perToken: '12.2ms' },
} as const satisfies Readonly<Record<string, Pick<PaceSource, 'firstToken' | 'perToken'>>>

/** The shortest and longest of the measured durations, and the quantiles between them, in milliseconds. */
function quantiles(...measured: readonly number[]) {
  const names = ['min', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99', 'max']
  return Object.fromEntries(names.map((name, index) => [name, `${measured[index]!}ms` as Duration]))
}

/** The same, drawn once for a call: the speed of its tokens. */
function perCall(...measured: readonly number[]) {
  return { ...quantiles(...measured), drawn: 'once' as const }
}

export type PaceProfileName = keyof typeof PACE_PROFILES
export const PACE_PROFILE_NAMES = Object.keys(PACE_PROFILES) as readonly PaceProfileName[]
