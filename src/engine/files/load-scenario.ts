/** Loads a scenario by the name of a built-in one, or by the path of a file. */

import { readFile, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { didYouMean } from '../../core/lib/text/did-you-mean.ts'
import { invalidOption } from '../../core/protocol/errors/check-options.ts'
import { MockError } from '../../core/protocol/errors/mock-error.ts'
import { ScenarioError } from '../../core/scenario/check/problem.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import type { CheckedScenario } from '../../core/scenario/yaml/parse-scenario.ts'
import { builtInScenarios } from '../../generated/built-in.ts'
import { namedScenarios, resolveSessions } from './session-scenarios.ts'

/** A scenario with its name. */
export interface LoadedScenario extends CheckedScenario {
  readonly name: string
}

/**
 * Loads a scenario. Text with a slash in it, or one that ends in .yaml, .yml or .json, is a file; all else a name.
 * @param files is given the files that its keys name.
 * @throws ScenarioError with every problem of the file at once; MockError when there is no such scenario or file.
 * @example const { name, source } = await loadScenario('rate-limited')
 */
export async function loadScenario(nameOrFile: string, files?: Set<string>): Promise<LoadedScenario> {
  if (typeof nameOrFile !== 'string')
    throw invalidOption('loadScenario', 'the scenario', 'a name or a path', nameOrFile)
  if (isFile(nameOrFile)) {
    return { name: nameOrFile, ...(await loadFile(nameOrFile, files)) }
  }
  // A test checks that built-in scenarios have no warnings.
  if (isBuiltIn(nameOrFile)) return { name: nameOrFile, source: builtInScenarios[nameOrFile], warnings: [] }
  const near = didYouMean(nameOrFile, Object.keys(builtInScenarios))
  throw new MockError(
    'unknown-scenario',
    `Unknown scenario '${nameOrFile}'.${near} See all: api-mock list. ` +
      `To load a file, give its path, such as ./${nameOrFile || 'my-scenario'}.yaml.`,
  )
}

/** True if a text is the path of a file rather than a name. */
export const isFile = (text: string): boolean => /[/\\]|\.(?:ya?ml|json)$/i.test(text)
/** True if a text is the name of a built-in scenario. */
export const isBuiltIn = (name: string): name is keyof typeof builtInScenarios => Object.hasOwn(builtInScenarios, name)

/** The largest scenario file. Over the network less is read: a file is the user's own, and cassettes are large. */
export const MAX_BYTES = 10_000_000

/**
 * Loads a scenario file, with the scenarios that its keys name.
 * @throws ScenarioError with every problem of the file at once; MockError when it can't be read.
 */
export async function loadFile(path: string, files?: Set<string>): Promise<CheckedScenario> {
  const { text, ...checked } = await checkFile(path)
  return { ...checked, source: await loadSessions(checked.source, text, path, files) }
}

// Loaded on demand: the checks need zod and the YAML parser, which built-in scenarios do not.
const loadParser = () => import('../../core/scenario/yaml/parse-scenario.ts')

/** The scenario of a file, without those that its keys name. */
async function checkFile(path: string): Promise<CheckedScenario & { readonly text: string }> {
  const text = await readText(path)
  return { text, ...(await loadParser()).checkScenario(text, path, MAX_BYTES) }
}

/**
 * Loads the scenarios that the keys of a scenario file name, relative to it.
 * @param text that of the file.
 * @throws ScenarioError with every problem at once.
 */
export async function loadSessions(
  source: ScenarioSource,
  text: string,
  path: string,
  files = new Set<string>(),
): Promise<ScenarioSource> {
  const loaded = new Map<string, ScenarioSource | Error>()
  for (const name of namedScenarios(source)) {
    const file = isFile(name) && !isAbsolute(name) ? join(dirname(path), name) : name
    if (isFile(name)) files.add(file)
    const loading = isFile(name) ? checkFile(file) : loadScenario(name)
    const sourceOrError = await loading.then(
      (scenario) => scenario.source,
      (error: Error) => error,
    )
    loaded.set(name, sourceOrError)
  }
  try {
    return resolveSessions(source, (name) => loaded.get(name)!)
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    throw new ScenarioError((await loadParser()).locateProblems(error.problems, text), path)
  }
}

/** The text of a scenario file. @throws MockError when it can't be read. */
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

/** The reason why a file cannot be read, and what to do. */
function reasonOf(error: unknown, path: string): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const plain = path.replace(/^\.\//, '')
    const name = /\.ya?ml$/i.test(plain) ? plain : `${plain}.yaml`
    // `init` writes only YAML files, and no folders; a shell splits an unquoted path at blanks.
    const canInit = /^[\w.-]+$/.test(plain) && !/\.json$/i.test(plain)
    const hint = canInit ? `, or write a first one with \`api-mock init ${name}\`` : ''
    return `there is no such file (looked for ${resolve(path)}). Check the path${hint}.`
  }
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not read it. Change its permissions.'
  return `${(error as Error).message}. Check the file and its disk.`
}
