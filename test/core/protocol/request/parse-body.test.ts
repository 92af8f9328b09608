/** The cache of parsed bodies. */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { JsonObject } from '../../../../src/core/lib/text/json.ts'
import { drawResponseIds } from '../../../../src/core/protocol/plan/response-ids.ts'
import { BodyCache } from '../../../../src/core/protocol/request/parse-body.ts'
import { routeOf } from '../../../../src/core/protocol/request/request-path.ts'
import { HELLO, mockWith } from '../../../support/core.ts'

const chat = routeOf('POST', '/v1/chat/completions')
const callOf = (body: string) => ({
  method: 'POST',
  path: '/v1/chat/completions',
  headers: {},
  body,
  bodyLimit: 10_000,
})

test('the same body is parsed once, and results derived from it are kept', () => {
  const readings = new BodyCache()
  const make = vi.fn((body: JsonObject) => body.model)
  const first = readings.of(callOf('{"model":"echo-1"}'), chat)
  const second = readings.of(callOf('{"model":"echo-1"}'), chat)
  expect(second).toBe(first)
  expect([first.once(make), second.once(make)]).toEqual(['echo-1', 'echo-1'])
  expect(make).toHaveBeenCalledOnce()
})

test('an undefined result is kept too', () => {
  const reading = new BodyCache().of(callOf('{}'), chat)
  const make = vi.fn(() => undefined)
  reading.once(make)
  reading.once(make)
  expect(make).toHaveBeenCalledOnce()
})

test('long bodies are not cached, and at most 256 short ones are', () => {
  const readings = new BodyCache()
  const long = callOf(JSON.stringify({ model: 'm'.repeat(8192) }))
  expect(readings.of(long, chat)).not.toBe(readings.of(long, chat))
  const oldest = readings.of(callOf('{"n":0}'), chat)
  for (let n = 1; n <= 256; n++) readings.of(callOf(`{"n":${n}}`), chat)
  expect(readings.of(callOf('{"n":0}'), chat)).not.toBe(oldest)
})

test('the same body to two endpoints is two requests', () => {
  const readings = new BodyCache()
  const embeddings = { ...callOf('{}'), path: '/v1/embeddings' }
  expect(readings.of(embeddings, routeOf('POST', '/v1/embeddings')).low).not.toBe(readings.of(callOf('{}'), chat).low)
})

test('the cache changes no answer', () => {
  const kept = mockWith()
  kept.answer()
  const forgotten = mockWith()
  forgotten.answer()
  for (let seed = 0; seed < 300; seed++) forgotten.answer({ body: { ...HELLO, seed } })
  expect(forgotten.answer()).toEqual(kept.answer())
})

test('any 64 bits give ids in the alphabet of the service and times within its bounds', () => {
  const bits = fc.nat({ max: 0xffffffff })
  fc.assert(
    fc.property(bits, bits, (low, high) => {
      const { requestId, completionId, rayId, processingRank, second } = drawResponseIds(low, high)
      expect(requestId).toMatch(/^req_[0-9a-f]{32}$/)
      expect(completionId).toMatch(/^chatcmpl-[A-Za-z0-9]{29}$/)
      expect(rayId).toMatch(/^[0-9a-f]{16}-[A-Z]{3}$/)
      expect(processingRank >= 0 && processingRank < 1 && second >= 0 && second < 31_536_000).toBe(true)
      expect(drawResponseIds(low, high)).toEqual({ requestId, completionId, rayId, processingRank, second })
    }),
  )
})

test('100,000 answers have different ids, with evenly distributed letters', () => {
  const ids = new Set<string>()
  const letters = new Map<string, number>()
  for (let low = 0; low < 100_000; low++) {
    const { completionId } = drawResponseIds(low, 7)
    ids.add(completionId)
    for (const letter of completionId.slice('chatcmpl-'.length)) letters.set(letter, (letters.get(letter) ?? 0) + 1)
  }
  expect(ids.size).toBe(100_000)
  expect(letters.size).toBe(62)
  // 46,774 of each are due, give or take 215: six of those are hardly ever exceeded.
  for (const count of letters.values()) expect(Math.abs(count - (29 * 100_000) / 62)).toBeLessThan(6 * 215)
})
