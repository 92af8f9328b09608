/** `api-mock fit`: fits a pace to measured calls. The pace goes to stdout, and how good it is to stderr. */
import { countOf } from '../../core/lib/text/wording.ts'
import { loadScenario } from '../../engine/node.ts'
import {
  type Estimate,
  fitDistribution,
  formatPaceField,
  MAX_SAMPLES,
  MIN_SAMPLES,
  readCassette,
  readPlainFile,
  readTimings,
  type Timings,
} from '../../record/index.ts'
import { printError } from '../../terminal/text.ts'

const MIN_P_VALUE = 0.05

const NAMES = { fixed: 'constant', uniform: 'uniform', lognormal: 'lognormal', pareto: 'heavy tail (Pareto)' } as const

/** @throws when the file cannot be read, or has too few calls. */
export async function fitFile(file: string): Promise<number> {
  const { timings, skipped } = await readFileTimings(file)
  if (skipped > 0) printError(`Skipped ${countOf(skipped, 'call')} without a time to the first token.`)
  const calls = timings.length
  const failure = `Failed to fit '${file}': expected at`
  if (calls > MAX_SAMPLES) {
    throw new Error(`${failure} most ${MAX_SAMPLES} calls, got ${calls}. Take a random part of them.`)
  }
  if (calls < MIN_SAMPLES) {
    throw new Error(
      `${failure} least ${MIN_SAMPLES} calls with a time to the first token, got ${calls}. The slowest call of a hundred cannot be known from fewer.`,
    )
  }
  const firstTokens = timings.map(({ firstTokenMs }) => firstTokenMs)
  const perTokens = timings.flatMap(({ perTokenMs = 0 }) => (perTokenMs > 0 ? [perTokenMs] : []))
  let pace = `pace:\n${fitField('firstToken', firstTokens)}`
  if (perTokens.length >= MIN_SAMPLES) pace += fitField('perToken', perTokens)
  else printError(`No perToken: expected at least ${MIN_SAMPLES} calls with it, got ${perTokens.length}.`)
  process.stdout.write(pace)
  return 0
}

async function readFileTimings(file: string): Promise<Timings> {
  if (/\.ya?ml$/i.test(file)) return { timings: readCassette((await loadScenario(file)).source), skipped: 0 }
  const failure = `Failed to fit '${file}'`
  const text = await readPlainFile(file, failure)
  try {
    return readTimings(text)
  } catch (error) {
    throw new Error(`${failure}: ${(error as Error).message}`)
  }
}

/** Reports on the fit of a field, and returns the field of `pace`. */
function fitField(field: string, values: readonly number[]): string {
  const { distribution, samples, measured, median, p99, distance, pValue } = fitDistribution(values)
  printError(`${field}: ${NAMES[distribution.shape]}, from ${countOf(samples, 'call')}`)
  if (distribution.shape !== 'fixed') {
    printError(`  fitted: median ${withRange(median)}, p99 ${withRange(p99)}`)
    printError(`  measured: median ${formatMs(measured.medianMs)}, p99 ${formatMs(measured.p99Ms)}`)
    const verdict = pValue < MIN_P_VALUE ? 'The fit is poor: the shape of the sample is another one' : 'The fit is good'
    printError(`  ${verdict} (Kolmogorov-Smirnov distance ${distance.toFixed(3)}, p = ${pValue.toFixed(3)}).`)
  }
  return formatPaceField(field, distribution)
}

/** `15.32 ms`, `1204 ms`: four digits. */
const formatMs = (ms: number): string => `${Number(ms.toPrecision(4))} ms`

const withRange = ({ ms, fromMs, toMs }: Estimate): string =>
  `${formatMs(ms)} (${formatMs(fromMs)} to ${formatMs(toMs)})`
