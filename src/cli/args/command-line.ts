/** Runs a command line: sets up yargs from the table of commands. */
import yargs, { type Argv } from 'yargs'
import manifest from '../../../package.json' with { type: 'json' }
import { COMMANDS, type Command } from './command-table.ts'
import type { Option } from './option.ts'
import { commandNameOf, refuseUnknown } from './refuse-unknown.ts'
import { UsageError } from './usage-error.ts'

const COMPLETIONS = '--get-yargs-completions'

/** Runs a command line (without the program's own name) and returns its exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let exitCode = 0
  const name = commandNameOf(args)
  const completes = args[0] === COMPLETIONS
  const parser = yargs(completes ? completionArguments(args) : [...args])
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
      (builder) => describe(builder, command),
      async (given) => {
        exitCode = await carryOut(command, given)
      },
    )
  }
  const help = isNamedCommand(name) ? `api-mock ${name} --help` : 'api-mock --help'
  try {
    if (!completes) refuseUnknown(args)
    // yargs would print the script and then run start.
    if (name === 'completion' && !args.some((arg) => /^-[^-]|^--./.test(arg)) && args.at(-1) !== 'help')
      parser.showCompletionScript()
    else await parser.parseAsync()
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${error.message}\nSee ${help}`) : error
  }
  return exitCode
}

const isNamedCommand = (word: string): boolean => word !== 'start' && COMMANDS.some(({ name }) => name === word)

/** Without a command, yargs completes no options. They are those of start. */
function completionArguments([key = '', program = '', ...words]: readonly string[]): string[] {
  const isStart = words.at(-1)?.startsWith('-') && commandNameOf(words) === 'start'
  return [key, program, ...(isStart ? ['start'] : []), ...words]
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
  const afterDashes = textsOf(given['--'])
  if (command.takesCommand && !afterDashes[0]) {
    throw new UsageError(`Missing -- <command>, as in: ${command.examples[0]![0]}`)
  }
  const missing = entriesOf(command.options).filter(([name, { isRequired }]) => isRequired && given[name] === undefined)
  if (missing.length > 0) {
    const names = missing.map(([name]) => `--${name}`).join(' and ')
    throw new UsageError(`Missing option${missing.length === 1 ? '' : 's'} ${names}, as in: ${command.examples[0]![0]}`)
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
