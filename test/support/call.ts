/** The one call for tests: a greeting to the chat endpoint with a known key, and overrides. */
import type { Call } from '../../src/core/decide/call/call.ts'

export const HELLO = { model: 'echo-1', messages: [{ role: 'user', content: 'Hello there!' }] }

export interface CallOverrides {
  /** Default: POST. */
  readonly method?: string
  /** Default: /v1/chat/completions. */
  readonly path?: string
  /** An object is sent as JSON, a string as it is. Default: `HELLO`. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The API key; '' for none. Default: sk-test. */
  readonly key?: string
  /** In milliseconds of the clock. Default: 0. */
  readonly now?: number
  /** In bytes. Default: ten million. */
  readonly bodyLimit?: number
  readonly transport?: Call['transport']
}

/** Builds a call as a transport hands it to the engine. */
export function call(overrides: CallOverrides = {}): Call {
  const {
    method = 'POST',
    path = '/v1/chat/completions',
    body = HELLO,
    headers = {},
    key = 'sk-test',
    now = 0,
    bodyLimit = 10_000_000,
    transport = 'http',
  } = overrides
  const all: Record<string, string> = {
    'content-type': 'application/json',
    ...(key !== '' && { authorization: `Bearer ${key}` }),
    ...headers,
  }
  return {
    method,
    path,
    headers: all,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    bodyLimit,
    now,
    transport,
  }
}
