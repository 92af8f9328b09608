/** The conduct report of a mock. In a separate file, because a mock in a test does not need it. */
import { type ConductReport, reportOf } from '../core/report/report.ts'
import type { Engine } from './engine.ts'

export function buildConductReport({ journal, usage, scenario, timing }: Engine): ConductReport {
  return reportOf({
    entries: journal.exchanges,
    coverage: usage,
    expectations: scenario.source.expect,
    dropped: journal.missingCalls.dropped,
    timing: timing.report(),
    pricesOf: (model) => scenario.model(model)?.prices,
  })
}
