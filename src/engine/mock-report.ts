/** The client report of a mock. In a separate file, because a mock in a test does not need it. */
import { buildClientReport, type ClientReport } from '../core/report/client-report.ts'
import type { MockView } from './engine.ts'

export function buildMockReport({ journal, usage, scenario, timing }: MockView): ClientReport {
  return buildClientReport({
    entries: journal.exchanges,
    coverage: usage,
    expectations: scenario.source.expect,
    dropped: journal.missingCalls.dropped,
    timing: timing.report(),
  })
}
