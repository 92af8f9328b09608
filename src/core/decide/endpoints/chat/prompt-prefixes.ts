/** The prefixes of a prompt that a prompt cache can hold, each with a hash of everything in it. */

import { absorb, hash32, mix32 } from '../../../lib/random/hash.ts'
import type { Tokenizer } from '../../../lib/tokenizer/tokenizer.ts'
import { type Prompt, promptParts } from './prompt.ts'
import type { PromptPart } from './prompt-part.ts'

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

/** Above all UTF-16 units, so that a frame is never hashed as a character. */
const FRAME = 0x10000

/** @param scope what must be equal, besides the prefix, for two prompts to share it. */
export function findPrefixes(prompt: Prompt, scope: string, tokenizer: Tokenizer): PromptPrefixes {
  const walk = new PrefixWalk(scope)
  for (const part of promptParts(prompt)) walk.addPart(part, tokenizer)
  const { steps, turns, marked } = walk
  return { steps, turns, marked }
}

/** Goes through a prompt and takes note of its prefixes. */
class PrefixWalk implements PromptPrefixes {
  readonly steps: PromptPrefix[] = []
  readonly turns: PromptPrefix[] = []
  readonly marked: MarkedPrefix[] = []
  #low: number
  #high: number
  #tokens = 0

  constructor(scope: string) {
    this.#low = hash32(scope, 1)
    this.#high = hash32(scope, 2)
  }

  addPart({ frame, text, inserts = [], isTurn }: PromptPart, tokenizer: Tokenizer): void {
    let at = 0
    let inserted = 0
    const absorbText = (end: number): void => {
      for (; at < end; at++) {
        const code = text.charCodeAt(at)
        this.#absorb(code, code)
      }
    }
    /** Adds the inserts up to a place in the text. */
    const addInserts = (last: number): void => {
      for (; inserted < inserts.length && inserts[inserted]!.at <= last; inserted++) {
        const { at: place, kind, tokens, identity } = inserts[inserted]!
        absorbText(place)
        if (kind === 'breakpoint') {
          if (this.#tokens >= MIN_PREFIX_TOKENS) this.marked.push({ ...this.#prefix(this.#tokens), ttl: identity })
        } else {
          const json = JSON.stringify(identity) ?? ''
          this.#absorb(hash32(json, 1), hash32(json, 2))
          this.#addTokens(tokens)
        }
      }
    }

    this.#absorb(FRAME + frame, FRAME + frame)
    this.#addTokens(frame)
    // An insert within a piece comes after its tokens, and before the rest of its text.
    tokenizer.walk(text, (end, lengths) => {
      addInserts(at)
      this.#tokens += lengths.length
      addInserts(end - 1)
      absorbText(end)
      this.#addTokens(0)
    })
    addInserts(text.length)
    if (isTurn === true && this.#tokens >= MIN_PREFIX_TOKENS) this.turns.push(this.#prefix(this.#tokens))
  }

  #addTokens(tokens: number): void {
    this.#tokens += tokens
    let next = MIN_PREFIX_TOKENS + this.steps.length * STEP_TOKENS
    for (; next <= this.#tokens; next += STEP_TOKENS) this.steps.push(this.#prefix(next))
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
