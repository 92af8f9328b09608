/** The program `api-mock`: runs the command line, and turns whatever goes wrong into one message and an exit code. */
import { runCommandLine } from './args/command-line.ts'
import { UsageError } from './args/usage-error.ts'

/** Runs it with the arguments that the process was given. */
export async function runProgram(): Promise<void> {
  // `api-mock list | head -1` closes our output early: that is no failure, and nobody is left to tell.
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })

  try {
    process.exitCode = await runCommandLine(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exitCode = 1
  }

  // A module of the user's handlers may hold timers or sockets of its own; it does not keep a finished program alive.
  setTimeout(() => process.exit(), 100).unref()
}

/** A problem of the user's in its own words; a stack only where the fault is ours. */
function messageOf(error: unknown): string {
  if (error instanceof UsageError) return `api-mock: ${error.message}\nSee \`api-mock --help\`.`
  const isOurs = error instanceof TypeError || error instanceof ReferenceError || !(error instanceof Error)
  if (isOurs) return `api-mock: this is a bug in llm-api-mock.\n${(error as Error | undefined)?.stack ?? String(error)}`
  return `api-mock: ${error.message}`
}
