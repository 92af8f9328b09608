/** A scenario from a file. */
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { MockError } from '../../core/protocol/errors/mock-error.ts'
import { type CheckedScenario, checkScenario } from '../../core/scenario/yaml/parse-scenario.ts'

/** More than over the network: a file is the user's own, and cassettes are large. */
export const MAX_BYTES = 10_000_000

/** @throws ScenarioError with every problem of the file at once; MockError when it can't be read. */
export async function loadFile(path: string): Promise<CheckedScenario> {
  const text = await readText(path)
  return checkScenario(text, path, MAX_BYTES)
}

/** @throws MockError when it can't be read. */
export async function readText(path: string): Promise<string> {
  const fail = (reason: string, cause?: unknown): never => {
    throw new MockError('unreadable-scenario', `Failed to read scenario file '${path}': ${reason}`, { cause })
  }
  const status = await stat(path).catch((error) => fail(reasonOf(error, path), error))
  if (status.isDirectory()) fail('it is a folder. Name a .yaml or .json file in it.')
  // Reading a pipe or device could block forever.
  if (!status.isFile()) fail('it is not a plain file. Write the scenario to a plain file first.')
  if (status.size > MAX_BYTES) fail(`expected at most ${MAX_BYTES} bytes (10 MB), got ${status.size}.`)
  const bytes = await readFile(path).catch((error) => fail(reasonOf(error, path), error))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    return fail('it is not UTF-8 text. Save it as UTF-8.', error)
  }
}

/** `init` writes only YAML files, and no folders; a shell splits an unquoted path at blanks. */
function initHint(path: string): string {
  const plain = path.replace(/^\.\//, '')
  if (!/^[\w.-]+$/.test(plain) || /\.json$/i.test(plain)) return ''
  return `, or write a first one with \`api-mock init ${/\.ya?ml$/i.test(plain) ? plain : `${plain}.yaml`}\``
}

function reasonOf(error: unknown, path: string): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return `there is no such file (looked for ${resolve(path)}). Check the path${initHint(path)}.`
  }
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not read it. Change its permissions.'
  return `${(error as Error).message}. Check the file and its disk.`
}
