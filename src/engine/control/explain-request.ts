/**
 * Makes a call of what `mock.explain` and the control plane are asked to explain.
 *
 *     { body: { model: 'echo-1', messages: [...] } }     ->     POST /v1/chat/completions with a key of the scenario
 *     { path: '/models' }                                ->     GET /v1/models
 */

import type { Call } from '../../core/decide/call/call.ts'
import { isObject, parseJson } from '../../core/lib/text/json.ts'
import {
  checkOptions,
  invalidOption,
  type OptionChecks,
  oneOf,
  TEXT,
} from '../../core/protocol/errors/check-options.ts'
import type { Transport } from '../../core/protocol/plan/plan.ts'
import { guessEndpoint, pathOf } from '../../core/protocol/request/endpoints.ts'
import { readAddressBelow } from '../../core/protocol/request/request-path.ts'

/** A request to explain. */
export interface ExplainRequest {
  /** Default: `POST`; `GET` for a path without a body. */
  readonly method?: string | undefined
  /** The path below the base URL, such as `/models`. Default: that of chat, responses or embeddings, by the body. */
  readonly path?: string | undefined
  /** The API key. Default: one that works in the scenario. */
  readonly key?: string | undefined
  /** Request headers, such as `x-mock-fault`: an object, a Map or Headers. */
  readonly headers?: Readonly<Record<string, string>> | Iterable<readonly [string, string]> | undefined
  /** The request body: an object, or a text that is sent as it is. */
  readonly body?: object | string | undefined
  /** The transport of the call: some faults need a connection. Default: `fetch` in process, `http` over the control plane. */
  readonly transport?: Transport | undefined
}

const CHECKS: OptionChecks<ExplainRequest> = {
  method: {
    expected: "a method of HTTP, such as 'POST'",
    isValid: (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
  },
  path: TEXT,
  key: TEXT,
  headers: { expected: 'an object of texts', isValid: isObject },
  body: { expected: 'an object or a text', isValid: (value) => typeof value === 'string' || isObject(value) },
  transport: oneOf('http', 'fetch'),
}

/** Ends the message about an unknown option, such as `model`, for callers that give the body itself. */
const BODY_HINT = ` The request body is the option body: { "body": { "model": "echo-1" } }.`

/** The methods that fetch writes in upper case. */
const NORMALIZED = /^(delete|get|head|options|post|put)$/i

/** The place and time at which the call would arrive. */
interface Place {
  /** A key that works. */
  readonly exampleKey: string
  /** The session of the call, whatever the request says. */
  readonly session: string | undefined
  readonly bodyLimit: number
  readonly now: number
  readonly speed: number
}

/** @throws MockError for an unknown field or a value of a wrong type. */
export function readExplainRequest(
  request: ExplainRequest,
  { exampleKey, session, bodyLimit, now, speed }: Place,
): Call {
  checkOptions('explain', request, CHECKS, BODY_HINT)
  const { key = exampleKey, body = '', transport = 'fetch', headers = {} } = request
  const sentText = typeof body === 'string' ? body : stringifyBody(body)
  // Without a byte order mark, as a body over HTTP is read.
  const text = sentText.startsWith('\uFEFF') ? sentText.slice(1) : sentText
  const isRead = request.path !== undefined && request.body === undefined
  const { path = pathOf(guessEndpoint(parseJson(text))), method = isRead ? 'GET' : 'POST' } = request
  const [pathname = '', query] = path.split('?')
  const allHeaders = new Map([['content-type', 'application/json']])
  if (key !== '') allHeaders.set('authorization', `Bearer ${key}`)
  for (const [name, value] of readHeaders(headers)) allHeaders.set(name, value)
  if (session !== undefined) allHeaders.set('x-mock-session', session)
  return {
    method: NORMALIZED.test(method) ? method.toUpperCase() : method,
    ...readAddressBelow('', pathname.startsWith('/') ? pathname : `/${pathname}`)!,
    query,
    headers: Object.fromEntries(allHeaders),
    body: new TextEncoder().encode(sentText).length <= bodyLimit ? text : undefined,
    bodyLimit,
    now,
    speed,
    transport,
  }
}

/** Headers by lower-case name. @throws MockError for one that is no text. */
function readHeaders(headers: NonNullable<ExplainRequest['headers']>): [string, string][] {
  const given: unknown[] = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return given.map((pair) => {
    const [name, value] = Array.isArray(pair) ? pair : []
    if (typeof name !== 'string') throw invalidOption('explain', 'headers', 'an object of texts', pair)
    const isText = typeof value === 'string' || typeof value === 'number'
    if (!isText) throw invalidOption('explain', `the header '${name}'`, 'a text', value)
    return [name.toLowerCase(), String(value)]
  })
}

/** @throws MockError for a body that JSON cannot hold. */
function stringifyBody(body: object): string {
  let reason = 'JSON has no such value'
  try {
    const text: unknown = JSON.stringify(body)
    if (typeof text === 'string') return text
  } catch (error) {
    // It has a reference to itself, a BigInt or a `toJSON` that throws, or is nested too deep.
    reason = String(error).split('\n', 1)[0]!
  }
  throw invalidOption('explain', 'body', 'an object that JSON can hold', body, { reason })
}
