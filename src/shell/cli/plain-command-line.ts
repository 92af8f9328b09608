/**
 * Plain command lines of `start` and `run`, read with Node's own parser: to load yargs takes as long as all the rest of
 * a start. It reads the same options, and leaves to yargs whatever the two might not take alike: help, mistakes, and
 * words that are neither an option nor its value.
 */
import { parseArgs } from 'node:util'
import { RUN, START } from './service-commands.ts'

/** What carries the command line out and returns its exit code; undefined when it takes yargs. */
export function readPlain(args: readonly string[]): (() => Promise<number>) | undefined {
  const end = args.indexOf('--')
  const afterDashes = end < 0 ? [] : args.slice(end + 1)
  const [first, ...rest] = end < 0 ? args : args.slice(0, end)
  if (first === 'run') {
    const given = readOptions(rest, RUN.options)
    return given && (() => RUN.run(given, afterDashes))
  }
  const given = readOptions(first === undefined || first === 'start' ? rest : [first, ...rest], START.options)
  return given && (() => START.run(given, afterDashes))
}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>

function readOptions<Table extends Options>(args: string[], options: Table) {
  try {
    const { values } = parseArgs({ args, options, strict: true, allowPositionals: false })
    return Object.values(values).every(isPlain) ? values : undefined
  } catch {
    return undefined
  }
}

// yargs takes quotes off, and has words of its own for an option without a value.
const isPlain = (value: unknown): boolean => typeof value === 'boolean' || /^[^-'"]/.test(String(value))
