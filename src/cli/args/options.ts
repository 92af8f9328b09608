/** The options of the commands that start a mock, and how what was given becomes settings. */
import { REPORT_FORMS, type ReportForm } from '../../core/conduct/report.ts'
import { didYouMean } from '../../core/text/did-you-mean.ts'
import { allowedSpeeds, isSpeed } from '../../engine/clock/clock.ts'
import { isWorkerCount, WORKER_COUNTS } from '../../http/listen-options.ts'
import { UsageError } from './usage-error.ts'

const LOG_STYLES = ['pretty', 'json', 'none'] as const

/** How calls are shown: for eyes, for programs, not at all. */
export type LogStyle = (typeof LOG_STYLES)[number]

/** What a mock is started with. */
export interface Settings {
  /** A built-in scenario's name, or a file. */
  readonly scenario: string
  readonly port: number
  readonly host: string
  readonly seed: string | undefined
  /** How many times faster than real time. */
  readonly speed: number
  /** How many processes take the calls. */
  readonly workers: number
  readonly handlers: string | undefined
  readonly token: string | undefined
  readonly log: LogStyle
  /** Whether a changed scenario file is put in force at once. */
  readonly watch: boolean
}

/** The same as text, as it was given. */
export type Given = { readonly [Name in Exclude<keyof Settings, 'watch'>]?: string | undefined } & {
  readonly watch?: boolean | undefined
}

export interface TextOption {
  readonly type: 'string'
  readonly requiresArg: true
  readonly coerce: (value: string | readonly string[]) => string
  readonly describe: string
  readonly default?: string
}

// All are texts to yargs, so that `--seed 007` stays what it is and a bad port gets our words. The last one given wins.
export const text = (describe: string, preset?: string): TextOption => ({
  type: 'string',
  requiresArg: true,
  coerce: (value) => [value].flat().at(-1) ?? '',
  describe,
  ...(preset !== undefined && { default: preset }),
})

/** The options of `start` and `run`, which differ in two defaults. */
export const serviceOptions = (defaults: { readonly port: string; readonly log: LogStyle }) => ({
  scenario: text('A built-in scenario (see: api-mock list) or a file', 'default'),
  port: text('0 is any free port', defaults.port),
  host: text('Address to listen on; beyond loopback the control plane asks for a token', '127.0.0.1'),
  seed: text("Draws everything anew; in place of the scenario's own seed"),
  speed: text('How many times faster than real time: waits shrink, and limits refill sooner', '1'),
  workers: text('How many processes take the calls, up to 32; limits and all else stay exact', '1'),
  handlers: text('A JavaScript module with msw handlers, for paths the mock does not know'),
  token: text("The control plane's token [default: $API_MOCK_TOKEN; beyond loopback a random one, shown at the start]"),
  log: text(`Calls, as they end: ${LOG_STYLES.join(', ')}`, defaults.log),
  watch: {
    type: 'boolean',
    describe: 'Puts the scenario file in force whenever it changes; one with problems is not taken',
  } as const,
})

const CONDUCTS = ['report', 'strict'] as const

/** What `run` has to say of the client when the command has ended. */
export interface ReportSettings {
  readonly report: ReportForm
  /** Where the report goes; undefined for stderr. */
  readonly reportFile: string | undefined
  /** Whether a mistake of the client fails the run. */
  readonly isStrict: boolean
}

/** The options that only `run` has. */
export const REPORT_OPTIONS = {
  report: text(`What the client did wrong, and what was never used: ${REPORT_FORMS.join(', ')}`, 'pretty'),
  'report-file': text('Where the report is written; without it, to stderr'),
  conduct: text('strict: a mistake of the client (not a remark) fails the run', 'report'),
}

export const RUN_OPTION_NAMES: readonly string[] = [
  ...Object.keys(serviceOptions({ port: '', log: 'none' })),
  ...Object.keys(REPORT_OPTIONS),
]

/** The same as text, as it was given. */
export type ReportGiven = { readonly [Name in keyof typeof REPORT_OPTIONS]?: string | undefined }

/** @throws UsageError when a value is not allowed. */
export function readReportSettings(given: ReportGiven): ReportSettings {
  const { report = '', 'report-file': file, conduct = '' } = given
  return {
    report: oneOf('report', report, REPORT_FORMS),
    reportFile: file && filled('report-file', file, 'a file'),
    isStrict: oneOf('conduct', conduct, CONDUCTS) === 'strict',
  }
}

/** The options of `check`. */
export const CHECK_OPTIONS = {
  json: { type: 'boolean', describe: 'One JSON object, for programs' },
  strict: { type: 'boolean', describe: 'A warning fails the check too' },
} as const

export const SERVICE_OPTION_NAMES = Object.keys(serviceOptions({ port: '', log: 'none' }))

/** @throws UsageError when a value is not allowed. */
export function readSettings(given: Given, environment: NodeJS.ProcessEnv = process.env): Settings {
  return {
    scenario: filled('scenario', given.scenario ?? '', 'a name (see: api-mock list) or a file'),
    port: readPort(given.port ?? ''),
    host: filled('host', given.host ?? '', 'an address of this machine, such as 127.0.0.1 or 0.0.0.0'),
    seed: given.seed,
    speed: readSpeed(given.speed ?? ''),
    workers: readWorkers(given.workers ?? ''),
    handlers: given.handlers && filled('handlers', given.handlers, 'a file'),
    token: given.token || environment.API_MOCK_TOKEN || undefined,
    log: oneOf('log', given.log ?? '', LOG_STYLES),
    watch: given.watch === true,
  }
}

export function filled(option: string, value: string, allowed: string): string {
  if (value !== '') return value
  throw new UsageError(`--${option}: found nothing, allowed is ${allowed}.`)
}

export function readPort(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value)
  throw new UsageError(`--port: found '${value}', allowed is a whole number from 0 (any free port) to 65535.`)
}

function readSpeed(value: string): number {
  if (/^\d+(?:\.\d+)?$/.test(value) && isSpeed(Number(value))) return Number(value)
  throw new UsageError(`--speed: found '${value}', allowed is ${allowedSpeeds()}; at 100, a minute passes in 0.6 s.`)
}

function readWorkers(value: string): number {
  if (/^\d{1,9}$/.test(value) && isWorkerCount(Number(value))) return Number(value)
  throw new UsageError(`--workers: found '${value}', allowed is ${WORKER_COUNTS}.`)
}

function oneOf<const Value extends string>(option: string, value: string, allowed: readonly Value[]): Value {
  const found = allowed.find((one) => one === value)
  if (found !== undefined) return found
  throw new UsageError(`--${option}: found '${value}', allowed is ${allowed.join(', ')}.${didYouMean(value, allowed)}`)
}
