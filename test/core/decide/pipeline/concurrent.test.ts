/** The limit of concurrent calls: which calls take a slot, and when it is free again. */
import { expect, test } from 'vitest'
import { engineOf } from '../../../../src/engine/mock.ts'
import { HELLO } from '../../../support/core.ts'
import { LimitedMock } from '../../../support/limits.ts'

const STREAM = { body: { ...HELLO, stream: true } }
const two = (more: object = {}) => new LimitedMock({ limits: { concurrent: 2 }, ...more })

test('no more calls are in flight than the limit allows', () => {
  const limited = two()
  const first = limited.begin()
  const second = limited.begin(STREAM)
  expect([first.status, second.status, limited.begin().status]).toEqual([200, 200, 429])
  second.end()
  expect(limited.begin().status).toBe(200)
})

test('one after the other, any number of calls pass', () => {
  const limited = new LimitedMock({ limits: { concurrent: 1 } })
  for (let time = 0; time < 50; time++) expect(limited.call().status).toBe(200)
})

test('the refusal looks like that of the other limits', () => {
  const limited = two()
  limited.begin()
  limited.begin()
  const { headers, text } = limited.begin()
  expect(JSON.parse(text).error).toMatchObject({ type: 'requests', param: null, code: 'rate_limit_exceeded' })
  expect(JSON.parse(text).error.message).toMatch(
    /^Rate limit reached for echo-1 in organization org-\w{24} on concurrent requests: Limit 2, Used 2, Requested 1\. Please try again in 1ms\. Visit /,
  )
  expect(headers).toMatchObject({ 'retry-after': '1', 'retry-after-ms': '1' })
  expect(headers).toHaveProperty('x-ratelimit-remaining-requests')
})

test('retry-after is when the first of the calls in flight ends', () => {
  const limited = two({ pace: { firstToken: '2s', perToken: '100ms' } })
  limited.begin()
  limited.now = 500
  const { end } = limited.begin(STREAM)
  limited.now = 1000
  // The first call has 3 tokens, the first of them at 2 seconds, so it is due at 2.2.
  expect(limited.begin().headers).toMatchObject({ 'retry-after': '2', 'retry-after-ms': '1200' })
  end('client-left')
  expect(limited.begin().status).toBe(200)
})

test('if no call in flight has an end, retry-after is one second', () => {
  const limited = two()
  for (let time = 0; time < 2; time++) limited.begin({ headers: { 'x-mock-fault': 'hang' } })
  expect(limited.begin().headers).toMatchObject({ 'retry-after': '1', 'retry-after-ms': '1000' })
})

test.each(['complete', 'cut', 'client-left'] as const)(
  'a call that ends as %s frees its slot for another',
  (outcome) => {
    const limited = new LimitedMock({ limits: { concurrent: 1 } })
    for (let time = 0; time < 10; time++) {
      const { status, end } = limited.begin(STREAM)
      expect(status).toBe(200)
      end(outcome)
      end('complete')
    }
  },
)

test('a refused call takes no slot', () => {
  const limited = new LimitedMock({ limits: { concurrent: 1 } })
  const { end } = limited.begin()
  for (let round = 0; round < 5; round++) expect(limited.begin().status).toBe(429)
  end()
  expect(limited.begin().status).toBe(200)
})

test('an invalid call frees its slot', () => {
  const limited = new LimitedMock({ limits: { concurrent: 1 } })
  expect(limited.call({ body: { ...HELLO, temperature: 9 } }).status).toBe(400)
  expect(limited.begin().status).toBe(200)
})

test.each([
  ['a fault', { headers: { 'x-mock-fault': 'server-error' } }],
  ['the list of models', { path: '/v1/models', method: 'GET' }],
])('%s takes no slot', (_, call) => {
  const limited = new LimitedMock({ limits: { concurrent: 1 } })
  limited.begin(call)
  expect(limited.begin().status).toBe(200)
})

test('a call refused by concurrency does not count against other limits', () => {
  const limited = new LimitedMock({ limits: { concurrent: 1, requests: '2 per day', tokens: '100 per day' } })
  const { end } = limited.begin()
  for (let time = 0; time < 5; time++) expect(limited.begin().status).toBe(429)
  end()
  expect(limited.call().status).toBe(200)
})

test('each key has its own slots, and so has each model with limits', () => {
  const limited = new LimitedMock({
    models: { 'echo-1': {}, large: { limits: { concurrent: 1 } } },
    limits: { concurrent: 1 },
  })
  const large = { body: { ...HELLO, model: 'large' } }
  expect([limited.begin(), limited.begin({ key: 'sk-b' }), limited.begin(large)].map(({ status }) => status)).toEqual([
    200, 200, 200,
  ])
  expect([limited.begin(), limited.begin({ key: 'sk-b' }), limited.begin(large)].map(({ status }) => status)).toEqual([
    429, 429, 429,
  ])
})

test('after a reset all slots are free, and the end of an older call frees none', () => {
  const limited = new LimitedMock({ limits: { concurrent: 1 } })
  const older = limited.begin()
  limited.mock.reset()
  const { status } = limited.begin()
  older.end()
  expect([status, limited.begin().status]).toEqual([200, 429])
})

test('after another scenario is applied all slots are free, and the end of an older call changes nothing', () => {
  const limited = new LimitedMock({ limits: { concurrent: 1 } })
  const older = limited.begin()
  engineOf(limited.mock).use(limited.compile({ limits: { concurrent: 1, tokens: '1000 per day' } }))
  const { status, end } = limited.begin()
  older.end('client-left')
  expect([status, limited.begin().status]).toEqual([200, 429])
  expect(limited.look('tokens').remaining).toBe(995)
  end()
  expect(limited.begin().status).toBe(200)
})

test('if a rate and the concurrency refuse a call, retry-after is the longer wait', () => {
  const limited = new LimitedMock({ pace: { firstToken: '2s' }, limits: { concurrent: 1, requests: '1 per second' } })
  limited.begin()
  expect(limited.begin().headers['retry-after-ms']).toBe('2000')
  limited.now += 1900
  expect(limited.begin().headers['retry-after-ms']).toBe('100')
})
