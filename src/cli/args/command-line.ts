/** Runs a command line: reads it by the table of commands, and checks it. yargs, in help.ts, prints help and completes words. */
import manifest from '../../../package.json' with { type: 'json' }
import { didYouMean, nearest } from '../../core/lib/text/did-you-mean.ts'
import { escapeControls, quotedList, shorten } from '../../core/lib/text/wording.ts'
import type { Option } from '../../terminal/option.ts'
import { print } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { COMMANDS, type Command } from './command-table.ts'
import { misspelledVariables, readVariable, variableOf } from './environment.ts'

/** Runs a command line (without the program's own name) and returns its exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  if (args[0] === '--get-yargs-completions') {
    // yargs completes no options without a command: they are those of start.
    const [key = '', program = '', ...words] = args
    const isStart = words.at(-1)?.startsWith('-') && findCommand(words).word === undefined
    await (await import('./help.ts')).printCompletions([key, program, ...(isStart ? ['start'] : []), ...words])
    return 0
  }
  const { command, word, others, tail } = findCommand(args)
  try {
    if (command === undefined && word !== 'completion' && word !== 'help') throw await unknownCommand(word!)
    const given = readGiven(others, command?.options ?? {})
    const [first] = given.words
    if (word === 'help') await (await import('./help.ts')).printHelp(first)
    else if (given.texts.has('help') || given.words.at(-1) === 'help') await (await import('./help.ts')).printHelp(word)
    else if (given.texts.has('version')) print(manifest.version)
    else if (command === undefined) await (await import('./help.ts')).printCompletionScript(first)
    else return await runCommand(command, given, tail)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError) || word === 'completion') throw error
    const program = command === undefined || command.name === 'start' ? 'api-mock' : `api-mock ${command.name}`
    throw new UsageError(`${error.message}\nSee ${program} --help`)
  }
}

/** The exit code after an error of this command line. */
export const errorExitCodeOf = (args: readonly string[]): number => findCommand(args).command?.errorExitCode ?? 1

/** `-5` is a word. */
const isOption = (arg: string): boolean => /^-[^0-9]/.test(arg)
/** `--port=80` -> `port` */
const nameOf = (option: string): string => option.replace(/^--?|=.*$/gs, '')

/** The flags of every command, with their short forms. */
const COMMON: Readonly<Record<string, string>> = { help: 'help', h: 'help', version: 'version', v: 'version' }
const entriesOf = (options: Command['options']) => Object.entries<Option<unknown>>(options)
const FLAGS = new Set(Object.keys(COMMON))
for (const { options } of COMMANDS)
  for (const [name, { type }] of entriesOf(options)) if (type === 'boolean') FLAGS.add(name)

/** Divides a command line into the command, the rest before `--`, and what follows it. */
function findCommand(args: readonly string[]) {
  const dashes = args.indexOf('--')
  const end = dashes < 0 ? args.length : dashes
  const index = args.findIndex((arg, place) => {
    const before = args[place - 1] ?? ''
    const mayTakeIt = isOption(before) && !before.includes('=') && !FLAGS.has(nameOf(before))
    return place < end && !isOption(arg) && !mayTakeIt
  })
  // The first word that is not the value of an option. Without one, the command is start.
  const word = args[index]
  const command = COMMANDS.find(({ name }) => name === (word ?? 'start'))
  const others = args.slice(0, end).filter((_, place) => place !== index)
  return { command, word, others, tail: args.slice(end + 1) }
}

/** The texts of each option that is given, and the words beside the options. */
interface Given {
  readonly texts: ReadonlyMap<string, readonly string[]>
  readonly words: readonly string[]
}

/** @throws UsageError for an option that does not exist, an option without its value, and a flag with one. */
function readGiven(args: readonly string[], options: Command['options']): Given {
  const names = [...Object.keys(options), 'help', 'version']
  const texts = new Map<string, readonly string[]>()
  const words: string[] = []
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (!isOption(arg)) {
      words.push(arg)
      continue
    }
    const [typed = ''] = arg.split('=')
    const hasValue = arg !== typed
    const typedName = nameOf(arg)
    const name = Object.hasOwn(COMMON, typedName) ? COMMON[typedName]! : typedName
    if (!names.includes(name)) {
      const all = names.map((one) => `--${one}`)
      throw new UsageError(`Unknown option ${shorten(typed)}.${didYouMean(`--${name}`, all)}`)
    }
    if (options[name]?.type === 'string') {
      const value = hasValue ? arg.slice(typed.length + 1) : rest.shift()
      if (value === undefined || (!hasValue && isOption(value))) throw new UsageError(`Option --${name} needs a value.`)
      texts.set(name, [...(texts.get(name) ?? []), value])
    } else {
      if (hasValue || /^(?:true|false)$/.test(rest[0] ?? '')) throw new UsageError(`${typed} takes no value.`)
      texts.set(name, ['true'])
    }
  }
  return { texts, words }
}

