/** Six calls in a vitest file, answered by the mock. */
import { useMock } from 'llm-api-mock/vitest'
import { expect, test } from 'vitest'

const mock = useMock()

test.each([1, 2, 3, 4, 5, 6])('call %d is answered', async (number) => {
  const response = await fetch(`${mock.baseURL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mock.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: `Hello ${number}!` }] }),
  })
  const { choices } = await response.json()
  expect(choices[0].message.content).toBe(`Hello ${number}!`)
})
