/** Logprobs say an answer again, token by token and in bytes: where a secret is in it, they can't be redacted well. */
import { isObject } from '../../core/text/json.ts'
import type { Redactor } from './redact.ts'

/**
 * Looks through the logprobs of an answer: one payload for a body, one for each event of a stream.
 * @throws when the tokens of a choice, put together, hold a secret.
 */
export function checkLogprobs(payloads: readonly unknown[], redactor: Redactor): void {
  const texts = new Map<unknown, string>()
  for (const payload of payloads) {
    for (const choice of listIn(payload, 'choices')) {
      if (!isObject(choice) || !isObject(choice.logprobs)) continue
      const tokens = [...listIn(choice.logprobs, 'content'), ...listIn(choice.logprobs, 'refusal')]
      const said = tokens.map((one) => (isObject(one) && typeof one.token === 'string' ? one.token : '')).join('')
      texts.set(choice.index, (texts.get(choice.index) ?? '') + said)
    }
  }
  for (const text of texts.values()) {
    if (redactor.find(text).length > 0) throw new Error('its logprobs spell a secret, token by token')
  }
}

function listIn(holder: unknown, name: string): readonly unknown[] {
  const list = isObject(holder) ? holder[name] : undefined
  return Array.isArray(list) ? list : []
}
