/** Makers for tests of the page: the details of a call, as the control plane sends them. */

import { type CallDetails, detailsOf } from '../../src/core/journal/call-details.ts'
import { compileScenario } from '../../src/core/scenario/compile/compile.ts'
import { compilePattern } from '../../src/core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../../src/core/scenario/scenario-source.ts'
import { engineOf, Mock } from '../../src/engine/mock.ts'
import { type CallOverrides, call } from './call.ts'

/** A call that the page shows. */
export type PageCall = Omit<CallOverrides, 'now' | 'bodyLimit' | 'transport'>

/** The details of a call to a mock with a scenario; of the last one if there are several. */
export function openedCall(source: Partial<ScenarioSource>, ...calls: readonly PageCall[]): CallDetails {
  const mock = mockWith(source)
  for (const overrides of calls.length === 0 ? [{}] : calls) begin(mock, overrides)
  return detailsOf(engineOf(mock).journal.find(Math.max(1, calls.length))!.toJSON(), 1)
}

/** A mock that has answered these calls. */
export function mockAfter(source: Partial<ScenarioSource>, calls: readonly PageCall[]): Mock {
  const mock = mockWith(source)
  for (const overrides of calls) begin(mock, overrides).end('complete')
  return mock
}

const mockWith = (source: Partial<ScenarioSource>): Mock =>
  new Mock(compileScenario({ description: 'a test', ...source }, { name: 'test', compilePattern }))

const begin = (mock: Mock, overrides: PageCall) =>
  engineOf(mock).begin(call({ key: 'sk-test-abcdefghijkl', ...overrides, now: mock.clock.now() }))

/** A chat with this user message. */
export const asking = (content: unknown, more: object = {}): PageCall => ({
  body: { model: 'echo-1', messages: [{ role: 'user', content }], ...more },
})
