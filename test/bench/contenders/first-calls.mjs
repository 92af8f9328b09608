/**
 * What a test file pays before its second call: imports, a mock, a chat and an embedding in process. The argument says
 * what answers: `msw`, a handler written by hand, or `mock`. Prints the milliseconds and the memory in MB.
 */
import { completion } from './completion.mjs'

const BASE_URL = 'https://api.openai.com/v1'

const vector = Array.from({ length: 1536 }, (_, index) => Math.sin(index))

const contenders = {
  async msw() {
    const { HttpResponse, http } = await import('msw')
    const { setupServer } = await import('msw/node')
    setupServer(
      http.post(`${BASE_URL}/chat/completions`, async ({ request }) =>
        HttpResponse.json(completion(await request.json())),
      ),
      http.post(`${BASE_URL}/embeddings`, () =>
        HttpResponse.json({ object: 'list', data: [{ object: 'embedding', index: 0, embedding: vector }] }),
      ),
    ).listen({ onUnhandledRequest: 'error' })
  },
  async mock() {
    const { createMock } = await import('llm-api-mock')
    const { intercept } = await import('llm-api-mock/node')
    intercept(createMock(), { onUnhandledRequest: 'error' })
  },
}

async function post(path, body) {
  const headers = { authorization: 'Bearer sk-bench', 'content-type': 'application/json' }
  const response = await fetch(BASE_URL + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`)
  return response.json()
}

const cpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const start = cpu()
await contenders[process.argv[2]]()
const t1 = cpu()
await post('/chat/completions', { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello there!' }] })
const t2 = cpu()
await post('/embeddings', { model: 'text-embedding-3-small', input: 'hello' })
const ms = cpu() - start
if (process.env.PARTS)
  console.error(process.argv[2], (t1 - start).toFixed(0), (t2 - t1).toFixed(0), (ms + start - t2).toFixed(0))
console.log(JSON.stringify({ ms, mb: process.memoryUsage.rss() / 2 ** 20 }))
