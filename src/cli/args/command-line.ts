/**
 * Runs a command line: yargs, set up from the table of commands, parses it, and the values of its options are read.
 *
 *     api-mock run --port 0 -- npm test      run({ port: 0, ... }, ['npm', 'test'])
 */
import yargs, { type Argv } from 'yargs'
import manifest from '../../../package.json' with { type: 'json' }
import { didYouMean } from '../../core/lib/text/did-you-mean.ts'
import { escapeControls, quotedList, shorten } from '../../core/lib/text/wording.ts'
import type { Option } from '../../terminal/option.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { checkArguments, readArguments } from './check-arguments.ts'
import { COMMANDS, type Command } from './command-table.ts'
import { misspelledVariables, readVariable, variableOf } from './environment.ts'

/** Runs a command line (without the program's own name) and returns its exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  if (args[0] === '--get-yargs-completions') return complete(args)
  let exitCode = 0
  const line = readArguments(args)
  const { command = COMMANDS[0]!, word, others, tail } = line
  const parser = createParser(word === undefined ? args : [word, ...others, ...tail], async (given) => {
    exitCode = await readAndRun(command, given)
  }).fail((message, error) => {
    if (error !== undefined && error.name !== 'YError') throw error
    const isArgumentMissing = message?.startsWith('Not enough non-option arguments')
    throw new UsageError(isArgumentMissing ? missingText(command.argument!.form, command) : message)
  })
  try {
    await checkArguments(line)
    await parser.parseAsync()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const program = command.name === 'start' ? 'api-mock' : `api-mock ${command.name}`
    throw new UsageError(`${error.message}\nSee ${program} --help`)
  }
  return exitCode
}

/** The exit code after an error of this command line. */
export const errorExitCodeOf = (args: readonly string[]): number => readArguments(args).command?.errorExitCode ?? 1

/** Prints completions. yargs completes no options without a command: they are those of start. */
async function complete([key = '', program = '', ...words]: readonly string[]): Promise<number> {
  const isStart = words.at(-1)?.startsWith('-') && readArguments(words).word === undefined
  await createParser([key, program, ...(isStart ? ['start'] : []), ...words], () => {}).parseAsync()
  return 0
}

/** The shells that `completion` has a script for. */
const SHELLS: readonly string[] = ['bash', 'zsh', 'fish']

/** The arguments as yargs read them. */
type Given = Readonly<Record<string, unknown>> & { readonly _: readonly unknown[] }

function createParser(args: readonly string[], run: (given: Given) => void | Promise<void>): Argv {
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
    .version('version', 'Show the version', manifest.version)
    .alias('version', 'v')
  // Leaves `[string] [default: ...]` out of help. The method is public, but missing in the types of yargs.
  ;(parser as unknown as { usageConfiguration(settings: object): void }).usageConfiguration({ 'hide-types': true })
  for (const command of COMMANDS) {
    const form = `${command.name} ${command.argument?.form ?? ''}`.trim()
    const forms = command.name === 'start' ? [form, '$0'] : form
    parser.command(forms, command.summary, (builder) => defineCommand(builder, command), run)
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
function missingText(what: string, { name, examples }: Command, action?: string): string {
  const [line] = examples.find(([one]) => one.startsWith(`api-mock ${name} ${action} `)) ?? examples[0]!
  return `Missing ${what}, as in: ${line}`
}

/** The name under which yargs returns an argument: `<files..>` -> `files`. */
const argumentNameOf = ({ form }: NonNullable<Command['argument']>): string => form.replace(/\W/g, '')

const textsOf = (given: unknown): string[] => (given === undefined ? [] : [given].flat().map(String))

/** Reads the words of a command and the values of its options, and runs it. */
async function readAndRun(command: Command, given: Given): Promise<number> {
  const words = readWords(command, given)
  const [action] = words
  refuseOptionsOfOtherActions(command, given, action)
  const variables = readVariables(command)
  const options = entriesOf(command.options)
  const isAbsent = (name: string): boolean => given[name] === undefined && variables[name] === undefined
  const absent = options.filter(([name, { isRequired }]) => isRequired && isAbsent(name)).map(([name]) => `--${name}`)
  if (absent.length > 0) {
    const names = `option${absent.length === 1 ? '' : 's'} ${absent.join(' and ')}`
    throw new UsageError(missingText(names, command, action))
  }
  try {
    const values = options.map(([name, option]) => {
      return [name, option.read(textsOf(given[name] ?? variables[name] ?? option.default), name)]
    })
    return await command.run(Object.fromEntries(values), words)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    // A value that a variable has set is named by the variable.
    const name = options.map(([one]) => one).find((one) => error.message.startsWith(`--${one}:`))
    const isOfVariable = name !== undefined && variables[name] !== undefined && given[name] === undefined
    throw isOfVariable ? new UsageError(error.message.replace(`--${name}`, variableOf(name))) : error
  }
}

/** The words of a command: those of its argument, or the command after `--`. @throws UsageError for others. */
function readWords(command: Command, given: Given): readonly string[] {
  const { name, argument, takesCommand } = command
  const afterDashes = textsOf(given['--'])
  const [unexpected, ...more] = textsOf(given._).slice(1)
  if (unexpected !== undefined && takesCommand)
    throw new UsageError(`Put -- before the command: api-mock ${name} -- ${shorten([unexpected, ...more].join(' '))}`)
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument '${shorten(unexpected)}'.`)
  if (takesCommand && !afterDashes[0]) throw new UsageError(missingText('-- <command>', command))
  if (argument === undefined) return afterDashes

  const words = textsOf(given[argumentNameOf(argument)])
  const [action] = words
  if (action !== undefined && argument.choices?.includes(action) === false) {
    const near = didYouMean(action, argument.choices)
    const choices = quotedList(argument.choices, 'or')
    throw new UsageError(`Expected ${name} with ${choices}, got '${shorten(action)}'.${near}`)
  }
  return words
}

/** Refuses the options of another action: `fleet report --scenario flaky` would change nothing. */
function refuseOptionsOfOtherActions({ name, options }: Command, given: Given, action: string | undefined): void {
  for (const [option, { action: other }] of entriesOf(options)) {
    if (other !== undefined && other !== action && given[option] !== undefined)
      throw new UsageError(`--${option}: expected ${name} ${other}, got ${name} ${action}.`)
  }
}

/**
 * The options that environment variables set. A command that runs another one takes them out of the environment: the
 * other command may run this program too.
 */
function readVariables({ options, takesCommand, ignoresVariables }: Command) {
  const texts: Record<string, string[] | undefined> = {}
  if (ignoresVariables) return texts
  const { env } = process
  const known = COMMANDS.flatMap((command) => Object.keys(command.options))
  for (const warning of misspelledVariables(known, env)) process.stderr.write(`${escapeControls(warning)}\n`)
  for (const [name, option] of entriesOf(options)) texts[name] = readVariable(name, option, env)
  if (!takesCommand) return texts
  for (const name of Object.keys(options)) delete env[variableOf(name)]
  // Inside another run, the token is that of the outer mock, which set both.
  return env.API_MOCK_URL === undefined ? texts : { ...texts, token: undefined }
}
