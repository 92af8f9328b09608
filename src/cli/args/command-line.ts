/** Runs a command line: sets up yargs from the table of commands, and refuses what no command knows. */
import yargs, { type Argv } from 'yargs'
import manifest from '../../../package.json' with { type: 'json' }
import { nearest } from '../../core/text/did-you-mean.ts'
import { COMMANDS, type Command } from './command-table.ts'
import type { Option } from './option.ts'
import { UsageError } from './usage-error.ts'

const COMMON_OPTIONS = ['help', 'version']

/** Runs a command line (without the program's own name) and returns its exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let exitCode = 0
  let help = 'api-mock --help'
  const parser = yargs([...args])
    .scriptName('api-mock')
    .usage('$0 [command] [options]\n\nA deterministic mock of an OpenAI-style API.')
    .locale('en')
    .updateStrings({ 'Not enough arguments following: %s': 'Option --%s needs a value.' })
    // main.ts exits: yargs would cut off output that is still on its way.
    .exitProcess(false)
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      // `run -- printf 1.0` prints 1.0, not 1.
      'parse-positional-numbers': false,
      'populate--': true,
      'short-option-groups': false,
    })
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .completion('completion', 'Print a completion script for bash or zsh')
    .help('help', 'Show help')
    .alias('help', 'h')
    .version('version', 'Show the version', manifest.version)
    .alias('version', 'v')
    .fail((message, error) => {
      throw error === undefined || error.name === 'YError' ? new UsageError(message ?? error.message) : error
    })
  hideTypes(parser)
  for (const command of COMMANDS) {
    const form = `${command.name} ${command.argument?.form ?? ''}`.trim()
    parser.command(
      command.name === 'start' ? [form, '$0'] : form,
      command.summary,
      (builder) => {
        if (command.name !== 'start') help = `api-mock ${command.name} --help`
        return describe(builder, command)
      },
      async (given) => {
        exitCode = await carryOut(command, given)
      },
    )
  }
  try {
    await parser.parseAsync()
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${error.message}\nSee ${help}`) : error
  }
  return exitCode
}

/** Leaves `[string] [default: ...]` out of help. The types of yargs do not have this method. */
const hideTypes = (parser: object): void =>
  void (parser as { usageConfiguration(settings: object): void }).usageConfiguration({ 'hide-types': true })

/** Tells yargs the options, the argument and the help of one command. */
function describe(builder: Argv, { name, argument, takesCommand, options, examples, notes }: Command): Argv {
  const form = argument?.form ?? (takesCommand ? '-- <command>' : '')
  if (name !== 'start') builder.usage(`$0 ${name} [options] ${form}`)
  const example = `as in: ${examples[0]![0]}`
  // %c drops a value that yargs fills in: here, counts of arguments.
  const missing = `Missing ${form}, ${example}%c%c`
  builder.updateStrings({
    'Not enough non-option arguments: got %s, need at least %s': { one: missing, other: missing },
    'Missing required argument: %s': {
      one: `Missing option --%s, ${example}`,
      other: `Missing options %s, ${example}`,
    },
    // The types of yargs allow only strings here.
  } as never)
  if (argument !== undefined)
    builder.positional(argumentName(argument.form), { type: 'string', describe: argument.summary })
  for (const [option, { type, isRequired, summary, default: preset }] of entriesOf(options)) {
    const hint = isRequired ? ' (required)' : preset === undefined ? '' : ` (default: ${preset})`
    builder.option(option, {
      type,
      describe: summary + hint,
      requiresArg: type === 'string',
      demandOption: isRequired === true,
    })
  }
  builder.example(examples.map(([line, what]): [string, string] => [line, what]))
  return notes === undefined ? builder : builder.epilog(joinLines(notes))
}

const entriesOf = (options: Command['options']) => Object.entries<Option<unknown>>(options)

/** One line for each paragraph: yargs wraps them to the width of the terminal. */
const joinLines = (text: string): string => text.replace(/(?<!\n)\n(?!\n)/g, ' ')

/** `<files..>` -> `files` */
const argumentName = (form: string): string => form.replace(/\W/g, '')

type Given = Readonly<Record<string, unknown>> & { readonly _: readonly unknown[] }

/** Reads the values of the options and runs the command. */
async function carryOut(command: Command, given: Given): Promise<number> {
  const argumentKey = command.argument && argumentName(command.argument.form)
  refuseUnknown(command, given, argumentKey)
  const afterDashes = textsOf(given['--'])
  if (command.takesCommand && !afterDashes[0]) {
    throw new UsageError(`Missing -- <command>, as in: ${command.examples[0]![0]}`)
  }
  const values = entriesOf(command.options).map(([name, option]) => [name, readOption(name, option, given[name])])
  const words = argumentKey === undefined ? afterDashes : textsOf(given[argumentKey])
  return command.run(Object.fromEntries(values), words)
}

function readOption(name: string, option: Option<unknown>, given: unknown): unknown {
  try {
    return option.read(textsOf(given ?? option.default), name)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

const textsOf = (given: unknown): string[] => (given === undefined ? [] : [given].flat().map(String))

/** @throws UsageError for a word or an option that the command does not know. */
function refuseUnknown({ name, options, takesCommand }: Command, given: Given, argumentKey = ''): void {
  const known = [...Object.keys(options), ...COMMON_OPTIONS]
  const option = Object.keys(given).find((key) => ![...known, argumentKey, 'h', 'v', '_', '$0', '--'].includes(key))
  if (option !== undefined) {
    const near = nearest(option, known).map((one) => `--${one}`)
    throw new UsageError(`Unknown option ${option.length === 1 ? '-' : '--'}${option}.${didYouMean(near)}`)
  }
  const [program] = textsOf(given['--'])
  if (program !== undefined && !takesCommand) {
    throw new UsageError(`Only run takes a command after --, as in: api-mock run -- ${program}`)
  }
  const words = given._.map(String)
  const isNamed = words[0] === name
  const [unknown, ...more] = isNamed ? words.slice(1) : words
  if (unknown === undefined) return
  if (takesCommand) throw new UsageError(`Put -- before the command: api-mock run -- ${[unknown, ...more].join(' ')}`)
  if (isNamed) throw new UsageError(`Unexpected argument '${unknown}'.`)
  const near = nearest(
    unknown,
    COMMANDS.map((command) => command.name),
  )
  const hint = near.length > 0 ? didYouMean(near) : ` To choose a scenario: api-mock --scenario ${unknown}`
  throw new UsageError(`Unknown command '${unknown}'.${hint}`)
}

const didYouMean = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`
