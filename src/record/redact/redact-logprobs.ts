/** Logprobs repeat an answer token by token and as bytes. A secret in them cannot be removed reliably. */
import { isObject } from '../../core/text/json.ts'
import type { Redactor } from './redact.ts'

/**
 * Searches the logprobs of an answer.
 * @param payloads the JSON of the body, or of each event of a stream.
 * @throws when the joined tokens of a choice contain a secret.
 */
export function checkLogprobs(payloads: readonly unknown[], redactor: Redactor): void {
  const texts = new Map<unknown, string>()
  for (const payload of payloads) {
    for (const choice of listIn(payload, 'choices')) {
      if (!isObject(choice) || !isObject(choice.logprobs)) continue
      const tokens = [...listIn(choice.logprobs, 'content'), ...listIn(choice.logprobs, 'refusal')]
      const joined = tokens.map((one) => (isObject(one) && typeof one.token === 'string' ? one.token : '')).join('')
      texts.set(choice.index, (texts.get(choice.index) ?? '') + joined)
    }
  }
  for (const text of texts.values()) {
    if (redactor.find(text).length > 0) throw new Error('its logprobs contain a secret')
  }
}

function listIn(holder: unknown, name: string): readonly unknown[] {
  const list = isObject(holder) ? holder[name] : undefined
  return Array.isArray(list) ? list : []
}
