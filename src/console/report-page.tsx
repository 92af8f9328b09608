/** The page that `api-mock run --report html` writes: one run in one file. scripts/bundles.ts makes its template. */

import type { JSX } from 'preact'
import { render } from 'preact'
import type { View } from './app/app.tsx'
import { App } from './app/app.tsx'
import { copyText } from './app/dialogs.tsx'
import { act, calls, clock, connection, status } from './app/page-state.ts'
import { CallsView } from './calls/calls-view.tsx'
import { describeLeftOut, embedded } from './report/embedded.ts'
import { readReport, SHORTENED } from './report/read-report.ts'
import { RunDetails } from './report/run-details.tsx'

const VIEWS: readonly View[] = [
  { name: 'report', title: 'Report', key: 'o', component: EmbeddedView },
  { name: 'calls', title: 'Calls', key: 'l', component: CallsView },
  { name: 'scenario', title: 'Scenario', key: 's', component: ScenarioTextView },
]

if (embedded !== undefined) {
  connection.value = 'live'
  clock.value = embedded.clock
  status.value = { scenario: embedded.scenario.name, revision: 1, state: null, states: [], injected: [] }
  calls.add(embedded.calls)
  calls.missed.value = embedded.leftOut
  render(<App views={VIEWS} />, document.body)
}

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

export function ScenarioTextView(): JSX.Element | null {
  if (embedded === undefined) return null
  const { name, text } = embedded.scenario
  return (
    <section class="scenario" aria-labelledby="scenario-title">
      <div class="scenario-head">
        <h2 id="scenario-title">{name}</h2>
        <span class="hint">The scenario at the end of the run. API keys are masked.</span>
        <span class="scenario-actions">
          <button type="button" onClick={() => act(() => copyText(text, 'Copied the text of the scenario.'))}>
            Copy
          </button>
        </span>
      </div>
      <pre class="scenario-text" role="region" aria-label="Scenario as YAML" tabIndex={0}>
        {text}
      </pre>
    </section>
  )
}
