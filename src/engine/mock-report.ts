/** The client report of a mock. In a separate file, because a mock in a test does not need it. */
import { buildClientReport, type ClientReport } from '../core/report/client-report.ts'
import type { MockView } from './control/mock-view.ts'

export function buildMockReport({ calls, usage, scenario, timing, missingCalls }: MockView): ClientReport {
  return buildClientReport({
    entries: calls,
    coverage: usage,
    expectations: scenario.source.expect,
    dropped: missingCalls.dropped,
    timing: timing.report(),
  })
}
