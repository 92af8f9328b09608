/** The views of the page, in the order of their tabs. The first one is shown at `/_mock/`. */
import type { ComponentType } from 'preact'
import { CallsView } from '../calls/calls-view.tsx'
import { FaultsView } from '../faults/faults-view.tsx'
import { NowView } from '../now/now-view.tsx'
import { ReportView } from '../report/report-view.tsx'
import { ScenarioView } from '../scenario/scenario-view.tsx'
import { TryView } from '../try/try-view.tsx'

export interface View {
  /** The first part of the address below `/_mock/`. The server lists these too: src/control-plane/console-routes.ts. */
  readonly name: string
  readonly title: string
  /** The keyboard shortcut. */
  readonly key: string
  readonly component: ComponentType
}

export const VIEWS: readonly View[] = [
  { name: 'calls', title: 'Calls', key: 'l', component: CallsView },
  { name: 'faults', title: 'Faults', key: 'f', component: FaultsView },
  { name: 'scenario', title: 'Scenario', key: 's', component: ScenarioView },
  { name: 'try', title: 'Try it', key: 't', component: TryView },
  { name: 'now', title: 'Now', key: 'n', component: NowView },
  { name: 'report', title: 'Report', key: 'o', component: ReportView },
]
