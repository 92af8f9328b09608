/**
 * Runs a command line: finds its command, reads the values of the options from the line, the environment or their defaults,
 * and runs the command with them.
 *
 *     api-mock run --port 0 -- npm test      run({ port: 0, ... }, ['npm', 'test'])
 */
import manifest from '../../../package.json' with { type: 'json' }
import { escapeControls } from '../../core/lib/text/wording.ts'
import { print, printError } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { COMMANDS, type Command, optionsOf } from './command-table.ts'
import { misspelledVariables, readVariable, variableOf } from './environment.ts'
import { findCommand, missingError, readLine, splitAtDashes } from './read-line.ts'

/** Runs a command line (without the program's own name) and returns its exit code. An error has the exit code too. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const [own] = splitAtDashes(args)
  const isForHelp = own.includes('--help') || own.includes('-h') || own.at(-1) === 'help'
  if (isForHelp || own[0] === 'completion' || own[0] === '--get-yargs-completions') {
    await (await import('./help.ts')).printHelp(args)
    return 0
  }
  const command = findCommand(args)
  try {
    return await runCommand(command, args)
  } catch (error) {
    const { name, errorExitCode: exitCode } = command
    if (!(error instanceof UsageError)) throw Object.assign(error as Error, { exitCode })
    const program = name === 'start' ? 'api-mock' : `api-mock ${name}`
    throw Object.assign(new UsageError(`${error.message}\nSee ${program} --help`), { exitCode })
  }
}

async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  const { given, words } = await readLine(command, args)
  if (given.version) {
    print(manifest.version)
    return 0
  }
  const [action] = words
  const options = optionsOf(command)
  // `fleet report --scenario flaky` would change nothing.
  for (const [name, { action: other }] of options) {
    if (other !== undefined && other !== action && given[name] !== undefined)
      throw new UsageError(`--${name}: expected ${command.name} ${other}, got ${command.name} ${action}.`)
  }
  const allOptions = COMMANDS.flatMap((each) => Object.keys(each.options))
  for (const warning of misspelledVariables(allOptions, process.env)) printError(escapeControls(warning))
  const variables = takeVariables(command)
  const isAbsent = (name: string): boolean => given[name] === undefined && variables[name] === undefined
  const absent = options.filter(([name, { isRequired }]) => isRequired && isAbsent(name)).map(([name]) => `--${name}`)
  if (absent.length > 0)
    throw missingError(`option${absent.length === 1 ? '' : 's'} ${absent.join(' and ')}`, command, action)

  try {
    const values = options.map(([name, option]) => {
      const texts = [given[name] ?? variables[name] ?? option.default ?? []].flat().map(String)
      return [name, option.read(texts, name)]
    })
    return await command.run(Object.fromEntries(values), words)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const { message } = error
    // A value that a variable has set is named by the variable.
    const wrong = Object.keys(variables).find((name) => given[name] === undefined && message.startsWith(`--${name}:`))
    throw wrong === undefined ? error : new UsageError(message.replace(`--${wrong}`, variableOf(wrong)))
  }
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
