/**
 * Log probabilities: drawn, but of the very tokens of the text, and such that no position has more than 1 in all.
 *
 * The token that was said has the probability 1 - 2^-k, and the i-th alternative at most 2^-(k+i). The logarithms stand
 * here as numbers, since those of an engine may differ from another's in the last bit.
 */
import type { Random } from '../../random/random.ts'
import type { Piece } from '../../tokenizer/tokenizer.ts'

// ln(1 - 2^-k) for k from 1.
const SAID = [
  -Math.LN2,
  -0.2876821,
  -0.1335314,
  -0.0645385,
  -0.0317487,
  -0.0157484,
  -0.0078431,
  -0.0039139,
  -0.001955,
  -0.000977,
]
const { LN2 } = Math
const DIGITS = 1e7
// What a model might have said instead: frequent tokens of any text; more than the 20 that may be asked for.
const OTHERS =
  ' the| a| and| to| of| is| in| that| it| for| with| on| as| this| be| are| by| at| or| an| not| can| you| I| we| but|,|.|!|?'.split(
    '|',
  )

/** The JSON of one entry for each token of the pieces, each with its `top` likeliest tokens. */
export function logprobEntries(pieces: readonly Piece[], top: number, random: Random): string[] {
  return pieces.flatMap((piece) => tokensOf(piece).map((token) => entryOf(token, top, random)))
}

/** The JSON of `logprobs` in a choice or chunk that says something. */
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

/** The tokens of a piece; a token that is a part of a character is written by its bytes, as the service does. */
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
  const certainty = random.below(SAID.length)
  const said = fieldsOf(token, SAID[certainty]!)
  const likeliest = [token, ...alternatives(token.text, top - 1, random)].slice(0, top)
  const written = likeliest.map((one, rank) => {
    const logprob = rank === 0 ? SAID[certainty]! : -LN2 * (certainty + 1 + rank) - random.fraction() / 4
    return `{${fieldsOf(one, logprob)}}`
  })
  return `{${said},"top_logprobs":[${written.join(',')}]}`
}

function fieldsOf({ text, bytes }: Token, logprob: number): string {
  const rounded = Math.round(logprob * DIGITS) / DIGITS
  return `"token":${JSON.stringify(text)},"logprob":${rounded},"bytes":[${bytes.join(',')}]`
}

function alternatives(said: string, count: number, random: Random): Token[] {
  if (count <= 0) return []
  const start = random.below(OTHERS.length)
  const others = [...OTHERS.slice(start), ...OTHERS.slice(0, start)].filter((text) => text !== said)
  return others.slice(0, count).map(tokenOf)
}
