/** `api-mock start`: serves until a signal stops it, and logs each call when it ends. */

import { isObject } from '../../core/lib/text/json.ts'
import { countOf } from '../../core/lib/text/wording.ts'
import { guessEndpoint, type ModelEndpoint, pathOf } from '../../core/protocol/request/endpoints.ts'
import type { Scenario } from '../../core/scenario/compile/compile.ts'
import { engineOf, realDelay } from '../../engine/index.ts'
import { waitForSignal } from '../../terminal/interruption.ts'
import { createColors, type Paint, print, quoted, table } from '../../terminal/text.ts'
import type { StartSettings } from '../args/command-options.ts'
import { eventLine, warningLines } from '../output/log-entries.ts'
import { logAndWatch, type Service, startService } from '../service.ts'

/** Returns the exit code, once the server has closed. */
export async function start(settings: StartSettings): Promise<number> {
  const service = await startService(settings)
  const isJson = settings.log === 'json'
  const paint = createColors(process.stdout)
  const watch = await logAndWatch(service, settings, { say: print, paint })
  // Before the banner: a program that reads it may stop the server at once.
  const stopped = waitForSignal()
  if (isJson) print(eventLine('listening', listeningFields(service)))
  else {
    print(banner(service, paint))
    for (const line of warningLines(service.warnings, settings.scenario)) print(paint('yellow', line))
  }
  await stopped
  const { drain: drainMs, 'drain-delay': delayMs } = settings
  if (delayMs !== undefined) {
    service.server.drain()
    print(isJson ? eventLine('draining') : `Draining for ${delayMs / 1000} s.`)
    await realDelay(delayMs)
  }
  const inFlight = service.mock.calls({ outcome: 'open' }).length
  const waiting = inFlight === 0 ? '' : ` Waiting up to ${drainMs / 1000} s for ${countOf(inFlight, 'call')}.`
  print(isJson ? eventLine('stopping') : `Stopping.${waiting}`)
  await service.server.close(drainMs)
  watch?.close()
  return 0
}

/** The fields of the event `listening` of a JSON log. */
function listeningFields({ mock, server, token, isTokenNew, warnings }: Service): object {
  const { scenario, clock } = engineOf(mock)
  const { model } = exampleRequest(scenario) ?? {}
  return {
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

/** A longer example is not printed. */
const MAX_BODY_LENGTH = 1000
const HINT =
  "Add -H 'x-mock-fault: rate-limit' to make it fail. All faults: npx api-mock list --faults. Ctrl-C stops the server."

/** The addresses and an example, with which a person makes a first call. */
function banner({ mock, server, origin, token, isTokenNew }: Service, paint: Paint): string {
  const { scenario } = engineOf(mock)
  const { exampleKey, description } = scenario
  const name = paint('bold', scenario.name)
  const rows: [string, string][] = [
    ['Base URL', paint(['bold', 'cyan'], server.url)],
    ['API key', exampleKey],
    ['Scenario', description === '' ? name : `${name}: ${description}`],
    // The page reads the token from the fragment, which browsers never send.
    ['Page', `${server.controlUrl}/${isTokenNew ? `#token=${token}` : ''} (open it in a browser)`],
  ]
  if (mock.clock.speed !== 1) rows.push(['Speed', `${mock.clock.speed} times real time`])
  if (token !== undefined) {
    const shown = `${token} (send it to the control plane as Authorization: Bearer <token>)`
    rows.push(['Token', isTokenNew ? shown : 'required by the control plane'])
  }
  const parts = [table(rows, paint)]
  const request = exampleRequest(scenario)
  if (request !== undefined) {
    const call = [
      `curl ${origin}${request.path}`,
      `-H ${quoted(`Authorization: Bearer ${exampleKey}`)}`,
      "-H 'Content-Type: application/json'",
      `-d ${quoted(request.body)}`,
    ]
    parts.push(call.join(' \\\n  '))
  }
  return `${[...parts, paint('dim', HINT)].join('\n\n')}\n`
}

/** A request that works in a scenario. */
const exampleRequest = (scenario: Scenario) => (scenario.isCassette ? recordedRequest(scenario) : newRequest(scenario))

/** The first recorded request that is short enough to print; undefined if there is none. */
function recordedRequest({ source: { replies = [] } }: Scenario) {
  for (const { when = {}, answer } of replies) {
    const { request, endpoint = guessEndpoint(request), ...otherConditions } = when
    const isRecording = answer !== undefined && isObject(request) && Object.keys(otherConditions).length === 0
    if (!isRecording || typeof endpoint !== 'string' || typeof request.model !== 'string') continue
    const body = JSON.stringify(request)
    if (body.length <= MAX_BODY_LENGTH) return { path: pathOf(endpoint), model: request.model, body }
  }
  return undefined
}

/** A request to the first chat model, else the first model, or `echo-1` if any name is accepted. */
function newRequest({ modelNames = ['echo-1'], model }: Scenario) {
  const names = modelNames.map((name) => name.replaceAll('*', 'local'))
  const name = names.find((each) => model(each)?.endpoint !== 'embeddings') ?? names[0] ?? 'echo-1'
  const endpoint: ModelEndpoint = model(name)?.endpoint ?? 'chat'
  const content = endpoint === 'chat' ? { messages: [{ role: 'user', content: 'Hello' }] } : { input: 'Hello' }
  return { path: pathOf(endpoint), model: name, body: JSON.stringify({ model: name, ...content }) }
}
