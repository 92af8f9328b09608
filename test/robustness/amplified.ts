/** A program of its own: a server that is asked for large answers, named by its arguments, and then for a small one. */
import { createMock } from '../../src/index.ts'
import { listen } from '../../src/node.ts'

export interface LargeCall {
  readonly word: string
  readonly times: number
  /** The other fields of the request. */
  readonly fields?: object
  /** How many such calls are made at once. Default: 1. */
  readonly atOnce?: number
}

const { word, times, fields, atOnce = 1 } = JSON.parse(process.argv[2] ?? '{}') as LargeCall
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

const body = { messages: [{ role: 'user', content: word.repeat(times) }], ...fields }
const large = new Set(await Promise.all(Array.from({ length: atOnce }, () => ask(body))))
const small = await ask({ messages: [{ role: 'user', content: 'hi' }] })
console.log(JSON.stringify({ large: [...large], small }))
