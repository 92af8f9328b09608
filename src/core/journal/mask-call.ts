/**
 * Masks the API keys that a call repeats outside its key header, before the journal stores the call.
 *
 *     {"user":"sk-test-1234"}  ->  {"user":"sk****34"}
 *
 * The answer may repeat them too, so the journal masks the answer of such a call as well.
 */

import type { CallContext } from '../decide/call/call-context.ts'
import { findStringEnd } from '../lib/text/json.ts'
import { isSecret, maskKey, maskKeysIn, maskKeysInPath, maskRefusedKey } from '../lib/text/mask-keys.ts'

const KEY_NAME = /key|token|secret/i
// Errors and preflights repeat these headers.
const REPEATED_HEADERS = ['content-type', 'x-mock-fault', 'access-control-request-headers'] as const

/**
 * Masks the keys in the path and in the body, for the journal. Undefined if neither they nor what the answer repeats contain a
 * key: then the call and its answer can be stored as they are.
 * @param maxBytes the size of the largest body that is stored
 */
export function maskRepeatedKeys(
  { key, call, route, request }: CallContext,
  status: number,
  maxBytes: number,
): { readonly path: string; readonly body: string } | undefined {
  const { path, body = '', deployment = '' } = call
  // The texts of the call that its answer repeats.
  let repeated = deployment
  if (status !== 200) {
    // A 401 repeats a short key whole.
    const refusedKey = status === 401 ? maskRefusedKey(key) : ''
    repeated = [deployment, refusedKey, ...REPEATED_HEADERS.map((name) => call.headers[name])].join('\n')
  }

  // For most calls, a plain search finds no key. Escapes in the JSON or the path may hide one from it.
  const isPlain = !path.includes('%') && !body.includes('\\')
  const searched = isSecret(key) ? ['sk-', key] : ['sk-']
  if (isPlain && !searched.some((text) => path.includes(text) || body.includes(text) || repeated.includes(text)))
    return undefined

  const maskedPath = maskKeysInPath(path, key)
  // A body that is too large to be stored may hold a key, and looking for it could take long.
  if (body.length > maxBytes) return { path: maskedPath, body: '{}' }
  // A body that was not parsed is not stored, so it is not searched either.
  const stored = route.parsesBody && request.parsed.error === undefined ? body : '{}'
  const maskedBody = maskJson(stored, key)
  const repeatsKey = maskedPath !== path || maskedBody !== stored || maskKeysIn(repeated, key) !== repeated
  return repeatsKey ? { path: maskedPath, body: maskedBody } : undefined
}

/** Masks values of a query that look like keys, or whose names say that they are. */
export function maskQuery(query: string, key: string): string {
  const parameters = [...new URLSearchParams(query)].map(([name, value]) => {
    const masked = maskKeysIn(value, key)
    const isUnmaskedKey = masked === value && (KEY_NAME.test(name) || value === key)
    return `${maskKeysIn(name, key)}=${isUnmaskedKey ? maskKey(value) : masked}`
  })
  return parameters.join('&')
}

/** Masks the keys in every string of a JSON text. Works on the text, because a deep value would overflow the stack. */
function maskJson(json: string, key: string): string {
  let masked = ''
  let position = 0
  for (;;) {
    const start = json.indexOf('"', position)
    if (start < 0) return masked + json.slice(position)
    const end = findStringEnd(json, start)
    const quoted = json.slice(start, end)
    const text = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
    const clean = maskKeysIn(text, key)
    masked += json.slice(position, start) + (clean === text ? quoted : JSON.stringify(clean))
    position = end
  }
}
