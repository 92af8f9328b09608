/** The program `api-mock`: runs the command line and turns every error into one message and the exit code of errors. */
import { errorExitCodeOf, runCommandLine } from './args/command-line.ts'
import { stopWithNpm } from './npm-shell.ts'

/** Runs the program with the arguments of this process. */
export async function runProgram(): Promise<void> {
  // `api-mock list | head -1` closes our output early. That is not an error.
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })

  stopWithNpm()
  try {
    process.exitCode = await runCommandLine(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exitCode = errorExitCodeOf(process.argv.slice(2))
  }

  // Timers or sockets of the user's --handlers must not keep a finished program alive.
  setTimeout(() => process.exit(), 100).unref()
}

/** A stack trace is shown only for our own bugs. */
function messageOf(error: unknown): string {
  const isBug = error instanceof TypeError || error instanceof ReferenceError || !(error instanceof Error)
  if (isBug) return `api-mock: this is a bug in llm-api-mock.\n${(error as Error | undefined)?.stack ?? String(error)}`
  return `api-mock: ${portInUse(error) ?? error.message}`
}

/** What the command line says of a port in use: the option to change. Undefined for other errors. */
function portInUse({ cause }: Error): string | undefined {
  const { code, address, port } = (cause ?? {}) as { code?: string; address?: string; port?: number }
  if (code !== 'EADDRINUSE' || port === undefined) return undefined
  const other = port === 65535 ? 4010 : port + 1
  return `Port ${port} on ${address} is in use. Stop the other program, or choose another port: --port ${other} (0 for any free port).`
}
