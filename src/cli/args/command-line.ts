/** Runs a command line: sets up yargs from the table of commands. */
import yargs, { type Argv } from 'yargs'
import manifest from '../../../package.json' with { type: 'json' }
import { escapeControls } from '../../core/lib/text/escape-controls.ts'
import type { Option } from '../../terminal/option.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { COMMANDS, type Command } from './command-table.ts'
import { environmentHelp, misspelledVariables, readVariable, variableOf } from './environment.ts'
import { commandNameOf, refuseUnknown } from './refuse-unknown.ts'

const ALL_OPTIONS = COMMANDS.flatMap(({ options }) => Object.keys(options))
const COMPLETIONS = '--get-yargs-completions'

/** Runs a command line (without the program's own name) and returns its exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let exitCode = 0
  const name = commandNameOf(args)
  const isCompleting = args[0] === COMPLETIONS
  const parser = yargs(isCompleting ? completionArguments(args) : [...args])
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
      (builder) => defineCommand(builder, command),
      async (given) => {
        exitCode = await runCommand(command, given)
      },
    )
  }
  const help = isNamedCommand(name) ? `api-mock ${name} --help` : 'api-mock --help'
  try {
    if (!isCompleting) await refuseUnknown(args)
    // Given to yargs, `completion` would print the script and then run start.
    if (name === 'completion' && !hasOption(args) && !endsInHelp(args)) parser.showCompletionScript()
    else await parser.parseAsync()
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${error.message}\nSee ${help}`) : error
  }
  return exitCode
}

/** The exit code after an error of this command line. */
export const errorExitCodeOf = (args: readonly string[]): number =>
  COMMANDS.find(({ name }) => name === commandNameOf(args))?.errorExitCode ?? 1

/** Whether an argument is an option; `-` and `--` are not options. */
const hasOption = (args: readonly string[]): boolean =>
  args.some((arg) => arg.startsWith('-') && arg !== '-' && arg !== '--')

/** yargs takes a last word `help` as --help. */
const endsInHelp = (args: readonly string[]): boolean => args.at(-1) === 'help'

/** Whether a word is a command other than start, which needs no name. */
const isNamedCommand = (word: string): boolean => word !== 'start' && COMMANDS.some(({ name }) => name === word)

/** Without a command, yargs completes no options. They are those of start. */
function completionArguments([key = '', program = '', ...words]: readonly string[]): string[] {
  const isStart = words.at(-1)?.startsWith('-') && commandNameOf(words) === 'start'
  return [key, program, ...(isStart ? ['start'] : []), ...words]
}

/** Leaves `[string] [default: ...]` out of help. `usageConfiguration` is public in yargs, but missing in its types. */
function hideTypes(parser: object): void {
  const configurable = parser as { usageConfiguration(settings: object): void }
  configurable.usageConfiguration({ 'hide-types': true })
}

/** Defines the options, the argument and the help of one command. */
function defineCommand(builder: Argv, command: Command): Argv {
  const { name, argument, takesCommand, ignoresVariables, options, examples, notes } = command
  const form = argument?.form ?? (takesCommand ? '-- <command>' : '')
  if (name !== 'start') builder.usage(`$0 ${name} [options] ${form}`)
  replaceMissingArgument(builder, missingText(form, command))
  if (argument !== undefined)
    builder.positional(argumentNameOf(argument), { type: 'string', describe: argument.summary })
  for (const [option, { type, isRequired, summary, default: preset }] of entriesOf(options)) {
    const hint = isRequired ? ' (required)' : preset === undefined ? '' : ` (default: ${preset})`
    builder.option(option, {
      type,
      describe: summary + hint,
      requiresArg: type === 'string',
    })
  }
  builder.example(examples.map(([line, what]): [string, string] => [line, what]))
  const withVariable = Object.entries<Option<unknown>>(options).filter(([, { hasVariable }]) => hasVariable !== false)
  const names = ignoresVariables ? [] : withVariable.map(([option]) => option)
  const variables = names.length === 0 ? undefined : environmentHelp(names)
  return builder.epilog([notes, variables].flatMap((text) => (text === undefined ? [] : joinLines(text))).join('\n\n'))
}

