/**
 * Redaction: replaces secrets with `[redacted]`.
 *
 * JSON strings are decoded before they are searched, because `\u0073k-...` is a key too. A string without a secret keeps
 * every byte.
 */
import { REDACTED } from '../../core/scenario/conditions/request.ts'
import { isObject } from '../../core/text/json.ts'
import { maskKey } from '../../core/text/mask-keys.ts'

type Range = readonly [start: number, end: number]
/** Finds the ranges of a text that must be redacted. */
export type Finder = (text: string) => readonly Range[]

interface Secret {
  readonly name: string
  /** Every match contains one of these. They are searched first, because most texts have none. */
  readonly signs: readonly string[]
  /** Its first group, if any, is text right before the match that belongs to the secret. */
  readonly pattern: RegExp
}

// Not inside a word (`risk-...`), but after an escape such as \n, as JSON inside JSON has it. All repeats that can
// backtrack are bounded, so the time stays linear in the text.
const START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt]))`
const secret = (name: string, signs: readonly string[], pattern: string, flags = 'g'): Secret => ({
  name,
  signs,
  pattern: new RegExp(`${START}${pattern}`, flags),
})

/** The secrets that are always redacted. */
export const SECRETS: readonly Secret[] = [
  secret('keys that begin with sk-', ['sk-'], 'sk-[\\w*-]{8,}'),
  secret('bearer tokens', ['earer', 'EARER'], 'bearer[ \\t]{1,4}(?=[^\\s\\d]{0,200}\\d)[\\w.~+/=-]{12,}', 'gi'),
  {
    name: 'JSON web tokens',
    signs: ['.eyJ'],
    // Matches from the first dot and looks back: starting at each eyJ would take minutes on a text full of them.
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

  /** @param more what to redact besides the list above. */
  constructor(more: readonly Finder[] = []) {
    this.#finders = more
  }

  /** A redactor that also finds the API key of a call, in full or masked. */
  forKey(key: string): Redactor {
    // A very short key would match parts of ordinary words.
    if (key.length < MIN_KEY_LENGTH) return this
    return new Redactor([...this.#finders, finderOf(key), finderOf(maskKey(key))])
  }

  /** The ranges of all secrets, in order, without overlaps. */
  find(text: string): readonly Range[] {
    const found = this.#finders.flatMap((find) => find(text))
    for (const { signs, pattern } of SECRETS) {
      if (!signs.some((sign) => text.includes(sign))) continue
      for (const { index, 0: match, 1: before = '' } of text.matchAll(pattern))
        found.push([index - before.length, index + match.length])
    }
    return merge(found)
  }

  /** Redacts plain text. */
  text(text: string): string {
    let written = ''
    let from = 0
    for (const [start, end] of this.find(text)) {
      written += text.slice(from, start) + REDACTED
      from = end
    }
    return from === 0 ? text : written + text.slice(from)
  }

  /** Redacts text that is or contains JSON: first each decoded string, then the text as a whole. */
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

  /** Redacts all strings and keys of a parsed body. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.value(item))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.value(item)]))
  }
}

/** Finds a fixed text. */
export function finderOf(wanted: string): Finder {
  return (text) => {
    const ranges: Range[] = []
    for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + wanted.length)) {
      ranges.push([start, start + wanted.length])
    }
    return ranges
  }
}

function merge(ranges: Range[]): readonly Range[] {
  if (ranges.length < 2) return ranges
  const all: [number, number][] = []
  for (const [start, end] of ranges.sort(([a], [b]) => a - b)) {
    const last = all.at(-1)
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
    else all.push([start, end])
  }
  return all
}

/** The index after the closing quote of a string that opens at `start`; -1 if it is not closed. */
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
