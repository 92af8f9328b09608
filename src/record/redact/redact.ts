/**
 * Redaction: replaces secrets with `[redacted]`.
 *
 *     {"user":"ann@example.org","note":"my key: sk-abcdefgh12"}     {"user":"[redacted]","note":"my key: [redacted]"}
 *
 * JSON strings are decoded before they are searched, because `\u0073k-...` is a key too. A string without a secret keeps
 * every byte. A secret in a property name is an error: two names could become the same, and a request would not match
 * its recording.
 */

import { findStringEnd, isObject, parseJson } from '../../core/lib/text/json.ts'
import { isSecret, maskKey, maskRefusedKey, SECRET_START } from '../../core/lib/text/mask-keys.ts'
import { REDACTED } from '../../core/scenario/conditions/request-condition.ts'

/** The range of a secret in a text. */
type TextRange = readonly [start: number, end: number]
/** Finds the ranges of a text that must be redacted. */
export type Finder = (text: string) => readonly TextRange[]

interface SecretKind {
  readonly name: string
  readonly find: Finder
}

/**
 * Defines a kind of secret that begins where no other word does.
 * @param sign a pattern that is fast to search and matches wherever `pattern` does; most texts have no match.
 * @param pattern bounds every repeat that can backtrack, so that the time stays linear in the text.
 */
function defineKind(name: string, sign: RegExp, pattern: string): SecretKind {
  const regex = new RegExp(`${SECRET_START}${pattern}`, `g${sign.flags}`)
  return { name, find: (text) => (sign.test(text) ? findMatches(text, regex) : []) }
}

/** Not `{8,}`: counting the repeats overflows the stack of the engine on a few million characters. */
const atLeast = (count: number, characters: string): string => `${characters}{${count}}${characters}*`

const EMAIL_ADDRESS = /[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g

/** The secrets that are always redacted. */
export const SECRETS: readonly SecretKind[] = [
  // Shorter ones than the journal masks, and masked ones: a cassette is published.
  defineKind('keys that begin with sk-', /sk-/, `sk-${atLeast(8, '[\\w*-]')}`),
  defineKind('bearer tokens', /bearer/i, `bearer[ \\t]{1,4}(?=[^\\s\\d]{0,200}\\d)${atLeast(12, '[\\w.~+/=-]')}`),
  { name: 'JSON web tokens', find: findWebTokens },
  defineKind('access keys of AWS', /AKIA|ASIA/, 'A[KS]IA[0-9A-Z]{16}(?![0-9A-Za-z])'),
  defineKind('tokens of GitHub', /gh/, `(?:gh[pousr]_${atLeast(30, '[A-Za-z0-9]')}|github_pat_${atLeast(20, '\\w')})`),
  defineKind('keys of Google', /AIza/, 'AIza[\\w-]{35}(?![\\w-])'),
  defineKind('tokens of Slack', /xox/, `xox[a-z]-${atLeast(10, '[\\w-]')}`),
  defineKind(
    'private keys',
    /PRIVATE KEY/,
    '-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}-----END [A-Z ]{0,40}PRIVATE KEY-----',
  ),
  defineKind('organisations and projects', /org-|proj_/, `(?:org-|proj_)${atLeast(16, '[A-Za-z0-9]')}`),
  { name: 'email addresses', find: (text) => (text.includes('@') ? findMatches(text, EMAIL_ADDRESS) : []) },
]

/** Searches for the second part and looks back: starting at each `eyJ` would take minutes on a text full of them. */
function findWebTokens(text: string): TextRange[] {
  const pattern = new RegExp(String.raw`\.eyJ(?<=${SECRET_START}(eyJ[\w-]{8,4000})\.eyJ)[\w-]{8,4000}\.[\w-]*`, 'g')
  return [...text.matchAll(pattern)].map(({ index, 0: rest, 1: header }) => [
    index - header!.length,
    index + rest.length,
  ])
}

export class Redactor {
  readonly #finders: readonly Finder[]

  /** @param more other secrets than `SECRETS`: texts, or their finders. */
  constructor(more: readonly (string | Finder)[] = []) {
    this.#finders = more.map((one) => (typeof one === 'string' ? buildTextFinder(one) : one))
  }

  /** A redactor that also finds the API key of a call: in full, masked, reversed or encoded. */
  forKey(key: string): Redactor {
    if (!isSecret(key)) return this
    return new Redactor([...this.#finders, key, maskKey(key), maskRefusedKey(key), ...formsOf(key)])
  }

  /** The ranges of all secrets, in order, without overlaps. */
  findSecrets(text: string): readonly TextRange[] {
    const finders = [...this.#finders, ...SECRETS.map(({ find }) => find)]
    const merged: [number, number][] = []
    for (const [start, end] of finders.flatMap((find) => find(text)).sort(([a], [b]) => a - b)) {
      const last = merged.at(-1)
      if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
      else merged.push([start, end])
    }
    return merged
  }

  /** Redacts plain text. */
  redactText(text: string): string {
    let written = ''
    let from = 0
    for (const [start, end] of this.findSecrets(text)) {
      written += text.slice(from, start) + REDACTED
      from = end
    }
    return written + text.slice(from)
  }

  /**
   * Redacts text that is or contains JSON: first each decoded string, then the text as a whole.
   * @throws when a property name contains a secret.
   */
  redactJson(text: string): string {
    let written = ''
    let from = 0
    for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', from)) {
      const end = findStringEnd(text, start)
      if (end < 0) break
      const literal = text.slice(start, end)
      const decoded = parseJson(literal)
      const redacted = typeof decoded === 'string' ? this.redactText(decoded) : decoded
      const isChanged = redacted !== decoded
      if (isChanged && /^\s*:/.test(text.slice(end))) throw secretInName()
      written += text.slice(from, start) + (isChanged ? JSON.stringify(redacted) : literal)
      from = end
    }
    return this.redactText(written + text.slice(from))
  }

  /**
   * Redacts all strings of a parsed body.
   * @throws when a property name contains a secret.
   */
  redactValue(value: unknown): unknown {
    if (typeof value === 'string') return this.redactText(value)
    if (Array.isArray(value)) return value.map((item) => this.redactValue(item))
    if (!isObject(value)) return value
    if (Object.keys(value).some((name) => this.findSecrets(name).length > 0)) throw secretInName()
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.redactValue(item)]))
  }
}

