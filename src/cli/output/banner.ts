/** What `start` shows first: all that is needed to make a call. */

import { engineOf } from '../../engine/mock.ts'
import type { Service } from '../service.ts'
import type { Paint } from './colors.ts'
import { exampleCall } from './example-call.ts'

export function banner({ mock, server, workers, token, isTokenNew }: Service, paint: Paint): string {
  const { scenario } = engineOf(mock)
  const rows: [string, string][] = [
    ['Base URL', paint(['bold', 'cyan'], server.url)],
    ['API key', scenario.exampleKey],
    ['Scenario', `${paint('bold', scenario.name)}: ${scenario.description}`],
    // The page takes the token from its address; the part after # is never sent.
    ['Control', `${server.controlUrl}/${isTokenNew ? `#token=${token}` : ''}`],
  ]
  if (mock.clock.speed !== 1) rows.push(['Speed', `${mock.clock.speed} times real time`])
  if (workers > 1) rows.push(['Workers', `${workers} processes`])
  if (token !== undefined) {
    rows.push([
      'Token',
      isTokenNew ? `${token} (for the control plane: Authorization: Bearer <token>)` : 'the one given',
    ])
  }
  return `${rows.map(([name, value]) => `${paint('dim', name.padEnd(9))} ${value}`).join('\n')}

${exampleCall(server.url, scenario)}

${paint('dim', "Add -H 'x-mock-fault: rate-limit' to see it fail; `api-mock list --faults` names every fault. Ctrl-C stops.")}

`
}
