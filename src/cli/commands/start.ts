/** `api-mock start`: serves until a signal stops it, and logs each call when it ends. */

import { countOf } from '../../core/lib/text/count-of.ts'
import { engineOf } from '../../engine/mock.ts'
import { createColors } from '../../terminal/colors.ts'
import { jsonLine } from '../../terminal/text.ts'
import type { ServiceSettings } from '../args/options.ts'
import { banner } from '../output/banner.ts'
import { callEvent, callLine } from '../output/call-line.ts'
import { exampleRequest } from '../output/example-call.ts'
import { reloadEvent, reloadText, warningLines } from '../output/reload-log.ts'
import { type Service, startService, watchIfAsked } from '../service.ts'
import { waitForShutdown } from '../shutdown.ts'

/** Returns the exit code, once the server has closed. */
export async function start(settings: ServiceSettings): Promise<number> {
  const service = await startService(settings)
  const { mock } = service
  if (settings.log === 'json') {
    const log = (event: object): void => say(jsonLine(event))
    mock.onExchange((entry) => log(callEvent(entry)))
    log(listeningEvent(service))
    const watch = await watchIfAsked(mock, settings, (reload) => log(reloadEvent(reload)))
    await waitForShutdown(service, () => log({ event: 'stopping', time: new Date().toISOString() }))
    watch?.close()
    return 0
  }
  const paint = createColors(process.stdout)
  if (settings.log === 'pretty') mock.onExchange((entry) => say(callLine(entry, paint)))
  say(banner(service, paint))
  for (const line of warningLines(service.warnings, settings.scenario)) say(paint('yellow', line))
  const watch = await watchIfAsked(mock, settings, (reload) => say(reloadText(reload)))
  await waitForShutdown(service, (inFlight) => {
    say(inFlight === 0 ? 'Stopping.' : `Stopping. Waiting up to 2 s for ${countOf(inFlight, 'call')}.`)
  })
  watch?.close()
  return 0
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

function listeningEvent({ mock, server, token, isTokenNew, warnings }: Service): object {
  const { scenario, clock } = engineOf(mock)
  const { model } = exampleRequest(scenario) ?? {}
  return {
    event: 'listening',
    time: new Date().toISOString(),
    url: server.url,
    controlUrl: server.controlUrl,
    key: scenario.exampleKey,
    ...(model !== undefined && { model }),
    scenario: scenario.name,
    description: scenario.description,
    seed: scenario.seed,
    speed: clock.speed,
    ...(isTokenNew && { token }),
    ...(warnings.length > 0 && { warnings }),
  }
}
