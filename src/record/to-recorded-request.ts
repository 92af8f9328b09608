/** Turns the body of a request into the `request` of a cassette rule, without secrets. */

import { isObject, parseJson } from '../core/lib/text/json.ts'
import { REDACTED } from '../core/scenario/conditions/request.ts'
import type { Redactor } from './redact/redact.ts'

/**
 * A map if the body is a JSON object, or else its text.
 * @throws when it is not text, when it already contains the text that replaces secrets, or when a secret cannot be removed.
 */
export function recordedRequest(body: Uint8Array, redactor: Redactor): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new Error('the request is not UTF-8 text')
  }
  if (text.includes(REDACTED)) {
    throw new Error(`the request contains ${REDACTED}, which stands for any text in a recording. Send another text`)
  }
  const parsed = parseJson(text)
  return isObject(parsed) ? redactor.redactValue(parsed) : redactor.redactJson(text)
}
