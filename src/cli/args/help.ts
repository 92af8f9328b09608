/** Help and shell completion, printed by yargs from the table of commands. Loaded when asked for. */
import yargs, { type Argv } from 'yargs'
import manifest from '../../../package.json' with { type: 'json' }
import { shorten } from '../../core/lib/text/wording.ts'
import type { Option } from '../../terminal/option.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { COMMANDS, type Command } from './command-table.ts'
import { variableOf } from './environment.ts'

/** @param word the command; undefined for the program. */
export const printHelp = (word?: string): Promise<unknown> =>
  createParser([...(word === undefined ? [] : [word]), '--help']).parseAsync()

/** @param args `--get-yargs-completions`, the program, and the words so far. */
export const printCompletions = (args: readonly string[]): Promise<unknown> => createParser(args).parseAsync()

/** The shells that `completion` has a script for. */
const SHELLS: readonly string[] = ['bash', 'zsh', 'fish']

/** @param shell the shell of the script. Default: `$SHELL`. */
export function printCompletionScript(shell?: string): void {
  if (shell !== undefined) {
    if (!SHELLS.includes(shell))
      throw new UsageError(`completion: expected ${SHELLS.join(', ')}, got '${shorten(shell)}'.`)
    // yargs chooses the script by this variable alone.
    process.env.SHELL = shell
  }
  createParser([]).showCompletionScript()
}

function createParser(args: readonly string[]): Argv {
  const parser = yargs([...args])
    .scriptName('api-mock')
    .usage('$0 [command] [options]\n\nA deterministic mock of an OpenAI-style API.')
    .locale('en')
    // main.ts exits: yargs would cut off output that is still on its way.
    .exitProcess(false)
    // Completions have no negated flags.
    .parserConfiguration({ 'boolean-negation': false })
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
    parser.command(forms, command.summary, (builder) => defineCommand(builder, command))
  }
  return parser.command('completion [shell]', 'Print a completion script for bash, zsh or fish (default: $SHELL)')
}

/** Defines the options, the argument and the help of one command. */
function defineCommand(builder: Argv, command: Command): Argv {
  const { name, argument, takesCommand, ignoresVariables, options, examples, notes } = command
  const form = argument?.form ?? (takesCommand ? '-- <command>' : '')
  if (name !== 'start') builder.usage(`$0 ${name} [options] ${form}`)
  if (argument !== undefined)
    builder.positional(argument.form.replace(/\W/g, ''), { type: 'string', describe: argument.summary })
  const variables: string[] = []
  for (const [option, { type, isRequired, summary, default: preset, hasVariable }] of Object.entries<Option<unknown>>(
    options,
  )) {
    const hint = isRequired ? ' (required)' : preset === undefined ? '' : ` (default: ${preset})`
    builder.option(option, { type, describe: summary + hint })
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
