/** The package entry point for Node: a mock over HTTP, scenario files, and interception with msw. */
import type { ScenarioSource } from './core/scenario/grammar/schema.ts'
import { loadScenario as load } from './scenario-files/load-scenario.ts'

export type { ListenOptions } from './http/listen-options.ts'
export { type Interceptable, type Interception, type InterceptOptions, intercept } from './msw/intercept.ts'
export { listen, type MockServer, middleware } from './server/listen.ts'

/**
 * Loads a scenario from a file (`./weather.yaml`), or a built-in one by its name, for `createMock` and `mock.use`.
 * @throws ScenarioError with every problem of the file at once, each with its line and column.
 * @example const mock = createMock(await loadScenario('./weather.yaml'))
 */
export async function loadScenario(nameOrFile: string): Promise<ScenarioSource> {
  const { source } = await load(nameOrFile)
  return source
}
