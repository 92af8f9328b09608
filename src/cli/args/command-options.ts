/**
 * Every option of every command, and the readers of their texts. Help, shell completion and the types of the values come from
 * these tables.
 *
 *     healthOptions    { url: text('Address of the server ...', readServerUrl), timeout: text('Longest time to wait', ...) }
 *     HealthSettings   { url: URL | undefined, timeout: number }
 */

import { shorten } from '../../core/lib/text/wording.ts'
import { SESSION_NAME, trimSlashes } from '../../core/protocol/request/request-path.ts'
import { REPORT_FORMS, RUN_REPORT_FORMS } from '../../core/report/report-forms.ts'
import { isStoreUrl, STORE } from '../../core/scenario/compile/limits.ts'
import { compileFinder } from '../../core/scenario/compile/pattern.ts'
import { patternParts } from '../../core/scenario/compile/pattern-text.ts'
import { allowedSpeeds, isSpeed } from '../../engine/index.ts'
import { isBasePath, METRICS_NAMES } from '../../http/index.ts'
import {
  checked,
  flag,
  ignoredPart,
  list,
  listOf,
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
  wrongValue,
} from '../../terminal/option.ts'
import { UsageError } from '../../terminal/usage-error.ts'

const LOG_FORMATS = ['pretty', 'json', 'none'] as const

const port = number(
  () => 'a whole number from 0 (any free port) to 65535',
  (value) => Number.isInteger(value) && value <= 65_535,
)
const file = nonEmpty('a file')
const yamlFile = checked('a file name that ends in .yaml or .yml', (given) => /\.ya?ml$/i.test(given))
const upstream = required('Base URL of the real service; ends in /v1', readUpstream)
/** The options of `record` and `convert`. */
const recordingOptions = {
  redact: list('Also redact this text or /pattern/i; can be repeated', readSecret),
  ignore: list('Path or /pattern/ of a request that may differ when it is replayed; can be repeated', ignoredPart),
}
const force = flag('Overwrite an existing file')

const eachSessionToken = list(
  'Token that opens the control plane for one session only, such as team-a=a-token; can be repeated',
  readSessionToken,
)
const sessionTokens: typeof eachSessionToken = {
  ...eachSessionToken,
  read(texts, name) {
    const tokens = eachSessionToken.read(texts, name)
    const sessions = tokens.map(([session]) => session)
    const repeated = sessions.find((session, index) => sessions.indexOf(session) < index)
    if (repeated === undefined) return tokens
    throw new UsageError(`--${name}: expected one token for each session, got two for '${shorten(repeated)}'.`)
  },
}

/** The options of `start` and `run`, which differ in some defaults. */
const serviceOptions = (defaults: {
  readonly port: string
  readonly log: (typeof LOG_FORMATS)[number]
  readonly journal: string
  readonly journalBytes: string
}) => ({
  scenario: text('Built-in scenario (see api-mock list) or scenario file', scenarioName, 'default'),
  port: text('Port to listen on; 0 picks a free one', port, defaults.port),
  host: text(
    'Address to listen on; beyond loopback the control plane requires a token',
    nonEmpty('an address of this machine, such as 127.0.0.1 or 0.0.0.0'),
    '127.0.0.1',
  ),
  seed: text("Override the scenario's seed", nonEmpty('a text')),
  speed: text("Speed of the mock's clock, as a multiple of real time", number(allowedSpeeds, isSpeed), '1'),
  'max-body-size': text('Largest request body in bytes; larger ones get a 413 (default: 10000000)', wholeNumber(1)),
  'answer-limit': text(
    'Largest answer in bytes; larger ones are refused with 400 (default: 16000000; for embeddings 100000000)',
    wholeNumber(1),
  ),
  'base-path': text(
    'Base path of the endpoints, in addition to every path that ends in /v1',
    checked('a path such as /llm/api', isBasePath),
  ),
  handlers: text('JavaScript module with msw handlers for all other paths', file),
  token: text('Token that the control plane requires (default: none on loopback, a random one beyond it)', readToken),
  'session-token': sessionTokens,
  log: oneOf('Log format', LOG_FORMATS, defaults.log),
  'unread-limit': text(
    'Most bytes of answers that wait to be read by clients, over all connections; beyond it, the slowest are reset (default: an eighth of the heap, at most 256000000)',
    wholeNumber(0),
  ),
  journal: text('Most calls that the journal keeps', wholeNumber(1), defaults.journal),
  'journal-bytes': text(
    'Most bytes of requests and answers that the journal keeps; long answers may take a quarter more',
    wholeNumber(1),
    defaults.journalBytes,
  ),
  'metrics-names': oneOf('Names of the metrics for Prometheus', METRICS_NAMES, 'mock'),
  watch: flag('Reload the scenario file when it changes'),
  'shared-limits': text('Store that counts limits for several servers, in place of limits.shared', readStoreUrl),
})

