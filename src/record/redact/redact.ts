/**
 * Redaction: what must not be written down is replaced by `[redacted]`.
 *
 * Texts are judged as they read, not as JSON spells them: each string of a body is decoded first, and what a stream
 * says piece by piece is put together. What has no secret in it keeps its every byte.
 */
import { REDACTED } from '../../core/scenario/conditions/request.ts'
import { isObject } from '../../core/text/json.ts'
import { maskKey } from '../../core/text/mask-keys.ts'

type Range = readonly [start: number, end: number]
/** The places of something in a text. */
export type Finder = (text: string) => readonly Range[]

interface Secret {
  readonly name: string
  /** Without one of these there is none; looked for first, as most texts have none. */
  readonly signs: readonly string[]
  /** What it catches, if anything, stands right before the match and is a part of the secret. */
  readonly pattern: RegExp
}

// Not inside a word (`risk-...`), but behind an escape such as \n, which text inside of text has. Repeats are bounded:
// none of these can take long, whatever the text.
const START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt]))`
const secret = (name: string, signs: readonly string[], pattern: string, flags = 'g'): Secret => ({
  name,
  signs,
  pattern: new RegExp(`${START}${pattern}`, flags),
})

/** What is always redacted. */
export const SECRETS: readonly Secret[] = [
  secret('keys that begin with sk-', ['sk-'], 'sk-[\\w*-]{8,}'),
  secret('bearer tokens', ['earer', 'EARER'], 'bearer[ \\t]{1,4}(?=[^\\s\\d]{0,200}\\d)[\\w.~+/=-]{12,}', 'gi'),
  {
    name: 'JSON web tokens',
    signs: ['.eyJ'],
    // From its first dot on, and back from there: from each eyJ on, a text full of them would take minutes.
    pattern: new RegExp(String.raw`(?<=${START}(eyJ[\w-]{8,4000}))\.eyJ[\w-]{8,4000}\.[\w-]*`, 'g'),
  },
  secret('access keys of AWS', ['AKIA', 'ASIA'], 'A[KS]IA[0-9A-Z]{16}(?![0-9A-Za-z])'),
  secret('tokens of GitHub', ['gh', 'github_pat_'], '(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\\w{20,})'),
  secret('keys of Google', ['AIza'], 'AIza[\\w-]{35}(?![\\w-])'),
  secret('tokens of Slack', ['xox'], 'xox[a-z]-[\\w-]{10,}'),
  secret(
    'private keys',
    ['PRIVATE KEY'],
    '-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}-----END [A-Z ]{0,40}PRIVATE KEY-----',
  ),
  secret('organisations and projects', ['org-', 'proj_'], '(?:org-|proj_)[A-Za-z0-9]{16,}'),
  {
    name: 'email addresses',
    signs: ['@'],
    pattern: /[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g,
  },
]

const MIN_KEY_LENGTH = 5

export class Redactor {
  readonly #finders: readonly Finder[]

  /** @param more what is redacted besides the list above. */
  constructor(more: readonly Finder[] = []) {
    this.#finders = more
  }

  /** The same, and the key of a call wherever it is repeated, masked too. */
  forKey(key: string): Redactor {
    // A key of a few letters is part of other words.
    if (key.length < MIN_KEY_LENGTH) return this
    return new Redactor([...this.#finders, finderOf(key), finderOf(maskKey(key))])
  }

  /** Where the secrets of a text are, in order, none inside of another. */
  find(text: string): readonly Range[] {
    const found = this.#finders.flatMap((find) => find(text))
    for (const { signs, pattern } of SECRETS) {
      if (!signs.some((sign) => text.includes(sign))) continue
      for (const { index, 0: match, 1: before = '' } of text.matchAll(pattern))
        found.push([index - before.length, index + match.length])
    }
    return merged(found)
  }

  /** A plain text. */
  text(text: string): string {
    let written = ''
    let from = 0
    for (const [start, end] of this.find(text)) {
      written += text.slice(from, start) + REDACTED
      from = end
    }
    return from === 0 ? text : written + text.slice(from)
  }

  /** A text that is JSON, or holds some: its strings decoded, then all of it. */
  json(text: string): string {
    let written = ''
    let from = 0
    for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', from)) {
      const end = endOfString(text, start)
      if (end < 0) break
      written += text.slice(from, start) + this.#literal(text.slice(start, end))
      from = end
    }
    return this.text(written + text.slice(from))
  }

  #literal(literal: string): string {
    let decoded: string
    try {
      decoded = JSON.parse(literal)
    } catch {
      return literal
    }
    const redacted = this.text(decoded)
    return redacted === decoded ? literal : JSON.stringify(redacted)
  }

  /** A parsed body. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.value(item))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.value(item)]))
  }
}

/** Finds a text, as it is. */
export function finderOf(wanted: string): Finder {
  return (text) => {
    const places: Range[] = []
    for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + wanted.length)) {
      places.push([start, start + wanted.length])
    }
    return places
  }
}

function merged(ranges: Range[]): readonly Range[] {
  if (ranges.length < 2) return ranges
  const all: [number, number][] = []
  for (const [start, end] of ranges.sort(([a], [b]) => a - b)) {
    const last = all.at(-1)
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
    else all.push([start, end])
  }
  return all
}

/** The place after the closing quote of a string that opens at `start`; -1 when it never closes. */
function endOfString(text: string, start: number): number {
  let end = start
  for (;;) {
    end = text.indexOf('"', end + 1)
    if (end < 0) return -1
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end + 1
  }
}
