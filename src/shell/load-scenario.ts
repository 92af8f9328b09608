/** A scenario by the name of a built-in one, or by the path of a file. */
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { builtInScenarios } from '../core/scenario/built-in.ts'
import { didYouMean } from '../core/suggest.ts'
import type { CheckedScenario } from './parse-scenario.ts'

const MAX_BYTES = 1_000_000

/** A scenario with its name. */
export interface LoadedScenario extends CheckedScenario {
  readonly name: string
}

/**
 * Loads a scenario. Text with a slash in it, or one that ends in .yaml, .yml or .json, is a file; all else a name.
 * @throws ScenarioError with every problem of the file at once; Error when there is no such scenario or file.
 * @example const { name, source } = await loadScenario('rate-limited')
 */
export async function loadScenario(nameOrFile: string): Promise<LoadedScenario> {
  if (isFile(nameOrFile)) return { name: nameOrFile, ...(await loadFile(nameOrFile)) }
  // A test says that the built-in ones have no warnings.
  if (isBuiltIn(nameOrFile)) return { name: nameOrFile, source: builtInScenarios[nameOrFile], warnings: [] }
  const names = Object.keys(builtInScenarios)
  throw new Error(
    `Failed to load scenario '${nameOrFile}': there is none of that name.${didYouMean(nameOrFile, names)} ` +
      `Built in are: ${names.join(', ')}. A file is named by its path, such as ./${nameOrFile || 'my-scenario'}.yaml.`,
  )
}

/** Whether a text is the path of a file; any other is a name. */
export const isFile = (text: string): boolean => /[/\\]|\.(?:ya?ml|json)$/i.test(text)
const isBuiltIn = (name: string): name is keyof typeof builtInScenarios => Object.hasOwn(builtInScenarios, name)

async function loadFile(path: string): Promise<CheckedScenario> {
  const text = await readText(path)
  // Only now: the checks need zod and the YAML parser, which a built-in scenario starts without.
  const { checkScenario } = await import('./parse-scenario.ts')
  return checkScenario(text, path)
}

async function readText(path: string): Promise<string> {
  const fail = (reason: string, cause?: unknown): never => {
    throw new Error(`Failed to read scenario file '${path}': ${reason}`, { cause })
  }
  const status = await stat(path).catch((error) => fail(reasonOf(error, path), error))
  if (status.isDirectory()) fail('it is a folder. Name a .yaml or .json file in it.')
  // A pipe or device could keep us waiting for good.
  if (!status.isFile()) fail('it is no plain file. Write it to one first.')
  if (status.size > MAX_BYTES) fail(`it has ${status.size} bytes, allowed are ${MAX_BYTES} (1 MB). Make it smaller.`)
  const bytes = await readFile(path).catch((error) => fail(reasonOf(error, path), error))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    return fail('it is not UTF-8 text. Save it as UTF-8.', error)
  }
}

function reasonOf(error: unknown, path: string): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return `there is no such file (looked for ${resolve(path)}). Check the path, or write a first one with \`api-mock init ${path}\`.`
  }
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not read it. Change its permissions.'
  return `${(error as Error).message}. Check the file and its disk.`
}
