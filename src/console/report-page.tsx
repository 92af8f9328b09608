/** The page that `api-mock run --report html` writes: one report in one file. scripts/bundles.ts makes its template. */
import { render } from 'preact'
import { readReportFile } from './report/report-file.ts'
import { RunDetails } from './report/run-details.tsx'

const report = readReportFile(document.getElementById('report')?.textContent ?? '')
if ('kind' in report && report.kind === 'run') {
  render(
    <main class="page report">
      <h2>{document.title}</h2>
      <RunDetails report={report} />
    </main>,
    document.body,
  )
}
