/** Every option of every command. Help, shell completion and the types of the values come from these tables. */
import { REPORT_FORMS, RUN_REPORT_FORMS } from '../../core/conduct/formats/forms.ts'
import { FAULT_CLASS_NAMES } from '../../core/hunt/fault-classes.ts'
import { parseDuration, WINDOWS } from '../../core/text/duration.ts'
import { shorten } from '../../core/text/shorten.ts'
import { allowedSpeeds, isSpeed } from '../../engine/clock/clock.ts'
import { isBasePath } from '../../http/listen-options.ts'
import { readUpstream } from '../../record/upstream-url.ts'
import { readTargets } from '../read-targets.ts'
import { flag, list, nonEmpty, number, ofAction, oneOf, required, text, type ValuesOf, words } from './option.ts'

const LOG_FORMATS = ['pretty', 'json', 'none'] as const

const scenario = nonEmpty('the name of a built-in scenario or a file')
const port = number(
  () => 'a whole number from 0 (any free port) to 65535',
  (value) => Number.isInteger(value) && value <= 65_535,
)
const bytes = number(() => 'a whole number of bytes', Number.isSafeInteger)
const yamlFile = (file: string): string => {
  if (/\.ya?ml$/i.test(file)) return file
  throw new Error(`--out: expected a file name that ends in .yaml or .yml, got '${shorten(file)}'.`)
}
const redact = list('Also redact this text or /pattern/i; can be repeated', nonEmpty('a text or a /pattern/i'))
const ignored = list(
  'Path or /pattern/ of a request that may differ when it is replayed; can be repeated',
  nonEmpty('a path such as metadata.trace_id, or a /pattern/'),
)
const basePath = (path: string): string => {
  if (isBasePath(path)) return path
  throw new Error(`--base-path: expected a path such as /llm/api, got '${shorten(path)}'.`)
}
const upstream = required('Base URL of the real service; ends in /v1', readUpstream)

/** The options of `start` and `run`, which differ in two defaults. */
const serviceOptions = (defaults: { readonly port: string; readonly log: (typeof LOG_FORMATS)[number] }) => ({
  scenario: text('Built-in scenario (see api-mock list) or scenario file', scenario, 'default'),
  port: text('Port to listen on; 0 picks a free one', port, defaults.port),
  host: text(
    'Address to listen on; beyond loopback the control plane requires a token',
    nonEmpty('an address of this machine, such as 127.0.0.1 or 0.0.0.0'),
    '127.0.0.1',
  ),
  seed: text("Override the scenario's seed", nonEmpty('a text')),
  speed: text('How many times faster than real time the mock runs', number(allowedSpeeds, isSpeed), '1'),
  'answer-limit': text(
    'Largest answer in bytes; larger ones are refused with 400 (default: 16000000; for embeddings 100000000)',
    number(
      () => 'a whole number from 1',
      (value) => Number.isInteger(value) && value >= 1,
    ),
  ),
  'base-path': text('Path to answer below, besides every path that ends in /v1', basePath),
  handlers: text('JavaScript module with msw handlers for all other paths', nonEmpty('a file')),
  token: text(
    'Token that the control plane requires (default: none on loopback, a random one beyond it)',
    (token) => token,
  ),
  log: oneOf('Log format', LOG_FORMATS, defaults.log),
  'unread-limit': text('Most bytes of answers that clients leave unread, over all connections', bytes, '256000000'),
  watch: flag('Reload the scenario file when it changes'),
})

export const startOptions = serviceOptions({ port: '4010', log: 'pretty' })
export type ServiceSettings = ValuesOf<typeof startOptions>

export const runOptions = {
  ...serviceOptions({ port: '0', log: 'none' }),
  report: oneOf("Format of the report on the client's mistakes", RUN_REPORT_FORMS, 'pretty'),
  'report-file': text('Write the report to this file instead of stderr', nonEmpty('a file')),
  conduct: oneOf(
    'Whether client mistakes and expectations without a verdict fail the run',
    ['report', 'strict'],
    'report',
  ),
}
export type RunSettings = ValuesOf<typeof runOptions>

const serverUrl = (given: string, name: string): URL => {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new Error(`--${name}: expected an address such as http://127.0.0.1:4010, got '${shorten(given)}'.`)
}
const shortTime = (given: string, name: string): number => {
  const ms = parseDuration(given)
  if (ms !== undefined && ms >= 1 && ms <= WINDOWS.day) return ms
  throw new Error(`--${name}: expected a duration such as 30s or 2m (from 1ms to a day), got '${shorten(given)}'.`)
}
const healthOptionsWith = (timeout: string) => ({
  url: text('Address of the server (default: port $API_MOCK_PORT, or 4010, of this machine)', serverUrl),
  timeout: text('How long to wait at most', shortTime, timeout),
})
export const healthOptions = healthOptionsWith('5s')
export const waitOptions = healthOptionsWith('30s')
export type HealthSettings = ValuesOf<typeof healthOptions>
const count = (from: number, to = Number.MAX_SAFE_INTEGER) =>
  number(
    () => `a whole number from ${from}${to === Number.MAX_SAFE_INTEGER ? '' : ` to ${to}`}`,
    (value) => Number.isInteger(value) && value >= from && value <= to,
  )
