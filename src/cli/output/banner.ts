/** What `start` prints first: everything needed to make a call. */

import { engineOf } from '../../engine/mock.ts'
import type { Paint } from '../../terminal/colors.ts'
import { table } from '../../terminal/text.ts'
import type { Service } from '../service.ts'
import { exampleCall, exampleRequest } from './example-call.ts'

export function banner({ mock, server, origin, token, isTokenNew }: Service, paint: Paint): string {
  const { scenario } = engineOf(mock)
  const name = paint('bold', scenario.name)
  const rows: [string, string][] = [
    ['Base URL', paint(['bold', 'cyan'], server.url)],
    ['API key', scenario.exampleKey],
    ['Scenario', scenario.description === '' ? name : `${name}: ${scenario.description}`],
    // The page reads the token from the fragment, which browsers never send.
    ['Control', `${server.controlUrl}/${isTokenNew ? `#token=${token}` : ''}`],
  ]
  if (mock.clock.speed !== 1) rows.push(['Speed', `${mock.clock.speed} times real time`])
  if (token !== undefined) {
    const shown = `${token} (send it to the control plane as Authorization: Bearer <token>)`
    rows.push(['Token', isTokenNew ? shown : 'required by the control plane'])
  }
  const hint =
    "Add -H 'x-mock-fault: rate-limit' to make it fail. All faults: api-mock list --faults. Ctrl-C stops the server."
  const request = exampleRequest(scenario)
  const example = request === undefined ? '' : `${exampleCall(origin, scenario.exampleKey, request)}\n\n`
  return `${table(rows, paint)}\n\n${example}${paint('dim', hint)}\n`
}
