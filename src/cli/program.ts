/** The program `api-mock`: runs the command line and turns every error into one message and the exit code of errors. */
import { runCommandLine } from './args/command-line.ts'

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
    process.exitCode = (error as { exitCode?: number }).exitCode ?? 1
  }

  // Timers or sockets of the user's --handlers must not keep a finished program alive.
  setTimeout(() => process.exit(), 100).unref()
}

/** Time between two checks for another parent process. */
const CHECK_MS = 250
/** An npm script that runs only this program. In one with `&` or `;`, the shell may end before the program, on purpose. */
const OWN_SCRIPT = /^[^&;|\n]*\bapi-mock\b[^&;|\n]*$/

/**
 * Stops this process when npm is killed. npx and `npm run` start a program in a shell. On SIGTERM npm ends that shell, which
 * does not pass the signal on: the program would go on and hold its port. But then it has another parent process.
 */
function stopWithNpm(): void {
  if (!OWN_SCRIPT.test(process.env.npm_lifecycle_script ?? '')) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, CHECK_MS)
  timer.unref()
}

/** The message for an error. Only bugs have a stack trace; a port in use is explained with the option that changes it. */
function messageOf(error: unknown): string {
  const isBug = error instanceof TypeError || error instanceof ReferenceError || !(error instanceof Error)
  if (isBug) return `api-mock: this is a bug in llm-api-mock.\n${(error as Error | undefined)?.stack ?? String(error)}`
  const { code, address, port } = (error.cause ?? {}) as { code?: string; address?: string; port?: number }
  if (code !== 'EADDRINUSE' || port === undefined) return `api-mock: ${error.message}`
  const other = port === 65_535 ? 4010 : port + 1
  return `api-mock: Port ${port} on ${address} is in use. Stop the other program, or choose another port: --port ${other} (0 for any free port).`
}
