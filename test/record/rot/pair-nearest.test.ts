/** The pairs of requests and recordings: the same as those of a naive search, found in little time. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/core/lib/text/json.ts'
import { distanceOf, type SentRequest } from '../../../src/engine/index.ts'
import { pairNearest } from '../../../src/record/rot/pair-nearest.ts'

interface Recorded {
  readonly endpoint: string
  readonly request: JsonObject
}

/** Compares all with all, and takes the nearest pair first. */
function pairNaively(requests: readonly SentRequest[], recordings: readonly Recorded[]) {
  const all = requests.flatMap((request) =>
    recordings.flatMap((one) => {
      const distance = one.endpoint === request.endpoint ? distanceOf(one.request, request.body) : undefined
      return distance === undefined ? [] : { request, one, distance }
    }),
  )
  const taken = new Set<object>()
  return all
    .sort((a, b) => a.distance - b.distance)
    .flatMap(({ request, one }) => {
      if (taken.has(request) || taken.has(one)) return []
      taken.add(request).add(one)
      return [[request, one] as const]
    })
}

const text = fc.constantFrom('Hi', 'Rome?', 'Oslo?', 'Be brief.', 'from [redacted]')
const message = fc.record(
  { role: fc.constantFrom('system', 'user'), content: text, name: fc.constantFrom('a', 'b') },
  { requiredKeys: ['role', 'content'] },
)
const body = fc.record(
  {
    model: fc.constantFrom('gpt-4o', 'gpt-5.2'),
    messages: fc.array(message, { minLength: 1, maxLength: 3 }),
    input: fc.oneof(text, fc.array(text, { maxLength: 2 })),
    n: fc.constantFrom(1, 2),
    user: text,
    response_format: fc.record({ type: fc.constantFrom('text', 'json_object'), more: fc.boolean() }),
  },
  { requiredKeys: ['model'] },
) as fc.Arbitrary<JsonObject>
const endpoint = fc.constantFrom<SentRequest['endpoint'][]>('chat', 'responses')

test('the pairs are those of a naive search', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ endpoint, body }), { maxLength: 8 }),
      fc.array(fc.record({ endpoint, request: body }), { maxLength: 8 }),
      (requests, recordings) => {
        const pairs = pairNearest(requests, recordings)
        expect(new Set(pairs.map((pair) => JSON.stringify(pair)))).toEqual(
          new Set(pairNaively(requests, recordings).map((pair) => JSON.stringify(pair))),
        )
        expect(pairs.map(([request]) => requests.indexOf(request)).length).toBe(
          pairNaively(requests, recordings).length,
        )
      },
    ),
    { numRuns: 500 },
  )
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
