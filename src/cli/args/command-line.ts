/**
 * Runs a command line: finds its command, reads the values of the options from the line, the environment or their defaults,
 * and runs the command with them.
 *
 *     api-mock run --port 0 -- npm test      run({ port: 0, ... }, ['npm', 'test'])
 */
import manifest from '../../../package.json' with { type: 'json' }
import { didYouMean } from '../../core/lib/text/did-you-mean.ts'
import { escapeControls, quotedList, shorten } from '../../core/lib/text/wording.ts'
import { print, printError } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { missingError, withExitCode } from './command-errors.ts'
import { argumentNameOf, COMMANDS, type Command, optionsOf } from './command-table.ts'
import { misspelledVariables, readVariable, variableOf } from './environment.ts'
import { type CommandLine, readPlainLine } from './plain-line.ts'
import { complete, readWithYargs } from './yargs-line.ts'

/** Runs a command line (without the program's own name) and returns its exit code. An error has the exit code too. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  if (args[0] === '--get-yargs-completions') return complete(args)
  const line = readPlainLine(args) ?? (await readWithYargs(args))
  if (line === undefined) return 0
  try {
    return await runCommand(line)
  } catch (error) {
    throw withExitCode(error, line.command)
  }
}

async function runCommand({ command, given }: CommandLine): Promise<number> {
  if (given.version) {
    print(manifest.version)
    return 0
  }
  const { name: commandName, argument, run } = command
  const words = textsOf(argument === undefined ? given['--'] : given[argumentNameOf(argument)])
  checkWords(command, words)

  const [action] = words
  const options = optionsOf(command)
  // `fleet report --scenario flaky` would change nothing.
  for (const [name, { action: other }] of options) {
    if (other !== undefined && other !== action && given[name] !== undefined)
      throw new UsageError(`--${name}: expected ${commandName} ${other}, got ${commandName} ${action}.`)
  }
  const allOptions = COMMANDS.flatMap(optionsOf).map(([name]) => name)
  for (const warning of misspelledVariables(allOptions, process.env)) printError(escapeControls(warning))
  const variables = takeVariables(command)
  const isAbsent = (name: string): boolean => given[name] === undefined && variables[name] === undefined
  const absent = options.filter(([name, { isRequired }]) => isRequired && isAbsent(name)).map(([name]) => `--${name}`)
  if (absent.length > 0)
    throw missingError(`option${absent.length === 1 ? '' : 's'} ${absent.join(' and ')}`, command, action)

  try {
    const values = options.map(([name, option]) => {
      const texts = textsOf(given[name] ?? variables[name] ?? option.default)
      return [name, option.read(texts, name)]
    })
    return await run(Object.fromEntries(values), words)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const { message } = error
    // A value that a variable has set is named by the variable.
    const wrong = Object.keys(variables).find((name) => given[name] === undefined && message.startsWith(`--${name}:`))
    throw wrong === undefined ? error : new UsageError(message.replace(`--${wrong}`, variableOf(wrong)))
  }
}

/** The texts of an option or argument, as one or several were given. */
const textsOf = (given: unknown): string[] => (given === undefined ? [] : [given].flat().map(String))

/** Checks that a command has the command that it runs, and that its action exists. */
function checkWords(command: Command, [action]: readonly string[]): void {
  const { name, argument, takesCommand } = command
  if (takesCommand && !action) throw missingError('-- <command>', command)
  if (action === undefined || argument?.choices?.includes(action) !== false) return
  const near = didYouMean(action, argument.choices)
  throw new UsageError(`Expected ${name} with ${quotedList(argument.choices, 'or')}, got '${shorten(action)}'.${near}`)
}

/**
 * Reads the options that environment variables set. A command that runs another one takes them out of the environment: the
 * other command may run this program too.
 */
function takeVariables(command: Command): Readonly<Record<string, string[]>> {
  const texts: Record<string, string[]> = {}
  if (command.ignoresVariables) return texts
  const { env } = process
  for (const [name, option] of optionsOf(command)) {
    const read = readVariable(name, option, env)
    if (read !== undefined) texts[name] = read
    if (command.takesCommand) delete env[variableOf(name)]
  }
  // Inside another run, the token is that of the outer mock, which set both.
  if (command.takesCommand && env.API_MOCK_URL !== undefined) delete texts.token
  return texts
}
