/** The one mock for tests of the core; a test names only what it is about. */

import { CallContext } from '../../src/core/decide/call/call-context.ts'
import { decide } from '../../src/core/decide/pipeline/decide.ts'
import { applyEffects, type Effect } from '../../src/core/decide/state/apply-effects.ts'
import { MockState } from '../../src/core/decide/state/mock-state.ts'
import type { Plan } from '../../src/core/protocol/plan/plan.ts'
import { compileScenario, type Scenario } from '../../src/core/scenario/compile/compile.ts'
import { compilePattern } from '../../src/core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../../src/core/scenario/scenario-source.ts'
import { tokenizer } from '../../src/engine/tokenizers.ts'
import { type CallOverrides, call } from './call.ts'

export { type CallOverrides, HELLO } from './call.ts'
export { tokenizer }

interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
}

/** A mock without a transport or a clock: one scenario and its state. */
export interface CoreMock {
  readonly scenario: Scenario
  readonly state: MockState
  /** One call in its context, before anything is decided. */
  context(overrides?: CallOverrides): CallContext
  apply(...effects: readonly Effect[]): void
  /** Decides one call and applies its effects. */
  plan(overrides?: CallOverrides): Plan
  /** The status, headers and body text of one call. */
  answer(overrides?: CallOverrides): Answer
  /** The body of one call as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
  json(overrides?: CallOverrides): any
}

/** Builds a mock with an empty state from the settings of a scenario that a test is about. */
export function mockWith(source: Partial<ScenarioSource> = {}, answerLimit?: number): CoreMock {
  const state = new MockState()
  const scenario = compileScenario({ description: 'a test', ...source }, { name: 'test', compilePattern })
  const context = (overrides?: CallOverrides) =>
    new CallContext(call(overrides), scenario, state, tokenizer, answerLimit)
  const apply = (...effects: readonly Effect[]) => applyEffects(state, effects)
  const plan = (overrides?: CallOverrides): Plan => {
    const { plan, effects } = decide(context(overrides))
    apply(...effects)
    return plan
  }
  const answer = (overrides?: CallOverrides) => read(plan(overrides))
  return { scenario, state, context, apply, plan, answer, json: (overrides) => JSON.parse(answer(overrides).text) }
}

/** The status, headers and body text of a plan. */
export function read({ events }: Plan): Answer {
  const head = [...events].find((event) => event.type === 'head')
  const text = Buffer.concat(
    [...events].map((event) => (event.type === 'send' ? Buffer.from(event.data) : Buffer.alloc(0))),
  )
  return { status: head?.status ?? 0, headers: { ...head?.headers }, text: text.toString() }
}

/** The chunks of a streamed answer, without [DONE]. */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into chunks freely
export function chunksIn(text: string): any[] {
  const events = text.split('\n\n').filter(Boolean)
  return events.filter((event) => event !== 'data: [DONE]').map((event) => JSON.parse(event.slice('data: '.length)))
}