/** Replaces the message of yargs about a missing argument. */
function replaceMissingArgument(builder: Argv, message: string): void {
  // yargs formats the message with two counts. %c takes a count and prints nothing.
  const withoutCounts = `${message}%c%c`
  const plurals = { one: withoutCounts, other: withoutCounts }
  // The types of yargs allow only strings here.
  builder.updateStrings({ 'Not enough non-option arguments: got %s, need at least %s': plurals } as never)
}

/** `Missing <files..>, as in: api-mock check scenario.yaml`; with an action, the example is one of it. */
function missingText(what: string, { name, examples }: Command, action?: string): string {
  const [line] = examples.find(([one]) => one.startsWith(`api-mock ${name} ${action} `)) ?? examples[0]!
  return `Missing ${what}, as in: ${line}`
}

const entriesOf = (options: Command['options']) => Object.entries<Option<unknown>>(options)

/** One line for each paragraph: yargs wraps them to the width of the terminal. */
const joinLines = (text: string): string => text.replace(/(?<!\n)\n(?!\n)/g, ' ')

/** The name under which yargs returns an argument: `<files..>` -> `files`. */
const argumentNameOf = ({ form }: NonNullable<Command['argument']>): string => form.replace(/\W/g, '')

/** The arguments as yargs read them. */
type Given = Readonly<Record<string, unknown>> & { readonly _: readonly unknown[] }

/** Reads the values of the options and runs the command. */
async function runCommand(command: Command, given: Given): Promise<number> {
  const afterDashes = textsOf(given['--'])
  if (command.takesCommand && !afterDashes[0]) throw new UsageError(missingText('-- <command>', command))
  const words = command.argument === undefined ? afterDashes : textsOf(given[argumentNameOf(command.argument)])
  const options = entriesOf(command.options)
  const fromVariables = readVariables(command)
  const absent = options.filter(
    ([name, { isRequired }]) => isRequired && given[name] === undefined && fromVariables[name] === undefined,
  )
  if (absent.length > 0) {
    const names = absent.map(([name]) => `--${name}`).join(' and ')
    throw new UsageError(missingText(`option${absent.length === 1 ? '' : 's'} ${names}`, command, words[0]))
  }
  try {
    const values = options.map(([name, option]) => [name, readOption(name, option, given[name] ?? fromVariables[name])])
    return await command.run(Object.fromEntries(values), words)
  } catch (error) {
    throw error instanceof UsageError ? nameVariable(error, fromVariables, given) : error
  }
}

type Texts = Readonly<Record<string, string[] | undefined>>

/**
 * The options that environment variables set. A command that runs another one takes them out of the environment: the
 * other command may run this program too.
 */
function readVariables({ options, takesCommand, ignoresVariables }: Command): Texts {
  if (ignoresVariables) return {}
  const { env } = process
  for (const warning of misspelledVariables(ALL_OPTIONS, env)) process.stderr.write(`${escapeControls(warning)}\n`)
  const texts: Record<string, string[] | undefined> = {}
  try {
    for (const [name, option] of entriesOf(options)) texts[name] = readVariable(name, option, env)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  if (!takesCommand) return texts
  for (const name of Object.keys(options)) delete env[variableOf(name)]
  // Inside another run, the token is that of the outer mock, which set both.
  return env.API_MOCK_URL === undefined ? texts : { ...texts, token: undefined }
}

function readOption(name: string, option: Option<unknown>, given: unknown): unknown {
  try {
    return option.read(textsOf(given ?? option.default), name)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** The error with the name of the variable that caused it, in place of the option. */
function nameVariable({ message }: Error, variables: Texts, given: Given): UsageError {
  const name = Object.keys(variables).find((option) => message.startsWith(`--${option}:`))
  const isVariable = name !== undefined && variables[name] !== undefined && given[name] === undefined
  return new UsageError(isVariable ? message.replace(`--${name}`, variableOf(name)) : message)
}

const textsOf = (given: unknown): string[] => (given === undefined ? [] : [given].flat().map(String))