async function unknownCommand(word: string): Promise<UsageError> {
  const unknown = `Unknown command '${shorten(word)}'.`
  const names = COMMANDS.map(({ name }) => name)
  const suggestion = didYouMean(word, names)
  if (suggestion !== '') return new UsageError(unknown + suggestion)
  // Loaded late: not every command needs the scenarios.
  const { builtInScenarios } = await import('../../generated/built-in.ts')
  const { isFile } = await import('../../engine/files/load-scenario.ts')
  const scenario = isFile(word) ? shorten(word) : nearest(word, Object.keys(builtInScenarios), 1)[0]
  if (scenario !== undefined) return new UsageError(`${unknown} To choose a scenario: api-mock --scenario ${scenario}`)
  const others = names.filter((name) => name !== 'start').join(', ')
  return new UsageError(`${unknown} The server starts without a command: api-mock. Commands: ${others}.`)
}

/** `Missing <files..>, as in: api-mock check scenario.yaml`; with an action, the example is one of it. */
function missing(what: string, { name, examples }: Command, action?: string): UsageError {
  const [line] = examples.find(([one]) => one.startsWith(`api-mock ${name} ${action} `)) ?? examples[0]!
  return new UsageError(`Missing ${what}, as in: ${line}`)
}

/** Checks the words, reads the values of the options, and runs the command. */
async function runCommand(command: Command, { texts, words }: Given, tail: readonly string[]): Promise<number> {
  const { name: commandName, argument, takesCommand } = command
  if (tail[0] !== undefined && takesCommand !== true) {
    const takers = COMMANDS.filter((one) => one.takesCommand).map(({ name }) => name)
    const list = `${takers.slice(0, -1).join(', ')} and ${takers.at(-1)}`
    throw new UsageError(`Only ${list} take a command after --, as in: api-mock run -- ${shorten(tail[0])}`)
  }
  if (argument?.form.startsWith('<') && words.length === 0) throw missing(argument.form, command)
  const accepted = argument === undefined ? 0 : argument.form.includes('..') ? words.length : 1
  if (words.length > accepted) {
    throw new UsageError(
      takesCommand
        ? `Put -- before the command: api-mock ${commandName} -- ${shorten(words.join(' '))}`
        : `Unexpected argument '${shorten(words[accepted]!)}'.`,
    )
  }
  if (takesCommand && !tail[0]) throw missing('-- <command>', command)
  const options = entriesOf(command.options)
  const [action] = words
  if (action !== undefined && argument?.choices?.includes(action) === false) {
    const near = didYouMean(action, argument.choices)
    throw new UsageError(
      `Expected ${commandName} with ${quotedList(argument.choices, 'or')}, got '${shorten(action)}'.${near}`,
    )
  }
  // Refuses options of another action: `fleet report --scenario flaky` would change nothing.
  const hasActions = options.some(([, option]) => option.action !== undefined && option.action === action)
  for (const [name, { action: expected = action }] of hasActions ? options : []) {
    if (texts.has(name) && expected !== action)
      throw new UsageError(`--${name}: expected ${commandName} ${expected}, got ${commandName} ${action}.`)
  }
  const variables = readVariables(command)
  const isAbsent = (name: string): boolean => !texts.has(name) && variables[name] === undefined
  const absent = options.filter(([name, { isRequired }]) => isRequired && isAbsent(name)).map(([name]) => `--${name}`)
  if (absent.length > 0)
    throw missing(`option${absent.length === 1 ? '' : 's'} ${absent.join(' and ')}`, command, action)
  try {
    const values = options.map(([name, option]) => {
      const preset = option.default === undefined ? [] : [option.default]
      return [name, option.read(texts.get(name) ?? variables[name] ?? preset, name)]
    })
    return await command.run(Object.fromEntries(values), takesCommand ? tail : words)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    // A value that a variable has set is named by the variable.
    const name = options.map(([one]) => one).find((one) => error.message.startsWith(`--${one}:`))
    const isOfVariable = name !== undefined && variables[name] !== undefined && !texts.has(name)
    throw isOfVariable ? new UsageError(error.message.replace(`--${name}`, variableOf(name))) : error
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
