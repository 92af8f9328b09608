/** The pairs of requests and recordings. */
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/core/lib/text/json.ts'
import type { SentRequest } from '../../../src/engine/index.ts'
import { pairNearest } from '../../../src/record/rot/pair-nearest.ts'

const chat = (user: string, more: object = {}): JsonObject => ({
  model: 'gpt-4o',
  messages: [{ role: 'user', content: user }],
  ...more,
})

/** The places of the pairs: of each request, and of its recording. */
function placesOf(requests: readonly JsonObject[], recordings: readonly JsonObject[]): (readonly [number, number])[] {
  const sent = requests.map((body): SentRequest => ({ endpoint: 'chat', body }))
  const recorded = recordings.map((request) => ({ endpoint: 'chat', request }))
  return pairNearest(sent, recorded).map(([one, other]) => [sent.indexOf(one), recorded.indexOf(other)])
}

test('the nearest pair is found first, and a recording has one request', () => {
  const recordings = [chat('Rome?'), chat('Oslo?')]
  expect(placesOf([chat('Rome!', { n: 2 }), chat('Rome?', { n: 2 })], recordings)).toEqual([
    [1, 0],
    [0, 1],
  ])
  expect(placesOf([chat('Rome?'), chat('Rome?'), chat('Rome?')], recordings)).toHaveLength(2)
})

test('of equally near ones, the first request and the first recording are a pair', () => {
  expect(placesOf([chat('a'), chat('b')], [chat('c'), chat('d')])).toEqual([
    [0, 0],
    [1, 1],
  ])
})

test('a text counts twice, and a redacted one equals any', () => {
  expect(placesOf([chat('Rome?')], [chat('Oslo?'), chat('Rome?', { n: 2 })])).toEqual([[0, 1]])
  expect(placesOf([chat('I am Ann', { n: 2 })], [chat('I am Bob'), chat('I am [redacted]')])).toEqual([[0, 1]])
})

test('a request with another model and another text is no pair, nor is one to another endpoint', () => {
  expect(placesOf([chat('Rome?', { model: 'gpt-5.2' })], [chat('Oslo?')])).toEqual([])
  const request: SentRequest = { endpoint: 'responses', body: chat('Rome?') }
  expect(pairNearest([request], [{ endpoint: 'chat', request: chat('Rome?') }])).toEqual([])
})

const SYSTEM = { role: 'system', content: 'Be brief.' }
const asked = (index: number, more: object, system = SYSTEM): JsonObject => ({
  model: 'gpt-5.2',
  messages: [system, { role: 'user', content: `Question ${index}` }, { role: 'assistant', content: `Turn ${index}` }],
  ...more,
})
const COUNT = 1000

test.each([
  ['a new parameter', (index: number) => asked(index, { n: 1 })],
  ['another system message', (index: number) => asked(index, {}, { role: 'system', content: 'Be very brief.' })],
  ['other texts everywhere', (index: number) => asked(index + COUNT, {})],
  ['a trace id in each', (index: number) => asked(index, { metadata: { trace: index } })],
])('1,000 requests with %s are paired with 1,000 recordings', (_, sentBody) => {
  const recordings = Array.from({ length: COUNT }, (_, index) => ({ endpoint: 'chat', request: asked(index, {}) }))
  const requests = Array.from({ length: COUNT }, (_, index): SentRequest => {
    // In another order than the recordings.
    return { endpoint: 'chat', body: sentBody((index * 7) % COUNT) }
  })
  const pairs = pairNearest(requests, recordings)
  expect(pairs).toHaveLength(COUNT)
})
