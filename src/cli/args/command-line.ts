/**
 * Runs a command line: yargs, set up from the table of commands, parses it unless it is plain, and the values of its options
 * are read.
 *
 *     api-mock run --port 0 -- npm test      run({ port: 0, ... }, ['npm', 'test'])
 */
import type { Argv } from 'yargs'
import manifest from '../../../package.json' with { type: 'json' }
import { didYouMean } from '../../core/lib/text/did-you-mean.ts'
import { escapeControls, quotedList, shorten } from '../../core/lib/text/wording.ts'
import type { Option } from '../../terminal/option.ts'
import { print, printError } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { checkArguments } from './check-arguments.ts'
import { COMMANDS, type Command } from './command-table.ts'
import { misspelledVariables, readVariable, variableOf } from './environment.ts'
import { type Given, readPlainLine } from './plain-line.ts'

/** Runs a command line (without the program's own name) and returns its exit code. An error has the exit code too. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  if (args[0] === '--get-yargs-completions') return complete(args)
  const plain = readPlainLine(args)
  if (plain !== undefined) {
    return readAndRun(plain.command, plain.given).catch((error) => {
      throw explain(error, plain.command)
    })
  }
  let exitCode = 0
  let command = COMMANDS[0]!
  const enter = (entered: Command): void => {
    command = entered
  }
  const parser = await createParser(args, enter, async (given) => {
    await checkArguments(command, args)
    exitCode = await readAndRun(command, given)
  })
  parser.fail((message, error) => {
    if (error !== undefined && error.name !== 'YError') throw error
    const isArgumentMissing = message?.startsWith('Not enough non-option arguments')
    throw isArgumentMissing ? missing(command.argument!.form, command) : new UsageError(message)
  })
  const parse = async (): Promise<void> => void (await parser.parseAsync())
  try {
    await parse().catch(async (error) => {
      // A mistake may be the reason for what yargs misses: of `check --strict true`, the file.
      await checkArguments(command, args)
      throw error
    })
    return exitCode
  } catch (error) {
    throw explain(error, command)
  }
}

/** The error of a command with its exit code. A wrong command line names the help. */
function explain(error: unknown, { errorExitCode, name }: Command): Error {
  if (!(error instanceof UsageError)) return Object.assign(error as Error, { exitCode: errorExitCode })
  const program = name === 'start' ? 'api-mock' : `api-mock ${name}`
  return Object.assign(new UsageError(`${error.message}\nSee ${program} --help`), { exitCode: errorExitCode })
}

/** Prints completions. yargs completes no options without a command: they are those of start. */
async function complete([key = '', program = '', ...words]: readonly string[]): Promise<number> {
  const names = ['completion', ...COMMANDS.map(({ name }) => name)]
  const isStart = words.at(-1)?.startsWith('-') && !names.some((name) => words.includes(name))
  await (await createParser([key, program, ...(isStart ? ['start'] : []), ...words])).parseAsync()
  return 0
}

/** The shells that `completion` has a script for. */
const SHELLS: readonly string[] = ['bash', 'zsh', 'fish']

/**
 * The parser of a command line.
 * @param enter called with the command of the line, before its arguments are read.
 */
export async function createParser(
  args: readonly string[],
  enter?: (command: Command) => void,
  run: (given: Given) => void | Promise<void> = () => {},
): Promise<Argv> {
  const { default: yargs } = await import('yargs')
  const [word, shell = '-'] = args
  if (word === 'completion' && !shell.startsWith('-')) {
    if (!SHELLS.includes(shell))
      throw new UsageError(`completion: expected ${SHELLS.join(', ')}, got '${shorten(shell)}'.`)
    // yargs chooses the script by this variable alone.
    process.env.SHELL = shell
  }
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
    .help('help', 'Show help')
    .alias('help', 'h')
    .version(false)
    .option('version', { type: 'boolean', describe: 'Show the version' })
    .alias('version', 'v')
  // Of an option before the command, such as `--watch run`, yargs has to know that it takes no value.
  const options = COMMANDS.flatMap((command) => entriesOf(command.options))
  const withValues = new Set(options.filter(([, { type }]) => type === 'string').map(([name]) => name))
  parser.boolean(options.map(([name]) => name).filter((name) => !withValues.has(name)))
  // Leaves `[string] [default: ...]` out of help. The method is public, but missing in the types of yargs.
  ;(parser as unknown as { usageConfiguration(settings: object): void }).usageConfiguration({ 'hide-types': true })
  for (const command of COMMANDS) {
    const form = `${command.name} ${command.argument?.form ?? ''}`.trim()
    const forms = command.name === 'start' ? [form, '$0'] : form
    const define = (builder: Argv): Argv => {
      enter?.(command)
      return defineCommand(builder, command)
    }
    parser.command(forms, command.summary, define, run)
  }
  return parser.command(
    'completion [shell]',
    'Print a completion script for bash, zsh or fish (default: $SHELL)',
    {},
    () => {
      parser.showCompletionScript()
    },
  )
}

