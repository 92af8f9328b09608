/** A mock that waits without taking time: its clock moves on to whatever is waited for, so that times are exact. */

import type { Clock } from '../../src/engine/clock/clock.ts'
import { Mock as BaseMock, engineOf } from '../../src/engine/mock.ts'
import { createMock, type MockOptions, type ScenarioInput } from '../../src/index.ts'
import { handlersOf } from '../../src/msw/handlers.ts'
import { type CallOverrides, call } from './call.ts'
import { IN_PROCESS_URL, type TestMock } from './transports.ts'

/** A clock that stands still unless it is waited on or moved. */
export class SteppingClock implements Clock {
  readonly speed = 1
  #now = 0

  now(): number {
    return this.#now
  }

  wake(time: number, run: () => void): () => void {
    this.#now = Math.max(this.#now, time)
    queueMicrotask(run)
    return () => {}
  }

  advance(ms: number): void {
    this.#now += ms
  }
}

export interface SteppingMock extends TestMock {
  readonly clock: SteppingClock
}

/** A mock with such a clock, answering at `IN_PROCESS_URL` once it is intercepted. */
export function steppingMock(scenario: Partial<ScenarioInput> = {}, options: MockOptions = {}): SteppingMock {
  const { scenario: compiled } = engineOf(createMock({ description: 'A test.', ...scenario }))
  const mock = new BaseMock(compiled, { ...options, clock: new SteppingClock() })
  const handlers = handlersOf(engineOf(mock), new URL(IN_PROCESS_URL))
  return Object.assign(mock, { handlers, baseURL: IN_PROCESS_URL }) as SteppingMock
}

export interface Asked extends Omit<CallOverrides, 'now' | 'transport'> {
  /** The last user message, instead of a body. */
  readonly user?: string
}

/** Makes a call without a transport and ends it as complete. */
export async function ask(mock: BaseMock, { user, ...overrides }: Asked = {}) {
  const body = { model: 'echo-1', messages: [{ role: 'user', content: user ?? 'Hello!' }] }
  const { bodyLimit } = engineOf(mock)
  const exchange = engineOf(mock).begin(call({ body, bodyLimit, ...overrides, now: mock.clock.now() }))
  exchange.end('complete')
  return exchange
}
