/**
 * The prompt cache of a call: the prefixes of its prompt that it finds there, and those that it writes. There are two styles:
 *
 *   prefixes      every prefix of 1,024 tokens, 1,152 and so on: the models up to GPT-5.5
 *   breakpoints   the prefix up to the content of the last message of the user or a tool: the models from GPT-5.6 on
 *
 * With both, a request may mark prefixes itself. They are not rounded. So a prompt of 1,300 tokens writes, in the style
 * `prefixes`, those of 1,024, 1,152 and 1,280 tokens. Sent again, it has 1,280 cached tokens and writes none.
 * @see https://developers.openai.com/api/docs/guides/prompt-caching
 */

import { absorb, hash32, mix32 } from '../../../lib/random/hash.ts'
import { isObject, type JsonObject } from '../../../lib/text/json.ts'
import type { Tokenizer } from '../../../lib/tokenizer/tokenizer.ts'
import type { Turn } from '../../../protocol/turn/turn.ts'
import type { CallContext } from '../../call/call-context.ts'
import { type Prompt, promptOf, promptParts, settingsOf } from './prompt.ts'

/** The most breakpoints that a request writes, and the most that it reads. */
const MAX_WRITTEN = 4
const MAX_READ = 80

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The usual lifetime of a prefix, by style; a request can ask for another one. */
const LIFETIME_MS = { prefixes: 5 * MINUTE_MS, breakpoints: 30 * MINUTE_MS } as const
const TTL_MS: Readonly<Record<string, number>> = { '30m': 30 * MINUTE_MS, '12h': 12 * HOUR_MS }

/** The kind of cache that the prompts of a call have. */
type CacheStyle = keyof typeof LIFETIME_MS

/**
 * The tokens that a call reads from the cache and writes to it, and the entries that it writes, or keeps there by its use; the
 * longest prefix first. Undefined for a prompt of less than 1,024 tokens.
 */
export function useCache(context: CallContext, turn: Turn, promptTokens: number, style: CacheStyle) {
  if (promptTokens < MIN_PREFIX_TOKENS) return undefined
  const { request, rules, mockState, session } = context
  const { tokenizer, encoding, model, body } = request
  // Prompts of different models, and with different cache keys, share nothing.
  const scope = JSON.stringify([rules.modelRule?.snapshot ?? model, body.prompt_cache_key ?? ''])
  const prompt = promptOf(context, turn)
  const input = `${encoding} ${settingsOf(prompt)} ${scope}`
  const prefixes = request.memo('prefixes', input, () => findPrefixes(prompt, scope, tokenizer))
  const { read, written } = selectPrefixes(prefixes, body, style)
  const { now } = context.call
  const found = read.findLast(({ hash }) => mockState.promptCache.holds(session.id, hash, now))
  const cachedTokens = found?.tokens ?? 0
  const longestWritten = written.reduce((most, { tokens }) => Math.max(most, tokens), 0)
  const kept = found === undefined ? written : [...written, found]
  return {
    counts: { cachedTokens, cacheWriteTokens: Math.max(0, longestWritten - cachedTokens) },
    entries: [...kept]
      .sort((a, b) => b.tokens - a.tokens)
      .map(({ hash, lifetimeMs }) => ({ prefix: hash, until: now + lifetimeMs })),
  }
}

/** The prefixes that the call looks for (`read`), the shortest first, and those that it writes. */
function selectPrefixes({ steps, turns, marked }: PromptPrefixes, body: JsonObject, style: CacheStyle) {
  const options = isObject(body.prompt_cache_options) ? body.prompt_cache_options : {}
  const retentionMs = body.prompt_cache_retention === '24h' ? 24 * HOUR_MS : 0
  /** The prefixes with the time for which the call keeps them in the cache. */
  const keep = (prefixes: readonly PromptPrefix[], usualMs: number) =>
    prefixes.map(({ tokens, hash, ttl }) => {
      return { tokens, hash, lifetimeMs: Math.max(retentionMs, TTL_MS[String(ttl ?? options.ttl)] ?? usualMs) }
    })
  const marks = keep(marked, LIFETIME_MS.breakpoints)
  if (options.mode === 'explicit') return { read: marks.slice(-MAX_READ), written: marks.slice(-MAX_WRITTEN) }

  const own = keep(style === 'prefixes' ? steps : turns, LIFETIME_MS[style])
  // The prefix that the service chooses is one of those that a request may write.
  const writtenMarks = marks.slice(1 - MAX_WRITTEN)
  const byLength = (a: PromptPrefix, b: PromptPrefix): number => a.tokens - b.tokens
  if (style === 'prefixes')
    return { read: [...own, ...marks.slice(-MAX_READ)].sort(byLength), written: [...own, ...writtenMarks] }
  return { read: [...own, ...marks].sort(byLength).slice(-MAX_READ), written: [...own.slice(-1), ...writtenMarks] }
}

