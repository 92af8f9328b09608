/** Prints the help and the completions of a shell with yargs, which is set up from the table of commands. */
import yargs, { type Argv } from 'yargs'
import { shorten } from '../../core/lib/text/wording.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { COMMANDS, type Command, optionsOf } from './command-table.ts'
import { variableOf } from './environment.ts'

/** The shells that `completion` has a script for. */
const SHELLS: readonly string[] = ['bash', 'zsh', 'fish']

/** Prints what a line asks for: help, a script for a shell (`completion zsh`), or the completions that such a script asks for. */
export async function printHelp(line: readonly string[]): Promise<void> {
  const [first = '', second = '', ...rest] = line
  let args = [...line]
  if (first === '--get-yargs-completions') {
    // `--get-yargs-completions api-mock --port`: yargs completes no options without a command. They are those of start.
    const names = ['completion', ...COMMANDS.map(({ name }) => name)]
    const isStart = rest.at(-1)?.startsWith('-') && !names.some((name) => rest.includes(name))
    if (isStart) args = [first, second, 'start', ...rest]
  }
  if (first === 'completion' && second !== '' && !second.startsWith('-')) {
    if (!SHELLS.includes(second))
      throw new UsageError(`completion: expected ${SHELLS.join(', ')}, got '${shorten(second)}'.`)
    // yargs chooses the script by this variable alone.
    process.env.SHELL = second
  }
  const parser = yargs(args)
    .scriptName('api-mock')
    .usage('$0 [command] [options]\n\nA deterministic mock of an OpenAI-style API.')
    .locale('en')
    // main.ts exits: yargs would cut off output that is still on its way.
    .exitProcess(false)
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .help('help', 'Show help')
    .alias('help', 'h')
    .version(false)
    .option('version', { type: 'boolean', describe: 'Show the version' })
    .alias('version', 'v')
  // Leaves `[string] [default: ...]` out of help. The method is public, but missing in the types of yargs.
  ;(parser as unknown as { usageConfiguration(settings: object): void }).usageConfiguration({ 'hide-types': true })
  for (const command of COMMANDS) {
    const form = `${command.name} ${command.argument?.form ?? ''}`.trim()
    // Without a command, the line is one of start.
    const forms = command.name === 'start' ? [form, '$0'] : form
    parser.command(forms, command.summary, (builder: Argv) => defineCommand(builder, command))
  }
  const summary = 'Print a completion script for bash, zsh or fish (default: $SHELL)'
  parser.command('completion [shell]', summary, {}, () => void parser.showCompletionScript())
  await parser.parseAsync()
}

/** Defines the options, the argument and the help of one command. */
function defineCommand(builder: Argv, command: Command): Argv {
  const { name, argument, takesCommand, ignoresVariables, examples, notes } = command
  const form = argument?.form ?? (takesCommand ? '-- <command>' : '')
  if (name !== 'start') builder.usage(`$0 ${name} [options] ${form}`)
  // yargs names an argument without its signs: `<files..>` is `files`.
  if (argument !== undefined) builder.positional(argument.form.replace(/\W/g, ''), { describe: argument.summary })
  const variables: string[] = []
  for (const [option, { type, isRequired, summary, default: preset, hasVariable }] of optionsOf(command)) {
    const hint = isRequired ? ' (required)' : preset === undefined ? '' : ` (default: ${preset})`
    builder.option(option, { type, describe: summary + hint })
    if (hasVariable !== false && !ignoresVariables) variables.push(variableOf(option))
  }
  // Two lines for each example: in two columns, yargs would wrap the commands.
  const lines = examples.flatMap(([line, what]) => [`# ${what}`, line])
  builder.example(lines.map((line): [string, string] => [line, '']))
  const paragraphs = notes === undefined ? [] : [notes]
  if (variables.length > 0)
    paragraphs.push(`Environment variables, for options that the command line leaves out: ${variables.join(', ')}.`)
  // One line for each paragraph: yargs wraps them to the width of the terminal.
  return builder.epilog(paragraphs.join('\n\n').replace(/(?<!\n)\n(?!\n)/g, ' '))
}
