/** The prefixes of a prompt that a prompt cache can hold, each with a hash of everything in it. */

import { absorb, hash32, mix32 } from '../../../../lib/random/hash.ts'
import type { Tokenizer } from '../../../../lib/tokenizer/tokenizer.ts'
import type { Insert } from './prompt-part.ts'
import { type Prompt, promptParts } from './prompt-parts.ts'

/** The shortest prefix that is cached. */
export const MIN_PREFIX_TOKENS = 1024
const STEP_TOKENS = 128

export interface PromptPrefix {
  readonly tokens: number
  /** Equal for equal prefixes: 53 bits. */
  readonly hash: number
}

/** A prefix that ends at a breakpoint of the request. */
export interface MarkedPrefix extends PromptPrefix {
  readonly ttl: unknown
}

/** Prefixes of 1,024 tokens or more, the shortest first. */
export interface PromptPrefixes {
  /** Those of 1,024 tokens, 1,152 and so on. */
  readonly steps: readonly PromptPrefix[]
  /** Those that end with the content of a message of the user or a tool. */
  readonly turns: readonly PromptPrefix[]
  readonly marked: readonly MarkedPrefix[]
}

/** @param scope what must be equal, besides the prefix, for two prompts to share it. */
export function findPrefixes(prompt: Prompt, scope: string, tokenizer: Tokenizer): PromptPrefixes {
  const walk = new PrefixWalk(scope)
  for (const { frame, text, inserts = NO_INSERTS, isTurn } of promptParts(prompt)) {
    walk.enterPart(frame, text, inserts.map(hashInsert))
    tokenizer.walk(text, (end, lengths) => walk.addPiece(end, lengths.length))
    walk.endPart(isTurn === true)
  }
  const { steps, turns, marked } = walk
  return { steps, turns, marked }
}

interface HashedInsert extends Insert {
  readonly low: number
  readonly high: number
}

const NO_INSERTS: readonly Insert[] = []

function hashInsert(insert: Insert): HashedInsert {
  if (insert.kind === 'breakpoint') return { ...insert, low: 0, high: 0 }
  const identity = JSON.stringify(insert.identity) ?? ''
  return { ...insert, low: hash32(identity, 1), high: hash32(identity, 2) }
}

/** Above all UTF-16 units, so that a frame is never hashed as a character. */
const FRAME = 0x10000

/** Goes through a prompt and takes note of its prefixes. */
class PrefixWalk implements PromptPrefixes {
  readonly steps: PromptPrefix[] = []
  readonly turns: PromptPrefix[] = []
  readonly marked: MarkedPrefix[] = []
  #low: number
  #high: number
  #tokens = 0
  #text = ''
  #at = 0
  #inserts: readonly HashedInsert[] = []
  #nextInsert = 0

  constructor(scope: string) {
    this.#low = hash32(scope, 1)
    this.#high = hash32(scope, 2)
  }

  enterPart(frame: number, text: string, inserts: readonly HashedInsert[]): void {
    this.#text = text
    this.#at = 0
    this.#inserts = inserts
    this.#nextInsert = 0
    this.#absorb(FRAME + frame, FRAME + frame)
    this.#addTokens(frame)
  }

  /** Adds the next piece of the text. An insert within the piece comes after its tokens, and before the rest of its text. */
  addPiece(end: number, tokens: number): void {
    this.#addInserts(this.#at)
    this.#tokens += tokens
    this.#addInserts(end - 1)
    this.#absorbText(end)
    this.#addTokens(0)
  }

  endPart(isTurn: boolean): void {
    this.#addInserts(this.#text.length)
    if (isTurn && this.#tokens >= MIN_PREFIX_TOKENS) this.turns.push(this.#prefix(this.#tokens))
  }

  /** Adds the inserts up to a place in the text. */
  #addInserts(last: number): void {
    for (; this.#nextInsert < this.#inserts.length; this.#nextInsert++) {
      const { at, kind, tokens, identity, low, high } = this.#inserts[this.#nextInsert]!
      if (at > last) return
      this.#absorbText(at)
      if (kind === 'breakpoint') {
        if (this.#tokens >= MIN_PREFIX_TOKENS) this.marked.push({ ...this.#prefix(this.#tokens), ttl: identity })
      } else {
        this.#absorb(low, high)
        this.#addTokens(tokens)
      }
    }
  }

  #addTokens(tokens: number): void {
    this.#tokens += tokens
    let next = MIN_PREFIX_TOKENS + this.steps.length * STEP_TOKENS
    for (; next <= this.#tokens; next += STEP_TOKENS) this.steps.push(this.#prefix(next))
  }

  #absorbText(end: number): void {
    const text = this.#text
    let low = this.#low
    let high = this.#high
    for (let index = this.#at; index < end; index++) {
      const code = text.charCodeAt(index)
      low = absorb(low, code)
      high = absorb(high, code)
    }
    this.#low = low
    this.#high = high
    this.#at = Math.max(this.#at, end)
  }

  #absorb(low: number, high: number): void {
    this.#low = absorb(this.#low, low)
    this.#high = absorb(this.#high, high)
  }

  // 53 bits: the most that a number holds exactly.
  #prefix(tokens: number): PromptPrefix {
    return { tokens, hash: (mix32(this.#high) & 0x1fffff) * 0x100000000 + mix32(this.#low) }
  }
}
