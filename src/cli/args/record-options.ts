/** The options of `record` and `diff`: how yargs reads them, and what they must be. */
import { filled, readPort, text } from './options.ts'
import { UsageError } from './usage-error.ts'

const UPSTREAM = 'The base URL of the real service; ends in /v1'

export const recordOptions = {
  upstream: text(UPSTREAM),
  out: text('The cassette to write: a new .yaml file'),
  port: text('0 is any free port', '4010'),
  redact: {
    type: 'string',
    requiresArg: true,
    coerce: (value: string | readonly string[] | undefined) => (value === undefined ? [] : [value].flat()),
    describe: 'What else is left out: a text, or a pattern /like this/i; may be given several times',
  },
  force: { type: 'boolean', describe: 'Write over a file that is there' },
} as const

export const diffOptions = {
  upstream: text(UPSTREAM),
  scenario: text('Compare with what the mock says in this scenario, not with what was recorded'),
  json: { type: 'boolean', describe: 'One object, for programs' },
} as const

export const RECORD_OPTION_NAMES = Object.keys(recordOptions)
export const DIFF_OPTION_NAMES = Object.keys(diffOptions)

/** What `record` is started with. */
export interface RecordSettings {
  readonly upstream: string
  readonly out: string
  readonly port: number
  readonly redact: readonly string[]
  readonly force: boolean
}

/** What `diff` is started with. */
export interface DiffSettings {
  readonly cassette: string
  readonly upstream: string
  readonly scenario: string | undefined
  readonly json: boolean
  readonly key: string
}

interface Given {
  readonly upstream?: string | undefined
  readonly out?: string | undefined
  readonly port?: string | undefined
  readonly redact?: readonly string[] | undefined
  readonly force?: boolean | undefined
  readonly scenario?: string | undefined
  readonly json?: boolean | undefined
}

/** @throws UsageError when a value is missing or not allowed. */
export function readRecordSettings({ upstream, out, port = '', redact = [], force = false }: Given): RecordSettings {
  if (upstream === undefined || out === undefined) {
    const missing = upstream === undefined ? '--upstream' : '--out'
    throw new UsageError(
      `record needs ${missing}: api-mock record --upstream https://api.openai.com/v1 --out cassette.yaml`,
    )
  }
  if (!/\.ya?ml$/i.test(out))
    throw new UsageError(`--out: found '${out}', allowed is a name that ends in .yaml or .yml.`)
  for (const one of redact) filled('redact', one, 'a text or a pattern /like this/i')
  return { upstream, out, port: readPort(port), redact, force }
}

/** @throws UsageError when a value is missing. */
export function readDiffSettings(
  cassette: string,
  { upstream, scenario, json = false }: Given,
  environment: NodeJS.ProcessEnv = process.env,
): DiffSettings {
  if (upstream === undefined)
    throw new UsageError(`diff needs --upstream: api-mock diff ${cassette} --upstream https://api.openai.com/v1`)
  const { OPENAI_API_KEY: key = '' } = environment
  if (key === '') throw new UsageError('diff needs a key of the real service in OPENAI_API_KEY, and found none.')
  return { cassette, upstream, scenario: scenario && filled('scenario', scenario, 'a name or a file'), json, key }
}
