/** Makers for tests of the core: a call, its context, a plan; each takes only what the test is about. */

import { CallContext } from '../../src/core/call/call-context.ts'
import { decide } from '../../src/core/pipeline/decide.ts'
import type { Plan } from '../../src/core/plan/plan.ts'
import { compileScenario, type Scenario } from '../../src/core/scenario/compile/compile.ts'
import { compilePattern } from '../../src/core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../../src/core/scenario/grammar/schema.ts'
import { applyEffects, type Effect } from '../../src/core/state/apply-effects.ts'
import { MockState } from '../../src/core/state/mock-state.ts'
import { loadTokenizer, tokenizer } from '../../src/engine/tokenizers.ts'
import { buildCall, type CallOverrides } from './call.ts'

await Promise.all([loadTokenizer('o200k_base'), loadTokenizer('cl100k_base')])

export { type CallOverrides, HELLO } from './call.ts'
export { tokenizer }

/** A mock without a transport: one scenario and its state. */
export class World {
  readonly scenario: Scenario
  readonly state = new MockState()

  constructor(source: Partial<ScenarioSource> = {}) {
    this.scenario = compileScenario({ description: 'a test', ...source }, { name: 'test', compilePattern })
  }

  /** One call in its context, before anything is decided. */
  context(overrides: CallOverrides = {}): CallContext {
    return new CallContext(buildCall(overrides), this.scenario, this.state, tokenizer)
  }

  apply(...effects: readonly Effect[]): void {
    applyEffects(this.state, effects)
  }

  /** Decides one call and applies its effects. */
  plan(overrides: CallOverrides = {}): Plan {
    const { plan, effects } = decide(this.context(overrides))
    applyEffects(this.state, effects)
    return plan
  }

  /** The status, headers and body text of one call. */
  answer(overrides: CallOverrides = {}): { status: number; headers: Record<string, string>; text: string } {
    return read(this.plan(overrides))
  }

  /** The body of one call as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
  json(overrides: CallOverrides = {}): any {
    return JSON.parse(this.answer(overrides).text)
  }
}

/** The status, headers and body text of a plan. */
export function read({ events }: Plan): { status: number; headers: Record<string, string>; text: string } {
  const head = events.find((event) => event.type === 'head')
  const text = Buffer.concat(events.map((event) => (event.type === 'send' ? Buffer.from(event.data) : Buffer.alloc(0))))
  return { status: head?.status ?? 0, headers: { ...head?.headers }, text: text.toString() }
}

/** The chunks of a streamed answer, without [DONE]. */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into chunks freely
export function chunksIn(text: string): any[] {
  const events = text.split('\n\n').filter(Boolean)
  return events.filter((event) => event !== 'data: [DONE]').map((event) => JSON.parse(event.slice('data: '.length)))
}
