/** What an attacker sends to a server: any method, path, Host and headers, byte by byte, on a connection of its own. */
import { expect } from 'vitest'
import { requestText, type Served, Wire, type WireAnswer } from '../support/http.ts'

/** The control plane: what it tells, what it does, and what it does not have. */
export const CONTROL_CALLS = [
  ['GET', '/_mock'],
  ['GET', '/_mock/health'],
  ['GET', '/_mock/scenario'],
  ['PUT', '/_mock/scenario'],
  ['POST', '/_mock/faults'],
  ['DELETE', '/_mock/faults'],
  ['GET', '/_mock/journal'],
  ['GET', '/_mock/journal/1'],
  ['GET', '/_mock/events'],
  ['GET', '/_mock/limits'],
  ['GET', '/_mock/metrics'],
  ['GET', '/_mock/faults/catalogue'],
  ['POST', '/_mock/reset'],
  ['GET', '/_mock/nonsense'],
] as const

export interface Attack {
  readonly method?: string
  readonly path?: string
  /** The server's own name unless told otherwise. */
  readonly host?: string
  readonly headers?: readonly string[]
}

/** One call without a key; to the journal unless told otherwise. */
export async function attack(server: Served, { method = 'GET', path, host, headers }: Attack): Promise<WireAnswer> {
  const wire = await Wire.open(server)
  const body = path === '/_mock/scenario' ? '{"scenario":"outage"}' : '{"fault":500}'
  const text = requestText({
    method,
    path: path ?? '/_mock/journal',
    host: host ?? `127.0.0.1:${server.port}`,
    headers: headers ?? [],
    body,
  })
  await wire.send(text.replace('Authorization: Bearer sk-test\r\n', ''))
  const answer = await wire.answer()
  expect(answer, 'the connection was closed without an answer').toBeDefined()
  return answer!
}

/** Nothing that was asked has come to pass. */
export function isUntouched({ mock }: Served): void {
  expect(mock.injected).toEqual([])
  expect(mock.scenario.name).toBe('default')
}
