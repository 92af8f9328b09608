/**
 * Refuses commands, options and words that do not exist, and says what to write instead: `api-mock lst` is refused with
 * "Unknown command 'lst'. Did you mean 'list'?" `strict` of yargs does not say that, and accepts flags with values.
 */
import { didYouMean, nearest } from '../../core/lib/text/did-you-mean.ts'
import { shorten } from '../../core/lib/text/wording.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { COMMANDS, type Command } from './command-table.ts'
import { splitAtDashes } from './plain-line.ts'

/** As for yargs, `-5` is a word. */
const isOption = (arg: string): boolean => /^-[^0-9]/.test(arg)

/**
 * Checks the command line of a command.
 * @throws UsageError for a word or an option that the command does not take, and for a flag with a value.
 */
export async function checkArguments(command: Command, args: readonly string[]): Promise<void> {
  const [own, tail = []] = splitAtDashes(args)
  // For yargs, it is --help.
  if (own.at(-1) === 'help') return
  let words = 0
  for (let place = 0; place < own.length; place++) {
    const arg = own[place]!
    const next = own[place + 1] ?? ''
    if (isOption(arg)) {
      const isNextItsValue = checkOption(command, arg, next)
      if (isNextItsValue) place++
      continue
    }
    words++
    // The first word is the command. Only start has no name.
    if (words > 1) checkWord(command, own.slice(place), words - 1)
    else if (arg !== command.name) throw await unknownCommand(arg)
  }
  if (tail[0] !== undefined && !command.takesCommand) {
    const example = `api-mock run -- ${shorten(tail[0])}`
    throw new UsageError(`Only run, hunt, shrink and rehearse take a command after --, as in: ${example}`)
  }
}

/** Checks an option. Returns true if the argument after it is its value. */
function checkOption({ options }: Command, arg: string, next: string): boolean {
  const names = [...Object.keys(options), 'help', 'version']
  const [typed = '', inline] = arg.split(/=(.*)/s)
  const name = typed.replace(/^--?/, '')
  if (![...names, 'h', 'v'].includes(name)) {
    const known = names.map((option) => `--${option}`)
    throw new UsageError(`Unknown option ${shorten(typed)}.${didYouMean(`--${name}`, known)}`)
  }
  const takesValue = Object.hasOwn(options, name) && options[name]!.type === 'string'
  if (takesValue) return inline === undefined && !isOption(next)
  // yargs would take a word `true` or `false` as the value of a flag.
  const value = inline ?? (/^(?:true|false)$/.test(next) ? next : undefined)
  if (value !== undefined) throw new UsageError(`${typed} takes no value, got '${shorten(value)}'.`)
  return false
}

/** Checks the first of the remaining arguments, a word after the name of the command. @param count the words so far. */
function checkWord({ name, argument, takesCommand }: Command, rest: readonly string[], count: number): void {
  const [word = ''] = rest
  if (takesCommand) throw new UsageError(`Put -- before the command: api-mock ${name} -- ${shorten(rest.join(' '))}`)
  const most = argument === undefined ? 0 : argument.form.includes('..') ? Number.POSITIVE_INFINITY : 1
  if (count > most || word.startsWith('-')) throw new UsageError(`Unexpected argument '${shorten(word)}'.`)
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
