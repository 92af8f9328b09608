/** The report as lines for people. */
import { escapeControls } from '../../lib/text/escape-controls.ts'
import { cacheText } from '../cache-sum.ts'
import { formatFinding } from '../finding-text.ts'
import type { ConductReport } from '../report.ts'
import { formatExpectation, praise, shownMisses, shownUncheckedLimits, shownUnused } from './parts.ts'

export function prettyOf(report: ConductReport): string {
  const lines = report.findings.flatMap((finding) => {
    const [title, ...calls] = formatFinding(finding)
    return [`${finding.level} ${title}`, ...calls.map((call) => `  ${call}`)]
  })
  lines.push(...shownMisses(report).map((text) => `miss ${escapeControls(text)}`))
  lines.push(...shownUncheckedLimits(report), ...shownUnused(report))
  if (report.cache !== undefined) lines.push(cacheText(report.cache))
  const good = praise(report)
  if (good !== undefined) lines.push(good)
  for (const result of report.expectations ?? []) lines.push(`${result.verdict} ${formatExpectation(result)}`)
  return lines.join('\n')
}
