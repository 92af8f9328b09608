/** `api-mock fit`: fits a pace to measured calls. The pace goes to stdout, and how good it is to stderr. */
import { readFile, stat } from 'node:fs/promises'
import { countOf } from '../../core/lib/text/count-of.ts'
import { loadScenario } from '../../engine/scenario-files/load-scenario.ts'
import type { CallTiming } from '../../record/fit/call-timing.ts'
import { readCassette } from '../../record/fit/cassette-timings.ts'
import {
  type Estimate,
  type Fit,
  fitDistribution,
  MAX_SAMPLES,
  MIN_SAMPLES,
} from '../../record/fit/fit-distribution.ts'
import { formatMs, plotFit } from '../../record/fit/plot.ts'
import { formatPace } from '../../record/fit/profile-text.ts'
import { readTimings, type Timings } from '../../record/fit/read-timings.ts'

const MAX_FILE_BYTES = 100_000_000
const MIN_P_VALUE = 0.05

/** @throws when the file cannot be read, or has too few calls. */
export async function fitFile(file: string): Promise<number> {
  const { timings, skipped } = await readFileTimings(file)
  if (skipped > 0) say(`Skipped ${countOf(skipped, 'call')} without a time to the first token.`)
  const firstTokens = timings.map(({ firstTokenMs }) => firstTokenMs)
  requireEnough(firstTokens.length, file)
  const firstToken = fitDistribution(firstTokens)
  describe('firstToken', firstToken, firstTokens)
  const perTokens = timings.flatMap(({ perTokenMs = 0 }: CallTiming) => (perTokenMs > 0 ? [perTokenMs] : []))
  if (perTokens.length < MIN_SAMPLES) {
    say(`No perToken: expected at least ${MIN_SAMPLES} calls with it, got ${perTokens.length}.`)
    process.stdout.write(formatPace({ firstToken: firstToken.distribution }))
    return 0
  }
  const perToken = fitDistribution(perTokens)
  describe('perToken', perToken, perTokens)
  process.stdout.write(formatPace({ firstToken: firstToken.distribution, perToken: perToken.distribution }))
  return 0
}

async function readFileTimings(file: string): Promise<Timings> {
  if (/\.ya?ml$/i.test(file)) return { timings: readCassette((await loadScenario(file)).source), skipped: 0 }
  const failure = `Failed to fit '${file}'`
  const status = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${failure}: ${error.code === 'ENOENT' ? 'there is no such file.' : `${error.message}.`}`)
  })
  if (!status.isFile()) throw new Error(`${failure}: it is not a plain file.`)
  if (status.size > MAX_FILE_BYTES)
    throw new Error(`${failure}: expected at most ${MAX_FILE_BYTES} bytes, got ${status.size}.`)
  const text = (await readFile(file, 'utf8')).replace(/^\ufeff/, '')
  try {
    return readTimings(text)
  } catch (error) {
    throw new Error(`${failure}: ${(error as Error).message}`)
  }
}

function requireEnough(calls: number, file: string): void {
  if (calls > MAX_SAMPLES) {
    throw new Error(
      `Failed to fit '${file}': expected at most ${MAX_SAMPLES} calls, got ${calls}. Take a random part of them.`,
    )
  }
  if (calls < MIN_SAMPLES) {
    throw new Error(
      `Failed to fit '${file}': expected at least ${MIN_SAMPLES} calls with a time to the first token, got ${calls}. The slowest call of a hundred cannot be known from fewer.`,
    )
  }
}

function describe(name: string, result: Fit, values: readonly number[]): void {
  const { distribution, samples, measured, median, p99, distance, pValue } = result
  say(`${name}: ${NAMES[distribution.shape]}, from ${countOf(samples, 'call')}`)
  if (distribution.shape === 'fixed') return
  say(`  fitted: median ${withRange(median)}, p99 ${withRange(p99)}`)
  say(`  measured: median ${formatMs(measured.medianMs)}, p99 ${formatMs(measured.p99Ms)}`)
  const verdict = pValue < MIN_P_VALUE ? 'The fit is poor: the shape of the sample is another one' : 'The fit is good'
  say(`  ${verdict} (Kolmogorov-Smirnov distance ${distance.toFixed(3)}, p = ${pValue.toFixed(3)}).`)
  for (const line of plotFit(values, distribution)) say(`  ${line}`)
}

const NAMES = { fixed: 'constant', uniform: 'uniform', lognormal: 'lognormal', pareto: 'heavy tail (Pareto)' } as const

const withRange = ({ ms, fromMs, toMs }: Estimate): string =>
  `${formatMs(ms)} (${formatMs(fromMs)} to ${formatMs(toMs)})`

/** Standard output is the pace. */
const say = (line: string): void => void process.stderr.write(`${line}\n`)
