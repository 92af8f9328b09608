/** Makers for tests over HTTP: a server that closes with its test, calls by fetch, and raw bytes on a socket. */
import { expect, onTestFinished } from 'vitest'
import { createMock, type Mock, type MockOptions, type ScenarioChoice } from '../../src/index.ts'
import { type ListenOptions, listen, type MockServer } from '../../src/node.ts'
import { parsed, Wire as RawWire } from './wire.ts'

export { requestText, type WireAnswer } from './wire.ts'

export const HELLO = { model: 'echo-1', messages: [{ role: 'user', content: 'Hello there!' }] }
export const TEXT = { model: 'hash-1', input: 'Hello there!' }
export const CHAT_PATH = '/v1/chat/completions'
export const EMBEDDINGS_PATH = '/v1/embeddings'

/** Time-outs here are only to end a test that hangs. */
export const GENEROUS_MS = 120_000

export interface Served extends MockServer {
  readonly mock: Mock
  /** Scheme, host and port. */
  readonly origin: string
}

/** Serves a mock on any free port until the test is over. */
export async function serve(
  choice: ScenarioChoice = 'default',
  { listen: listening = {}, ...options }: MockOptions & { readonly listen?: ListenOptions } = {},
): Promise<Served> {
  const mock = createMock(choice, options)
  const server = await listen(mock, { port: 0, host: '127.0.0.1', ...listening })
  onTestFinished(() => server.close(0))
  return Object.assign(server, { mock, origin: `http://127.0.0.1:${server.port}` })
}

export interface HttpCall {
  readonly method?: string
  readonly path?: string
  /** An object is sent as JSON, a string as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** '' for none. */
  readonly key?: string
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined when the text is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
  readonly json: any
}

/** One call to a server, by fetch; a greeting unless told otherwise. */
export async function fetchFrom(
  { origin }: { readonly origin: string },
  overrides: HttpCall = {},
): Promise<HttpAnswer> {
  const { path = CHAT_PATH, key = 'sk-test', headers = {} } = overrides
  const { body = path === CHAT_PATH ? HELLO : undefined } = overrides
  const { method = body === undefined ? 'GET' : 'POST' } = overrides
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return answerOf(response)
}

export async function answerOf(response: Response): Promise<HttpAnswer> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parsed(text) }
}

/** A normal call still gets a normal answer: what must be true after anything that was done to a server. */
export async function stillAnswers(server: { readonly origin: string }): Promise<void> {
  const { status, json } = await fetchFrom(server, { key: 'sk-still-there' })
  expect(status).toBe(200)
  expect(json.choices[0].message.content).toBe('Hello there!')
}

/** The error of an answer, after a look at the envelope: four fields, all of them always there. */
export function errorIn({ json, text }: Pick<HttpAnswer, 'json' | 'text'>): {
  message: string
  type: string
  param: string | null
  code: string | null
} {
  expect(json, `no envelope: '${text}'`).toEqual({ error: expect.any(Object) })
  expect(Object.keys(json.error)).toEqual(['message', 'type', 'param', 'code'])
  expect(json.error.message).toEqual(expect.any(String))
  expect(json.error.type).toEqual(expect.any(String))
  return json.error
}

export type Wire = RawWire

/** Raw sockets that are destroyed when the test is over. */
export const Wire = {
  async open(server: { readonly port: number }): Promise<Wire> {
    const wire = await RawWire.open(server)
    onTestFinished(() => void wire.socket.destroy())
    return wire
  },
}

/** What is sent byte by byte is answered with one of these statuses, an error in the envelope, and the server lives. */
export async function answersRaw(
  server: Served,
  request: string | Uint8Array,
  expected: readonly number[],
): Promise<void> {
  const wire = await Wire.open(server)
  await wire.send(request)
  const answer = await wire.answer()
  expect(answer, 'the connection was closed without an answer').toBeDefined()
  expect(expected).toContain(answer!.status)
  if (answer!.status >= 400) errorIn(answer!)
  await stillAnswers(server)
}
