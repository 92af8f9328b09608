/** The package entry point for Node: a mock over HTTP, scenario files, and interception with msw. */

import { loadScenario as load } from './engine/node.ts'
import type { ScenarioInput } from './generated/scenario-input.ts'

export type { ListenOptions } from './http/index.ts'
export { type Interceptable, type Interception, type InterceptOptions, intercept } from './msw/node.ts'
export { listen, type MockServer, middleware } from './server/index.ts'

/**
 * Loads a scenario from a file (`./weather.yaml`), or a built-in one by its name, for `createMock` and `mock.use`.
 * @throws ScenarioError with every problem of the file at once, each with its line and column.
 * @example const mock = createMock(await loadScenario('./weather.yaml'))
 */
export async function loadScenario(nameOrFile: string): Promise<ScenarioInput> {
  const { source } = await load(nameOrFile)
  // The schema has checked the forms that the type of a scenario in code spells out.
  return source as ScenarioInput
}
