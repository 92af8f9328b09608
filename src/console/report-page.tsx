/** The page that `api-mock run --report html` writes: one run in one file. scripts/bundles.ts makes its template. */
import { render } from 'preact'
import { App } from './app/app.tsx'
import { calls, clock, connection, status } from './app/store.ts'
import type { View } from './app/view.ts'
import { CallsView } from './calls/calls-view.tsx'
import { embedded } from './report/embedded.ts'
import { EmbeddedView } from './report/embedded-view.tsx'
import { ScenarioTextView } from './scenario/scenario-text-view.tsx'

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
