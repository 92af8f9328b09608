/**
 * Reads a command line that is not plain with yargs, which is set up from the table of commands. yargs also prints the help
 * and the completions of a shell.
 *
 *     ['hunt', '--depth=1', '--', 'npm', 'test']      hunt, { depth: '1', '--': ['npm', 'test'] }
 */
import type { Argv } from 'yargs'
import { shorten } from '../../core/lib/text/wording.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { checkArguments } from './check-arguments.ts'
import { missingError, withExitCode } from './command-errors.ts'
import { argumentNameOf, COMMANDS, type Command, optionsOf } from './command-table.ts'
import { variableOf } from './environment.ts'
import type { CommandLine, Given } from './plain-line.ts'

/**
 * Reads a command line; undefined if yargs has answered it: it has printed the help, or a completion script.
 * @throws an error with the exit code of the command when the line is wrong.
 */
export async function readWithYargs(args: readonly string[]): Promise<CommandLine | undefined> {
  let command = COMMANDS[0]!
  let given: Given | undefined
  const enter = (entered: Command): void => {
    command = entered
  }
  const parser = await createParser(args, enter, (read) => {
    given = read
  })
  parser.fail((message, error) => {
    if (error !== undefined && error.name !== 'YError') throw error
    const isArgumentMissing = message?.startsWith('Not enough non-option arguments')
    throw isArgumentMissing ? missingError(command.argument!.form, command) : new UsageError(message)
  })
  try {
    await parser.parseAsync()
    if (given === undefined) return undefined
    await checkArguments(command, args)
    return { command, given }
  } catch (error) {
    // A mistake may be the reason for what yargs misses, and is reported instead: of `check --strict true`, the file.
    const mistake = await checkArguments(command, args).catch((found: unknown) => found)
    throw withExitCode(mistake ?? error, command)
  }
}

/** Prints the completions that the script of a shell asks for: `--get-yargs-completions api-mock ru`. */
export async function complete([key = '', program = '', ...words]: readonly string[]): Promise<number> {
  const names = ['completion', ...COMMANDS.map(({ name }) => name)]
  // yargs completes no options without a command: they are those of start.
  const isStart = words.at(-1)?.startsWith('-') && !names.some((name) => words.includes(name))
  await (await createParser([key, program, ...(isStart ? ['start'] : []), ...words])).parseAsync()
  return 0
}

/** The shells that `completion` has a script for. */
const SHELLS: readonly string[] = ['bash', 'zsh', 'fish']

/**
 * The parser of a command line.
 * @param enter called with the command of the line, before its arguments are read.
 * @param finish called with the arguments, once they are read.
 */
export async function createParser(
  args: readonly string[],
  enter?: (command: Command) => void,
  finish: (given: Given) => void = () => {},
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
  const options = COMMANDS.flatMap(optionsOf)
  const withValues = new Set(options.filter(([, { type }]) => type === 'string').map(([name]) => name))
  parser.boolean(options.map(([name]) => name).filter((name) => !withValues.has(name)))
  // Leaves `[string] [default: ...]` out of help. The method is public, but missing in the types of yargs.
  ;(parser as unknown as { usageConfiguration(settings: object): void }).usageConfiguration({ 'hide-types': true })
  for (const command of COMMANDS) {
    const form = `${command.name} ${command.argument?.form ?? ''}`.trim()
    // Without a command, the line is one of start.
    const forms = command.name === 'start' ? [form, '$0'] : form
    const define = (builder: Argv): Argv => {
      enter?.(command)
      return defineCommand(builder, command)
    }
    parser.command(forms, command.summary, define, finish)
  }
  const summary = 'Print a completion script for bash, zsh or fish (default: $SHELL)'
  return parser.command('completion [shell]', summary, {}, () => void parser.showCompletionScript())
}

/** Defines the options, the argument and the help of one command. */
function defineCommand(builder: Argv, command: Command): Argv {
  const { name, argument, takesCommand, ignoresVariables, examples, notes } = command
  const form = argument?.form ?? (takesCommand ? '-- <command>' : '')
  if (name !== 'start') builder.usage(`$0 ${name} [options] ${form}`)
  if (argument !== undefined)
    builder.positional(argumentNameOf(argument), { type: 'string', describe: argument.summary })
  const variables: string[] = []
  for (const [option, { type, isRequired, summary, default: preset, hasVariable }] of optionsOf(command)) {
    const hint = isRequired ? ' (required)' : preset === undefined ? '' : ` (default: ${preset})`
    builder.option(option, { type, describe: summary + hint, requiresArg: type === 'string' })
    if (hasVariable !== false && !ignoresVariables) variables.push(variableOf(option))
  }
  // Each on a line of its own: side by side, yargs would wrap the commands.
  const lines = examples.flatMap(([line, what]) => [`# ${what}`, line])
  builder.example(lines.map((line): [string, string] => [line, '']))
  const paragraphs = notes === undefined ? [] : [notes]
  if (variables.length > 0)
    paragraphs.push(`Environment variables, for options that the command line leaves out: ${variables.join(', ')}.`)
  // One line for each paragraph: yargs wraps them to the width of the terminal.
  return builder.epilog(paragraphs.join('\n\n').replace(/(?<!\n)\n(?!\n)/g, ' '))
}
