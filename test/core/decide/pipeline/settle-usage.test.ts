/** With `charge: answer`, what a call uses is charged to the token limits when it ends; without it, nothing changes then. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WINDOWS } from '../../../../src/core/lib/text/duration.ts'
import { LimitedMock, ReferenceLimit, tokensCall } from '../../../support/limits.ts'

// A message of so many words, a token each, which the echo says back.
const words = (count: number, more: object = {}) => ({
  body: { model: 'echo-1', messages: [{ role: 'user', content: Array(count).fill('go').join(' ') }], ...more },
})
// What a prompt of one message has besides its words.
const PROMPT = 7

const thousand = (more: object = {}) =>
  new LimitedMock({ limits: { charge: 'answer', tokens: '1000 per day' }, ...more })
const left = (limited: LimitedMock): number => limited.look('tokens').remaining

test('by default, a call keeps the charge that its headers show, however it ends', () => {
  const limited = new LimitedMock({ limits: { tokens: '1000 per day' } })
  const calls = [{}, { stream: true }, { max_tokens: 500, n: 2 }, { temperature: 9 }]
  for (const [index, more] of calls.entries()) {
    const { headers, end } = limited.begin(words(10, more))
    expect(headers['x-ratelimit-remaining-tokens']).toBe(String(1000 - 10 * (index + 1)))
    end(more.stream === true ? 'client-left' : 'complete')
    expect(left(limited)).toBe(1000 - 10 * (index + 1))
  }
})

test('what was reserved and not used is given back when the call ends', () => {
  const limited = thousand()
  const { headers, end } = limited.begin(words(10, { max_tokens: 500 }))
  expect(headers['x-ratelimit-remaining-tokens']).toBe('500')
  expect(left(limited)).toBe(500)
  end()
  expect(left(limited)).toBe(1000 - PROMPT - 20)
})

test('what was used beyond the reserve is charged when the call ends', () => {
  const limited = thousand()
  const { end } = limited.begin(words(100))
  expect(left(limited)).toBe(1000 - Math.ceil(299 / 4) - 2)
  end()
  expect(left(limited)).toBe(1000 - PROMPT - 200)
})

test('a stream is charged as the whole answer is', () => {
  const limited = thousand()
  limited.call(words(30, { stream: true }))
  expect(left(limited)).toBe(1000 - PROMPT - 60)
})

test('every choice is charged, in a stream too', () => {
  for (const stream of [false, true]) {
    const limited = thousand()
    limited.call(words(10, { n: 3, stream }))
    expect(left(limited)).toBe(1000 - PROMPT - 10 - 30)
  }
})

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }]

test.each([
  ['a call of a tool', { tools, tool_choice: 'required' }],
  ['thoughts', { reasoning_effort: 'high' }],
  ['a prediction that failed', { prediction: { type: 'content', content: 'quite another text' } }],
  ['JSON', { response_format: { type: 'json_schema', json_schema: { name: 'n', schema: parameters } } }],
])('%s is charged as its usage says, streamed or not', (_, more) => {
  for (const stream of [false, true]) {
    const limited = thousand({ models: { 'echo-1': { reasoning: true } } })
    const { text } = limited.call(
      words(10, { ...more, stream, ...(stream && { stream_options: { include_usage: true } }) }),
    )
    const total = Number(/"total_tokens":(\d+)/.exec(text)![1])
    expect(left(limited)).toBe(1000 - total)
  }
})

test('embeddings are charged by their real tokens', () => {
  const limited = thousand()
  const { headers } = limited.call({ path: '/v1/embeddings', body: { model: 'hash-1', input: 'antidisestablishment' } })
  expect(headers['x-ratelimit-remaining-tokens']).toBe('995')
  const { usage } = JSON.parse(limited.call(tokensCall(7)).text)
  expect(usage.total_tokens).toBe(7)
  const real = JSON.parse(
    limited.call({ path: '/v1/embeddings', body: { model: 'hash-1', input: 'antidisestablishment' } }).text,
  ).usage.total_tokens
  expect(left(limited)).toBe(1000 - 2 * real - 7)
})

test('a stream that the client leaves is charged for the part written by then', () => {
  const limited = thousand({ pace: { firstToken: '1s', perToken: '100ms' } })
  const { end } = limited.begin(words(50, { stream: true, max_tokens: 500 }))
  // The first token comes after the first second, twelve more by then.
  limited.now = 1000 + 12 * 100
  end('client-left')
  // The refill of these two seconds is far less than a token.
  expect(left(limited)).toBe(1000 - PROMPT - 50 - 13)
})

test('a stream that is cut is charged for what it sent', () => {
  const limited = thousand()
  const { end } = limited.begin({ ...words(50, { stream: true }), headers: { 'x-mock-fault': 'cut; after=6' } })
  end('cut')
  // The first of the six events holds the role.
  expect(left(limited)).toBe(1000 - PROMPT - 50 - 5)
})

test('a cut whole answer is charged in full, or for its prompt if nothing was sent', () => {
  const cut = thousand()
  cut.begin({ ...words(50), headers: { 'x-mock-fault': 'cut' } }).end('cut')
  expect(left(cut)).toBe(1000 - PROMPT - 100)
  const hung = thousand()
  hung.begin({ ...words(50), headers: { 'x-mock-fault': 'hang' } }).end('client-left')
  expect(left(hung)).toBe(1000 - PROMPT - 50)
})

test('a request that its checks refuse keeps its charge', () => {
  const limited = thousand({ models: { 'echo-1': { contextTokens: 20 } } })
  expect(limited.call(words(10, { temperature: 9, max_tokens: 100 })).status).toBe(400)
  expect(limited.call(words(50, { max_tokens: 100 })).status).toBe(400)
  expect(left(limited)).toBe(1000 - 2 * 100)
})

test('calls that used more than the limit make the next ones wait longer', () => {
  const limited = new LimitedMock({ limits: { charge: 'answer', tokens: '100 per second' } })
  limited.call(words(120))
  // 247 are used, and 3 are asked for: 150 too many, at ten milliseconds each.
  const { headers, text } = limited.call(words(1))
  expect(headers['retry-after-ms']).toBe('1500')
  expect(JSON.parse(text).error.message).toContain('Limit 100, Used 247, Requested 3. Please try again in 1.5s.')
})

test('the settlement counts when the call ends, in every window', () => {
  const limited = new LimitedMock({ limits: { charge: 'answer', tokens: ['1000 per second', '2000 per day'] } })
  const { end } = limited.begin(words(10, { max_tokens: 900 }))
  limited.now = 10_000
  // The second has refilled long ago, so there is nothing to give back to it; the day gets back what was not used.
  end()
  expect(left(limited)).toBe(1000)
  expect(limited.call(tokensCall(1000)).status).toBe(200)
  limited.now = 20_000
  expect(left(limited)).toBe(2000 - PROMPT - 20 - 1000)
})

test("only the first report of a call's end counts", () => {
  const limited = thousand()
  const { end } = limited.begin(words(10, { max_tokens: 500 }))
  end()
  end('client-left')
  end()
  expect(left(limited)).toBe(1000 - PROMPT - 20)
})

const step = fc.record({
  gapMs: fc.integer({ min: 0, max: 30_000 }),
  tokens: fc.integer({ min: 1, max: 60 }),
  reserve: fc.integer({ min: 1, max: 300 }),
  stream: fc.boolean(),
  ends: fc.nat({ max: 5 }),
})

test('any calls that end in any order leave what their reservations and usage add up to', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.constantFrom('second', 'minute', 'hour'),
      fc.array(step, { maxLength: 20 }),
      (amount, window, steps) => {
        const limited = new LimitedMock({ limits: { charge: 'answer', tokens: `${amount} per ${window}` } })
        const reference = new ReferenceLimit(amount, WINDOWS[window as 'second'])
        const nowNs = () => BigInt(limited.now) * 1_000_000n
        const open: { end: () => void; unused: number }[] = []
        for (const { gapMs, tokens, reserve, stream, ends } of steps) {
          limited.now += gapMs
          const call = words(tokens, {
            max_tokens: reserve,
            stream,
            stream_options: stream ? { include_usage: true } : null,
          })
          const { status, text, end } = limited.begin(call)
          const asked = Math.max(Math.ceil((3 * tokens - 1) / 4) + 2, reserve)
          expect(status).toBe(reference.fits(asked, nowNs()) ? 200 : 429)
          if (status === 200) {
            reference.use(asked, nowNs())
            const used = Number(/"total_tokens":(\d+)/.exec(text)![1])
            open.push({ end, unused: asked - used })
          }
          const ending = open.splice(ends, 1)[0]
          ending?.end()
          if (ending !== undefined) reference.use(-ending.unused, nowNs())
          expect(left(limited)).toBe(reference.remaining(nowNs()))
        }
      },
    ),
    { numRuns: 200 },
  )
})
