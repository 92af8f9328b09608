/** What yargs refuses, said again in sentences: what was found, what is allowed, what was probably meant. */
import { didYouMean } from '../../core/text/did-you-mean.ts'
import { CHECK_OPTIONS, RUN_OPTION_NAMES, SERVICE_OPTION_NAMES } from './options.ts'
import { DIFF_OPTION_NAMES, RECORD_OPTION_NAMES } from './record-options.ts'
import { UsageError } from './usage-error.ts'

const COMMANDS = ['start', 'run', 'check', 'list', 'init', 'record', 'diff']
const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  run: RUN_OPTION_NAMES,
  list: ['faults'],
  check: Object.keys(CHECK_OPTIONS),
  init: [],
  record: RECORD_OPTION_NAMES,
  diff: DIFF_OPTION_NAMES,
}
const COMMON_OPTIONS = ['help', 'version']

/** @param message the words of yargs, in English. */
export function explainRefusal(message: string, args: readonly string[]): UsageError {
  const [, unknown] = /^Unknown (?:argument|command)s?: (.+)$/.exec(message) ?? []
  if (unknown !== undefined) return new UsageError(explainUnknown(unknown.split(', ')[0]!, args))
  const [, bare] = /^Not enough arguments following: (.+)$/.exec(message) ?? []
  if (bare !== undefined) return new UsageError(`--${bare} needs a value, as in --${bare}=<value>.`)
  if (message.startsWith('Not enough non-option arguments')) {
    return new UsageError(args.includes('diff') ? NO_CASSETTE : NO_FILE)
  }
  return new UsageError(message)
}

const NO_CASSETTE = 'diff needs a cassette: api-mock diff cassette.yaml --upstream https://api.openai.com/v1'
const NO_FILE = 'check needs a file: api-mock check scenario.yaml'

function explainUnknown(name: string, args: readonly string[]): string {
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  const command = own.find((word) => COMMANDS.includes(word))
  const written = own.find((word) => word.startsWith('-') && word.replace(/^-+|=.*$/gs, '') === name)
  if (written !== undefined || !own.includes(name)) return explainOption(name, written ?? `--${name}`, command)
  if (command === 'run') return `Found '${name}', but a command stands after two dashes: api-mock run -- ${name} ...`
  if (command !== undefined) return `Found '${name}', but ${command} takes no such word.`
  const near = didYouMean(name, COMMANDS)
  const scenario = near === '' ? ` A scenario is chosen with an option: api-mock --scenario ${name}` : ''
  return `There is no command '${name}'.${near} Commands are: ${COMMANDS.join(', ')}.${scenario}`
}

function explainOption(name: string, written: string, command = 'start'): string {
  const options = [...(OPTIONS_OF[command] ?? SERVICE_OPTION_NAMES), ...COMMON_OPTIONS].map((option) => `--${option}`)
  const shown = written.replace(/=.*$/s, '')
  const near = didYouMean(`--${name}`, options)
  const place =
    command === 'run' ? ' The command and its own options stand after two dashes: api-mock run -- <command>' : ''
  return `There is no option ${shown}.${near} Options of ${command} are: ${options.join(', ')}.${place}`
}
