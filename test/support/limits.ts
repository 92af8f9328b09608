/** A mock whose limits a test can watch: a clock that is set by hand, calls that end when told, and a reference to compare with. */

import type { Outcome } from '../../src/core/journal/entry.ts'
import { prepareSource } from '../../src/core/scenario/check/prepare-source.ts'
import { compileScenario } from '../../src/core/scenario/compile/compile.ts'
import { compilePattern } from '../../src/core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../../src/core/scenario/scenario-source.ts'
import type { Exchange } from '../../src/engine/exchange.ts'
import { engineOf, Mock } from '../../src/engine/mock.ts'
import type { ScenarioInput } from '../../src/index.ts'
import { type CallOverrides, call } from './call.ts'
import { read } from './core.ts'
import { wakeAtOnce } from './transports.ts'

export type LimitedCall = Omit<CallOverrides, 'now' | 'transport'>

/** A call that was answered and has not ended. */
export interface Underway {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
  readonly exchange: Exchange
  /** Ends it at the time that the clock tells now. */
  end(outcome?: Outcome): void
}

/** A scenario with limits and a clock that only the test moves, in milliseconds. */
export class LimitedMock {
  now = 0
  readonly mock: Mock

  constructor(source: ScenarioInput | ScenarioSource) {
    const scenario = this.compile(source)
    this.mock = new Mock(scenario, { clock: { speed: 1, now: () => this.now, wake: wakeAtOnce } })
  }

  compile(source: ScenarioInput | ScenarioSource) {
    const checked = prepareSource({ description: 'limits', ...source })
    return compileScenario(checked, { name: 'test', compilePattern })
  }

  /** Begins a call, and leaves it open. */
  begin(overrides: LimitedCall = {}): Underway {
    const exchange = engineOf(this.mock).begin(call({ bodyLimit: 1_000_000, ...overrides, now: this.now }))
    return { ...read(exchange.plan), exchange, end: (outcome = 'complete') => exchange.end(outcome) }
  }

  /** A whole call: begun and ended at once. */
  call(overrides: LimitedCall = {}): Underway {
    const underway = this.begin(overrides)
    underway.end()
    return underway
  }

  /** How limits stand now, seen by a call that costs nothing. */
  look(kind: 'requests' | 'tokens', key = 'sk-test'): { limit: number; remaining: number; reset: string } {
    const { headers } = this.call({ path: '/v1/models', method: 'GET', key })
    const tell = (what: string): string => headers[`x-ratelimit-${what}-${kind}`]!
    return { limit: Number(tell('limit')), remaining: Number(tell('remaining')), reset: tell('reset') }
  }
}

/** An embeddings call of exactly so many tokens, by estimate and in truth. */
export const tokensCall = (tokens: number, model = 'hash-1') => ({
  path: '/v1/embeddings',
  body: { model, input: Array(tokens).fill(1), dimensions: 1 },
})

/**
 * A limit as the definition has it, not as the mock computes it: uses conform when over every span of time that ends
 * now they are at most the amount and what the span refills. Times are whole nanoseconds.
 */
export class ReferenceLimit {
  readonly amount: bigint
  readonly windowNs: bigint
  readonly #uses: { readonly at: bigint; readonly count: bigint }[] = []

  constructor(amount: number, windowMs: number) {
    this.amount = BigInt(amount)
    this.windowNs = BigInt(windowMs) * 1_000_000n
  }

  use(count: number, at: bigint): void {
    this.#uses.push({ at, count: BigInt(count) })
  }

  /** What is used at a time, as a fraction over the window: the most that any span has beyond what it refilled. */
  #used(at: bigint): bigint {
    let sum = 0n
    let most = 0n
    for (const use of [...this.#uses].reverse()) {
      sum += use.count
      const beyond = sum * this.windowNs - (at - use.at) * this.amount
      if (beyond > most) most = beyond
    }
    return most
  }

  fits(count: number, at: bigint): boolean {
    return this.#used(at) + BigInt(count) * this.windowNs <= this.amount * this.windowNs
  }

  remaining(at: bigint): number {
    const left = this.amount * this.windowNs - this.#used(at)
    return left <= 0n ? 0 : Number(left / this.windowNs)
  }
}
