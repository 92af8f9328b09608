/** The page that `api-mock run --report html` writes: one run in one file. scripts/bundles.ts makes its template. */
import { render } from 'preact'
import type { PageReport } from '../core/report/page-report.ts'
import { App } from './app/app.tsx'
import { CopyButton } from './app/messages.tsx'
import { calls, clock, connection, openCall, status } from './app/page-state.ts'
import { CallsView } from './calls/calls-view.tsx'
import { Section } from './parts/elements.tsx'
import { formatMs } from './parts/format.ts'
import { RunPicture } from './picture/picture-panel.tsx'
import { describeLeftOut, embedded } from './report/embedded.ts'
import { RunDetails } from './report/run-details.tsx'

if (embedded !== undefined) showReport(embedded)

/** Shows a report in the views that need no mock, with its calls and its scenario in the place of what a mock would send. */
function showReport(report: PageReport): void {
  connection.value = 'live'
  clock.value = report.clock
  const { name: scenario } = report.scenario
  status.value = { scenario, revision: 1, fileRevision: 0, state: null, states: [], exampleKey: '', injected: [] }
  calls.add(report.calls)
  calls.missed.value = report.leftOut
  const views = [
    { name: 'report', title: 'Report', key: 'o', component: () => <EmbeddedReport {...report} /> },
    { name: 'calls', title: 'Calls', key: 'l', component: CallsView },
    { name: 'scenario', title: 'Scenario', key: 's', component: () => <EmbeddedScenario {...report} /> },
  ]
  render(<App views={views} />, document.body)
}

function EmbeddedReport({ title, summary, failures, leftOut, run, report, calls: drawn }: PageReport) {
  const { exitCode, command, startedAt, durationMs, version } = run
  return (
    <div class="page report">
      <p>
        <span class={exitCode === 0 ? 'badge good' : 'badge bad'}>{exitCode === 0 ? 'passed' : 'failed'}</span> with
        exit code {exitCode}
        {failures.length > 0 && `: ${failures.join(', ')}`}
      </p>
      <p>
        <code>{command}</code>
      </p>
      <p class="hint">
        {startedAt.slice(0, 19).replace('T', ' ')} UTC, {formatMs(durationMs)}, llm-api-mock {version}
      </p>
      <h2>{title}</h2>
      <p>{summary}</p>
      {leftOut > 0 && (
        <p class="note">This file does not have all calls, so the picture has gaps. {describeLeftOut(leftOut)}</p>
      )}
      {drawn.length > 0 && (
        <Section title="Picture of the run">
          <RunPicture calls={drawn} onOpen={openCall} />
        </Section>
      )}
      <RunDetails report={report} isLinked />
    </div>
  )
}

function EmbeddedScenario({ scenario: { name, text } }: PageReport) {
  return (
    <section class="scenario" aria-labelledby="scenario-title">
      <div class="scenario-head">
        <h2 id="scenario-title">{name}</h2>
        <span class="hint">The scenario at the end of the run. API keys are masked.</span>
        <span class="scenario-actions">
          <CopyButton text={text} done="Copied the text of the scenario." />
        </span>
      </div>
      <pre class="scenario-text" role="region" aria-label="Scenario as YAML" tabIndex={0}>
        {text}
      </pre>
    </section>
  )
}
