/** Six calls in a vitest file, answered by a handler written by hand. */
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, test } from 'vitest'

const URL = 'https://api.openai.com/v1/chat/completions'
const server = setupServer(
  http.post(URL, async ({ request }) => {
    const { messages } = await request.json()
    return HttpResponse.json({ choices: [{ message: { role: 'assistant', content: messages.at(-1).content } }] })
  }),
)
beforeAll(() => server.listen())
afterAll(() => server.close())

test.each([1, 2, 3, 4, 5, 6])('call %d is answered', async (number) => {
  const response = await fetch(URL, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: `Hello ${number}!` }] }),
  })
  const { choices } = await response.json()
  expect(choices[0].message.content).toBe(`Hello ${number}!`)
})
