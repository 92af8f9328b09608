/** What of a request is recorded. */
import { expect, test } from 'vitest'
import { recordedRequest } from '../../src/record/recorded-exchange.ts'
import { Redactor } from '../../src/record/redact/redact.ts'

test('a request with the text that replaces secrets is not recorded, because it would match any text', () => {
  const body = Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: 'Explain [redacted]' }] }))
  expect(() => recordedRequest(body, new Redactor())).toThrow(
    'the request contains [redacted], which stands for any text',
  )
})
