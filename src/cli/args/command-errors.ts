/** Errors of a command line, with what a person needs to correct it: an example of the command, or the way to its help. */
import { UsageError } from '../../terminal/usage-error.ts'
import type { Command } from './command-table.ts'

/** `Missing <files..>, as in: api-mock check scenario.yaml`; with an action, the example is one of it. */
export function missingError(what: string, { name, examples }: Command, action?: string): UsageError {
  const [line] = examples.find(([example]) => example.startsWith(`api-mock ${name} ${action} `)) ?? examples[0]!
  return new UsageError(`Missing ${what}, as in: ${line}`)
}

/** The error of a command with its exit code. A wrong command line names the help. */
export function withExitCode(error: unknown, { errorExitCode, name }: Command): Error {
  if (!(error instanceof UsageError)) return Object.assign(error as Error, { exitCode: errorExitCode })
  const program = name === 'start' ? 'api-mock' : `api-mock ${name}`
  return Object.assign(new UsageError(`${error.message}\nSee ${program} --help`), { exitCode: errorExitCode })
}
