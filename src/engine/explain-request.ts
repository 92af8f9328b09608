/** Reads what `mock.explain` is given as a call. */

import type { Call } from '../core/call/call-context.ts'
import { checkOptions } from '../core/errors/check-options.ts'
import { MockError } from '../core/errors/mock-error.ts'
import type { Transport } from '../core/plan/plan.ts'
import { isObject } from '../core/text/json.ts'

/** A request to explain. */
export interface ExplainRequest {
  /** Default: `POST`; `GET` for a path without a body. */
  readonly method?: string | undefined
  /** The path below the base URL, such as `/models`. Default: that of chat, or of embeddings if the body has `input`. */
  readonly path?: string | undefined
  /** The API key. Default: one that works in the scenario. */
  readonly key?: string | undefined
  /** Request headers, such as `x-mock-fault`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The request body: an object, or a text that is sent as it is. */
  readonly body?: object | string | undefined
  /** How the call is made: some faults need a connection. Default: `fetch` in process, `http` over the control plane. */
  readonly transport?: Transport | undefined
}

const OPTIONS = { method: true, path: true, key: true, headers: true, body: true, transport: true } as const

/** Where and when the call would arrive. */
interface Place {
  readonly exampleKey: string
  readonly bodyLimit: number
  readonly now: number
  readonly speed: number
}

/** @throws MockError for an unknown field or a value of a wrong type. */
export function readExplainRequest(request: ExplainRequest, { exampleKey, bodyLimit, now, speed }: Place): Call {
  checkOptions('explain', request, OPTIONS)
  const { key = exampleKey, body, transport = 'fetch', headers = {} } = request
  for (const name of ['method', 'path', 'key'] as const) {
    if (request[name] !== undefined && typeof request[name] !== 'string') refuse(name, 'a text', request[name])
  }
  if (!isObject(headers)) refuse('headers', 'an object of texts', headers)
  if (body !== undefined && typeof body !== 'string' && !isObject(body)) refuse('body', 'an object or a text', body)
  if (transport !== 'http' && transport !== 'fetch') refuse('transport', "'http' or 'fetch'", transport)
  const all: Record<string, string> = { 'content-type': 'application/json' }
  if (key !== '') all.authorization = `Bearer ${key}`
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = String(value)
  const isEmbedding = isObject(body) && 'input' in body && !('messages' in body)
  const { path = isEmbedding ? '/embeddings' : '/chat/completions' } = request
  const [bare = '', query] = path.split('?')
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  return {
    method: request.method ?? (body === undefined && request.path !== undefined ? 'GET' : 'POST'),
    path: /^\/v1(\/|$)/.test(bare) ? bare : `/v1${bare}`,
    query,
    header: (name) => all[name],
    body: new TextEncoder().encode(text).length <= bodyLimit ? text : undefined,
    bodyLimit,
    now,
    speed,
    transport,
  }
}

function refuse(field: string, expected: string, got: unknown): never {
  const shown = typeof got === 'object' ? 'an object' : String(got)
  throw new MockError('invalid-option', `Failed to explain: expected ${field} to be ${expected}, got ${shown}.`)
}
