/** Limits of requests and tokens: the refusals, their waits and the headers. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WINDOWS } from '../../../../src/core/lib/text/duration.ts'
import { HELLO, mockWith } from '../../../support/core.ts'
import { LimitedMock, ReferenceLimit, tokensCall } from '../../../support/limits.ts'

const SIX = ['limit', 'remaining', 'reset'].flatMap((what) => [
  `x-ratelimit-${what}-requests`,
  `x-ratelimit-${what}-tokens`,
])
const valuesOf = (headers: Record<string, string>): (string | undefined)[] => SIX.map((name) => headers[name])
const chat = (characters: number, more: object = {}) => ({
  body: { model: 'echo-1', messages: [{ role: 'user', content: 'x'.repeat(characters) }], ...more },
})

const threePerMinute = () => mockWith({ limits: { requests: '3 per minute' } })

// Requests

test('the fourth call in a minute is a 429', () => {
  const mock = threePerMinute()
  const statuses = [0, 1, 2, 3].map((now) => mock.answer({ now }).status)
  expect(statuses).toEqual([200, 200, 200, 429])
})

test('the refusal of a call without a model names no model', () => {
  const { error } = mockWith({ faults: [{ fault: 'rate-limit' }] }).json({ method: 'GET', path: '/v1/models' })
  expect(error.message).toMatch(/^Rate limit reached in organization org-/)
})

test('a client that waits retry-after-ms succeeds; one that comes a millisecond early does not', () => {
  const mock = threePerMinute()
  for (const now of [0, 0, 0]) mock.answer({ now })
  const { headers } = mock.answer({ now: 0 })
  expect(headers['retry-after']).toBe('20')
  expect(headers['retry-after-ms']).toBe('20000')
  expect(mock.answer({ now: 19_999 }).status).toBe(429)
  expect(mock.answer({ now: 20_000 }).status).toBe(200)
})

test.each([
  ['second', 'requests per sec (RPS)', '334ms'],
  ['minute', 'requests per min (RPM)', '20s'],
  ['hour', 'requests per hour (RPH)', '20m0s'],
  ['day', 'requests per day (RPD)', '8h0m0s'],
] as const)('the message of a limit per %s says %s, and %s', (window, unit, wait) => {
  const mock = mockWith({ limits: { requests: `3 per ${window}` } })
  for (const now of [0, 0, 0]) mock.answer({ now })
  const { error } = mock.json({ now: 0 })
  expect(error).toMatchObject({ type: 'requests', param: null, code: 'rate_limit_exceeded' })
  expect(error.message).toContain(`on ${unit}: Limit 3, Used 3, Requested 1. Please try again in ${wait}. `)
})

test("the message is the service's, with the same wait as the headers", () => {
  const mock = mockWith({ limits: { requests: '7 per second' } })
  for (let time = 0; time < 7; time++) mock.answer({ now: 0 })
  const { headers, text } = mock.answer({ now: 0 })
  expect(JSON.parse(text).error.message).toMatch(
    /^Rate limit reached for echo-1 in organization org-\w{24} on requests per sec \(RPS\): Limit 7, Used 7, Requested 1\. Please try again in 143ms\. Visit /,
  )
  expect(headers).toMatchObject({ 'retry-after': '1', 'retry-after-ms': '143' })
})

test('a refused call costs nothing, and neither does its retry before the time', () => {
  const mock = threePerMinute()
  for (const now of [0, 0, 0]) mock.answer({ now })
  for (let again = 0; again < 50; again++) mock.answer({ now: 0 })
  expect(mock.answer({ now: 20_000 }).status).toBe(200)
})

test('each key has its own limits', () => {
  const mock = threePerMinute()
  for (const now of [0, 0, 0]) mock.answer({ now, key: 'sk-a' })
  expect(mock.answer({ now: 0, key: 'sk-a' }).status).toBe(429)
  expect(mock.answer({ now: 0, key: 'sk-b' }).status).toBe(200)
})

// Several windows

test('of several windows, the one with the longest wait sets retry-after', () => {
  const mock = mockWith({ limits: { requests: ['2 per second', '3 per minute'] } })
  expect([0, 0].map((now) => mock.answer({ now }).status)).toEqual([200, 200])
  expect(mock.answer({ now: 0 }).headers['retry-after-ms']).toBe('500')
  expect(mock.answer({ now: 1000 }).status).toBe(200)
  const { headers, text } = mock.answer({ now: 1000 })
  // Two of three per minute were used a second ago.
  expect(headers['retry-after-ms']).toBe('19000')
  expect(JSON.parse(text).error.message).toContain('requests per min (RPM): Limit 3')
})

test('of several windows, the headers show the one with the least left', () => {
  const mock = mockWith({ limits: { requests: ['5 per second', '7 per minute'] } })
  const remaining = (now: number) => {
    const { headers } = mock.answer({ now })
    return [headers['x-ratelimit-limit-requests'], headers['x-ratelimit-remaining-requests']]
  }
  expect(remaining(0)).toEqual(['5', '4'])
  expect(remaining(0)).toEqual(['5', '3'])
  expect(remaining(0)).toEqual(['5', '2'])
  expect(remaining(5000)).toEqual(['7', '3'])
})

test('retry-after covers tokens and requests: a client that waits that long succeeds', () => {
  const mock = mockWith({ limits: { requests: '1 per second', tokens: '60 per minute' } })
  expect(mock.answer({ ...chat(160), now: 0 }).status).toBe(200)
  const { headers, text } = mock.answer({ ...chat(160), now: 0 })
  // 42 of 60 are used and 42 are asked for: 24 too many, one a second.
  expect(headers['retry-after-ms']).toBe('24000')
  expect(JSON.parse(text).error).toMatchObject({ type: 'tokens' })
  expect(mock.answer({ ...chat(160), now: 23_999 }).status).toBe(429)
  expect(mock.answer({ ...chat(160), now: 24_000 }).status).toBe(200)
})

// Tokens

const reservedBy = (charge: 'prompt' | 'answer', more: object): number => {
  const { headers } = mockWith({ limits: { charge, tokens: '100000 per minute' } }).answer(chat(10, more))
  return 100_000 - Number(headers['x-ratelimit-remaining-tokens'])
}

test('no maximum of the answer is charged', () => {
  for (const more of [{}, { max_tokens: 50 }, { max_completion_tokens: 70, n: 3 }])
    expect(reservedBy('prompt', more)).toBe(5)
})

test('with charge: answer, the larger of the prompt and the maximum of all choices is reserved', () => {
  expect(reservedBy('answer', {})).toBe(5)
  expect(reservedBy('answer', { max_tokens: 4 })).toBe(5)
  expect(reservedBy('answer', { max_tokens: 50 })).toBe(50)
  expect(reservedBy('answer', { max_completion_tokens: 70 })).toBe(70)
  expect(reservedBy('answer', { max_tokens: 50, n: 3 })).toBe(150)
})

test.each([
  ['a text', 'How do I reset my password?', 6],
  ['several texts', ['four', 'four', 'four!'], 3],
  ['tokens', [1, 2, 3], 3],
  ['several lists of tokens', [[1, 2], [3]], 3],
])('an input of %s reserves its tokens', (_, input, tokens) => {
  const mock = mockWith({ limits: { tokens: '1000 per minute' } })
  const { headers } = mock.answer({ path: '/v1/embeddings', body: { model: 'hash-1', input } })
  expect(headers['x-ratelimit-remaining-tokens']).toBe(String(1000 - tokens))
})

test('a request that is larger than the whole limit has no retry-after', () => {
  const mock = mockWith({ limits: { tokens: ['1000 per minute', '10 per second'] } })
  const { status, headers, text } = mock.answer(chat(100))
  expect(status).toBe(429)
  expect(headers).not.toHaveProperty('retry-after')
  expect(headers).not.toHaveProperty('retry-after-ms')
  expect(JSON.parse(text).error.message).toMatch(
    /^Request too large for echo-1 in organization \S+ on tokens per sec \(TPS\): Limit 10, Requested 27\. /,
  )
})

test.each(['1e999', '1e300', '-1', '"many"', 'null', '0.5'])('max_tokens of %s breaks no count', (maxTokens) => {
  const mock = mockWith({ limits: { tokens: '1000 per minute' } })
  const body = `{"model":"echo-1","messages":[{"role":"user","content":"hi"}],"max_tokens":${maxTokens},"n":${maxTokens}}`
  expect([200, 400, 429]).toContain(mock.answer({ body }).status)
  expect(mockWith({}).answer({ body }).headers['x-ratelimit-remaining-tokens']).toMatch(/^\d+$/)
})

// Whose limits

test("a key may have limits of its own, in the place of the scenario's of the same kind", () => {
  const mock = mockWith({
    keys: { 'sk-tight': { limits: { requests: '1 per minute' } }, 'sk-free': {} },
    limits: { requests: '50 per minute', tokens: '1000 per minute' },
  })
  const { headers } = mock.answer({ key: 'sk-tight' })
  expect(headers['x-ratelimit-limit-requests']).toBe('1')
  expect(headers['x-ratelimit-limit-tokens']).toBe('1000')
  expect(mock.answer({ key: 'sk-tight' }).status).toBe(429)
  expect(mock.answer({ key: 'sk-free' }).headers['x-ratelimit-limit-requests']).toBe('50')
})

test('a model can have its own limits, counted per key', () => {
  const mock = mockWith({
    models: { small: {}, other: {}, large: { limits: { requests: '1 per minute' } } },
    limits: { requests: '2 per minute' },
  })
  const status = (model: string, key: string) => mock.answer({ body: { ...HELLO, model }, key }).status
  expect(status('large', 'sk-a')).toBe(200)
  expect(status('large', 'sk-a')).toBe(429)
  expect(status('large', 'sk-b')).toBe(200)
  // What the large model used is none of theirs; the two that have no limits of their own share those of the key.
  expect([status('small', 'sk-a'), status('other', 'sk-a'), status('small', 'sk-a')]).toEqual([200, 200, 429])
})

test('models of one entry with a star share its limits', () => {
  const mock = mockWith({ models: { 'family-*': { limits: { requests: '2 per minute' } } } })
  const statuses = ['family-a', 'family-b', 'family-c'].map(
    (model) => mock.answer({ body: { ...HELLO, model } }).status,
  )
  expect(statuses).toEqual([200, 200, 429])
})

test('if key and model both have a limit, a call must fit both', () => {
  const mock = mockWith({
    keys: { 'sk-tight': { limits: { requests: '2 per minute' } } },
    models: { small: {}, large: { limits: { requests: '1 per minute' } } },
  })
  const status = (model: string) => mock.answer({ body: { ...HELLO, model }, key: 'sk-tight' }).status
  expect([status('large'), status('large'), status('small'), status('small')]).toEqual([200, 429, 200, 429])
})

// Headers

test('headers show limit, remaining and reset, as Go durations', () => {
  const mock = mockWith({ limits: { requests: '10000 per day', tokens: '200000 per minute' } })
  expect(mock.answer().headers).toMatchObject({
    'x-ratelimit-limit-requests': '10000',
    'x-ratelimit-remaining-requests': '9999',
    'x-ratelimit-reset-requests': '8.64s',
    'x-ratelimit-limit-tokens': '200000',
    'x-ratelimit-remaining-tokens': '199995',
    'x-ratelimit-reset-tokens': '1ms',
  })
})

test.each([
  ['a refused request', { body: { ...HELLO, temperature: 9 } }, 400],
  ['an unreadable body', { body: '{' }, 400],
  ['an injected rate limit', { headers: { 'x-mock-fault': 'rate-limit' } }, 429],
  ['an injected quota', { headers: { 'x-mock-fault': 'quota' } }, 429],
  ['an injected server error', { headers: { 'x-mock-fault': 'server-error' } }, 500],
  ['the list of models', { path: '/v1/models', method: 'GET' }, 200],
])('%s has the six headers, with limits and without', (_, call, expected) => {
  for (const mock of [mockWith(), threePerMinute()]) {
    const { status, headers } = mock.answer(call)
    expect(status).toBe(expected)
    expect(valuesOf(headers)).not.toContain(undefined)
  }
})

test.each([
  ['a missing key', { key: '' }, 401],
  ['an unknown model', { body: { ...HELLO, model: 'x' } }, 404],
  ['an unknown path', { path: '/v1/x' }, 404],
])('%s has none of the six headers', (_, call, expected) => {
  const mock = mockWith({ models: { 'echo-1': {} }, limits: { requests: '3 per minute' } })
  const { status, headers } = mock.answer(call)
  expect(status).toBe(expected)
  expect(valuesOf(headers)).toEqual(SIX.map(() => undefined))
})

test('without limits the headers depend on the call alone, so that its bytes stay the same', () => {
  const mock = mockWith()
  const first = mock.answer({ now: 0 }).headers
  for (let time = 0; time < 100; time++) mock.answer({ now: time })
  expect(valuesOf(mock.answer({ now: 5 }).headers)).toEqual(valuesOf(first))
  expect(valuesOf(first)).toEqual(['10000', '10000000', '9999', '9999995', '6ms', '0s'])
})

test('the headers of an unlimited kind are those of no limits at all', () => {
  expect(valuesOf(threePerMinute().answer().headers)).toEqual(['3', '10000000', '2', '9999995', '20s', '0s'])
})

// What is counted

test('a request that its checks refuse is counted as a request', () => {
  const mock = threePerMinute()
  for (let time = 0; time < 3; time++) expect(mock.answer({ body: { ...HELLO, temperature: 9 } }).status).toBe(400)
  expect(mock.answer().status).toBe(429)
})

test.each([
  ['a fault', { headers: { 'x-mock-fault': '500' } }],
  ['a missing key', { key: '' }],
  ['the list of models', { path: '/v1/models', method: 'GET' }],
])('%s is not counted', (_, call) => {
  const mock = threePerMinute()
  for (let time = 0; time < 5; time++) mock.answer(call)
  expect(mock.answer().headers['x-ratelimit-remaining-requests']).toBe('2')
})

// Any limits, any arrivals

const windowName = fc.constantFrom('second', 'minute', 'hour', 'day')
const rates = (max: number) =>
  fc.uniqueArray(fc.record({ amount: fc.integer({ min: 1, max }), window: windowName }), {
    maxLength: 3,
    selector: ({ window }) => window,
  })
const arrival = fc.record({
  // In nanoseconds: with fractions of a millisecond, often at once, sometimes after long.
  gap: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 400_000_000 }),
    fc.integer({ min: 0, max: 4_000_000_000_000 }),
  ),
  tokens: fc.integer({ min: 1, max: 40 }),
  returns: fc.boolean(),
})

test('any calls at any times are accepted or wait exactly as the definition of their limits says', () => {
  fc.assert(
    fc.property(rates(20), rates(60), fc.array(arrival, { maxLength: 30 }), (requests, tokens, arrivals) => {
      const written = (all: typeof requests) => all.map(({ amount, window }) => `${amount} per ${window}`)
      const limits = {
        ...(requests.length > 0 && { requests: written(requests) }),
        ...(tokens.length > 0 && { tokens: written(tokens) }),
      }
      const mock = mockWith({ limits })
      const reference = (all: typeof requests) =>
        all.map(({ amount, window }) => new ReferenceLimit(amount, WINDOWS[window]))
      const ofRequests = reference(requests)
      const ofTokens = reference(tokens)
      const fits = (count: number, ns: number) =>
        ofRequests.every((limit) => limit.fits(1, BigInt(ns))) &&
        ofTokens.every((limit) => limit.fits(count, BigInt(ns)))
      const use = (count: number, ns: number) => {
        for (const limit of ofRequests) limit.use(1, BigInt(ns))
        for (const limit of ofTokens) limit.use(count, BigInt(ns))
      }

      let ns = 0
      for (const { gap, tokens: count, returns } of arrivals) {
        ns += gap
        const at = (time: number) => mock.answer({ ...tokensCall(count), now: time / 1e6 })
        const { status, headers } = at(ns)
        expect(status).toBe(fits(count, ns) ? 200 : 429)
        if (status === 200) use(count, ns)
        const told = headers['retry-after-ms']
        if (status === 200 || told === undefined) {
          if (status === 429) expect(ofTokens.some((limit) => BigInt(count) > limit.amount)).toBe(true)
          continue
        }
        const wait = Number(told) * 1_000_000
        expect(fits(count, ns + wait)).toBe(true)
        expect(fits(count, ns + wait - 1_000_000)).toBe(false)
        if (!returns) continue
        expect(at(ns + wait - 1_000_000).status).toBe(429)
        ns += wait
        expect(at(ns).status).toBe(200)
        use(count, ns)
      }
    }),
    { numRuns: 300 },
  )
})

test('fractions of a millisecond make no call early or late', () => {
  const clockNs = fc.integer({ min: 0, max: 1e14 })
  fc.assert(
    fc.property(clockNs, fc.integer({ min: 1, max: 100 }), windowName, (ns, amount, window) => {
      const limited = new LimitedMock({ limits: { tokens: `${amount} per ${window}` } })
      limited.now = ns / 1e6
      limited.call(tokensCall(amount))
      const wait = Number(limited.call(tokensCall(1)).headers['retry-after-ms'])
      limited.now = ns / 1e6 + wait - 1
      expect(limited.call(tokensCall(1)).status).toBe(429)
      limited.now = ns / 1e6 + wait
      expect(limited.call(tokensCall(1)).status).toBe(200)
    }),
    { numRuns: 200 },
  )
})
