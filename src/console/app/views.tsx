/** The views of the page of a mock, in the order of their tabs. The first one is shown at `/_mock/`. */
import { CallsView } from '../calls/calls-view.tsx'
import { FaultsView } from '../faults/faults-view.tsx'
import { NowView } from '../now/now-view.tsx'
import { ReportView } from '../report/report-view.tsx'
import { ScenarioView } from '../scenario/scenario-view.tsx'
import { TryView } from '../try/try-view.tsx'
import type { View } from './view.ts'

export const VIEWS: readonly View[] = [
  { name: 'calls', title: 'Calls', key: 'l', component: CallsView },
  { name: 'faults', title: 'Faults', key: 'f', component: FaultsView },
  { name: 'scenario', title: 'Scenario', key: 's', component: ScenarioView },
  { name: 'try', title: 'Try it', key: 't', component: TryView },
  { name: 'now', title: 'Now', key: 'n', component: NowView },
  { name: 'report', title: 'Report', key: 'o', component: ReportView },
]
