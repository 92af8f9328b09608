/** `api-mock fit`: fits a pace to measured calls. The pace goes to stdout, and how good it is to stderr. */
import { countOf } from '../../core/lib/text/wording.ts'
import { loadScenario } from '../../engine/node.ts'
import {
  fitDistribution,
  formatPaceField,
  MIN_SAMPLES,
  readCassette,
  readPlainFile,
  readTimings,
  type Timings,
} from '../../record/index.ts'
import { printError } from '../../terminal/text.ts'

const NAMES = { fixed: 'constant', uniform: 'uniform', lognormal: 'lognormal', pareto: 'heavy tail (Pareto)' } as const

/** @throws when the file cannot be read, or has too few calls. */
export async function fitFile(file: string): Promise<number> {
  const { timings, skipped } = await readFileTimings(file)
  if (skipped > 0) printError(`Skipped ${countOf(skipped, 'call')} without a time to the first token.`)
  const calls = timings.length
  if (calls < MIN_SAMPLES) {
    throw new Error(
      `Failed to fit '${file}': expected at least ${MIN_SAMPLES} calls with a time to the first token, got ${calls}. The slowest call of a hundred cannot be known from fewer.`,
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
  const { distribution, samples, measured, fitted, distance, maxDistance } = fitDistribution(values)
  printError(`${field}: ${NAMES[distribution.shape]}, from ${countOf(samples, 'call')}`)
  if (distribution.shape !== 'fixed') {
    for (const [name, { medianMs, p99Ms }] of Object.entries({ fitted, measured }))
      printError(`  ${name}: median ${formatMs(medianMs)}, p99 ${formatMs(p99Ms)}`)
    const isGood = distance <= maxDistance
    const verdict = isGood ? 'The fit is good' : 'The fit is poor: the shape of the sample is another one'
    printError(`  ${verdict} (Kolmogorov-Smirnov distance ${distance.toFixed(3)}, limit ${maxDistance.toFixed(3)}).`)
  }
  return formatPaceField(field, distribution)
}

/** `15.32 ms`, `1204 ms`: four digits. */
const formatMs = (ms: number): string => `${Number(ms.toPrecision(4))} ms`
