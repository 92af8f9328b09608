/** Keys in what a call repeats of itself: shortened before anything of it is kept. */
import { maskKey } from '../core/errors.ts'
import type { Turn } from '../core/turn.ts'

// A key of a few letters is part of other words; hiding those would tell no secret and spoil the journal.
const SHORTEST_SECRET = 5
// Whatever looks like a key of the service, whoever it belongs to.
const KEY_LIKE = /\bsk-[\w-]{16,}/g
const KEY_NAME = /key|token|secret/i

/** What is to be kept of a call in which a key was found. */
export interface Hidden {
  /** Shortens every key in a text. */
  readonly mask: (text: string) => string
  /** The body as JSON, with every key in it shortened. */
  readonly body: string
}

/** Looks for keys in the path and the body; undefined when there is none. Most calls cost a look only. */
export function hideKeys({ key, maskedKey, call: { path, body = '' }, route, bodyError }: Turn): Hidden | undefined {
  const isSecret = key.length >= SHORTEST_SECRET
  // An escape in the JSON may spell a key otherwise: only a body without escapes can be judged as it stands.
  if (
    !(isSecret && (path.includes(key) || body.includes(key))) &&
    !path.includes('sk-') &&
    !body.includes('sk-') &&
    !body.includes('\\')
  ) {
    return undefined
  }
  let isFound = false
  const mask = (text: string): string => {
    const own = isSecret ? text.replaceAll(key, () => maskedKey) : text
    const all = own.replace(KEY_LIKE, maskKey)
    if (all !== text) isFound = true
    return all
  }
  mask(path)
  // A body that nobody has read is not kept either.
  const written = route.readsBody && bodyError === undefined ? maskedJson(body, mask) : '{}'
  return isFound ? { mask, body: written } : undefined
}

/** The query of an address with the keys in it shortened: what looks like one, and what is called one. */
export function hideInQuery(query: string, { key, maskedKey }: Turn): string {
  const shown = [...new URLSearchParams(query)].map(([name, value]) => {
    if (KEY_NAME.test(name) || value === key) return `${name}=${value === key ? maskedKey : maskKey(value)}`
    return `${name}=${value.replace(KEY_LIKE, maskKey)}`
  })
  return shown.join('&')
}

/** JSON with every text and name in it masked. Text by text, as a value that is deep enough would overflow the stack. */
function maskedJson(json: string, mask: (text: string) => string): string {
  let written = ''
  let place = 0
  for (;;) {
    const start = json.indexOf('"', place)
    if (start < 0) return written + json.slice(place)
    const end = endOfText(json, start)
    written += json.slice(place, start) + maskedText(json.slice(start, end), mask)
    place = end
  }
}

/** Behind the quote that ends the text beginning at a quote. */
function endOfText(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

function maskedText(written: string, mask: (text: string) => string): string {
  const text = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1)
  const shown = mask(text)
  return shown === text ? written : JSON.stringify(shown)
}
