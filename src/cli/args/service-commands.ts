/** The two commands that start a mock: their options, and what is done with what was given. */

import { start } from '../commands/start.ts'
import {
  type Given,
  REPORT_OPTIONS,
  type ReportGiven,
  readReportSettings,
  readSettings,
  serviceOptions,
} from './options.ts'
import { UsageError } from './usage-error.ts'

export const START = {
  options: serviceOptions({ port: '4010', log: 'pretty' }),
  async run(given: Given, afterDashes: readonly string[]): Promise<number> {
    refuseCommand(afterDashes)
    return start(readSettings(given))
  },
}

export const RUN = {
  options: { ...serviceOptions({ port: '0', log: 'none' }), ...REPORT_OPTIONS },
  async run(given: Given & ReportGiven, afterDashes: readonly string[]): Promise<number> {
    const settings = readSettings(given)
    const report = readReportSettings(given)
    const { run } = await import('../commands/run.ts')
    return run(checkCommand(afterDashes), settings, report)
  },
}

function checkCommand(command: readonly string[]): readonly string[] {
  if (command[0]) return command
  throw new UsageError('run needs a command, after two dashes: api-mock run --scenario flaky -- npm test')
}

/** @throws UsageError when there is a command after two dashes, which all but `run` have no use for. */
export function refuseCommand([word]: readonly string[]): void {
  if (word === undefined) return
  throw new UsageError(`Found '${word}' after --, but only run takes a command: api-mock run -- ${word}`)
}
