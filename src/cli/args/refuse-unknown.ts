/** Refuses options and words that no command knows, before yargs reads them: yargs breaks on names like `--toString`. */
import { didYouMean, nearest } from '../../core/lib/text/did-you-mean.ts'
import { shorten } from '../../core/lib/text/shorten.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { COMMANDS, type Command } from './command-table.ts'

const COMMON_OPTIONS = ['help', 'version']
const ALIASES = ['h', 'v']

type OptionType = 'string' | 'boolean'

const typesIn = (commands: readonly Command[]): ReadonlyMap<string, OptionType> =>
  new Map(commands.flatMap(({ options }) => Object.entries(options).map(([name, { type }]) => [name, type] as const)))

const TYPES = typesIn(COMMANDS)

interface Words {
  /** Options as they were typed, without their values. */
  readonly options: readonly string[]
  readonly words: readonly string[]
  /** The first word after `--`. */
  readonly program: string | undefined
}

/** The name of the command that a command line calls; `start` when it names none. */
export const commandNameOf = (args: readonly string[]): string => {
  const [first = 'start'] = readWords(args).words
  return first
}

/** @throws UsageError for a word or an option that the command does not know, and for a flag with a value. */
export async function refuseUnknown(args: readonly string[]): Promise<void> {
  const { options, words, program } = readWords(args)
  const [first = 'start', ...rest] = words
  const command = COMMANDS.find(({ name }) => name === first)
  // yargs takes a last word `help` as --help.
  const asksForHelp = words.at(-1) === 'help'
  if (command === undefined && first !== 'completion' && !asksForHelp) throw await unknownCommand(first)
  const types = typesFor(words)
  for (const option of options) refuseOption(option, Object.keys(command?.options ?? {}), types)
  if (command !== undefined) refuseOtherActions(command, rest[0], options)
  if (program !== undefined && command?.takesCommand !== true) {
    const takers = COMMANDS.filter(({ takesCommand }) => takesCommand).map(({ name }) => name)
    const names = `${takers.slice(0, -1).join(', ')} and ${takers.at(-1)}`
    throw new UsageError(`Only ${names} take a command after --, as in: api-mock run -- ${shorten(program)}`)
  }
  if (!asksForHelp) refuseWords(command ?? {}, rest)
}

async function unknownCommand(word: string): Promise<UsageError> {
  const names = COMMANDS.map(({ name }) => name)
  return new UsageError(`Unknown command '${shorten(word)}'.${didYouMean(word, names) || (await hintFor(word, names))}`)
}

async function hintFor(word: string, names: readonly string[]): Promise<string> {
  // Loaded late: not every command needs the scenarios.
  const { builtInScenarios } = await import('../../generated/built-in.ts')
  const { isFile } = await import('../../engine/scenario-files/load-scenario.ts')
  const scenario = isFile(word) ? shorten(word) : nearest(word, Object.keys(builtInScenarios), 1)[0]
  if (scenario !== undefined) return ` To choose a scenario: api-mock --scenario ${scenario}`
  const others = names.filter((name) => name !== 'start')
  return ` The server starts without a command: api-mock. Commands: ${others.join(', ')}.`
}

function refuseOption(option: string, ownOptions: readonly string[], types: ReadonlyMap<string, OptionType>): void {
  const known = [...ownOptions, ...COMMON_OPTIONS]
  const [typed = ''] = option.split('=')
  const name = nameOf(option)
  if (![...known, ...ALIASES].includes(name)) {
    const names = known.map((one) => `--${one}`)
    throw new UsageError(`Unknown option ${shorten(typed)}.${didYouMean(`--${name}`, names)}`)
  }
  if (option.includes('=') && types.get(name) === 'boolean') throw new UsageError(`${typed} takes no value.`)
}

/** Refuses options that the command has for another action: `fleet report --scenario flaky` would change nothing. */
function refuseOtherActions({ name, options }: Command, action: string | undefined, typed: readonly string[]): void {
  const actions = Object.values(options).map((option) => option.action)
  if (action === undefined || !actions.includes(action)) return
  for (const option of typed.map(nameOf)) {
    const expected: string = options[option]?.action ?? action
    if (expected !== action) throw new UsageError(`--${option}: expected ${name} ${expected}, got ${name} ${action}.`)
  }
}

function refuseWords({ name, argument, takesCommand }: Partial<Command>, words: readonly string[]): void {
  if (argument?.form.includes('..')) return
  const unexpected = words[argument === undefined ? 0 : 1]
  if (unexpected === undefined) return
  if (takesCommand) throw new UsageError(`Put -- before the command: api-mock ${name} -- ${shorten(words.join(' '))}`)
  throw new UsageError(`Unexpected argument '${shorten(unexpected)}'.`)
}

/** `--port=80` -> `port` */
const nameOf = (option: string): string => option.replace(/^--?/, '').replace(/=.*$/s, '')

/** The types of the options: those of the command if it is named, and those of others to refuse them with their values. */
function typesFor(args: readonly string[]): ReadonlyMap<string, OptionType> {
  const named = COMMANDS.find(({ name }) => args.includes(name))
  const common = [...COMMON_OPTIONS, ...ALIASES].map((name) => [name, 'boolean'] as const)
  return new Map([...TYPES, ...typesIn(named === undefined ? [] : [named]), ...common])
}

/** Splits a command line as yargs does: a text option takes the word after it, and `-5` is a word. */
function readWords(args: readonly string[]): Words {
  const end = args.indexOf('--')
  const types = typesFor(end === -1 ? args : args.slice(0, end))
  const options: string[] = []
  const words: string[] = []
  let mayTakeNext: 'string' | 'boolean' | undefined
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const isOption = /^-[^0-9]/.test(arg)
    if (isOption) options.push(arg)
    // yargs would take the word as the value of the flag.
    else if (mayTakeNext === 'boolean' && /^(?:true|false)$/.test(arg)) options.push(`${options.pop()}=${arg}`)
    else if (mayTakeNext !== 'string') words.push(arg)
    const name = nameOf(arg)
    // The word after an unknown option is taken as its value, so that the option is refused and not the word.
    mayTakeNext = !isOption || arg.includes('=') ? undefined : (types.get(name) ?? 'string')
  }
  return { options, words, program: end === -1 ? undefined : args[end + 1] }
}
