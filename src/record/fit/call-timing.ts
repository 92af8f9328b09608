/** The timing of one measured call, and how it is read from a row of a table or from a JSON object. */
import type { JsonObject } from '../../core/lib/text/json.ts'

export interface CallTiming {
  /** Milliseconds until the first token. */
  readonly firstTokenMs: number
  /** Milliseconds for each token after the first; undefined for a call with less than two tokens. */
  readonly perTokenMs?: number | undefined
}

/** What a row must have, for messages. */
export const EXPECTED_ROW =
  'firstTokenMs, and perTokenMs or the pair totalMs and tokens (also first_token_ms, ttft_s, tpot_ms, inter_token_latency_s and so on)'

const NAMES = {
  first: /^(?:firsttoken|ttft|timetofirsttoken)(?<unit>ms|s)$/,
  each: /^(?:pertoken|tpot|itl|timeperoutputtoken|intertokenlatency)(?<unit>ms|s)$/,
  total: /^(?:total|duration|latency|endtoendlatency|e2e)(?<unit>ms|s)$/,
  tokens: /^(?:tokens|outputtokens|completiontokens|numberoutputtokens)$/,
} as const

/** Undefined for a row without a time to the first token above 0. */
export function readRow(row: JsonObject): CallTiming | undefined {
  const firstTokenMs = findMs(row, NAMES.first)
  if (firstTokenMs === undefined) return undefined
  const perTokenMs = findMs(row, NAMES.each) ?? perTokenOf(firstTokenMs, findMs(row, NAMES.total), findTokens(row))
  return { firstTokenMs, perTokenMs }
}

/** The mean time of the tokens after the first one. */
export function perTokenOf(firstMs: number, totalMs: number | undefined, tokens: number | undefined) {
  if (totalMs === undefined || tokens === undefined || tokens < 2 || totalMs <= firstMs) return undefined
  return (totalMs - firstMs) / (tokens - 1)
}

function findMs(row: JsonObject, name: RegExp): number | undefined {
  for (const [key, value] of Object.entries(row)) {
    const unit = name.exec(simplify(key))?.groups?.unit
    const ms = Number(value) * (unit === 's' ? 1000 : 1)
    if (unit !== undefined && value !== '' && Number.isFinite(ms) && ms > 0) return ms
  }
  return undefined
}

function findTokens(row: JsonObject): number | undefined {
  const found = Object.entries(row).find(([key]) => NAMES.tokens.test(simplify(key)))
  const tokens = Number(found?.[1])
  return Number.isFinite(tokens) ? tokens : undefined
}

/** `inter_token_latency_s` and `interTokenLatencyS` are the same name. */
const simplify = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
