/** Every option of every command. Help, shell completion and the types of the values come from these tables. */

import { REPORT_FORMS, RUN_REPORT_FORMS } from '../../core/report/report-forms.ts'
import { allowedSpeeds, isSpeed } from '../../engine/index.ts'
import { isBasePath } from '../../http/index.ts'
import {
  checked,
  flag,
  list,
  nonEmpty,
  number,
  type Option,
  oneOf,
  required,
  scenarioName,
  shortTime,
  text,
  type ValuesOf,
  wholeNumber,
} from '../../terminal/option.ts'
import { readServerUrl, readTargets, readUpstream } from './addresses.ts'

const LOG_FORMATS = ['pretty', 'json', 'none'] as const

const port = number(
  () => 'a whole number from 0 (any free port) to 65535',
  (value) => Number.isInteger(value) && value <= 65_535,
)
const file = nonEmpty('a file')
const token = (given: string): string => given
const yamlFile = checked('a file name that ends in .yaml or .yml', (given) => /\.ya?ml$/i.test(given))
const upstream = required('Base URL of the real service; ends in /v1', readUpstream)
/** The options of `record` and `convert`. */
const recordingOptions = {
  redact: list('Also redact this text or /pattern/i; can be repeated', nonEmpty('a text or a /pattern/i')),
  ignore: list(
    'Path or /pattern/ of a request that may differ when it is replayed; can be repeated',
    nonEmpty('a path such as metadata.trace_id, or a /pattern/'),
  ),
}
const force = flag('Overwrite an existing file')

/** The options of `start` and `run`, which differ in two defaults. */
const serviceOptions = (defaults: { readonly port: string; readonly log: (typeof LOG_FORMATS)[number] }) => ({
  scenario: text('Built-in scenario (see api-mock list) or scenario file', scenarioName, 'default'),
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
    wholeNumber(1),
  ),
  'base-path': text(
    'Path to answer below, besides every path that ends in /v1',
    checked('a path such as /llm/api', isBasePath),
  ),
  handlers: text('JavaScript module with msw handlers for all other paths', file),
  token: text('Token that the control plane requires (default: none on loopback, a random one beyond it)', token),
  log: oneOf('Log format', LOG_FORMATS, defaults.log),
  'unread-limit': text(
    'Most bytes of answers that clients leave unread, over all connections',
    wholeNumber(0),
    '256000000',
  ),
  watch: flag('Reload the scenario file when it changes'),
})

export const startOptions = serviceOptions({ port: '4010', log: 'pretty' })
export type ServiceSettings = ValuesOf<typeof startOptions>

export const runOptions = {
  ...serviceOptions({ port: '0', log: 'none' }),
  report: oneOf("Format of the report on the client's mistakes", RUN_REPORT_FORMS, 'pretty'),
  'report-file': text('Write the report to this file instead of stderr', file),
  conduct: oneOf(
    'Whether client mistakes and expectations without a verdict fail the run',
    ['report', 'strict'],
    'report',
  ),
}
export type RunSettings = ValuesOf<typeof runOptions>

const healthOptionsWith = (timeout: string) => ({
  url: text('Address of the server (default: port $API_MOCK_PORT, or 4010, of this machine)', readServerUrl),
  timeout: text('How long to wait at most', shortTime, timeout),
})
export const healthOptions = healthOptionsWith('5s')
export const waitOptions = healthOptionsWith('30s')
export type HealthSettings = ValuesOf<typeof healthOptions>
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
  ...recordingOptions,
  hybrid: flag('Answer the calls that the cassette knows from it, and add the others to it'),
  force,
}
export type RecordSettings = ValuesOf<typeof recordOptions>

export const convertOptions = {
  out: text('Scenario to write, a .yaml file. Default: stdout', yamlFile),
  ...recordingOptions,
  force,
}
export type ConvertSettings = ValuesOf<typeof convertOptions>

export const diffOptions = {
  upstream,
  // No variable: API_MOCK_SCENARIO chooses the scenario of a server, and would silently replace the recorded answers here.
  scenario: {
    ...text('Compare with the mock in this scenario instead of the recorded answers', scenarioName),
    hasVariable: false as const,
  },
  json: flag('Print one JSON object'),
}
export type DiffSettings = ValuesOf<typeof diffOptions>

/** An option that only one action of `fleet` takes. */
const ofAction = <Value>(action: 'apply' | 'report', option: Option<Value>): Option<Value> => ({
  ...option,
  action,
  summary: `${action}: ${option.summary}`,
})

export const fleetOptions = {
  targets: required('Addresses of the replicas, with commas between them', readTargets),
  token: text('Token of the control planes (default: $API_MOCK_TOKEN)', token),
  scenario: ofAction('apply', text('built-in scenario or scenario file', scenarioName)),
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
  'journal-file': ofAction('report', text('write the merged journal to this file, one call per line', file)),
  'metrics-file': ofAction('report', text('write the merged metrics to this file, for Prometheus', nonEmpty('a file'))),
}
export type FleetSettings = ValuesOf<typeof fleetOptions>
