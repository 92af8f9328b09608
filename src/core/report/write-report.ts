/** Writes the report in each of its forms. */
import { escapeControls } from '../lib/text/wording.ts'
import type { ClientReport } from './client-report.ts'
import { githubOf } from './github-report.ts'
import { junitOf } from './junit-report.ts'
import type { ReportForm } from './report-forms.ts'
import {
  formatExpectation,
  formatFinding,
  praise,
  shownMisses,
  shownUncheckedLimits,
  shownUnused,
} from './report-text.ts'

/** Writes the report without the last line break; '' for an empty report. */
export const writeReport: Readonly<Record<ReportForm, (report: ClientReport, isStrict: boolean) => string>> = {
  pretty: prettyOf,
  json: (report) => escapeControls(JSON.stringify(report)),
  junit: junitOf,
  github: githubOf,
  none: () => '',
}

/** The report as lines for people. */
function prettyOf(report: ClientReport): string {
  const lines = report.findings.flatMap((finding) => {
    const [title, ...calls] = formatFinding(finding)
    return [`${finding.level} ${title}`, ...calls.map((call) => `  ${call}`)]
  })
  lines.push(...shownMisses(report).map((text) => `miss ${escapeControls(text)}`))
  lines.push(...shownUncheckedLimits(report), ...shownUnused(report))
  if (report.cache !== undefined) {
    const { calls, hits, cachedTokens, cacheWriteTokens } = report.cache
    lines.push(
      `prompt cache: ${hits} of ${calls} calls hit it, ${cachedTokens} cached tokens, ${cacheWriteTokens} written tokens`,
    )
  }
  const good = praise(report)
  if (good !== undefined) lines.push(good)
  for (const result of report.expectations ?? []) lines.push(`${result.verdict} ${formatExpectation(result)}`)
  return lines.join('\n')
}
