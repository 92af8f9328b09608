/** What is said: the first speaker that has something to say, then cut as the request asks. */
import { lastCut } from '../graphemes.ts'
import type { Reason } from '../plan.ts'
import { fill } from '../scenario/template.ts'
import type { Tokenizer } from '../tokens.ts'
import type { Turn } from '../turn.ts'
import type { ChatRequest } from './request.ts'

/** A text and why it is that one. */
export interface Said {
  readonly text: string
  readonly reason: Reason
}

/** A text as it goes out: cut by `stop` and `max_tokens`, with its tokens counted. */
export interface Reply {
  readonly text: string
  readonly finishReason: 'stop' | 'length'
  readonly tokens: number
}

type Speaker = (turn: Turn) => Said | undefined

/** The scenario's reply rule, if one matches; a list is said one after the other for each key, the last one stays. */
const canned: Speaker = (turn) => {
  const { spoken } = turn
  if (spoken?.rule.say === undefined) return undefined
  const { say, place } = spoken.rule
  const index = say.length === 1 ? 0 : Math.min(turn.session.count(place), say.length - 1)
  const { user, system, model, toolResult, attempt, turn: turnNumber } = turn.facts
  const facts = { user, system, model, toolResult, attempt: String(attempt), turn: String(turnNumber) }
  return { text: fill(say[index]!, { ...facts, ...spoken.groups }), reason: { by: 'reply', name: place } }
}

/** The last user message said back; after a tool's result, that result, so that an agent's loop ends. */
const echo: Speaker = ({ conversation }) => {
  const { toolResult, user, turn, last } = conversation
  return { text: toolResult ?? (turn > 0 ? user : last), reason: { by: 'echo', name: 'echo' } }
}

const speakers: readonly Speaker[] = [canned, echo]

export function say(turn: Turn): Said {
  for (const speak of speakers) {
    const said = speak(turn)
    if (said !== undefined) return said
  }
  throw new Error('The echo always speaks.')
}

// A model's largest answer today has 128,000 tokens. Without an end, a small request could ask for gigabytes.
const MOST_TOKENS = 128_000
const MOST_CHARACTERS = 1_000_000

/**
 * Cuts a text at the first stop sequence, then after so many tokens (at most 128,000 over all choices); never inside
 * what a reader sees as one character.
 */
export function trim(text: string, { n, stops, maxTokens }: ChatRequest, tokenizer: Tokenizer): Reply {
  const whole = beforeStop(text, stops)
  const kept = whole.slice(0, lastCut(whole, Math.floor(MOST_CHARACTERS / n)))
  const most = Math.min(maxTokens, Math.floor(MOST_TOKENS / n))
  const tokens = tokenizer.count(kept)
  if (tokens <= most) return { text: kept, finishReason: kept === whole ? 'stop' : 'length', tokens }
  let length = 0
  let written = 0
  for (const piece of tokenizer.pieces(kept)) {
    written += piece.tokens
    if (written > most) break
    length += piece.text.length
  }
  return { text: kept.slice(0, lastCut(kept, length)), finishReason: 'length', tokens: most }
}

function beforeStop(text: string, stops: readonly string[]): string {
  const places = stops.map((stop) => text.indexOf(stop)).filter((place) => place >= 0)
  return places.length === 0 ? text : text.slice(0, Math.min(...places))
}
