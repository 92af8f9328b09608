/** Logprobs repeat an answer token by token and as bytes. A secret in them cannot be removed reliably. */
import { isObject, objectsIn } from '../../core/lib/text/json.ts'
import type { Redactor } from './redact.ts'

/**
 * Searches the logprobs of an answer.
 * @param payloads the JSON of the body, or of each event of a stream.
 * @throws when the joined tokens of a choice contain a secret.
 */
export function checkLogprobs(payloads: readonly unknown[], redactor: Redactor): void {
  const texts = new Map<unknown, string>()
  for (const payload of payloads) {
    if (!isObject(payload)) continue
    for (const choice of objectsIn(payload.choices)) {
      if (!isObject(choice.logprobs)) continue
      const tokens = [...objectsIn(choice.logprobs.content), ...objectsIn(choice.logprobs.refusal)]
      const joined = tokens.map(({ token }) => (typeof token === 'string' ? token : '')).join('')
      texts.set(choice.index, (texts.get(choice.index) ?? '') + joined)
    }
  }
  for (const text of texts.values()) {
    if (redactor.findSecrets(text).length > 0) throw new Error('its logprobs contain a secret')
  }
}
