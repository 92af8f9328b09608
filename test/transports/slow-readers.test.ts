/** Clients in process that pause while an answer arrives, and go on: none waits for ever. */
import { expect, test } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { intercept } from '../../src/node.ts'

const BASE_URL = 'https://api.example.com/v1'
const SAY = 'x'.repeat(200_000)
const TIMEOUT_MS = 10_000

const headers = { authorization: 'Bearer sk-test', 'content-type': 'application/json' }
const HELLO = { model: 'echo-1', messages: [{ role: 'user', content: 'Hello!' }] }
const longMock = (): Mock => createMock({ replies: [{ say: SAY }] }, { baseURL: BASE_URL })

// Under msw 3, Node's fetch pauses at about 64 KB that nobody has read; from Node 26 on, at each piece.
test.each([1000, 16_000, 32_000, 33_000, 40_000, 65_000, 66_000, 130_000])(
  'fetch reads an answer that arrives in pieces of %i bytes',
  { timeout: TIMEOUT_MS },
  async (size) => {
    const mock = longMock()
    using _ = intercept(mock)
    mock.inject('slow-drip', { size, interval: '1ms' })
    const response = await fetch(`${BASE_URL}/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(HELLO),
    })
    expect(await response.text()).toContain(SAY)
    expect(mock.journal.at(-1)?.outcome).toBe('complete')
  },
)

test('fetch reads streamed audio whose events are joined', { timeout: TIMEOUT_MS }, async () => {
  const mock = createMock('default', { baseURL: BASE_URL })
  using _ = intercept(mock)
  mock.inject('joined-events', { size: 6 })
  const body = JSON.stringify({
    model: 'echo-1',
    messages: [{ role: 'user', content: 'word '.repeat(100) }],
    modalities: ['text', 'audio'],
    audio: { voice: 'alloy', format: 'pcm16' },
    stream: true,
  })
  const text = await (await fetch(`${BASE_URL}/chat/completions`, { method: 'POST', headers, body })).text()
  expect(text.length).toBeGreaterThan(100_000)
  expect(text).toMatch(/data: \[DONE\]\n\n$/)
})

test(
  'a client of undici that pauses at each piece, and resumes before the next one, gets all of them',
  {
    timeout: TIMEOUT_MS,
  },
  async () => {
    const mock = longMock()
    using _ = intercept(mock)
    mock.inject('slow-drip', { size: 10_000, interval: '5ms' })
    const { dispatch } = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1')) as Dispatcher
    const body = JSON.stringify(HELLO)
    const text = await new Promise<string>((resolve, reject) => {
      const chunks: Buffer[] = []
      let resume = (): void => {}
      dispatch(
        { origin: 'https://api.example.com', path: '/v1/chat/completions', method: 'POST', headers, body },
        {
          onConnect() {},
          onHeaders(_status: number, _headers: Buffer[], onResume: () => void) {
            resume = onResume
          },
          onData(chunk: Buffer) {
            chunks.push(chunk)
            queueMicrotask(() => resume())
            return false
          },
          onComplete: () => resolve(Buffer.concat(chunks).toString()),
          onError: reject,
        },
      )
    })
    expect(text).toContain(SAY)
  },
)

interface Dispatcher {
  dispatch(options: object, handler: object): boolean
}
