/** `--watch`: applies the scenario file whenever it changes. While the file has problems, the last good scenario stays. */

import { changesBetween } from '../core/scenario/check/changes.ts'
import { ScenarioError } from '../core/scenario/check/problem.ts'
import { compileScenario, type Scenario } from '../core/scenario/compile/compile.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import { withoutSessions } from '../core/scenario/scenario-source.ts'
import { engineOf, type Mock } from '../engine/index.ts'
import { isFile, loadScenario, watchFile } from '../engine/node.ts'
import { UsageError } from '../terminal/usage-error.ts'
import type { ServiceSettings } from './args/command-options.ts'
import type { ReloadEvent } from './output/log-entries.ts'

/** @throws UsageError for a built-in scenario. */
export function checkWatchable(scenario: string): void {
  if (isFile(scenario)) return
  throw new UsageError(
    `--watch: expected a scenario file, got the built-in scenario '${scenario}', which never changes. ` +
      'Create a file with api-mock init, then use --scenario scenario.yaml --watch.',
  )
}

/**
 * Watches the scenario file and applies it when it has changed.
 *
 * That resets the mock, as applying any other scenario does: sessions, limits, states and injected faults start over,
 * because their counts belong to the old rules. Calls in flight finish under the old scenario. A session with a scenario of
 * its own is reset only when that has changed, and the others only when theirs has.
 */
export function watchScenario(
  mock: Mock,
  { scenario: file, seed }: Pick<ServiceSettings, 'scenario' | 'seed'>,
  onReload: (reload: ReloadEvent) => void,
): { close(): void } {
  // The first check looks for a change since the start. Without one there is nothing to report.
  let isFirst = true
  // The files of sessions, those that cannot be read included.
  const others = new Set<string>()
  return watchFile(
    file,
    async (isThere) => {
      const apply = isThere ? await load() : (): ReloadEvent => ({ event: 'missing', file })
      return () => {
        const reload = apply()
        if (!isFirst || reload.event !== 'unchanged') onReload(reload)
        isFirst = false
      }
    },
    others,
  )

  /** Reads and compiles the file, and returns the function that applies it. */
  async function load(): Promise<() => ReloadEvent> {
    try {
      others.clear()
      const { source, warnings } = await loadScenario(file, others)
      const scenario = compileScenario(source, { name: file, seed, compilePattern })
      return () => {
        const before = engineOf(mock).scenario
        const own = changesBetween(withoutSessions(before.source), withoutSessions(source)).map((change) =>
          seed !== undefined && change.startsWith('seed ') ? `${change} (--seed ${seed} stays)` : change,
        )
        const sessions = [...new Set([...before.sessions.keys(), ...scenario.sessions.keys()])]
        const sourceIn = ({ sessions }: Scenario, name: string) => sessions.get(name)?.source ?? {}
        const changed = sessions.filter(
          (name) => changesBetween(sourceIn(before, name), sourceIn(scenario, name)).length > 0,
        )
        const changes = [...own, ...changed.map((name) => `session ${name} changed`)]
        const keepsSessions = sessions.length > changed.length
        if (changes.length === 0) return { event: 'unchanged', file, keepsSessions }
        engineOf(mock).reload(scenario)
        return { event: 'reloaded', file, changes, warnings, keepsSessions }
      }
    } catch (error) {
      const { message } = error as Error
      const found = error instanceof ScenarioError ? error.problems : [{ path: [], message }]
      const problems = found.map(({ isKey: _, ...problem }) => problem)
      return () => ({ event: 'refused', file, message, problems })
    }
  }
}
