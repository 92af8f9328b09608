/** Compiles limits, and combines the limits of the scenario, the key and the model that apply to a call. */
import { WINDOWS } from '../../text/duration.ts'
import type { ScenarioSource } from '../scenario-source.ts'

/** An amount per window, refilled evenly. Usage is counted per object, so each rate of a scenario has its own counter. */
export interface Rate {
  readonly amount: number
  /** The window's name: second, minute, hour or day. */
  readonly window: keyof typeof WINDOWS
  readonly windowMs: number
}

/** A maximum of concurrent calls. As with a rate, usage is counted per object. */
export interface ConcurrencyLimit {
  readonly most: number
}

/** The limits of the scenario, of a key or of a model; an empty list for a kind without limits. */
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
 * The limits that apply to a call. For each kind, limits of the key and of the model replace the scenario's; if both have
 * limits of a kind, both apply.
 */
export function combineLimits(scenario: Limits, key: Limits = NO_LIMITS, model: Limits = NO_LIMITS): Limits {
  return {
    requests: mostSpecific(scenario.requests, key.requests, model.requests),
    tokens: mostSpecific(scenario.tokens, key.tokens, model.tokens),
    concurrent: mostSpecific(scenario.concurrent, key.concurrent, model.concurrent),
  }
}

function mostSpecific<Limit>(
  scenario: readonly Limit[],
  key: readonly Limit[],
  model: readonly Limit[],
): readonly Limit[] {
  if (key.length === 0 && model.length === 0) return scenario
  return [...key, ...model]
}

function ratesOf(texts: string | readonly string[] = []): Rate[] {
  return [texts].flat().map((text) => {
    const [amount, , window] = text.split(' ') as [string, string, Rate['window']]
    return { amount: Number(amount), window, windowMs: WINDOWS[window] }
  })
}
