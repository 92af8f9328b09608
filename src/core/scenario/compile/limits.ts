/** Limits as the core runs on them: rates as numbers, and which of them a call has to fit. */
import { WINDOWS } from '../../text/duration.ts'
import type { ScenarioSource } from '../grammar/schema.ts'

/** So many in a window, refilled evenly. What is used of it is kept by this very object: one for each place in a scenario. */
export interface Rate {
  readonly amount: number
  /** The window's name: second, minute, hour or day. */
  readonly window: keyof typeof WINDOWS
  readonly windowMs: number
}

/** So many calls at once; as with a rate, the object says which calls are counted together. */
export interface ConcurrencyLimit {
  readonly most: number
}

/** All limits of one place: of the scenario, a key or a model; none of a kind is an empty list. */
export interface Limits {
  readonly requests: readonly Rate[]
  readonly tokens: readonly Rate[]
  readonly concurrent: readonly ConcurrencyLimit[]
}

export const NO_LIMITS: Limits = { requests: [], tokens: [], concurrent: [] }

export function compileLimits(source: ScenarioSource['limits']): Limits {
  if (source === undefined) return NO_LIMITS
  const { requests, tokens, concurrent } = source
  return {
    requests: ratesOf(requests),
    tokens: ratesOf(tokens),
    concurrent: concurrent === undefined ? [] : [{ most: concurrent }],
  }
}

/**
 * The limits that a call has to fit. Those of its key and of its model stand in the place of the scenario's, kind by
 * kind; where both the key and the model have some of a kind, it has to fit both.
 */
export function combineLimits(scenario: Limits, key: Limits = NO_LIMITS, model: Limits = NO_LIMITS): Limits {
  return {
    requests: nearest(scenario.requests, key.requests, model.requests),
    tokens: nearest(scenario.tokens, key.tokens, model.tokens),
    concurrent: nearest(scenario.concurrent, key.concurrent, model.concurrent),
  }
}

function nearest<Limit>(scenario: readonly Limit[], key: readonly Limit[], model: readonly Limit[]): readonly Limit[] {
  if (key.length === 0 && model.length === 0) return scenario
  return [...key, ...model]
}

function ratesOf(texts: string | readonly string[] = []): Rate[] {
  return [texts].flat().map((text) => {
    const [amount, , window] = text.split(' ') as [string, string, Rate['window']]
    return { amount: Number(amount), window, windowMs: WINDOWS[window] }
  })
}