const secretInName = (): Error => new Error('a property name contains a secret')

/** Builds a finder of a fixed text. */
function buildTextFinder(wanted: string): Finder {
  return (text) => {
    const ranges: TextRange[] = []
    for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + wanted.length)) {
      ranges.push([start, start + wanted.length])
    }
    return ranges
  }
}

/** The matches of a global pattern. */
const findMatches = (text: string, pattern: RegExp): TextRange[] =>
  [...text.matchAll(pattern)].map(({ index, 0: match }) => [index, index + match.length])

/** A form of a shorter key is likely to occur by chance. */
const MIN_KEY_LENGTH = 8

/** An API key as an answer may repeat it: reversed, or in base64, hex or percent-escapes. Of a short key, there are no forms. */
export function formsOf(key: string): (string | Finder)[] {
  if (key.length < MIN_KEY_LENGTH) return []
  const reversed = [...key].reverse().join('')
  // Every base64 text with the key has one of these. The key may begin at each of the three places of a group of bytes, and
  // its first and last characters share theirs with what is around it, so those are left out.
  const base64 = [0, 1, 2].flatMap((place) => {
    const padded = Buffer.from('\0'.repeat(place) + key)
    const form = padded.toString('base64').slice(Math.ceil((place * 8) / 6), Math.floor((padded.length * 8) / 6))
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')]
  })
  const hex = [...Buffer.from(key)].map((byte) => byte.toString(16).padStart(2, '0'))
  // Bytes may be written one by one: `73:6b`, `73 6b`, `\x73\x6b`.
  const inHex = hex.join('(?:[\\s:,-]|\\\\x|0x)?')
  // Any of the characters may be escaped: `%73`.
  const escaped = hex.map((byte) => `(?:%${byte}|\\x${byte})`).join('')
  const finders = [inHex, escaped].map((source) => (text: string) => findMatches(text, new RegExp(source, 'gi')))
  return [reversed, ...new Set(base64), ...finders]
}