const entriesOf = (options: Command['options']) => Object.entries<Option<unknown>>(options)

/** Defines the options, the argument and the help of one command. */
function defineCommand(builder: Argv, command: Command): Argv {
  const { name, argument, takesCommand, ignoresVariables, options, examples, notes } = command
  const form = argument?.form ?? (takesCommand ? '-- <command>' : '')
  if (name !== 'start') builder.usage(`$0 ${name} [options] ${form}`)
  if (argument !== undefined)
    builder.positional(argumentNameOf(argument), { type: 'string', describe: argument.summary })
  const variables: string[] = []
  for (const [option, { type, isRequired, summary, default: preset, hasVariable }] of entriesOf(options)) {
    const hint = isRequired ? ' (required)' : preset === undefined ? '' : ` (default: ${preset})`
    builder.option(option, { type, describe: summary + hint, requiresArg: type === 'string' })
    if (hasVariable !== false && !ignoresVariables) variables.push(variableOf(option))
  }
  // Each on a line of its own: side by side, yargs would wrap the commands.
  builder.example(
    examples.flatMap(([line, what]): [string, string][] => [
      [`# ${what}`, ''],
      [line, ''],
    ]),
  )
  const paragraphs = notes === undefined ? [] : [notes]
  if (variables.length > 0)
    paragraphs.push(`Environment variables, for options that the command line leaves out: ${variables.join(', ')}.`)
  // One line for each paragraph: yargs wraps them to the width of the terminal.
  return builder.epilog(paragraphs.join('\n\n').replace(/(?<!\n)\n(?!\n)/g, ' '))
}

/** `Missing <files..>, as in: api-mock check scenario.yaml`; with an action, the example is one of it. */
function missing(what: string, { name, examples }: Command, action?: string): UsageError {
  const [line] = examples.find(([one]) => one.startsWith(`api-mock ${name} ${action} `)) ?? examples[0]!
  return new UsageError(`Missing ${what}, as in: ${line}`)
}

/** The name under which yargs returns an argument: `<files..>` -> `files`. */
const argumentNameOf = ({ form }: NonNullable<Command['argument']>): string => form.replace(/\W/g, '')

const textsOf = (given: unknown): string[] => (given === undefined ? [] : [given].flat().map(String))

/** Checks the words of a command, reads the values of its options, and runs it. */
async function readAndRun(command: Command, given: Given): Promise<number> {
  if (given.version) {
    print(manifest.version)
    return 0
  }
  const { name: commandName, argument, takesCommand } = command
  const words = textsOf(argument === undefined ? given['--'] : given[argumentNameOf(argument)])
  const [action] = words
  if (takesCommand && !action) throw missing('-- <command>', command)
  if (action !== undefined && argument?.choices?.includes(action) === false) {
    const choices = quotedList(argument.choices, 'or')
    const near = didYouMean(action, argument.choices)
    throw new UsageError(`Expected ${commandName} with ${choices}, got '${shorten(action)}'.${near}`)
  }
  const options = entriesOf(command.options)
  // `fleet report --scenario flaky` would change nothing.
  for (const [name, { action: other }] of options) {
    if (other !== undefined && other !== action && given[name] !== undefined)
      throw new UsageError(`--${name}: expected ${commandName} ${other}, got ${commandName} ${action}.`)
  }
  const variables = readVariables(command)
  const isAbsent = (name: string): boolean => given[name] === undefined && variables[name] === undefined
  const absent = options.filter(([name, { isRequired }]) => isRequired && isAbsent(name)).map(([name]) => `--${name}`)
  if (absent.length > 0)
    throw missing(`option${absent.length === 1 ? '' : 's'} ${absent.join(' and ')}`, command, action)
  try {
    const values = options.map(([name, option]) => {
      return [name, option.read(textsOf(given[name] ?? variables[name] ?? option.default), name)]
    })
    return await command.run(Object.fromEntries(values), words)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    // A value that a variable has set is named by the variable.
    const name = Object.keys(variables).find((one) => given[one] === undefined && error.message.startsWith(`--${one}:`))
    throw name === undefined ? error : new UsageError(error.message.replace(`--${name}`, variableOf(name)))
  }
}

/**
 * The options that environment variables set. A command that runs another one takes them out of the environment: the
 * other command may run this program too.
 */
function readVariables({ options, takesCommand, ignoresVariables }: Command): Readonly<Record<string, string[]>> {
  const texts: Record<string, string[]> = {}
  const { env } = process
  const known = COMMANDS.flatMap((command) => Object.keys(command.options))
  for (const warning of misspelledVariables(known, env)) printError(escapeControls(warning))
  if (ignoresVariables) return texts
  for (const [name, option] of entriesOf(options)) {
    const read = readVariable(name, option, env)
    if (read !== undefined) texts[name] = read
    if (takesCommand) delete env[variableOf(name)]
  }
  // Inside another run, the token is that of the outer mock, which set both.
  if (takesCommand && env.API_MOCK_URL !== undefined) delete texts.token
  return texts
}
