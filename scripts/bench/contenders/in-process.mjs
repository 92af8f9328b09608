/**
 * msw in process, one process for both: a handler written by hand, and the mock. They take turns; each turn is calls
 * by fetch, one after the other, for so many seconds. Prints what each call took, turn by turn: microseconds of the
 * processor's time, which other programs on the core do not add to.
 */
import { createMock } from 'llm-api-mock'
import { intercept } from 'llm-api-mock/node'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { completion } from './completion.mjs'

const [turns, seconds] = process.argv.slice(2).map(Number)
const BASE_URL = 'https://api.openai.com/v1'

const byHand = http.post(`${BASE_URL}/chat/completions`, async ({ request }) => {
  return HttpResponse.json(completion(await request.json()))
})
const mock = createMock('default', { baseURL: BASE_URL })

const contenders = {
  msw() {
    const server = setupServer(byHand)
    server.listen({ onUnhandledRequest: 'error' })
    return () => server.close()
  },
  mock() {
    const interception = intercept(mock, { onUnhandledRequest: 'error' })
    return () => interception.close()
  },
}

const samples = { msw: [], mock: [] }
for (const name of Object.keys(contenders)) await turn(name, 1)
for (let count = 0; count < turns; count++) {
  for (const name of Object.keys(contenders)) samples[name].push(await turn(name, seconds))
}
console.log(JSON.stringify(samples))

async function turn(name, length) {
  const close = contenders[name]()
  const before = process.cpuUsage()
  const start = performance.now()
  let calls = 0
  for (; performance.now() - start < length * 1000; calls++) await call(`Hello there, number ${calls % 64}!`)
  const { user, system } = process.cpuUsage(before)
  close()
  return (user + system) / calls
}

async function call(content) {
  const response = await fetch(`${BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-bench', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content }] }),
  })
  const answer = await response.json()
  if (answer.choices?.[0]?.message.content !== content) {
    throw new Error(`'${content}' was answered with ${response.status}: ${JSON.stringify(answer)}`)
  }
}
