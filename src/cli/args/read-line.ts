/**
 * Reads a command line with the parser of yargs, and says what to write instead of a mistake: `api-mock lst` is refused with
 * "Unknown command 'lst'. Did you mean 'list'?"
 *
 *     ['run', '--seed', '7', '--', 'npm', 'test']      { seed: ['7'] }, ['npm', 'test']
 */
import { Parser } from 'yargs/helpers'
import { didYouMean, nearest } from '../../core/lib/text/did-you-mean.ts'
import { quotedList, shorten } from '../../core/lib/text/wording.ts'
import type { Options } from '../../terminal/option.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { COMMANDS, type Command } from './command-table.ts'

/** The messages of the parser, in our words. */
const MESSAGES: Readonly<Record<string, string>> = {
  'Not enough arguments following: %s': 'Option --%s needs a value.',
}

/** The arguments before `--`, and those after it; undefined without `--`. */
export function splitAtDashes(args: readonly string[]): [own: readonly string[], tail?: readonly string[]] {
  const dashes = args.indexOf('--')
  return dashes < 0 ? [args] : [args.slice(0, dashes), args.slice(dashes + 1)]
}

/** The command of a line. Without the name of one, it is start. */
export function findCommand(args: readonly string[]): Command {
  const options = Object.assign({}, ...COMMANDS.map((command) => command.options))
  const [word] = parse(splitAtDashes(args)[0], options).argv._
  return COMMANDS.find(({ name }) => name === word) ?? COMMANDS[0]!
}

/**
 * Reads the line of a command: the texts of its options, and its arguments or the command after `--`.
 * @throws UsageError for an unknown command, word or option, and for what is missing.
 */
export async function readLine(command: Command, args: readonly string[]) {
  const [own, tail] = splitAtDashes(args)
  checkFlags(command, own)
  const { argv, error } = parse(own, command.options)
  const { _: words, ...given } = argv as { _: string[] } & Record<string, unknown>
  await checkWords(command, own, words)
  checkOptions(command, given)
  if (error) throw new UsageError(error.message)
  // `api-mock run --version` needs no command after `--`.
  if (given.version) return { given, words: [] }
  return { given, words: command.takesCommand ? readTail(command, tail) : readArgument(command, words.slice(1), tail) }
}

/** @throws UsageError for a flag with a value, `--watch=yes` or `--watch true`, and for a group of flags, `-vh` */
function checkFlags({ options }: Command, own: readonly string[]): void {
  for (const [place, arg] of own.entries()) {
    if (/^-[hv]{2,}$/.test(arg)) throw unknownOption(arg, options)
    const [, typed = '', name = '', inline] = /^(--?([^=]+))(?:=(.*))?$/s.exec(arg) ?? []
    const isFlag = Object.hasOwn(options, name) ? options[name]!.type === 'boolean' : OWN_OPTIONS.includes(name)
    const next = own[place + 1] ?? ''
    const value = inline ?? (/^(?:true|false)$/.test(next) ? next : undefined)
    if (isFlag && value !== undefined) throw new UsageError(`${typed} takes no value, got '${shorten(value)}'.`)
  }
}

/** @throws UsageError for a word that is no command and no argument, and for an unknown option, which is a word here */
async function checkWords(command: Command, own: readonly string[], words: readonly string[]): Promise<void> {
  const { name, argument, takesCommand, options } = command
  const mostWords = argument === undefined ? 1 : argument.form.includes('..') ? Number.POSITIVE_INFINITY : 2
  for (const [index, word] of words.entries()) {
    if (/^-[^0-9]/.test(word)) throw unknownOption(word, options)
    if (index === 0 && word !== name) throw await unknownCommand(word)
    if (index === 0) continue
    if (takesCommand) {
      // Searched from the end: the value of an option before it may be the same word.
      const start = words.slice(index).reduceRight((end, each) => own.lastIndexOf(each, end - 1), own.length)
      const rest = shorten(own.slice(start).join(' '))
      throw new UsageError(`Put -- before the command: api-mock ${name} -- ${rest}`)
    }
    if (index >= mostWords || word.startsWith('-')) throw new UsageError(`Unexpected argument '${shorten(word)}'.`)
  }
}

/** @throws UsageError for an option that the parser knows and the command does not */
function checkOptions({ options }: Command, given: object): void {
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(options, key) && !OWN_OPTIONS.includes(key))
  if (unknown !== undefined) throw unknownOption(`--${unknown}`, options)
}

/** The command after `--`. */
function readTail(command: Command, tail: readonly string[] = []): readonly string[] {
  if (!tail[0]) throw missingError('-- <command>', command)
  return tail
}

/** The arguments of a command that runs no other one. */
function readArgument(command: Command, words: readonly string[], [runs]: readonly string[] = []): readonly string[] {
  const { name, argument } = command
  if (runs !== undefined) {
    const example = `api-mock run -- ${shorten(runs)}`
    throw new UsageError(`Only run, hunt, shrink and rehearse take a command after --, as in: ${example}`)
  }
  const [action] = words
  if (action === undefined && argument?.form.startsWith('<')) throw missingError(argument.form, command)
  const choices = argument?.choices
  if (action !== undefined && choices?.includes(action) === false) {
    const expected = `Expected ${name} with ${quotedList(choices, 'or')}`
    throw new UsageError(`${expected}, got '${shorten(action)}'.${didYouMean(action, choices)}`)
  }
  return words
}

/** The options of the program itself. */
const OWN_OPTIONS: readonly string[] = ['help', 'version', 'h', 'v']

/** Unknown options become words, in their place. */
function parse(own: readonly string[], options: Options) {
  const names = Object.keys(options)
  const flags = names.filter((name) => options[name]!.type === 'boolean')
  const texts = names.filter((name) => options[name]!.type === 'string')
  const valuesOf = (keys: readonly string[], count: number) => keys.map((name) => [name, count])
  const settings = {
    boolean: [...flags, 'help', 'version'],
    string: texts,
    alias: { help: ['h'], version: ['v'] },
    narg: Object.fromEntries([...valuesOf([...flags, 'help', 'version'], 0), ...valuesOf(texts, 1)]),
    __: (text: string, name: string) => (MESSAGES[text] ?? text).replace('%s', name),
    configuration: {
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-positional-numbers': false,
      'unknown-options-as-args': true,
    },
  }
  return Parser.detailed([...own], settings)
}

function unknownOption(typed: string, options: Options): UsageError {
  const option = typed.replace(/=.*/s, '')
  const owners = COMMANDS.filter((command) => Object.hasOwn(command.options, option.replace(/^--/, '')))
  if (owners.length > 0) {
    const names = owners.map(({ name }) => name)
    return new UsageError(`Unknown option ${option}. It is an option of ${quotedList(names, 'and')}.`)
  }
  const known = [...Object.keys(options), 'help', 'version'].map((name) => `--${name}`)
  return new UsageError(`Unknown option ${shorten(option)}.${didYouMean(option.replace(/^-?-?/, '--'), known)}`)
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
export function missingError(what: string, { name, examples }: Command, action?: string): UsageError {
  const [line] = examples.find(([example]) => example.startsWith(`api-mock ${name} ${action} `)) ?? examples[0]!
  return new UsageError(`Missing ${what}, as in: ${line}`)
}
