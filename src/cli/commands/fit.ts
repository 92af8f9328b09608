/**
 * `api-mock fit`: fits a pace to measured calls. The pace goes to stdout, and notes on the sample to stderr.
 *
 *     pace:
 *       firstToken: { min: 200ms, p10: 218ms, p50: 273ms, p82: 328ms, p99: 348ms, max: 349ms }
 */
import { countOf } from '../../core/lib/text/wording.ts'
import { loadScenario } from '../../engine/node.ts'
import {
  fitQuantiles,
  MIN_SAMPLES,
  MIN_SAMPLES_FOR_P99,
  readCassette,
  readPlainFile,
  readTimings,
  type Timings,
} from '../../record/index.ts'
import { printError } from '../../terminal/text.ts'

/** @throws when the file cannot be read, or has too few calls. */
export async function fitFile(file: string): Promise<number> {
  const { timings, skipped } = await readFileTimings(file)
  if (skipped > 0)
    printError(
      `Skipped ${countOf(skipped, 'call')} without a time to the first token above 0, or with times of more than a day.`,
    )
  const calls = timings.length
  if (calls < MIN_SAMPLES) {
    throw new Error(
      `Failed to fit '${file}': expected at least ${MIN_SAMPLES} calls with a time to the first token, got ${calls}.`,
    )
  }
  const firstTokens = timings.map(({ firstTokenMs }) => firstTokenMs)
  const perTokens = timings.flatMap(({ perTokenMs = 0 }) => (perTokenMs > 0 ? [perTokenMs] : []))
  let pace = `pace:\n${fitField('firstToken', firstTokens)}`
  if (perTokens.length >= MIN_SAMPLES) pace += fitField('perToken', perTokens, ', drawn: once')
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

/** Reports on the sample of a field, and returns the field of `pace`. */
function fitField(field: string, values: readonly number[], drawn = ''): string {
  const few = values.length < MIN_SAMPLES_FOR_P99 ? `, too few for a p99: that needs ${MIN_SAMPLES_FOR_P99}` : ''
  printError(`${field}: ${countOf(values.length, 'call')}${few}.`)
  const fitted = fitQuantiles(values)
  if (typeof fitted === 'string') return `  ${field}: ${fitted}\n`
  const quantiles = Object.entries(fitted).map(([name, duration]) => `${name}: ${duration}`)
  return `  ${field}: { ${quantiles.join(', ')}${drawn} }\n`
}
