/** The condition on a whole request: its body is this one, whatever the order of its keys. */
import { isObject, type JsonObject } from '../../text/json.ts'
import { matchesGlob } from './glob.ts'

/** What stands where a recording left out a secret; it matches any text. */
export const REDACTED = '[redacted]'

interface Asked {
  readonly body: JsonObject
  readonly bodyText: string | undefined
}

/** @param request a body; as text where it is no JSON object, or one that YAML has no way to write. */
export function compileRequest(request: string | JsonObject): (asked: Asked) => boolean {
  if (typeof request !== 'string') return ({ body }) => isSame(request, body)
  const parsed = parsedObject(request)
  if (parsed !== undefined) return ({ body }) => isSame(parsed, body)
  return ({ bodyText }) => bodyText !== undefined && isSame(request, bodyText)
}

function isSame(recorded: unknown, sent: unknown): boolean {
  if (typeof recorded === 'string' && typeof sent === 'string') {
    return recorded.includes(REDACTED) ? matchesGlob(recorded, sent, REDACTED) : recorded === sent
  }
  if (Array.isArray(recorded)) {
    if (!Array.isArray(sent) || recorded.length !== sent.length) return false
    return recorded.every((item, index) => isSame(item, sent[index]))
  }
  if (!isObject(recorded) || !isObject(sent)) return recorded === sent
  const names = Object.keys(recorded)
  if (names.length !== Object.keys(sent).length) return false
  return names.every((name) => Object.hasOwn(sent, name) && isSame(recorded[name], sent[name]))
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
