/** `api-mock start`: serves until a signal stops it, and logs each call when it ends. */

import { countOf } from '../../core/lib/text/wording.ts'
import { engineOf } from '../../engine/index.ts'
import { createColors } from '../../terminal/colors.ts'
import { waitForSignal } from '../../terminal/interruption.ts'
import { jsonLine, print } from '../../terminal/text.ts'
import type { ServiceSettings } from '../args/command-options.ts'
import { banner, exampleRequest } from '../output/banner.ts'
import { warningLines } from '../output/log-entries.ts'
import { logService, type Service, startService } from '../service.ts'

/** Returns the exit code, once the server has closed. */
export async function start(settings: ServiceSettings): Promise<number> {
  const service = await startService(settings)
  const isJson = settings.log === 'json'
  const paint = createColors(process.stdout)
  const watch = await logService(service, settings, { say: print, paint })
  // Before the banner: a program that reads it may stop the server at once.
  const stopped = waitForSignal()
  if (isJson) print(jsonLine(listeningEvent(service)))
  else {
    print(banner(service, paint))
    for (const line of warningLines(service.warnings, settings.scenario)) print(paint('yellow', line))
  }
  await stopped
  const inFlight = service.mock.calls({ outcome: 'open' }).length
  const waiting = inFlight === 0 ? '' : ` Waiting up to 2 s for ${countOf(inFlight, 'call')}.`
  print(isJson ? jsonLine({ event: 'stopping', time: new Date().toISOString() }) : `Stopping.${waiting}`)
  await service.server.close()
  watch?.close()
  return 0
}

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
