/** Makers for tests of the page: a call as the page is told of it when it is opened. */

import { type CallDetails, detailsOf } from '../../src/core/journal/call-details.ts'
import { compileScenario } from '../../src/core/scenario/compile/compile.ts'
import { compilePattern } from '../../src/core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../../src/core/scenario/grammar/schema.ts'
import { engineOf, Mock } from '../../src/engine/mock.ts'
import { HELLO } from './core.ts'

export interface PageCall {
  readonly method?: string
  readonly path?: string
  /** An object is sent as JSON, a string as it is. */
  readonly body?: unknown
  /** '' for none. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What the page is told of a call to a mock with a scenario; the last one, where several are made. */
export function openedCall(source: Partial<ScenarioSource>, ...calls: readonly PageCall[]): CallDetails {
  const scenario = compileScenario({ description: 'a test', ...source }, { name: 'test', compilePattern })
  const mock = new Mock(scenario)
  for (const call of calls.length === 0 ? [{}] : calls) begin(mock, call)
  return detailsOf(engineOf(mock).entry(Math.max(1, calls.length))!)
}

function begin(mock: Mock, { method = 'POST', path = '/v1/chat/completions', ...call }: PageCall): void {
  const { body = HELLO, key = 'sk-test-abcdefghijkl', headers = {} } = call
  const all: Record<string, string> = {
    'content-type': 'application/json',
    ...(key !== '' && { authorization: `Bearer ${key}` }),
    ...headers,
  }
  void engineOf(mock).begin({
    method,
    path,
    transport: 'http',
    header: (name) => all[name],
    body: typeof body === 'string' ? body : JSON.stringify(body),
    bodyLimit: engineOf(mock).bodyLimit,
    now: mock.clock.now(),
  })
}

/** A chat that asks something. */
export const asking = (content: unknown, more: object = {}): PageCall => ({
  body: { model: 'echo-1', messages: [{ role: 'user', content }], ...more },
})
