/**
 * Compiles limits, and combines the limits of the scenario, the key and the model that apply to a call.
 *
 *   { requests: '60 per minute', concurrent: 5 }    limits in a scenario
 *   { requests: [{ amount: 60, windowMs: 60_000, ... }], tokens: [], concurrent: [{ most: 5, ... }] }    compiled
 */
import { WINDOWS } from '../../lib/text/duration.ts'
import { toList } from '../../lib/text/json.ts'
import type { ScenarioSource } from '../scenario-source.ts'

/** The limits of the scenario, of a key or of a model; an empty list for a kind without limits. */
export interface Limits {
  readonly requests: readonly Rate[]
  readonly tokens: readonly Rate[]
  readonly concurrent: readonly ConcurrencyLimit[]
}

/** An amount per window, refilled evenly. Usage is counted by object identity, so each rate of a scenario has its own counter. */
export interface Rate {
  /** The name of its counter for other processes: `model:large-*|tokens|90000/minute`. */
  readonly id: string
  readonly amount: number
  readonly window: keyof typeof WINDOWS
  readonly windowMs: number
}

/** A maximum of concurrent calls. As with a rate, usage is counted by object identity. */
export interface ConcurrencyLimit {
  /** The name of its counter for other processes: `key|concurrent|5`. */
  readonly id: string
  readonly most: number
}

type LimitsSource = NonNullable<ScenarioSource['limits']>

/** Reads a rate that the grammar allows. @example parseRate('60 per minute') // { amount: 60, window: 'minute', windowMs: 60_000 } */
export function parseRate(text: string): Omit<Rate, 'id'> {
  const [amount, , window] = text.split(' ') as [amount: string, per: string, window: keyof typeof WINDOWS]
  return { amount: Number(amount), window, windowMs: WINDOWS[window] }
}

/**
 * Compiles limits. What is charged (`charge`) and where it is counted (`shared`) are settings of the whole scenario.
 * @param scope what the limits are for: `scenario`, `key`, or `model:` and the name of the model.
 */
export function compileLimits(source: Omit<LimitsSource, 'charge' | 'shared'>, scope: string): Limits {
  const ratesOf = (kind: 'requests' | 'tokens'): Rate[] =>
    toList(source[kind]).map((text) => {
      const rate = parseRate(text)
      return { id: `${scope}|${kind}|${rate.amount}/${rate.window}`, ...rate }
    })
  const { concurrent } = source
  return {
    requests: ratesOf('requests'),
    tokens: ratesOf('tokens'),
    concurrent: concurrent === undefined ? [] : [{ id: `${scope}|concurrent|${concurrent}`, most: concurrent }],
  }
}

/**
 * The limits that apply to a call. For each kind, limits of the key and of the model replace the scenario's; if both have
 * limits of a kind, both apply.
 */
export function combineLimits(scenario: Limits, key: Limits | undefined, model: Limits | undefined): Limits {
  const combine = <Limit>(usual: readonly Limit[], ofKey: readonly Limit[] = [], ofModel: readonly Limit[] = []) =>
    ofKey.length + ofModel.length === 0 ? usual : [...ofKey, ...ofModel]
  return {
    requests: combine(scenario.requests, key?.requests, model?.requests),
    tokens: combine(scenario.tokens, key?.tokens, model?.tokens),
    concurrent: combine(scenario.concurrent, key?.concurrent, model?.concurrent),
  }
}

/** `redis://user:password@host:6379/0`; `rediss` is with TLS. */
export const STORE_URL = /^rediss?:\/\/(?:[^\s/@]*@)?(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?(?:\/\d{0,9})?$/
export const STORE =
  'the address of a Redis or Valkey server such as redis://127.0.0.1:6379, with / and @ in a password as %2F and %40'
export const isStoreUrl = (text: string): boolean => STORE_URL.test(text) && URL.canParse(text)
