/** Turns the body of a request into the `request` of a cassette rule, without secrets. */
import { isObject, parseJson } from '../core/text/json.ts'
import type { Redactor } from './redact/redact.ts'

/**
 * A map if the body is a JSON object, or else its text.
 * @throws when it is not text, or when a secret cannot be removed.
 */
export function recordedRequest(body: Uint8Array, redactor: Redactor): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new Error('the request is not UTF-8 text')
  }
  const parsed = parseJson(text)
  return isObject(parsed) ? redactor.redactValue(parsed) : redactor.redactJson(text)
}
