/**
 * A call as the page shows it: a summary for its table, and bounded details for the call that is open. Both are the journal
 * entry with what the page would have to compute: the prompt, and the levels of the limits from the headers.
 */

import { turnReader } from '../dialects/read-turn.ts'
import { parseDuration } from '../lib/text/duration.ts'
import { readMessages } from '../protocol/turn/turn-texts.ts'
import type { JournalEntry, Step } from './entry.ts'

const MAX_PROMPT_LENGTH = 200
/** The most characters of an answer that are shown. A stream of 10,000 tokens has about 3 million. */
const MAX_CHARACTERS = 4_000_000

/** A call as a row of the table. */
export type CallSummary = Readonly<ReturnType<typeof summaryOf>>

/**
 * The call as a row of the table.
 * @param speed simulated milliseconds per real one.
 */
export function summaryOf(entry: JournalEntry, speed: number) {
  const { body: _body, timeline: _timeline, headers, ...small } = entry
  const levels = readLevels(headers, speed)
  return {
    ...small,
    /** The beginning of the last user message, or of the first input; at most 200 characters. */
    prompt: readPrompt(entry).slice(0, MAX_PROMPT_LENGTH),
    // The levels of the limits after the call; left out where hardly anything is used.
    ...(levels && { levels }),
  }
}

/** The call that is open. */
export type CallDetails = Readonly<ReturnType<typeof detailsOf>>

/**
 * The call as it is opened.
 * @param speed simulated milliseconds per real one.
 * @param maxCharacters the most characters of the answer; the steps beyond them have no data.
 */
export function detailsOf(entry: JournalEntry, speed: number, maxCharacters = MAX_CHARACTERS) {
  const { timeline, ...withoutTimeline } = entry
  const messages = messagesOf(entry)
  const { user, toolResult } = readMessages(messages)
  const levels = readLevels(entry.headers, speed)
  let room = maxCharacters
  let isWhole = true
  const limited: readonly Step[] | undefined = timeline?.map((step): Step => {
    if (step.type !== 'send' && step.type !== 'raw') return step
    const { data, ...withoutData } = step
    const shown = data?.slice(0, room) ?? ''
    room -= shown.length
    // The journal has no data of a call that repeated an API key.
    if (data === undefined || shown.length < data.length) isWhole = false
    return shown === '' ? withoutData : { ...withoutData, data: shown }
  })
  return {
    ...withoutTimeline,
    prompt: readPrompt(entry).slice(0, MAX_PROMPT_LENGTH),
    ...(levels && { levels }),
    /** The whole last user message. */
    user,
    // The tool results where the messages end with them.
    ...(toolResult !== undefined && { toolResult }),
    // In the form of chat.
    ...(entry.endpoint === 'responses' && { messages }),
    // Left out when it was not stored. `isWhole`: it has all data.
    ...(limited !== undefined && { timeline: limited, isWhole }),
  }
}

const messagesOf = ({ endpoint, body = {} }: JournalEntry) => turnReader(endpoint)(body).messages

/** The last message, or the first input to embed: `Hello`, `first text (and 3 more)`. */
function readPrompt(entry: JournalEntry): string {
  const { endpoint, body: { input } = {} } = entry
  if (endpoint !== 'embeddings') return readMessages(messagesOf(entry)).last
  if (input === undefined) return ''
  const first: unknown = Array.isArray(input) ? input[0] : input
  if (typeof first !== 'string') return '[tokens]'
  return Array.isArray(input) && input.length > 1 ? `${first} (and ${input.length - 1} more)` : first
}

/** The level of one limit after a call, as the headers of the answer tell it. */
export type LimitLevel = Readonly<NonNullable<ReturnType<typeof readLevels>>[number]>

/** Smallest share of a limit that is shown. A scenario without limits has the headers of large limits. */
const MIN_SHARE = 0.05

/**
 * The levels of limits that are used; undefined if hardly anything is.
 * @param speed simulated milliseconds per real one: the headers are in real time.
 */
export function readLevels(headers: JournalEntry['headers'], speed: number) {
  const levels = (['requests', 'tokens'] as const).flatMap((kind) => {
    const limit = Number(headers[`x-ratelimit-limit-${kind}`])
    const used = limit - Number(headers[`x-ratelimit-remaining-${kind}`])
    /** Time until nothing is used, in milliseconds of the mock's clock. The level falls evenly. */
    const resetMs = speed * (parseDuration(headers[`x-ratelimit-reset-${kind}`]) ?? Number.NaN)
    return used >= MIN_SHARE * limit && resetMs > 0 ? [{ kind, limit, used, resetMs }] : []
  })
  return levels.length === 0 ? undefined : levels
}
