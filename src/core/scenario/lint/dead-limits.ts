/** Limits and sizes that no call can meet, and limits that never refuse one. */
import { compileLimits, type Limits, type Rate } from '../compile/limits.ts'
import type { ScenarioSource } from '../grammar/schema.ts'
import type { Path, Warning } from './warning.ts'

/** What the smallest chat is estimated to use: one empty message (see token-estimate.ts). */
const LEAST_CHAT_ESTIMATE = 2
/** The tokens of its prompt; a reasoning model frames it with one less (see tokens.ts). */
const LEAST_PROMPT = 7
const LEAST_REASONING_PROMPT = 6

type LimitsSource = ScenarioSource['limits']
type ModelSource = NonNullable<ScenarioSource['models']>[string]

/** Everything about limits and sizes; the entries are those of keys and models that are ever looked up. */
export function deadLimits(source: ScenarioSource, keys: readonly string[], models: readonly string[]): Warning[] {
  const chats = source.models === undefined || models.some((name) => source.models![name]!.endpoint !== 'embeddings')
  return [
    ...limitsAt(source.limits, ['limits'], chats ? 'chat' : undefined),
    ...neverCounted(source, keys, models),
    ...keys.flatMap((name) =>
      limitsAt(source.keys![name]!.limits, ['keys', name, 'limits'], chats ? 'chat' : undefined),
    ),
    ...models.flatMap((name) => {
      const { endpoint, limits } = source.models![name]!
      const smallest = endpoint === 'embeddings' ? undefined : endpoint === 'chat' ? 'call' : 'chat'
      return [
        ...limitsAt(limits, ['models', name, 'limits'], smallest),
        ...sizes(source.models![name]!, ['models', name]),
      ]
    }),
  ]
}

/** @param smallest what can't meet the limit, where it is too small for a chat; undefined where none is made. */
function limitsAt(source: LimitsSource, path: Path, smallest: 'chat' | 'call' | undefined): Warning[] {
  const { tokens, requests } = compileLimits(source)
  const warnings = [...idleRates(requests, [...path, 'requests']), ...idleRates(tokens, [...path, 'tokens'])]
  const tight = tokens.findIndex(({ amount }) => amount < LEAST_CHAT_ESTIMATE)
  if (tight >= 0 && smallest !== undefined) {
    const place = [...path, 'tokens', ...(Array.isArray(source?.tokens) ? [tight] : [])]
    const message = `no ${smallest} can meet it: the smallest chat counts ${LEAST_CHAT_ESTIMATE} tokens, before its max_tokens.`
    warnings.push({ path: place, message })
  }
  return warnings
}

/**
 * A rate beside another that is smaller and refills no faster. Both are charged alike, so by induction it is never the
 * fuller of the two, and what does not fit it does not fit the other.
 */
function idleRates(rates: readonly Rate[], path: Path): Warning[] {
  return rates.flatMap((rate, index) => {
    const tighter = rates.find((other) => other !== rate && isTighter(other, rate))
    if (tighter === undefined) return []
    const message = `makes no difference: ${text(tighter)} beside it refuses every call that it would. Take it out.`
    return [{ path: [...path, index], message }]
  })
}

const isTighter = (one: Rate, other: Rate): boolean =>
  one.amount <= other.amount &&
  BigInt(one.amount) * BigInt(other.windowMs) <= BigInt(other.amount) * BigInt(one.windowMs)
const text = ({ amount, window }: Rate): string => `${amount} per ${window}`

const KINDS = ['requests', 'tokens', 'concurrent'] as const

/** Limits of the scenario in whose place every key, or every model, has its own. */
function neverCounted(
  { limits, ...source }: ScenarioSource,
  keys: readonly string[],
  models: readonly string[],
): Warning[] {
  return KINDS.filter((kind) => limits?.[kind] !== undefined).flatMap((kind) => {
    const owner = source.keys && all(keys, source.keys, kind) ? 'key' : undefined
    const holder = owner ?? (source.models && all(models, source.models, kind) ? 'model' : undefined)
    if (holder === undefined) return []
    const message = `never counts a call: every ${holder} has ${kind} of its own, which stand in its place.`
    return [{ path: ['limits', kind], message, isKey: true }]
  })
}

const all = (
  names: readonly string[],
  owners: Readonly<Record<string, { readonly limits?: LimitsSource }>>,
  kind: keyof Limits,
): boolean => names.every((name) => owners[name]!.limits?.[kind] !== undefined)

const ONLY_CHAT = ['contextTokens', 'maxOutputTokens', 'reasoning'] as const
const ONLY_EMBEDDINGS = ['dimensions', 'fixedDimensions'] as const

function sizes(model: ModelSource, path: Path): Warning[] {
  const { endpoint, contextTokens, maxOutputTokens, reasoning } = model
  const idle = endpoint === undefined ? [] : endpoint === 'chat' ? ONLY_EMBEDDINGS : ONLY_CHAT
  const warnings = idle
    .filter((name) => model[name] !== undefined)
    .map((name): Warning => {
      const message = `never used: the model is for ${endpoint} only. Take it out, or the endpoint.`
      return { path: [...path, name], message, isKey: true }
    })
  if (endpoint === 'embeddings' || contextTokens === undefined) return warnings
  const least = reasoning === true ? LEAST_REASONING_PROMPT : LEAST_PROMPT
  if (contextTokens < least) {
    const message = `no chat can meet it: the smallest has ${least} tokens.`
    warnings.push({ path: [...path, 'contextTokens'], message })
  }
  if (maxOutputTokens !== undefined && maxOutputTokens > contextTokens) {
    const message = `found ${maxOutputTokens}, more than the ${contextTokens} contextTokens that prompt and answer share.`
    warnings.push({ path: [...path, 'maxOutputTokens'], message })
  }
  return warnings
}
