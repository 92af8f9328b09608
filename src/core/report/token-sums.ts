/**
 * The tokens and the cost of a run for each session, as `--tokens-file` writes them, and the difference to an earlier run.
 *
 *   { total: { calls: 3, promptTokens: 1200, ... }, withoutSession: { ... }, sessions: { 'checkout.test.ts': { ... } } }
 *   checkout.test.ts: +38 % prompt tokens (1,200 to 1,656)
 */
import type { JournalEntry } from '../journal/entry.ts'
import { isObject, type JsonObject, parseJson } from '../lib/text/json.ts'
import { escapeControls, shorten } from '../lib/text/wording.ts'
import { addUsage, formatTokens, formatUsage, formatUsd, NO_USAGE, type UsageSum } from './usage-sums.ts'

/** The sum of the calls that used tokens. */
export interface TokenSum extends UsageSum {
  /** The part of `promptTokens` that was read from the prompt cache. */
  readonly cachedTokens: number
  readonly reasoningTokens: number
  /** The models without a price, because of which there is no `usd`; left out if all have one. */
  readonly withoutPrice?: readonly string[]
  /** The number of recorded answers that do not say what they used; left out if there are none. */
  readonly withoutUsage?: number
}

/** The tokens of a run. */
export interface RunTokens {
  readonly total: TokenSum
  /** The calls that name no session. */
  readonly withoutSession: TokenSum
  /** The calls of each session, in the order of the names. */
  readonly sessions: Readonly<Record<string, TokenSum>>
}

const NO_TOKENS: TokenSum = { ...NO_USAGE, cachedTokens: 0, reasoningTokens: 0 }
const COUNTS = ['calls', 'promptTokens', 'cachedTokens', 'completionTokens', 'reasoningTokens'] as const

const ENDPOINTS_WITH_USAGE: readonly string[] = ['chat', 'responses', 'embeddings']

/** True if a call used tokens, but its recorded answer does not say how many. */
export const saysNoUsage = ({ method, endpoint, status, usage }: JournalEntry): boolean =>
  usage === undefined && method === 'POST' && status === 200 && ENDPOINTS_WITH_USAGE.includes(endpoint)

/** Sums the calls of a run, in a size that does not grow with the calls. `add` replaces the sums by new ones. */
export class TokenSums {
  #total = NO_TOKENS
  /** By session; '' for calls without one. */
  readonly #bySession = new Map<string, TokenSum>()

  add(entry: JournalEntry): void {
    const { session = '', usage } = entry
    if (usage === undefined && !saysNoUsage(entry)) return
    this.#total = addCall(this.#total, entry)
    this.#bySession.set(session, addCall(this.#bySession.get(session) ?? NO_TOKENS, entry))
  }

  /** The same for the same calls, in whatever order they came. */
  get tokens(): RunTokens {
    const sessions = [...this.#bySession].filter(([session]) => session !== '').sort()
    const withoutSession = this.#bySession.get('') ?? NO_TOKENS
    return { total: this.#total, withoutSession, sessions: Object.fromEntries(sessions) }
  }
}

function addCall(sum: TokenSum, { model, usage, cache }: JournalEntry): TokenSum {
  if (usage === undefined) return { ...sum, withoutUsage: (sum.withoutUsage ?? 0) + 1 }
  const { withoutPrice = [], withoutUsage } = sum
  const models = usage.usd === undefined ? [...new Set([...withoutPrice, model])].sort() : withoutPrice
  return {
    ...addUsage(sum, usage),
    cachedTokens: sum.cachedTokens + (cache?.cachedTokens ?? 0),
    reasoningTokens: sum.reasoningTokens + (usage.reasoningTokens ?? 0),
    ...(models.length > 0 && { withoutPrice: models }),
    ...(withoutUsage !== undefined && { withoutUsage }),
  }
}

/** Reads the tokens of an earlier run; undefined for a text that is something else. */
export function parseRunTokens(text: string): RunTokens | undefined {
  const isSum = (sum: unknown): boolean =>
    isObject(sum) &&
    COUNTS.every((name) => Number.isSafeInteger(sum[name])) &&
    (sum.usd === undefined || Number.isFinite(sum.usd))
  const file = (parseJson(text) ?? {}) as JsonObject & RunTokens
  return isObject(file.sessions) && [...sumsByName(file).values()].every(isSum) ? file : undefined
}

/** All sums of a run, by the names that the lines about them begin with. */
const sumsByName = ({ total, withoutSession, sessions }: RunTokens): ReadonlyMap<string, TokenSum> =>
  new Map([['all calls', total], ['calls without a session', withoutSession], ...Object.entries(sessions)])

/** `3 calls, 1,200 prompt tokens, 34 completion tokens, $0.0125`; `no price for echo-1` in place of an unknown cost. */
export function formatTokenSum(sum: TokenSum): string {
  const models = sum.withoutPrice && ` for ${escapeControls(shorten(sum.withoutPrice.join(', ')))}`
  return `${formatTokens(sum.calls, 'call')}, ${formatUsage(sum)}${models ?? ''}`
}

/**
 * The difference of two runs: a line for all calls, and one for each session that has changed, the largest change first.
 * @example ['checkout.test.ts: +38 % prompt tokens (1,200 to 1,656)']
 */
export function describeTokenChanges(before: RunTokens, after: RunTokens): string[] {
  const [oldSums, newSums] = [sumsByName(before), sumsByName(after)]
  const tokensOf = ({ promptTokens, completionTokens }: TokenSum): number => promptTokens + completionTokens
  const names = new Set([...oldSums.keys(), ...newSums.keys()])
  const [all, ...changes] = [...names].map((name) => {
    const [from = NO_TOKENS, to = NO_TOKENS] = [oldSums.get(name), newSums.get(name)]
    return { name, text: describeChange(from, to), size: Math.abs(tokensOf(to) - tokensOf(from)) }
  })
  changes.sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1))
  // With a single session, the line for all calls would say the same again.
  const shown = changes.some(({ text }) => text === all!.text) ? changes : [all!, ...changes]
  return shown.filter(({ text }) => text !== '').map(({ name, text }) => `${name}: ${text}`)
}

/** `+38 % prompt tokens (1,200 to 1,656)`, for each quantity that has changed; '' if none has. */
function describeChange(before: TokenSum, after: TokenSum): string {
  if (before.calls === 0 && after.calls > 0) return `new, ${formatTokenSum(after)}`
  if (before.calls > 0 && after.calls === 0) return `gone, had ${formatTokenSum(before)}`
  const changed = [...COUNTS, 'usd' as const].filter((name) => before[name] !== after[name])
  const texts = changed.map((name) => {
    const [from, to] = [before[name], after[name]]
    // Without the share if one of the values is 0 or not known.
    const percent = from && to ? Math.round((100 * (to - from)) / from) : 0
    const sign = percent > 0 ? '+' : ''
    const share = percent === 0 ? '' : `${sign}${percent.toLocaleString('en-US')} % `
    // `promptTokens` -> `prompt tokens`
    const noun = name === 'usd' ? 'cost' : name.replace('T', ' t')
    const [old, now] = [from, to].map((value) => {
      if (value === undefined) return 'not known'
      return name === 'usd' ? formatUsd(value) : value.toLocaleString('en-US')
    })
    return `${share}${noun} (${old} to ${now})`
  })
  return texts.join(', ')
}
