/** What a run fails for although the app passed: an expectation of the scenario, or a mistake of the client. */

import { type ClientReport, hasFailures } from '../core/report/client-report.ts'
import { formatExpectation, formatFinding } from '../core/report/report-text.ts'
import type { Engine } from '../engine/engine.ts'
import { buildMockReport } from '../engine/mock-report.ts'

/**
 * @param isStrict whether a mistake, and an expectation without a verdict, fail a run too
 * @returns the first thing that the run fails for; undefined if there is nothing
 */
export function findConductFailure(engine: Engine, isStrict: boolean): string | undefined {
  if (!isStrict && engine.scenario.source.expect === undefined) return undefined
  const report = buildMockReport(engine)
  return hasFailures(report, isStrict) ? describeConduct(report) : undefined
}

function describeConduct({ expectations = [], findings }: ClientReport): string {
  const withVerdict = (wanted: 'FAIL' | 'INCONCLUSIVE') => expectations.find(({ verdict }) => verdict === wanted)
  const mistake = findings.find(({ level }) => level === 'mistake')
  const failed = withVerdict('FAIL')
  if (failed === undefined && mistake !== undefined) return `Its client made a mistake: ${formatFinding(mistake)[0]}`
  return `It did not meet an expectation: ${formatExpectation((failed ?? withVerdict('INCONCLUSIVE'))!)}`
}
