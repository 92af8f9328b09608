/** `api-mock start`: serves until it is told to stop, and shows each call as it ends. */

import { engineOf } from '../../engine/mock.ts'
import type { Settings } from '../args/options.ts'
import { banner } from '../output/banner.ts'
import { callEvent, callLine } from '../output/call-line.ts'
import { createColors } from '../output/colors.ts'
import { modelFor } from '../output/example-call.ts'
import { newsEvent, newsText, warningLines } from '../output/reload-log.ts'
import { type Service, startService, watched } from '../service.ts'
import { waitForShutdown } from '../shutdown.ts'

/** Returns the exit code, once the server has closed. */
export async function start(settings: Settings): Promise<number> {
  const service = await startService(settings)
  const { mock } = service
  if (settings.log === 'json') {
    const log = (event: object): void => void process.stdout.write(`${JSON.stringify(event)}\n`)
    mock.onExchange((entry) => log(callEvent(entry)))
    log(listeningEvent(service))
    const watch = await watched(mock, settings, (news) => log(newsEvent(news)))
    await waitForShutdown(service, () => log({ event: 'stopping', time: new Date().toISOString() }))
    watch?.close()
    return 0
  }
  const paint = createColors(process.stdout)
  if (settings.log === 'pretty') mock.onExchange((entry) => process.stdout.write(`${callLine(entry, paint)}\n`))
  process.stdout.write(banner(service, paint))
  for (const line of warningLines(service.warnings, settings.scenario)) say(paint('yellow', line))
  const watch = await watched(mock, settings, (news) => say(newsText(news)))
  await waitForShutdown(service, (inFlight) => {
    const waits = inFlight === 0 ? '' : ` Waiting up to 2 s for ${inFlight === 1 ? '1 call' : `${inFlight} calls`}.`
    process.stdout.write(`Stopping.${waits}\n`)
  })
  watch?.close()
  return 0
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

function listeningEvent({ mock, server, workers, token, isTokenNew, warnings }: Service): object {
  const { scenario, clock } = engineOf(mock)
  return {
    event: 'listening',
    time: new Date().toISOString(),
    url: server.url,
    controlUrl: server.controlUrl,
    key: scenario.exampleKey,
    model: modelFor(scenario).name,
    scenario: scenario.name,
    description: scenario.description,
    seed: scenario.seed,
    speed: clock.speed,
    ...(workers > 1 && { workers }),
    ...(isTokenNew && { token }),
    ...(warnings.length > 0 && { warnings }),
  }
}