/** The shortest prefix that is cached. */
const MIN_PREFIX_TOKENS = 1024
const STEP_TOKENS = 128
/** More than texts have; images that say they are huge could have any number. */
const MAX_STEPS = 100_000

interface PromptPrefix {
  readonly tokens: number
  /** Equal for equal prefixes: 53 bits. */
  readonly hash: number
  /** The lifetime that a breakpoint of the request asks for. */
  readonly ttl?: unknown
}

/** Prefixes of 1,024 tokens or more, the shortest first. */
interface PromptPrefixes {
  /** Prefixes of 1,024 tokens, 1,152 and so on. */
  readonly steps: readonly PromptPrefix[]
  /** Prefixes that end with the content of a message of the user or a tool. */
  readonly turns: readonly PromptPrefix[]
  /** Prefixes that end at a breakpoint of the request. */
  readonly marked: readonly PromptPrefix[]
}

/** Above all UTF-16 units, so that a frame is never hashed as a character. */
const FRAME = 0x10000

/**
 * Goes through a prompt and takes note of its prefixes. A hash absorbs every character, every frame and every insert on the way,
 * so it is that of the prefix at each point.
 * @param scope a text that must be equal, besides the prefix, for two prompts to share it.
 */
export function findPrefixes(prompt: Prompt, scope: string, tokenizer: Tokenizer): PromptPrefixes {
  const steps: PromptPrefix[] = []
  const turns: PromptPrefix[] = []
  const marked: PromptPrefix[] = []
  let [low, high, tokens] = [hash32(scope, 1), hash32(scope, 2), 0]
  const absorbBoth = (lower: number, higher: number): void => {
    low = absorb(low, lower)
    high = absorb(high, higher)
  }
  // 53 bits: the most that a number holds exactly.
  const prefixOf = (tokens: number): PromptPrefix => {
    return { tokens, hash: (mix32(high) & 0x1fffff) * 0x100000000 + mix32(low) }
  }
  /** Counts tokens, and notes the steps that they reach. */
  const addTokens = (added: number): void => {
    tokens += added
    let next = MIN_PREFIX_TOKENS + steps.length * STEP_TOKENS
    for (; next <= tokens && steps.length < MAX_STEPS; next += STEP_TOKENS) steps.push(prefixOf(next))
  }

  for (const { frame, text, inserts = [], isTurn } of promptParts(prompt)) {
    // The places in the text, and in the list of inserts, up to which all is absorbed.
    let at = 0
    let inserted = 0
    const absorbText = (end: number): void => {
      for (; at < end; at++) absorbBoth(text.charCodeAt(at), text.charCodeAt(at))
    }
    /** Adds the inserts up to a place in the text. */
    const addInserts = (last: number): void => {
      for (; inserted < inserts.length && inserts[inserted]!.at <= last; inserted++) {
        const { at: place, kind, tokens: own, identity } = inserts[inserted]!
        absorbText(place)
        if (kind !== 'breakpoint') {
          const json = JSON.stringify(identity) ?? ''
          absorbBoth(hash32(json, 1), hash32(json, 2))
          addTokens(own)
        } else if (tokens >= MIN_PREFIX_TOKENS) marked.push({ ...prefixOf(tokens), ttl: identity })
      }
    }
    absorbBoth(FRAME + frame, FRAME + frame)
    addTokens(frame)
    // An insert within a piece comes after its tokens, and before the rest of its text.
    tokenizer.walk(text, (end, lengths) => {
      addInserts(at)
      tokens += lengths.length
      addInserts(end - 1)
      absorbText(end)
      addTokens(0)
    })
    addInserts(text.length)
    if (isTurn === true && tokens >= MIN_PREFIX_TOKENS) turns.push(prefixOf(tokens))
  }
  return { steps, turns, marked }
}