export const startOptions = {
  ...serviceOptions({ port: '4010', log: 'pretty', journal: '1000', journalBytes: '32000000' }),
  drain: text('Longest time for running answers when a signal stops the server', shortTime, '2s'),
  'drain-delay': text(
    'Time for which the port stays open after the signal, while /ready is 503 (default: none)',
    shortTime,
  ),
}
export type StartSettings = ValuesOf<typeof startOptions>
/** The settings that `start` and `run` have in common. */
export type ServiceSettings = Omit<StartSettings, 'drain' | 'drain-delay'>

export const runOptions = {
  // The report covers all calls of a test suite, or the last of them if there are more than these.
  ...serviceOptions({ port: '0', log: 'none', journal: '100000', journalBytes: '64000000' }),
  report: listOf("Format of a report on the client's mistakes", RUN_REPORT_FORMS, 'pretty'),
  'report-file': list('File of a report, in the order of --report; can be repeated', file),
  'tokens-file': text('File for the tokens and the cost of each session; an older one is compared', file),
  conduct: oneOf(
    'Report client mistakes and expectations without a verdict, or fail the run on them too',
    ['report', 'strict'],
    'report',
  ),
  cassettes: oneOf(
    'Report requests that differ from their recordings, or fail the run on what is worth a look or would be refused',
    ['report', 'strict'],
    'report',
  ),
}
export type RunSettings = ValuesOf<typeof runOptions>

const healthOptionsWith = (timeout: string) => ({
  url: text('Address of the server (default: port $API_MOCK_PORT, or 4010, of this machine)', readServerUrl),
  timeout: text('Longest time to wait', shortTime, timeout),
})
export const healthOptions = healthOptionsWith('5s')
export const waitOptions = healthOptionsWith('30s')
export type HealthSettings = ValuesOf<typeof healthOptions>
export const checkOptions = {
  json: flag('Print one JSON object'),
  strict: flag('Fail on warnings too'),
}
export type CheckSettings = ValuesOf<typeof checkOptions>

export const rehearseOptions = {
  scenario: text('Built-in scenario (see api-mock list) or scenario file', scenarioName, 'default'),
  to: required('Models to move to, with commas between them; retire: the models of today are gone', readModels),
  from: text('Model that is replaced (default: every one that the command asks for)', nonEmpty('the name of a model')),
  seed: text("Override the scenario's seed", nonEmpty('a text')),
  speed: text("Speed of the mock's clock, as a multiple of real time", number(allowedSpeeds, isSpeed), '1'),
  report: listOf('Format of a report', RUN_REPORT_FORMS, 'pretty'),
  'report-file': list('File of a report, in the order of --report; can be repeated', file),
}
export type RehearseSettings = ValuesOf<typeof rehearseOptions>

