/** A program of its own: a server that is asked for one large answer, named by its arguments, and then for a small one. */
import { createMock } from '../../src/index.ts'
import { listen } from '../../src/node.ts'

const [content, n, stream] = JSON.parse(process.argv[2] ?? '[]') as [{ word: string; times: number }, number, boolean]
await using server = await listen(createMock(), { port: 0 })

async function ask(body: object): Promise<number> {
  const response = await fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'echo-1', ...body }),
  })
  for await (const _ of response.body ?? []) {
    // Read and dropped: what counts is that it comes.
  }
  return response.status
}

const large = await ask({ n, stream, messages: [{ role: 'user', content: content.word.repeat(content.times) }] })
const small = await ask({ messages: [{ role: 'user', content: 'hi' }] })
console.log(JSON.stringify({ large, small }))
