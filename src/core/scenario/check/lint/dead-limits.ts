/** Finds limits that never refuse a call, and settings of models that are never used. */

import { BUDGET_UNITS } from '../../compile/budget.ts'
import { compileLimits, type Limits, type Rate } from '../../compile/limits.ts'
import type { ScenarioSource } from '../../scenario-source.ts'
import type { Problem } from '../problem.ts'

type LimitsSource = Parameters<typeof compileLimits>[0]
type ModelSource = NonNullable<ScenarioSource['models']>[string]

/** @param keys the names of the keys that are used; `models` likewise. */
export function findDeadLimits(source: ScenarioSource, keys: readonly string[], models: readonly string[]): Problem[] {
  return [
    ...checkShared(source),
    ...checkLimits(source.limits, ['limits']),
    ...findReplacedLimits(source, keys, models),
    ...findReplacedBudget(source, keys),
    ...keys.flatMap((name) => checkLimits(source.keys![name]!.limits, ['keys', name, 'limits'])),
    ...models.flatMap((name) => [
      ...checkLimits(source.models![name]!.limits, ['models', name, 'limits']),
      ...checkSizes(source.models![name]!, ['models', name]),
    ]),
  ]
}

/** A store for limits that nobody has. */
function checkShared({ limits, keys = {}, models = {} }: ScenarioSource): Problem[] {
  if (limits?.shared === undefined) return []
  const owners = [{ limits }, ...Object.values(keys), ...Object.values(models)]
  if (owners.some((owner) => KINDS.some((kind) => owner.limits?.[kind] !== undefined))) return []
  const message = 'shares nothing: the scenario has no limits. Add requests, tokens or concurrent, or remove shared.'
  return [{ path: ['limits', 'shared'], message }]
}

function checkLimits(source: LimitsSource, path: Problem['path']): Problem[] {
  const { tokens, requests } = compileLimits(source, '')
  return [...findLooserRates(requests, [...path, 'requests']), ...findLooserRates(tokens, [...path, 'tokens'])]
}

/**
 * A rate beside a tighter one: one that is smaller and refills no faster. Both count the same calls, so whatever does not
 * fit the looser rate does not fit the tighter one either.
 */
function findLooserRates(rates: readonly Rate[], path: Problem['path']): Problem[] {
  return rates.flatMap((rate, index) => {
    const tighter = rates.find((other) => other !== rate && isTighter(other, rate))
    if (tighter === undefined) return []
    const message = `makes no difference: ${rateText(tighter)} refuses every call that this would refuse. Remove this rate.`
    return [{ path: [...path, index], message }]
  })
}

const isTighter = (one: Rate, other: Rate): boolean =>
  one.amount <= other.amount &&
  BigInt(one.amount) * BigInt(other.windowMs) <= BigInt(other.amount) * BigInt(one.windowMs)
const rateText = ({ amount, window }: Rate): string => `${amount} per ${window}`

const KINDS = ['requests', 'tokens', 'concurrent'] as const

/** Limits of the scenario that every key, or every model, replaces with its own. */
function findReplacedLimits(
  { limits, ...source }: ScenarioSource,
  keys: readonly string[],
  models: readonly string[],
): Problem[] {
  return KINDS.filter((kind) => limits?.[kind] !== undefined).flatMap((kind) => {
    const owner = source.keys && all(keys, source.keys, kind) ? 'key' : undefined
    const holder = owner ?? (source.models && all(models, source.models, kind) ? 'model' : undefined)
    if (holder === undefined) return []
    const message = `never counts a call: every ${holder} has its own limit for ${kind}, which replaces this one.`
    return [{ path: ['limits', kind], message, isKey: true }]
  })
}

/** Units of the scenario's budget that every key replaces with its own. */
function findReplacedBudget({ budget = {}, keys: settings }: ScenarioSource, keys: readonly string[]): Problem[] {
  if (settings === undefined) return []
  return BUDGET_UNITS.filter(
    (unit) => budget[unit] !== undefined && keys.every((name) => settings[name]!.budget?.[unit] !== undefined),
  ).map((unit) => {
    const message = `never counts a call: every key has its own budget in ${unit}, which replaces this one.`
    return { path: ['budget', unit], message, isKey: true }
  })
}

const all = (
  names: readonly string[],
  owners: Readonly<Record<string, { readonly limits?: LimitsSource }>>,
  kind: keyof Limits,
): boolean => names.every((name) => owners[name]!.limits?.[kind] !== undefined)

const ONLY_CHAT = ['contextTokens', 'maxOutputTokens', 'reasoning', 'supports'] as const
const ONLY_EMBEDDINGS = ['dimensions', 'fixedDimensions'] as const

function checkSizes(model: ModelSource, path: Problem['path']): Problem[] {
  const { endpoint, contextTokens, maxOutputTokens } = model
  const idle = endpoint === undefined ? [] : endpoint === 'chat' ? ONLY_EMBEDDINGS : ONLY_CHAT
  const warnings = idle
    .filter((name) => model[name] !== undefined)
    .map((name): Problem => {
      const message = `never used: the model is for ${endpoint} only. Remove this, or the endpoint.`
      return { path: [...path, name], message, isKey: true }
    })
  if (endpoint !== 'embeddings' && maxOutputTokens !== undefined && maxOutputTokens > (contextTokens ?? Infinity)) {
    const message = `expected at most ${contextTokens}, the contextTokens that prompt and answer share, got ${maxOutputTokens}.`
    warnings.push({ path: [...path, 'maxOutputTokens'], message })
  }
  return warnings
}