export const listOptions = {
  models: flag('List the models of the service that the mock has rules for instead'),
  faults: flag('List the faults and their options instead'),
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

export const cassettesOptions = {
  calls: text('Journal of the app, as JSON or JSON Lines: also compare with the requests that it sends today', file),
  'max-age': text('Age in days from which a recording is worth a look', wholeNumber(1), '180'),
  strict: flag('Record again what is worth a look, too'),
  json: flag('Print one JSON object'),
}
export type CassettesSettings = ValuesOf<typeof cassettesOptions>

/** An option that only one action of `fleet` takes. */
const ofAction = <Value>(action: 'apply' | 'report', option: Option<Value>): Option<Value> => ({
  ...option,
  action,
  summary: `${action}: ${option.summary}`,
})

export const fleetOptions = {
  targets: required(
    'Addresses of the replicas, with commas between them; dns:name:port for all of a name',
    readTargets,
  ),
  token: text('Token of the control planes (default: $API_MOCK_TOKEN)', readToken),
  scenario: ofAction('apply', text('built-in scenario or scenario file', scenarioName)),
  state: ofAction('apply', text('state to enter', nonEmpty('the name of a state'))),
  fault: ofAction(
    'apply',
    list('fault to inject, by name or as JSON with its options; can be repeated', nonEmpty('the name of a fault')),
  ),
  'clear-faults': ofAction('apply', flag('remove all injected faults first')),
  reset: ofAction('apply', flag('reset everything first, the journal too')),
  report: ofAction('report', listOf('format of a report', REPORT_FORMS, 'pretty')),
  conduct: ofAction('report', oneOf('report client mistakes, or fail on them too', ['report', 'strict'], 'report')),
  'report-file': ofAction('report', list('file of a report, in the order of --report; can be repeated', file)),
  'journal-file': ofAction('report', text('write the merged journal to this file, one call per line', file)),
  'metrics-file': ofAction('report', text('write the merged metrics to this file, for Prometheus', file)),
}
export type FleetSettings = ValuesOf<typeof fleetOptions>

// What reads the texts of options. Each throws a UsageError for a wrong one.

/** A token. An empty one, such as that of an unset shell variable, would open the control plane. */
function readToken(given: string, name: string): string {
  if (given.trim() !== '') return given
  const got = given === '' ? 'nothing' : 'only blanks'
  throw new UsageError(`--${name}: expected a token, got ${got}. To give none, leave the option out.`)
}

/** A text to redact, or a finder of what a pattern matches. */
function readSecret(given: string, name: string) {
  const pattern = patternParts(given)
  if (pattern === undefined) return nonEmpty('a text or a /pattern/i')(given, name)
  try {
    return compileFinder(pattern.source, pattern.flags)
  } catch (error) {
    throw new UsageError(`--${name}: expected a valid pattern, got ${given}: ${(error as Error).message}`)
  }
}

/** The models in a list with commas. */
function readModels(given: string): readonly string[] {
  const models = given.split(',').map((each) => each.trim())
  if (models.includes('')) throw wrongValue('to', 'a model, or several with commas between them', given)
  return models
}

/**
 * The base URL of a real service.
 * @throws UsageError with what is expected.
 * @example readUpstream('https://api.openai.com/v1')
 */
export function readUpstream(text: string): URL {
  // The messages do not repeat a password.
  const shown = `'${shorten(text.replace(/(?<![^/])[^/]*@/, '***@'))}'`
  const fail = (expected: string, got: string): never => {
    throw new UsageError(`--upstream: expected ${expected}, such as https://api.openai.com/v1, got ${got}.`)
  }
  if (text === '') fail('the base URL of a service', 'nothing')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    return fail('a URL that starts with https:// or http://', shown)
  if (url.username !== '' || url.password !== '') fail('a URL without user name and password', 'one with them')
  if (url.search !== '' || url.hash !== '')
    fail('a URL that ends in /v1', `one that ends in '${shorten(url.search + url.hash)}'`)
  url.pathname = trimSlashes(url.pathname)
  if (!url.pathname.endsWith('/v1')) fail('a URL that ends in /v1', shown)
  return url
}

/** The address of a store. A file of a secret often ends with a line feed. */
function readStoreUrl(given: string): string {
  const url = given.trim()
  if (isStoreUrl(url)) return url
  throw new UsageError(`--shared-limits: expected ${STORE}. The given text is not shown: it may hold a password.`)
}

/** A session with its token. The token may contain `=`. */
function readSessionToken(given: string): readonly [session: string, token: string] {
  const [, session, token] = /^([^=]*)=([\x21-\x7e]+)$/.exec(given.trim()) ?? []
  if (session !== undefined && token !== undefined && SESSION_NAME.test(session)) return [session, token]
  throw new UsageError(
    '--session-token: expected a session and its token, such as team-a=a-token. The given text is not shown.',
  )
}

/** The address of a server. */
function readServerUrl(given: string, name: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw wrongValue(name, 'an address such as http://127.0.0.1:4010', given)
}

/** The replicas in a list with commas, each as `readTarget` returns it: `10.0.0.7:4010,http://10.0.0.8:4010`. */
export function readTargets(list: string): readonly string[] {
  const given = list.split(',').map((each) => each.trim())
  const targets = given.filter((each) => each !== '').map(readTarget)
  if (targets.length === 0) throw new UsageError('--targets: expected addresses with commas between them, got none.')
  const repeated = targets.find((target, index) => targets.indexOf(target) < index)
  if (repeated !== undefined) throw new UsageError(`--targets: ${repeated} is there twice.`)
  return targets
}

/** The origin of a replica. `10.0.0.7` is `http://10.0.0.7:4010`, and a `dns:name:port` stays as it is. */
function readTarget(target: string): string {
  if (target.startsWith('dns:')) {
    const hasPort = /^dns:[\w.-]+:\d+$/.test(target) && URL.canParse(`http://${target.slice('dns:'.length)}`)
    if (hasPort) return target
    throw wrongValue('targets', 'a name and a port such as dns:llm-api-mock-replicas:4010', target)
  }
  const hasScheme = /^https?:\/\//i.test(target)
  const address = hasScheme ? target : `http://${target}`
  if (!URL.canParse(address)) throw wrongValue('targets', 'an address such as http://10.0.0.7:4010', target)
  const url = new URL(address)
  // A URL without a port has the port of its scheme. An address without one gets that of the server.
  if (!hasScheme && !/:\d+(?:\/|$)/.test(target)) url.port = '4010'
  return url.origin
}
