/** A request that works in the given scenario, and the curl command for it. */

import { isObject } from '../../core/lib/text/json.ts'
import { ENDPOINTS, type ModelEndpoint, pathOf } from '../../core/protocol/request/endpoints.ts'
import type { Scenario } from '../../core/scenario/compile/compile.ts'
import { quoted } from '../../terminal/text.ts'

interface ExampleRequest {
  readonly path: string
  readonly model: string
  /** JSON. */
  readonly body: string
}

/** Of a cassette, the first recorded request that is short enough to print; undefined if it has none. */
export const exampleRequest = (scenario: Scenario): ExampleRequest | undefined =>
  scenario.isCassette ? recordedRequest(scenario) : newRequest(scenario)

const MAX_BODY_LENGTH = 1000

function recordedRequest({ source: { replies = [] } }: Scenario): ExampleRequest | undefined {
  for (const { when = {}, answer } of replies) {
    const { request, endpoint = 'chat', ...others } = when
    if (answer === undefined || !isObject(request) || typeof endpoint !== 'string') continue
    const body = JSON.stringify(request)
    const isShort = body.length <= MAX_BODY_LENGTH && Object.keys(others).length === 0
    if (isShort && typeof request.model === 'string') return { path: pathOf(endpoint), model: request.model, body }
  }
  return undefined
}

/** For the first chat model, or else the first model; `echo-1` if any name is accepted. */
function newRequest({ modelNames, model }: Scenario): ExampleRequest {
  const names = (modelNames ?? ['echo-1']).map((name) => name.replaceAll('*', 'local'))
  const chatting = names.find((name) => model(name)?.endpoint !== 'embeddings')
  const name = chatting ?? names[0] ?? 'echo-1'
  const endpoint: ModelEndpoint = chatting !== undefined || names.length === 0 ? 'chat' : 'embeddings'
  const content = ENDPOINTS[endpoint].hasMessages
    ? { messages: [{ role: 'user', content: 'Hello' }] }
    : { input: 'Hello' }
  return { path: pathOf(endpoint), model: name, body: JSON.stringify({ model: name, ...content }) }
}

/** To paste into bash, zsh or sh. */
export function exampleCall(origin: string, key: string, { path, body }: ExampleRequest): string {
  return [
    `curl ${origin}${path}`,
    `-H ${quoted(`Authorization: Bearer ${key}`)}`,
    "-H 'Content-Type: application/json'",
    `-d ${quoted(body)}`,
  ].join(' \\\n  ')
}
