/** The conduct report of a mock. In a separate file, because a mock in a test does not need it. */
import { type ConductReport, reportOf } from '../core/conduct/report.ts'
import type { Engine } from './engine.ts'

export function buildConductReport({
  journalWithoutTimelines,
  usage,
  scenario,
  missingCalls,
  timing,
}: Engine): ConductReport {
  return reportOf({
    entries: journalWithoutTimelines,
    coverage: usage,
    expectations: scenario.source.expect,
    dropped: missingCalls.dropped,
    timing: timing.report(),
    pricesOf: (model) => scenario.model(model)?.prices,
  })
}
