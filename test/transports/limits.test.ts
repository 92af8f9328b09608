/** Rate limit headers and slots over every transport. */
import OpenAI from 'openai'
import { describe, expect, test, vi } from 'vitest'
import { type Clock, realClock } from '../../src/engine/clock/clock.ts'
import { createMock } from '../../src/index.ts'
import { openAround } from '../support/open-around.ts'
import { IN_PROCESS_URL, stillMock, transports } from '../support/transports.ts'

const HELLO = { model: 'echo-1', messages: [{ role: 'user' as const, content: 'Hello there!' }] }
const GENEROUS_MS = 120_000
const SIX = ['requests', 'tokens'].flatMap((kind) =>
  ['limit', 'remaining', 'reset'].map((what) => `x-ratelimit-${what}-${kind}`),
)

describe.each(transports)('over $name', (transport) => {
  const mock = createMock('default', { baseURL: IN_PROCESS_URL })
  const opened = openAround(transport, mock)

  const post = (body: object, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> =>
    fetch(`${opened.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(signal !== undefined && { signal }),
    })
  const presence = ({ headers }: Response): boolean[] => SIX.map((name) => headers.has(name))
  const all = SIX.map(() => true)
  const none = SIX.map(() => false)
  const isFree = (): Promise<void> =>
    vi.waitFor(async () => expect((await post(HELLO)).status).toBe(200), { timeout: GENEROUS_MS })

  test('all six headers are on every answer of the service, with limits and without', async () => {
    for (const limits of [undefined, { requests: '2 per day' } as const]) {
      mock.use({ description: 'limits', ...(limits && { limits }) })
      expect(presence(await post(HELLO))).toEqual(all)
      expect(presence(await post({ ...HELLO, temperature: 9 }))).toEqual(all)
      expect(presence(await post(HELLO, { 'x-mock-fault': 'rate-limit' }))).toEqual(all)
      expect(presence(await post(HELLO, { 'x-mock-fault': '500' }))).toEqual(all)
      expect(presence(await post({ ...HELLO, stream: true }))).toEqual(all)
    }
    const refused = await post(HELLO)
    expect([refused.status, presence(refused)]).toEqual([429, all])
  })

  test('a 401 and a 404 have none of the six headers', async () => {
    mock.use({ description: 'limits', models: { 'echo-1': {} }, limits: { requests: '2 per day' } })
    expect(presence(await post(HELLO, { authorization: '' }))).toEqual(none)
    expect(presence(await post({ ...HELLO, model: 'x' }))).toEqual(none)
  })

  test('a whole answer and a stream free their slot for the next call', async () => {
    mock.use({ description: 'one at once', limits: { concurrent: 1 } })
    for (const body of [HELLO, { ...HELLO, stream: true }, HELLO]) {
      const response = await post(body)
      expect(response.status).toBe(200)
      await response.text()
    }
  })

  test('a waiting call holds its slot until the client leaves', async () => {
    mock.use({ description: 'one at once', pace: { firstToken: '1h' }, limits: { concurrent: 1 } })
    mock.clearJournal()
    const leave = new AbortController()
    const asked = post(HELLO, {}, leave.signal).catch(() => 'left')
    await vi.waitFor(() => expect(mock.journal).toHaveLength(1), { timeout: GENEROUS_MS })
    const refused = await post(HELLO)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(refused.headers.get('retry-after-ms')).toMatch(/^3\d{6}$/)
    leave.abort()
    expect(await asked).toBe('left')
    await vi.waitFor(() => expect(mock.journal[0]?.outcome).toBe('client-left'), { timeout: GENEROUS_MS })
    const next = new AbortController()
    const again = post(HELLO, {}, next.signal).catch(() => 'left')
    await vi.waitFor(() => expect(mock.journal.at(-1)?.outcome).toBe('open'), { timeout: GENEROUS_MS })
    expect(mock.journal.at(-1)).toMatchObject({ status: 200 })
    next.abort()
    await again
  })

  test('a stream that is left half-way frees its slot', async () => {
    mock.use({ description: 'one at once', limits: { concurrent: 1 } })
    for (let time = 0; time < 3; time++) {
      const leave = new AbortController()
      const response = await post({ ...HELLO, stream: true }, {}, leave.signal)
      await response.body!.getReader().read()
      leave.abort()
      await isFree()
    }
  })

  test.each(['cut; after=1', 'cut'])('an answer that the mock breaks off (%s) leaves its place', async (fault) => {
    mock.use({ description: 'one at once', limits: { concurrent: 1 } })
    for (let time = 0; time < 3; time++) {
      const response = await post({ ...HELLO, stream: true }, { 'x-mock-fault': fault })
      await expect(response.text()).rejects.toThrow()
      await isFree()
    }
  })

  test('a hanging call frees its slot when its client leaves', async () => {
    mock.use({ description: 'one at once', limits: { concurrent: 1 } })
    await expect(post(HELLO, { 'x-mock-fault': 'hang' }, AbortSignal.timeout(50))).rejects.toThrow()
    await isFree()
  })

  test('tokens are settled when the answer is sent', async () => {
    mock.use({ description: 'tokens', limits: { charge: 'answer', tokens: '1000 per day' } })
    const response = await post({ ...HELLO, stream: true, max_tokens: 900 })
    expect(response.headers.get('x-ratelimit-remaining-tokens')).toBe('100')
    await response.text()
    await vi.waitFor(
      async () => {
        const models = await fetch(`${opened.baseUrl}/models`, { headers: { authorization: 'Bearer sk-test' } })
        // 10 for the prompt, 3 for the answer.
        expect(models.headers.get('x-ratelimit-remaining-tokens')).toBe('987')
      },
      { timeout: GENEROUS_MS },
    )
  })
})

test.each(transports)(
  'the official client waits for retry-after and succeeds, over $name',
  { timeout: GENEROUS_MS },
  async (transport) => {
    // Time stands still until a call is refused, so that it takes no luck to be refused; from then on it is real.
    let refusedAt = Number.POSITIVE_INFINITY
    const clock: Clock = { ...realClock(), now: () => Math.max(0, performance.now() - refusedAt) }
    const mock = stillMock({ description: 'three a second', limits: { requests: '3 per second' } }, 1, { clock })
    mock.onExchange(({ status }) => {
      if (status === 429) refusedAt = performance.now()
    })
    await using opened = await transport.open(mock)
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: opened.baseUrl, maxRetries: 1 })
    for (let time = 0; time < 4; time++) await client.chat.completions.create(HELLO)
    expect(mock.journal.map(({ status }) => status)).toEqual([200, 200, 200, 429, 200])
    // One of three a second is free again after 333.3 ms; a client that came before would have been refused once more.
    expect(mock.journal.at(-1)!.at).toBeGreaterThanOrEqual(333)
  },
)
