/** A scenario by the name of a built-in one, or by the path of a file. */

import { didYouMean } from '../../core/lib/text/did-you-mean.ts'
import { invalidOption } from '../../core/protocol/errors/check-options.ts'
import { MockError } from '../../core/protocol/errors/mock-error.ts'
import type { CheckedScenario } from '../../core/scenario/yaml/parse-scenario.ts'
import { builtInScenarios } from '../../generated/built-in.ts'

/** A scenario with its name. */
export interface LoadedScenario extends CheckedScenario {
  readonly name: string
}

/**
 * Loads a scenario. Text with a slash in it, or one that ends in .yaml, .yml or .json, is a file; all else a name.
 * @throws ScenarioError with every problem of the file at once; MockError when there is no such scenario or file.
 * @example const { name, source } = await loadScenario('rate-limited')
 */
export async function loadScenario(nameOrFile: string): Promise<LoadedScenario> {
  if (typeof nameOrFile !== 'string')
    throw invalidOption('loadScenario', 'the scenario', 'a name or a path', nameOrFile)
  if (isFile(nameOrFile)) {
    // Loaded on demand: the checks need zod and the YAML parser, which built-in scenarios do not.
    const { loadFile } = await import('./scenario-file.ts')
    return { name: nameOrFile, ...(await loadFile(nameOrFile)) }
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
