/** Describes a run for its page: what ran, when, and how it ended. */
import manifest from '../../../package.json' with { type: 'json' }
import { maskKeysIn } from '../../core/lib/text/mask-keys.ts'
import type { PageReport } from '../../core/report/page-report.ts'
import { shellWord } from '../../terminal/text.ts'

export type RunDescription = PageReport['run']

/** The facts about a run that has just ended. */
export const describeRun = (command: readonly string[], startedAt: Date, exitCode: number): RunDescription => ({
  exitCode,
  command: maskKeysIn(command.map(shellWord).join(' ')),
  startedAt: startedAt.toISOString(),
  durationMs: Date.now() - startedAt.getTime(),
  version: manifest.version,
})
