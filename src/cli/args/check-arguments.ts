/**
 * Refuses commands, options and words that do not exist, and says what to write instead. `strict` of yargs does not, and
 * accepts flags with values.
 */
import { didYouMean, nearest } from '../../core/lib/text/did-you-mean.ts'
import { shorten } from '../../core/lib/text/wording.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { COMMANDS, type Command } from './command-table.ts'

/** As for yargs, `-5` is a word. */
const isOption = (arg: string): boolean => /^-[^0-9]/.test(arg)

/**
 * Checks the command line of a command.
 * @throws UsageError for a word or an option that the command does not take, and for a flag with a value.
 */
export async function checkArguments(command: Command, args: readonly string[]): Promise<void> {
  const { name: commandName, argument, takesCommand, options } = command
  const dashes = args.indexOf('--')
  const [own, tail] = dashes < 0 ? [args, []] : [args.slice(0, dashes), args.slice(dashes + 1)]
  // For yargs, it is --help.
  if (own.at(-1) === 'help') return
  const names = [...Object.keys(options), 'help', 'version']
  const maxWords = argument === undefined ? 0 : argument.form.includes('..') ? Number.POSITIVE_INFINITY : 1
  let words = -1
  for (let place = 0; place < own.length; place++) {
    const arg = own[place]!
    if (!isOption(arg)) {
      // The first word is the command. Only start has no name.
      if (words < 0 && arg !== commandName) throw await unknownCommand(arg)
      words++
      if (words > 0 && takesCommand) {
        const line = shorten(own.slice(place).join(' '))
        throw new UsageError(`Put -- before the command: api-mock ${commandName} -- ${line}`)
      }
      if (words > maxWords || arg.startsWith('-')) throw new UsageError(`Unexpected argument '${shorten(arg)}'.`)
      continue
    }
    const [typed = '', inline] = arg.split(/=(.*)/s)
    const name = typed.replace(/^--?/, '')
    if (![...names, 'h', 'v'].includes(name)) {
      const suggestion = didYouMean(
        `--${name}`,
        names.map((one) => `--${one}`),
      )
      throw new UsageError(`Unknown option ${shorten(typed)}.${suggestion}`)
    }
    const next = own[place + 1] ?? ''
    if (Object.hasOwn(options, name) && options[name]!.type === 'string') {
      if (inline === undefined && !isOption(next)) place++
      continue
    }
    // yargs would take a word `true` or `false` as the value.
    const value = inline ?? (/^(?:true|false)$/.test(next) ? next : undefined)
    if (value !== undefined) throw new UsageError(`${typed} takes no value, got '${shorten(value)}'.`)
  }
  if (tail[0] !== undefined && !takesCommand) {
    const example = `api-mock run -- ${shorten(tail[0])}`
    throw new UsageError(`Only run, hunt, shrink and rehearse take a command after --, as in: ${example}`)
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
