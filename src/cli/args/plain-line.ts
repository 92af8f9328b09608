/**
 * Reads a plain command line: a command without an argument, options with their values, and a command after `--`. Loading
 * yargs for it would take a fifth of the time to start (`npm run bench`).
 *
 *     ['run', '--seed', '7', '--', 'npm', 'test']      run, { seed: ['7'], '--': ['npm', 'test'] }
 */
import { COMMANDS, type Command } from './command-table.ts'

/** The arguments as yargs reads them. */
export type Given = Readonly<Record<string, unknown>>

/**
 * The command and the arguments of a plain command line; undefined if it is any other. Those have rules of their own,
 * which yargs knows.
 */
export function readPlainLine(args: readonly string[]): { command: Command; given: Given } | undefined {
  const dashes = args.indexOf('--')
  const [own, tail] = dashes < 0 ? [args, undefined] : [args.slice(0, dashes), args.slice(dashes + 1)]
  const named = COMMANDS.find(({ name }) => name === own[0])
  const command = named ?? COMMANDS[0]!
  const { argument, takesCommand, options } = command
  // For yargs, a last word `help` is --help.
  if (argument !== undefined || (tail !== undefined && !takesCommand) || own.at(-1) === 'help') return undefined
  const given: Record<string, unknown> = { '--': tail }
  for (let place = named === undefined ? 0 : 1; place < own.length; place++) {
    const [, name = '', inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(own[place]!) ?? []
    if (!Object.hasOwn(options, name)) return undefined
    if (options[name]!.type === 'boolean') {
      if (inline !== undefined) return undefined
      given[name] = true
      continue
    }
    const value = inline ?? own[++place] ?? ''
    // yargs takes quotes off.
    if (value === '' || /^[-'"]/.test(value)) return undefined
    given[name] = [...((given[name] as string[] | undefined) ?? []), value]
  }
  return { command, given }
}
