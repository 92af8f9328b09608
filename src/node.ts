/** The door for Node: serving a mock over HTTP, scenario files, and msw's interception with its guard. */
import type { ScenarioSource } from './core/scenario/grammar/schema.ts'
import { loadScenario as load } from './scenario-files/load-scenario.ts'

export type { ListenOptions } from './http/listen-options.ts'
export { type Interceptable, type Interception, type InterceptOptions, intercept } from './msw/intercept.ts'
export { listen, type MockServer, middleware } from './server/listen.ts'

/**
 * A scenario from a file (`./weather.yaml`), or a built-in one by its name, for `createMock` and `mock.use`.
 * @throws ScenarioError with every problem of the file at once, each with its line and column.
 * @example const mock = createMock(await loadScenario('./weather.yaml'))
 */
export async function loadScenario(nameOrFile: string): Promise<ScenarioSource> {
  const { source } = await load(nameOrFile)
  return source
}
