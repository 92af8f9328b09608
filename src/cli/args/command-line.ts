/** Runs a command line: a plain one of `start` or `run` at once, any other with yargs. */
import { readPlain } from './plain-command-line.ts'

/** Runs a command line (without the program's own name) and returns its exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const plain = readPlain(args)
  if (plain !== undefined) return plain()
  const { runWithYargs } = await import('./yargs-command-line.ts')
  return runWithYargs(args)
}
