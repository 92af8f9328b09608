/** Makers for tests of the core: a call, its context, a plan; each takes only what the test is about. */

import { type Call, CallContext } from '../../src/core/call/call-context.ts'
import { decide } from '../../src/core/pipeline/decide.ts'
import type { Plan } from '../../src/core/plan/plan.ts'
import { compileScenario, type Scenario } from '../../src/core/scenario/compile/compile.ts'
import { compilePattern } from '../../src/core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../../src/core/scenario/grammar/schema.ts'
import { applyEffects, type Effect } from '../../src/core/state/apply-effects.ts'
import { MockState } from '../../src/core/state/mock-state.ts'
import { loadTokenizer, tokenizer } from '../../src/engine/tokenizers.ts'

await Promise.all([loadTokenizer('o200k_base'), loadTokenizer('cl100k_base')])

export { tokenizer }

export const HELLO = { model: 'echo-1', messages: [{ role: 'user', content: 'Hello there!' }] }

export interface CallOverrides {
  readonly method?: string
  readonly path?: string
  /** An object is sent as JSON, a string as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** '' for none. */
  readonly key?: string
  readonly now?: number
  readonly transport?: Call['transport']
}

function makeCall(overrides: CallOverrides = {}): Call {
  const {
    method = 'POST',
    path = '/v1/chat/completions',
    body = HELLO,
    headers = {},
    key = 'sk-test',
    now = 0,
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
    header: (name) => all[name],
    body: typeof body === 'string' ? body : JSON.stringify(body),
    bodyLimit: 10_000_000,
    now,
    transport,
  }
}

/** A mock without a transport: one scenario and its state. */
export class World {
  readonly scenario: Scenario
  readonly state = new MockState()

  constructor(source: Partial<ScenarioSource> = {}) {
    this.scenario = compileScenario({ description: 'a test', ...source }, { name: 'test', compilePattern })
  }

  context(overrides: CallOverrides = {}): CallContext {
    return new CallContext(makeCall(overrides), this.scenario, this.state, tokenizer)
  }

  apply(...effects: readonly Effect[]): void {
    applyEffects(this.state, effects)
  }

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
