/**
 * Plain command lines of `start` and `run`, read with Node's own parser: to load yargs takes as long as all the rest of
 * a start. It knows the same options, and leaves to yargs what is help, a mistake or another command.
 */
import { parseArgs } from 'node:util'
import { RUN, START } from './service-commands.ts'

/** What carries the command line out and returns its exit code; undefined when it takes yargs. */
export function readPlain(args: readonly string[]): (() => Promise<number>) | undefined {
  const end = args.indexOf('--')
  const own = end < 0 ? args : args.slice(0, end)
  const afterDashes = end < 0 ? [] : args.slice(end + 1)
  if (own[0] === 'run') {
    const given = readOptions(own.slice(1), RUN.options)
    return given && (() => RUN.run(given, afterDashes))
  }
  const given = readOptions(own[0] === 'start' ? own.slice(1) : own, START.options)
  return given && (() => START.run(given, afterDashes))
}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>

function readOptions<Table extends Options>(args: readonly string[], options: Table) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch {
    return undefined
  }
}
