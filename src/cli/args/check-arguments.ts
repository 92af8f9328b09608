/**
 * Refuses commands and options that do not exist. This is not left to `strictOptions` and `recommendCommands` of yargs:
 * yargs throws a TypeError for names such as `--toString`, turns `--watch=maybe` into false, and does not know scenarios.
 */
import { didYouMean, nearest } from '../../core/lib/text/did-you-mean.ts'
import { shorten } from '../../core/lib/text/wording.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { COMMANDS } from './command-table.ts'

/** As for yargs, `-5` is a word. */
const isOption = (arg: string): boolean => /^-[^0-9]/.test(arg)
/** `--port=80` -> `port` */
const nameOf = (option: string): string => option.replace(/^--?|=.*$/gs, '')

const FLAGS = new Set(['help', 'version', 'h', 'v'])
for (const { options } of COMMANDS)
  for (const [name, { type }] of Object.entries(options)) if (type === 'boolean') FLAGS.add(name)

/** True for an option that may take the next word as its value. */
const takesNext = (arg = ''): boolean => isOption(arg) && !arg.includes('=') && !FLAGS.has(nameOf(arg))

/**
 * The parts of a command line: its first word and the command of that name, everything else before `--`, and `--` with what
 * follows.
 * @example readArguments(['--port', '0', 'run', '--', 'npm', 'test'])
 * // { word: 'run', command: <run>, others: ['--port', '0'], tail: ['--', 'npm', 'test'] }
 */
export function readArguments(args: readonly string[]) {
  const dashes = args.indexOf('--')
  const end = dashes < 0 ? args.length : dashes
  // The first word that is not the value of an option. Without one, the command is start.
  const index = args.findIndex((arg, place) => place < end && !isOption(arg) && !takesNext(args[place - 1]))
  const word = args[index]
  return {
    word,
    command: COMMANDS.find(({ name }) => name === (word ?? 'start')),
    others: args.slice(0, end).filter((_, place) => place !== index),
    tail: args.slice(end),
  }
}

/** @throws UsageError for a command or an option that does not exist, and for a flag with a value. */
export async function checkArguments(parts: ReturnType<typeof readArguments>): Promise<void> {
  const { command, word = '', others, tail } = parts
  // For yargs, a last word `help` is --help.
  const asksForHelp = (others.at(-1) ?? word) === 'help'
  if (command === undefined && word !== 'completion' && !asksForHelp) throw await unknownCommand(word)
  const options = command?.options ?? {}
  const names = [...Object.keys(options), 'help', 'version']
  for (const [index, arg] of others.entries()) {
    // yargs would drop `-5` and `-`, and words after them.
    if (/^-(?:\d|$)/.test(arg) && !takesNext(others[index - 1]))
      throw new UsageError(`Unexpected argument '${shorten(arg)}'.`)
    if (!isOption(arg)) continue
    const [typed = ''] = arg.split('=')
    const name = nameOf(arg)
    if (![...names, 'h', 'v'].includes(name)) {
      // The first word of a command that is not after `--`: the option belongs to it.
      const start = others.findIndex((one, place) => place < index && !isOption(one) && !takesNext(others[place - 1]))
      if (command?.takesCommand && start >= 0 && tail.length === 0) {
        const words = shorten(others.slice(start).join(' '))
        throw new UsageError(`Put -- before the command: api-mock ${command.name} -- ${words}`)
      }
      const suggestion = didYouMean(
        `--${name}`,
        names.map((one) => `--${one}`),
      )
      throw new UsageError(`Unknown option ${shorten(typed)}.${suggestion}`)
    }
    // yargs would take a word `true` or `false` as the value.
    const hasValue = arg !== typed || /^(?:true|false)$/.test(others[index + 1] ?? '')
    if (options[name]?.type !== 'string' && hasValue) {
      const value = arg === typed ? others[index + 1]! : arg.slice(typed.length + 1)
      throw new UsageError(`${typed} takes no value, got '${shorten(value)}'.`)
    }
  }
  if (tail[1] !== undefined && command?.takesCommand !== true) {
    const takers = COMMANDS.filter(({ takesCommand }) => takesCommand).map((one) => one.name)
    const list = `${takers.slice(0, -1).join(', ')} and ${takers.at(-1)}`
    throw new UsageError(`Only ${list} take a command after --, as in: api-mock run -- ${shorten(tail[1])}`)
  }
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
