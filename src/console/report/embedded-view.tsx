/** The view of the report inside a file. */
import type { JSX } from 'preact'
import { describeLeftOut, embedded } from './embedded.ts'
import { readReport, SHORTENED } from './report-file.ts'
import { RunDetails } from './run-details.tsx'

export function EmbeddedView(): JSX.Element | null {
  if (embedded === undefined) return null
  const { title, summary, failures, leftOut } = embedded
  const report = readReport(embedded.report)
  return (
    <div class="page report">
      <h2>{title}</h2>
      <p>{summary}</p>
      {failures.length > 0 && (
        <p>
          <span class="badge bad">failed</span> {failures.join(', ')}
        </p>
      )}
      {leftOut > 0 && <p class="note">This file does not have all calls. {describeLeftOut(leftOut)}</p>}
      {'kind' in report && report.isShortened && <p class="note">{SHORTENED}</p>}
      {'kind' in report && report.kind === 'run' && <RunDetails report={report} isLinked />}
    </div>
  )
}
