import fc from 'fast-check'
import { expect, test } from 'vitest'
import { World } from '../support/core.ts'

const threePerMinute = () => new World({ limits: { requests: '3 per minute' } })

test('the fourth call in a minute is a 429', () => {
  const world = threePerMinute()
  const statuses = [0, 1, 2, 3].map((now) => world.answer({ now }).status)
  expect(statuses).toEqual([200, 200, 200, 429])
})

test('a client that waits retry-after-ms succeeds; one that comes a millisecond early does not', () => {
  const world = threePerMinute()
  for (const now of [0, 0, 0]) world.answer({ now })
  const { headers } = world.answer({ now: 0 })
  expect(headers['retry-after']).toBe('20')
  expect(headers['retry-after-ms']).toBe('20000')
  expect(world.answer({ now: 19_999 }).status).toBe(429)
  expect(world.answer({ now: 20_000 }).status).toBe(200)
})

test('the message says what the service says', () => {
  const world = threePerMinute()
  for (const now of [0, 0, 0]) world.answer({ now })
  const { error } = world.json({ now: 0 })
  expect(error).toMatchObject({ type: 'requests', param: null, code: 'rate_limit_exceeded' })
  expect(error.message).toMatch(
    /^Rate limit reached for echo-1 in organization org-\w{24} on requests per min \(RPM\): Limit 3, Used 3, Requested 1\. Please try again in 20s\. Visit /,
  )
})

test('headers tell limit, remaining and reset, as Go durations', () => {
  const world = new World({ limits: { requests: '10000 per day', tokens: '200000 per minute' } })
  expect(world.answer().headers).toMatchObject({
    'x-ratelimit-limit-requests': '10000',
    'x-ratelimit-remaining-requests': '9999',
    'x-ratelimit-reset-requests': '8.64s',
    'x-ratelimit-limit-tokens': '200000',
    'x-ratelimit-remaining-tokens': '199995',
    'x-ratelimit-reset-tokens': '1ms',
  })
})

test('each key has limits of its own', () => {
  const world = threePerMinute()
  for (const now of [0, 0, 0]) world.answer({ now, key: 'sk-a' })
  expect(world.answer({ now: 0, key: 'sk-a' }).status).toBe(429)
  expect(world.answer({ now: 0, key: 'sk-b' }).status).toBe(200)
})

test('a key may have limits of its own, and keeps the others of the scenario', () => {
  const world = new World({
    keys: { 'sk-tight': { limits: { requests: '1 per minute' } }, 'sk-free': {} },
    limits: { tokens: '1000 per minute' },
  })
  const { headers } = world.answer({ key: 'sk-tight' })
  expect(headers['x-ratelimit-limit-requests']).toBe('1')
  expect(headers['x-ratelimit-limit-tokens']).toBe('1000')
  expect(world.answer({ key: 'sk-tight' }).status).toBe(429)
  expect(world.answer({ key: 'sk-free' }).headers).not.toHaveProperty('x-ratelimit-limit-requests')
})

test('a request that is larger than the whole limit has no retry-after', () => {
  const world = new World({ limits: { tokens: '10 per minute' } })
  const body = { model: 'echo-1', messages: [{ role: 'user', content: 'x'.repeat(100) }] }
  const { status, headers, text } = world.answer({ body })
  expect(status).toBe(429)
  expect(headers).not.toHaveProperty('retry-after')
  expect(JSON.parse(text).error.message).toContain('Request too large for echo-1')
})

test('a refused call costs nothing', () => {
  const world = threePerMinute()
  for (const now of [0, 0, 0]) world.answer({ now })
  for (let again = 0; again < 50; again++) world.answer({ now: 0 })
  expect(world.answer({ now: 20_000 }).status).toBe(200)
})

test('never more calls pass than the bucket holds and refills, and whoever waits as told passes', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom('second', 'minute', 'hour'),
      fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 80 }),
      (amount, window, gaps) => {
        const windowMs = { second: 1000, minute: 60_000, hour: 3_600_000 }[window]!
        const world = new World({ limits: { requests: `${amount} per ${window}` } })
        let now = 0
        let passed = 0
        for (const gap of gaps) {
          now += gap
          const { status, headers } = world.answer({ now })
          if (status === 200) passed++
          else {
            const wait = Number(headers['retry-after-ms'])
            if (wait > 1) expect(world.answer({ now: now + wait - 1 }).status).toBe(429)
            now += wait
            expect(world.answer({ now }).status).toBe(200)
            passed++
          }
          expect(passed).toBeLessThanOrEqual(amount + (now * amount) / windowMs + 1e-6)
        }
      },
    ),
    { numRuns: 60 },
  )
})
