/** Keys in what a call repeats of itself: shortened before anything of it is kept. */

import type { CallContext } from '../call/call-context.ts'
import { isSecret, maskKey, maskKeysIn, maskKeysInPath } from '../text/mask-keys.ts'

const KEY_NAME = /key|token|secret/i
// Refusals and preflights say these again.
const REPEATED_HEADERS = ['content-type', 'x-mock-fault', 'access-control-request-headers'] as const

/** What is to be kept of a call in which a key was found. */
export interface MaskedCall {
  /** Shortens every key in a text. */
  readonly mask: (text: string) => string
  readonly path: string
  /** The body as JSON, with every key in it shortened. */
  readonly body: string
}

/**
 * Looks for keys in the path, the body and, for a call that was not answered 200, the headers that such an answer
 * repeats; undefined when there is none. Most calls cost a look only.
 */
export function maskCall({ key, call, route, bodyError }: CallContext, status: number): MaskedCall | undefined {
  const { path, body = '' } = call
  const said = status === 200 ? '' : REPEATED_HEADERS.map((name) => call.header(name) ?? '').join('\n')
  // An escape in the JSON or the path may spell a key otherwise: only what has none can be judged as it stands.
  const isPlain = !path.includes('%') && !body.includes('\\')
  if (isPlain && !mayHold(path, key) && !mayHold(body, key) && !mayHold(said, key)) return undefined
  const hiddenPath = maskKeysInPath(path, key)
  let isFound = hiddenPath !== path
  const mask = (text: string): string => {
    const all = maskKeysIn(text, key)
    if (all !== text) isFound = true
    return all
  }
  mask(said)
  // A body that nobody has read is not kept either.
  const written = route.readsBody && bodyError === undefined ? maskedJson(body, mask) : '{}'
  return isFound ? { mask, path: hiddenPath, body: written } : undefined
}

const mayHold = (text: string, key: string): boolean => text.includes('sk-') || (isSecret(key) && text.includes(key))

/** The query of an address with the keys in it shortened: what looks like one, and what is called one. */
export function maskQuery(query: string, { key }: CallContext): string {
  const shown = [...new URLSearchParams(query)].map(([name, value]) => {
    const hidden = maskKeysIn(value, key)
    return `${maskKeysIn(name, key)}=${hidden === value && (KEY_NAME.test(name) || value === key) ? maskKey(value) : hidden}`
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
