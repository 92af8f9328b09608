/**
 * The page at `/_mock/`: browser code, in Preact. scripts/bundles.ts bundles it as `main.js` and `page.css`.
 *
 * - `app`: the frame. `router.ts` has the addresses of the views, `page-state.ts` the signals that the views share (the status,
 *   the calls), `connection.ts` fills them from the event stream, `control-api.ts` sends calls to the control plane,
 *   `messages.tsx` has notices and dialogs, `keys.ts` keyboard shortcuts.
 * - `calls`: the list of calls. `call`: one call.
 * - `faults`, `scenario`, `try`, `now`: one folder for each other view.
 * - `picture`: the picture of a run, as a view and in reports.
 * - `report`: reports of runs and hunts. report-page.tsx is the page of `run --report html`, with `embedded.ts` as its data.
 * - `parts`: components and functions that several views use.
 * - `styles`: colours (`tokens.css`) and what all views share. The styles of a view are in its folder; `page.css` imports them.
 *
 * Files with JSX are `.tsx`. Functions that need no browser are tested in test/console.
 */
import { render } from 'preact'
import { App } from './app/app.tsx'
import { connect } from './app/connection.ts'
import { takeAccessFromLink } from './app/control-api.ts'
import type { View } from './app/router.ts'
import { CallsView } from './calls/calls-view.tsx'
import { FaultsView } from './faults/faults-view.tsx'
import { NowView } from './now/now-view.tsx'
import { PictureView } from './picture/picture-view.tsx'
import { ReportView } from './report/report-view.tsx'
import { ScenarioView } from './scenario/scenario-view.tsx'
import { TryView } from './try/try-view.tsx'

/** The views in the order of their tabs. The first one is shown at `/_mock/`. */
const VIEWS: readonly View[] = [
  { name: 'calls', title: 'Calls', key: 'l', component: CallsView },
  { name: 'picture', title: 'Picture', key: 'p', component: PictureView },
  { name: 'faults', title: 'Faults', key: 'f', component: FaultsView },
  { name: 'scenario', title: 'Scenario', key: 's', component: ScenarioView },
  { name: 'try', title: 'Try it', key: 't', component: TryView },
  { name: 'now', title: 'Now', key: 'n', component: NowView },
  { name: 'report', title: 'Report', key: 'o', component: ReportView },
]

takeAccessFromLink()
render(<App views={VIEWS} />, document.body)
void connect()