/** The options of `hunt` and `shrink`, which run a command again and again. */
const huntingOptions = {
  seed: text("Override the scenario's seed", nonEmpty('a text')),
  speed: text('How many times faster than real time the mock runs', number(allowedSpeeds, isSpeed), '1'),
  time: text('Stop after this time and report what is known', shortTime),
  'run-timeout': text(
    'Time limit of a run. Default: 10 s plus (2 + --jobs) times the longest run without faults',
    shortTime,
  ),
  identity: oneOf(
    'What tells calls apart: their whole bodies, or their endpoint, model and place in the run',
    ['exact', 'coarse'],
    'exact',
  ),
  ignore: list(
    'Path or /pattern/ of a request that may change from run to run; can be repeated',
    nonEmpty('a path such as messages[0].content, or a /pattern/'),
  ),
  jobs: text('How many runs happen at once', count(1, 64), '1'),
  'fail-on': oneOf(
    'When a run fails: on its exit code, or also on mistakes of the client',
    ['exit', 'conduct'],
    'exit',
  ),
}

const onlyCuts = (given: string, name: string): 'cuts' => {
  if (given === 'cuts') return given
  throw new Error(`--${name}: expected cuts, got '${shorten(given)}'.`)
}

export const huntOptions = {
  scenario: text('Base scenario: a built-in one (see api-mock list) or a file', scenario, 'default'),
  faults: words('Classes of faults to try, separated by commas', FAULT_CLASS_NAMES),
  depth: text('How many faults may come together, from 1 to 5', count(1, 5), '2'),
  runs: text('Most sets of faults to try', count(1), '10000'),
  exhaustive: flag(
    'Also pair faults that a retry recovered from with faults of other calls; with --only cuts, try every place',
  ),
  only: text('Only cut streamed answers, between any two events: cuts', onlyCuts),
  bytes: flag('With --only cuts: also cut at any byte'),
  ...huntingOptions,
  replay: text(
    'Run the command once more with the faults of this token',
    nonEmpty('a token that api-mock hunt printed'),
  ),
  'replay-all': flag('Run the command under each scenario in .api-mock/hunt'),
  report: oneOf('Format of the report', REPORT_FORMS, 'pretty'),
  'report-file': text('Write the report to this file instead of stdout', nonEmpty('a file')),
}
export type HuntSettings = ValuesOf<typeof huntOptions>

export const shrinkOptions = {
  scenario: required('Scenario with random faults, such as flaky or a file', scenario),
  ...huntingOptions,
}
export type ShrinkSettings = ValuesOf<typeof shrinkOptions>

export const checkOptions = {
  json: flag('Print one JSON object'),
  strict: flag('Fail on warnings too'),
}
export type CheckSettings = ValuesOf<typeof checkOptions>

export const listOptions = {
  faults: { ...flag('List the faults and their options instead'), hasVariable: false as const },
}
export type ListSettings = ValuesOf<typeof listOptions>

export const recordOptions = {
  upstream,
  out: required('Cassette to write, a .yaml file', yamlFile),
  port: text('Port to listen on; 0 picks a free one', port, '4010'),
  redact,
  ignore: ignored,
  hybrid: flag('Answer the calls that the cassette knows from it, and add the others to it'),
  force: flag('Overwrite an existing file'),
}
export type RecordSettings = ValuesOf<typeof recordOptions>

export const convertOptions = {
  out: text('Scenario to write, a .yaml file. Default: stdout', yamlFile),
  redact,
  ignore: ignored,
  force: flag('Overwrite an existing file'),
}
export type ConvertSettings = ValuesOf<typeof convertOptions>

export const diffOptions = {
  upstream,
  // No variable: API_MOCK_SCENARIO chooses the scenario of a server, and would silently replace the recorded answers here.
  scenario: {
    ...text('Compare with the mock in this scenario instead of the recorded answers', scenario),
    hasVariable: false as const,
  },
  json: flag('Print one JSON object'),
}
export type DiffSettings = ValuesOf<typeof diffOptions>

export const fleetOptions = {
  targets: required('Addresses of the replicas, with commas between them', readTargets),
  token: text('Token of the control planes (default: $API_MOCK_TOKEN)', (token) => token),
  scenario: ofAction('apply', text('built-in scenario or scenario file', scenario)),
  state: ofAction('apply', text('state to enter', nonEmpty('the name of a state'))),
  fault: ofAction(
    'apply',
    list('fault to inject, by name or as JSON with its options; can be repeated', nonEmpty('the name of a fault')),
  ),
  'clear-faults': ofAction('apply', flag('remove all injected faults first')),
  reset: ofAction('apply', flag('reset everything first, the journal too')),
  report: ofAction('report', oneOf('format', REPORT_FORMS, 'pretty')),
  conduct: ofAction('report', oneOf('whether client mistakes fail it', ['report', 'strict'], 'report')),
  'report-file': ofAction('report', text('write the report to this file instead of stdout', nonEmpty('a file'))),
  'journal-file': ofAction(
    'report',
    text('write the merged journal to this file, one call per line', nonEmpty('a file')),
  ),
  'metrics-file': ofAction('report', text('write the merged metrics to this file, for Prometheus', nonEmpty('a file'))),
}
export type FleetSettings = ValuesOf<typeof fleetOptions>
