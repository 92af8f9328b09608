/** `--watch`: puts the scenario file in force again whenever it changes; the last good scenario stays until then. */
import { changesBetween } from '../core/scenario/diagnostics/changes.ts'
import { ScenarioError } from '../core/scenario/diagnostics/problems.ts'
import { engineOf, type Mock } from '../engine/mock.ts'
import { compileLoaded } from '../scenario-files/compile-loaded.ts'
import { isFile, loadScenario } from '../scenario-files/load-scenario.ts'
import { FileWatch } from '../scenario-files/watch-file.ts'
import type { Settings } from './args/options.ts'
import { UsageError } from './args/usage-error.ts'
import type { ReloadEvent } from './output/reload-log.ts'

/** @throws UsageError for a scenario that is no file. */
export function checkWatchable(scenario: string): void {
  if (isFile(scenario)) return
  throw new UsageError(
    `--watch: found the built-in scenario '${scenario}', which never changes; allowed is --watch with a scenario file. ` +
      'Write one with `api-mock init`, and start it with --scenario scenario.yaml --watch.',
  )
}

/**
 * Watches the file of `settings.scenario`, from the scenario that is in force on.
 *
 * A changed scenario begins anew, as one that is put in force by hand: sessions, limits, times and states, and faults
 * put in by hand. What a key did before was counted by rules that may be others now. Calls under way end as they began.
 */
export function watchScenario(
  mock: Mock,
  { scenario: file, seed }: Pick<Settings, 'scenario' | 'seed'>,
  tell: (news: ReloadEvent) => void,
): FileWatch {
  // The first look is for a change since the start; when there is none, there is nothing to tell.
  let isFirst = true
  return new FileWatch(file, async (isThere) => {
    const makeNews = isThere ? await load() : (): ReloadEvent => ({ event: 'missing', file })
    return () => {
      const news = makeNews()
      if (!isFirst || news.event !== 'unchanged') tell(news)
      isFirst = false
    }
  })

  /** Reads and compiles the file; what comes back puts it in force. */
  async function load(): Promise<() => ReloadEvent> {
    try {
      const { source, warnings } = await loadScenario(file)
      const scenario = await compileLoaded(source, file, seed)
      return () => {
        const changes = changesBetween(mock.scenario.source, source).map((change) =>
          seed !== undefined && change.startsWith('seed ') ? `${change} (--seed ${seed} stays)` : change,
        )
        if (changes.length === 0) return { event: 'unchanged', file }
        engineOf(mock).use(scenario)
        return { event: 'reloaded', file, changes, warnings }
      }
    } catch (error) {
      const { message } = error as Error
      const found = error instanceof ScenarioError ? error.problems : [{ path: [], message }]
      const problems = found.map(({ isKey: _, ...problem }) => problem)
      return () => ({ event: 'refused', file, message, problems })
    }
  }
}
