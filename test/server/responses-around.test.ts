/** What surrounds a response: explain, the matchers, the journal, injections and expectations. */
import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { matchers } from '../../src/matchers.ts'
import { fetchFrom, type HttpCall, serve } from '../support/http.ts'

expect.extend(matchers)

const ask = (input: unknown, more: object = {}): HttpCall => ({
  path: '/v1/responses',
  body: { model: 'echo-1', input, ...more },
})

test('explain takes a body for responses, and tells which rule answers', async () => {
  const mock = createMock({
    replies: [
      { when: { endpoint: 'chat' }, say: 'Chat.' },
      { when: { system: 'brief' }, say: 'Brief.' },
    ],
  })
  const items = [{ role: 'user', content: 'Hi' }]
  const explained = await mock.explain({ body: { model: 'echo-1', instructions: 'Be brief.', input: items } })
  expect(explained).toMatchObject({ status: 200, reason: { by: 'reply', name: 'replies[1]' } })
  const other = await mock.explain({ path: '/responses', body: { model: 'echo-1', input: 'Hi' } })
  expect(other.reason).toEqual({ by: 'echo', name: 'echo' })
})

test('matchers, the journal and its texts know the messages of a response', async () => {
  const server = await serve()
  const { mock } = server
  await fetchFrom(server, ask([{ role: 'user', content: 'What is the weather?' }], { instructions: 'Be brief.' }))
  expect(mock).toHaveReceived({ endpoint: 'responses', user: /weather/, system: 'brief', times: 1 })
  expect(mock.calls({ endpoint: 'chat' })).toEqual([])
  expect(() => expect(mock).toHaveReceived({ endpoint: 'responses', times: 2 })).toThrow(
    "POST /v1/responses 'What is the weather?' -> 200 echo",
  )
})

test('an injection for responses leaves chats alone, and early retries are told', async () => {
  const server = await serve()
  const { mock } = server
  mock.inject('rate-limit', { endpoint: 'responses', times: 1, retryAfter: '10s' })
  expect((await fetchFrom(server, {})).status).toBe(200)
  expect((await fetchFrom(server, ask('Hi'))).status).toBe(429)
  expect((await fetchFrom(server, ask('Hi'))).status).toBe(200)
  expect(mock).not.toHaveBehaved()
})
