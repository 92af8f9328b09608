/**
 * Reads a plain command line: a command without an argument, options with their values, and a command after `--`. Loading
 * yargs for it would take a fifth of the time to start (`npm run bench`).
 *
 *     ['run', '--seed', '7', '--', 'npm', 'test']      run, { seed: ['7'], '--': ['npm', 'test'] }
 */
import { COMMANDS, type Command } from './command-table.ts'

/** A command, and its arguments as yargs reads them. */
export interface CommandLine {
  readonly command: Command
  readonly given: Given
}
export type Given = Readonly<Record<string, unknown>>

/** The arguments before `--`, and those after it; undefined without `--`. */
export function splitAtDashes(args: readonly string[]): [own: readonly string[], tail?: readonly string[]] {
  const dashes = args.indexOf('--')
  return dashes < 0 ? [args] : [args.slice(0, dashes), args.slice(dashes + 1)]
}

/** Undefined for a line that is not plain. Those have rules of their own, which yargs knows. */
export function readPlainLine(args: readonly string[]): CommandLine | undefined {
  const [own, tail] = splitAtDashes(args)
  const named = COMMANDS.find(({ name }) => name === own[0])
  // A line without the name of a command is one of start.
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
    if (inline === undefined) place++
    const value = inline ?? own[place] ?? ''
    // yargs takes quotes off.
    if (value === '' || /^[-'"]/.test(value)) return undefined
    given[name] = [...((given[name] as string[] | undefined) ?? []), value]
  }
  return { command, given }
}
