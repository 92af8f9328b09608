/**
 * Log probabilities: drawn from the seed, for the real tokens of the text; those of one position add up to at most 1.
 *
 * The chosen token has the probability 1 - 2^-k, and the i-th alternative at most 2^-(k+i). The logarithms are constants,
 * because Math.log of two engines may differ in the last bit.
 */
import type { Random } from '../../random/random.ts'
import type { Piece } from '../../tokenizer/tokenizer.ts'

// ln(1 - 2^-k) for k from 1; the first is -ln(2).
const SMALLER = [
  -0.2876821, -0.1335314, -0.0645385, -0.0317487, -0.0157484, -0.0078431, -0.0039139, -0.001955, -0.000977,
]
const CHOSEN = [-Math.LN2, ...SMALLER]
const { LN2 } = Math
const DIGITS = 1e7
// Alternatives: frequent tokens of any text. More than the 20 that a request may ask for.
const OTHERS =
  ' the| a| and| to| of| is| in| that| it| for| with| on| as| this| be| are| by| at| or| an| not| can| you| I| we| but|,|.|!|?'.split(
    '|',
  )

/** The JSON of an entry for each token, with its `top` most likely tokens. */
export function logprobEntries(pieces: readonly Piece[], top: number, random: Random): string[] {
  return pieces.flatMap((piece) => tokensOf(piece).map((token) => entryOf(token, top, random)))
}

/** The JSON of `logprobs` in a choice or chunk. */
export function logprobsJson(entries: readonly string[], isRefusal: boolean): string {
  const list = `[${entries.join(',')}]`
  return isRefusal ? `{"content":null,"refusal":${list}}` : `{"content":${list},"refusal":null}`
}

interface Token {
  readonly text: string
  readonly bytes: readonly number[]
}

const encoder = new TextEncoder()
const tokenOf = (text: string): Token => ({ text, bytes: [...encoder.encode(text)] })

/** The tokens of a piece. A token that is only a part of a character is shown as its bytes, as the service does. */
function tokensOf({ text, lengths }: Piece): Token[] {
  const whole = tokenOf(text)
  if (lengths === undefined) return [whole]
  let start = 0
  return lengths.map((length) => {
    const bytes = whole.bytes.slice(start, start + length)
    start += length
    return { text: bytes.map(byteText).join(''), bytes }
  })
}

const byteText = (byte: number): string =>
  byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`

function entryOf(token: Token, top: number, random: Random): string {
  const certainty = random.below(CHOSEN.length)
  const chosen = fieldsOf(token, CHOSEN[certainty]!)
  const likeliest = [token, ...alternatives(token.text, top - 1, random)].slice(0, top)
  const written = likeliest.map((one, rank) => {
    const logprob = rank === 0 ? CHOSEN[certainty]! : -LN2 * (certainty + 1 + rank) - random.fraction() / 4
    return `{${fieldsOf(one, logprob)}}`
  })
  return `{${chosen},"top_logprobs":[${written.join(',')}]}`
}

function fieldsOf({ text, bytes }: Token, logprob: number): string {
  const rounded = Math.round(logprob * DIGITS) / DIGITS
  return `"token":${JSON.stringify(text)},"logprob":${rounded},"bytes":[${bytes.join(',')}]`
}

function alternatives(chosen: string, count: number, random: Random): Token[] {
  if (count <= 0) return []
  const start = random.below(OTHERS.length)
  const others = [...OTHERS.slice(start), ...OTHERS.slice(0, start)].filter((text) => text !== chosen)
  return others.slice(0, count).map(tokenOf)
}
