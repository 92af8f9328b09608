/** `--watch`: applies the scenario file whenever it changes. While the file has problems, the last good scenario stays. */
import { changesBetween } from '../core/scenario/check/changes.ts'
import { type Problem, ScenarioError } from '../core/scenario/check/problem.ts'
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
  // True until the file was used once: that looks for a change since the start, and without one there is nothing to report.
  let isFirst = true
  // The scenario files of sessions, also those that cannot be read: all are watched. Each load fills the set again.
  const sessionFiles = new Set<string>()

  const load = async () => {
    sessionFiles.clear()
    const { source, warnings } = await loadScenario(file, sessionFiles)
    return { scenario: compileScenario(source, { name: file, seed, compilePattern }), warnings }
  }
  const apply = (loaded: Awaited<ReturnType<typeof load>> | Error | undefined, changed: string): ReloadEvent => {
    if (loaded === undefined) return { event: 'missing', file }
    try {
      if (loaded instanceof Error) throw loaded
      const { scenario, warnings } = loaded
      const changes = compareScenarios(engineOf(mock).scenario, scenario, seed)
      if (changes.length === 0) return { event: 'unchanged', file: sessionFiles.has(changed) ? changed : file }
      // May refuse it: limits.shared needs real time, for example.
      engineOf(mock).reload(scenario)
      return { event: 'reloaded', file, changes, warnings }
    } catch (error) {
      const { message } = error as Error
      const problems: readonly Problem[] = error instanceof ScenarioError ? error.problems : [{ path: [], message }]
      // The log has the documented fields of a problem only.
      return { event: 'refused', file, message, problems: problems.map(({ isKey: _, ...problem }) => problem) }
    }
  }
  const read = async (isThere: boolean, changed: string): Promise<() => void> => {
    const loaded = isThere ? await load().catch((error: Error) => error) : undefined
    // Called unless the file has changed meanwhile.
    return () => {
      const reload = apply(loaded, changed)
      if (!isFirst || reload.event !== 'unchanged') onReload(reload)
      isFirst = false
    }
  }
  return watchFile(file, read, sessionFiles)
}

/** The changes from one scenario to another, its sessions included: `['replies 3 -> 4', 'session team-a changed']`. */
function compareScenarios(before: Scenario, after: Scenario, seed: string | undefined): string[] {
  const ownChanges = changesBetween(withoutSessions(before.source), withoutSessions(after.source)).map((change) =>
    seed !== undefined && change.startsWith('seed ') ? `${change} (--seed ${seed} stays)` : change,
  )
  const sessions = [...new Set([...before.sessions.keys(), ...after.sessions.keys()])]
  const changedSessions = sessions.filter((name) => {
    const [sourceBefore, sourceAfter] = [before, after].map(({ sessions }) => sessions.get(name)?.source ?? {})
    return changesBetween(sourceBefore!, sourceAfter!).length > 0
  })
  return [...ownChanges, ...changedSessions.map((name) => `session ${name} changed`)]
}
