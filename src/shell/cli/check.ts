/** `api-mock check`: scenario files, each `ok` or with every problem it has. */
import { isFile, loadScenario } from '../load-scenario.ts'
import { readScenario } from '../read-scenario.ts'

/** Prints what it finds, in the order of the files; the exit code is 1 when any has a problem. */
export async function check(files: readonly string[]): Promise<number> {
  let exitCode = 0
  for (const file of files) {
    const problem = await problemOf(file)
    if (problem !== undefined) exitCode = 1
    process.stdout.write(`${problem ?? `ok ${file}`}\n`)
  }
  return exitCode
}

async function problemOf(file: string): Promise<string | undefined> {
  try {
    const { name, source } = await loadScenario(asPath(file))
    // Compiling as well: a file is ok when a mock can start with it.
    await readScenario(source, name)
    return undefined
  } catch (error) {
    const { message } = error as Error
    return message.includes(file) ? message : `${file}: ${message}`
  }
}

/** Everything is a file here; to the loader a bare word is the name of a built-in scenario. */
const asPath = (file: string): string => (isFile(file) ? file : `./${file}`)
