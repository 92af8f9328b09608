/** The scenarios that keys name, in the place of their names: those of sessions. Loads no files. */

import { SESSION_NAME } from '../../core/protocol/request/address.ts'
import { ScenarioError } from '../../core/scenario/check/problem.ts'
import type { KeySource, ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { builtInScenarios } from '../../generated/built-in.ts'

/** The names of the scenarios that keys of a scenario have; those in code have none. */
export const namedScenarios = ({ keys = {} }: ScenarioSource): readonly string[] => [
  ...new Set(Object.values(keys).flatMap(({ scenario }) => (typeof scenario === 'string' ? [scenario] : []))),
]

/**
 * The source with the scenarios that its keys name. Each of these keys has a session too.
 * @param find the scenario with a name, or the reason why there is none.
 * @throws ScenarioError with every problem at once.
 */
export function resolveSessions(
  source: ScenarioSource,
  find: (name: string) => ScenarioSource | Error = findBuiltIn,
  fileName?: string,
): ScenarioSource {
  if (!Object.values(source.keys ?? {}).some(({ scenario }) => scenario !== undefined)) return source
  const problems: { path: string[]; message: string }[] = []
  const scenarios = new Map<string, unknown>()
  const resolve = (key: string, settings: KeySource): KeySource => {
    const { scenario } = settings
    if (scenario === undefined) return settings
    const refuse = (message: string): KeySource => {
      problems.push({ path: ['keys', key, 'scenario'], message })
      return settings
    }
    const name = typeof scenario === 'string' ? scenario : undefined
    const [unused] = Object.keys(settings).filter((field) => field !== 'scenario' && field !== 'session')
    if (unused !== undefined) return refuse(`'${unused}' beside it has no effect. Write it in that scenario.`)
    // teams/team-a.yaml: team-a
    const { session = name?.replace(/^.*[/\\]|\.(?:ya?ml|json)$/gi, '') ?? '' } = settings
    if (!SESSION_NAME.test(session))
      return refuse(`the file name is no name of a session. Name the session beside it, such as session: team-a.`)
    const found = name === undefined ? (scenario as ScenarioSource) : find(name)
    if (found instanceof Error) return refuse(found.message)
    const owner = Object.entries(found.keys ?? {}).find(
      ([, one]) => one.scenario !== undefined || one.session !== undefined,
    )
    if (owner !== undefined || found.limits?.shared !== undefined) {
      const field = owner === undefined ? 'limits.shared' : 'sessions or scenarios for its keys'
      return refuse(
        `${name === undefined ? 'the scenario' : `'${name}'`} is the scenario of a session. It can have no ${field}.`,
      )
    }
    const known = scenarios.get(session)
    if (known !== undefined && known !== scenario)
      return refuse(`the session '${session}' has another scenario already.`)
    scenarios.set(session, scenario)
    // In the order of the schema: sources are compared as JSON.
    return { session, scenario: found as KeySource['scenario'] }
  }
  const keys = Object.entries(source.keys ?? {}).map(([key, settings]) => [key, resolve(key, settings)] as const)
  if (problems.length > 0) throw new ScenarioError(problems, fileName)
  return { ...source, keys: Object.fromEntries(keys) }
}

function findBuiltIn(name: string): ScenarioSource | Error {
  if (Object.hasOwn(builtInScenarios, name)) return builtInScenarios[name as keyof typeof builtInScenarios]
  return new Error(
    `expected the name of a built-in scenario, got '${name}'. Only a scenario file can name a file: load it with loadScenario() of llm-api-mock/node, or write the scenario in its place.`,
  )
}
