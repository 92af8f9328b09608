/**
 * The scenarios of sessions: replaces the names that keys have by the scenarios themselves. Loads no files.
 *
 *     keys: { sk-a: { scenario: teams/team-a.yaml } }     ->     keys: { sk-a: { session: team-a, scenario: { ... } } }
 */

import { SESSION_NAME } from '../../core/protocol/request/request-path.ts'
import { ScenarioError } from '../../core/scenario/check/problem.ts'
import type { KeySource, ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { builtInScenarios } from '../../generated/built-in.ts'

/** The names of scenarios that the keys of a scenario have. A scenario that is written out in code has no name. */
export const namedScenarios = ({ keys = {} }: ScenarioSource): readonly string[] => [
  ...new Set(Object.values(keys).flatMap(({ scenario }) => (typeof scenario === 'string' ? [scenario] : []))),
]

/** Finds the scenario with a name, or the reason why there is none. */
type FindScenario = (name: string) => ScenarioSource | Error

/**
 * The source with the scenarios that its keys name. Each of these keys has a session too.
 * @throws ScenarioError with every problem at once.
 */
export function resolveSessions(source: ScenarioSource, find: FindScenario = findBuiltIn): ScenarioSource {
  const keys = Object.entries(source.keys ?? {})
  if (keys.every(([, { scenario }]) => scenario === undefined)) return source
  const problems: { path: string[]; message: string }[] = []
  /** The scenario of each session as the first of its keys has it: a name, or the scenario itself. */
  const scenarioOf = new Map<string, unknown>()
  const resolvedKeys = keys.map(([key, settings]): [string, KeySource] => {
    const { scenario } = settings
    if (scenario === undefined) return [key, settings]
    const refuse = (message: string): [string, KeySource] => {
      problems.push({ path: ['keys', key, 'scenario'], message })
      return [key, settings]
    }
    const resolved = resolveKey(settings, find)
    if (resolved instanceof Error) return refuse(resolved.message)
    const { session } = resolved
    const first = scenarioOf.get(session) ?? scenario
    if (first !== scenario) return refuse(`the session '${session}' has another scenario already.`)
    scenarioOf.set(session, scenario)
    return [key, resolved]
  })
  if (problems.length > 0) throw new ScenarioError(problems)
  return { ...source, keys: Object.fromEntries(resolvedKeys) }
}

/** The session of a key with its scenario, or the reason why it cannot have that. */
function resolveKey(settings: KeySource, find: FindScenario): (KeySource & { readonly session: string }) | Error {
  const { scenario } = settings
  const [unused] = Object.keys(settings).filter((field) => field !== 'scenario' && field !== 'session')
  if (unused !== undefined) return new Error(`'${unused}' beside it has no effect. Write it in that scenario.`)
  const name = typeof scenario === 'string' ? scenario : undefined
  // teams/team-a.yaml: team-a
  const fileName = name?.replace(/^.*[/\\]|\.(?:ya?ml|json)$/gi, '') ?? ''
  const { session = fileName } = settings
  if (!SESSION_NAME.test(session))
    return new Error('the file name is no name of a session. Name the session beside it, such as session: team-a.')
  const source = name === undefined ? (scenario as ScenarioSource) : find(name)
  if (source instanceof Error) return source
  const isSession = ({ scenario: own, session: named }: KeySource) => own !== undefined || named !== undefined
  const hasSessions = Object.values(source.keys ?? {}).some(isSession)
  if (hasSessions || source.limits?.shared !== undefined) {
    const shownName = name === undefined ? 'the scenario' : `'${name}'`
    const field = hasSessions ? 'sessions or scenarios for its keys' : 'limits.shared'
    return new Error(`${shownName} is the scenario of a session. It can have no ${field}.`)
  }
  // In the order of the schema: sources are compared as JSON.
  return { session, scenario: source as KeySource['scenario'] }
}

/** Without a file, only built-in scenarios have names. */
function findBuiltIn(name: string): ScenarioSource | Error {
  if (Object.hasOwn(builtInScenarios, name)) return builtInScenarios[name as keyof typeof builtInScenarios]
  return new Error(
    `expected the name of a built-in scenario, got '${name}'. Only a scenario file can name a file: load it with loadScenario() of llm-api-mock/node, or write the scenario in its place.`,
  )
}
