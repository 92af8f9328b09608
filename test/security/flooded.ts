/** A program of its own, with little memory: a server that gets forty large calls of the kind its argument names. */
import { createMock } from '../../src/index.ts'
import { listen } from '../../src/node.ts'

const LARGE = 'x '.repeat(2_000_000)
const user = (content: string) => ({ messages: [{ role: 'user', content }] })
const bodies: Record<string, (number: number) => object> = {
  models: (number) => ({ model: `${number}${LARGE}`, input: 'x' }),
  parameters: (number) => ({ model: 'echo-1', ...user('hi'), [`${number}${LARGE}`]: 1 }),
  rules: (number) => ({ model: 'echo-1', ...user('hi'), user: `${number}${LARGE}` }),
}
const bodyOf = bodies[process.argv[2] ?? '']!

const mock = createMock({ description: 'x', replies: [{ when: { user: 'never' }, say: 'never' }] })
await using server = await listen(mock, { port: 0 })
for (let number = 0; number < 40; number++) {
  const body = bodyOf(number)
  const response = await fetch(`${server.url}/${'input' in body ? 'embeddings' : 'chat/completions'}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  for await (const _ of response.body ?? []) {
    // Read and dropped.
  }
}
console.log(`${mock.journal.length} calls`)
