/**
 * What a test file pays for its first calls: imports, a mock, a chat and an embedding in process. The argument says what
 * answers: `msw`, a handler written by hand, or `mock`. Prints the processor's time in milliseconds, which other programs
 * do not add to, and the memory in MB.
 */
import { completion } from './completion.mjs'

const BASE_URL = 'https://api.openai.com/v1'
const embedding = Array.from({ length: 1536 }, (_, index) => Math.fround(Math.sin(index + 1) * 0.036))

const contenders = {
  async msw() {
    const { HttpResponse, http } = await import('msw')
    const { setupServer } = await import('msw/node')
    setupServer(
      http.post(`${BASE_URL}/chat/completions`, async ({ request }) =>
        HttpResponse.json(completion(await request.json())),
      ),
      http.post(`${BASE_URL}/embeddings`, () => HttpResponse.json({ data: [{ index: 0, embedding }] })),
    ).listen({ onUnhandledRequest: 'error' })
  },
  async mock() {
    const { createMock } = await import('llm-api-mock')
    const { intercept } = await import('llm-api-mock/node')
    intercept(createMock(), { onUnhandledRequest: 'error' })
  },
}

const before = process.cpuUsage()
await contenders[process.argv[2]]()
await post('/chat/completions', { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello there!' }] })
await post('/embeddings', { model: 'text-embedding-3-small', input: 'hello' })
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ ms: (user + system) / 1000, mb: process.memoryUsage.rss() / 2 ** 20 }))

async function post(path, body) {
  const headers = { authorization: 'Bearer sk-bench', 'content-type': 'application/json' }
  const response = await fetch(BASE_URL + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`)
  await response.json()
}
