/** The report in each of its forms. */
import { escapeControls } from '../../lib/text/escape-controls.ts'
import type { ConductReport } from '../report.ts'
import type { ReportForm } from './forms.ts'
import { githubOf } from './github.ts'
import { junitOf } from './junit.ts'
import { prettyOf } from './pretty.ts'

/** Writes the report without the last line break; '' for an empty report. */
export const writeReport: Readonly<Record<ReportForm, (report: ConductReport, isStrict: boolean) => string>> = {
  pretty: prettyOf,
  json: (report) => escapeControls(JSON.stringify(report)),
  junit: junitOf,
  github: githubOf,
  none: () => '',
}
