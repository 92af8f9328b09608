/** Stored responses: chains, bounds, and what no chain can do. */
import { expect, test } from 'vitest'
import { AnswerStore, type StoredResponse } from '../../../../src/core/decide/state/answer-store.ts'
import { sessionIdOf } from '../../../../src/core/decide/state/session-id.ts'

const sessionId = sessionIdOf('sk-test', '')
const hex = (number: number): string => number.toString(16).padStart(16, '0')
const idOf = (number: number): string => `resp_${hex(number)}0068784ced${'0'.repeat(24)}`
const itemOf = (number: number): string => `msg_${hex(number)}0068784ced${'1'.repeat(24)}`

function stored(number: number, more: Partial<StoredResponse> = {}): StoredResponse {
  const previousId = number === 0 ? undefined : idOf(number - 1)
  return {
    type: 'response',
    sessionId,
    id: idOf(number),
    previousId,
    references: [],
    itemIds: [],
    answer: '{"output":[]}',
    request: JSON.stringify({ previous_response_id: previousId, input: `turn ${number}` }),
    ...more,
  }
}

function storeWith(...responses: readonly StoredResponse[]): AnswerStore {
  const store = new AnswerStore()
  for (const one of responses) store.put(one)
  return store
}
const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number)
const chainOf = (store: AnswerStore, number: number) => store.chain(sessionId, idOf(number))

test('a chain has its responses from the first one on', () => {
  const responses = numbers(10_000).map((number) => stored(number))
  expect(chainOf(storeWith(...responses), 9999)).toEqual({ responses })
})

test('two responses may go on from the same one', () => {
  const [first, second, branch] = [stored(0), stored(1), stored(2, { previousId: idOf(0) })]
  const store = storeWith(first, second, branch)
  expect(chainOf(store, 1)).toEqual({ responses: [first, second] })
  expect(chainOf(store, 2)).toEqual({ responses: [first, branch] })
})

test('a chain without one of its responses names the missing one', () => {
  const store = storeWith(stored(0), stored(1), stored(2))
  store.delete(sessionId, idOf(0))
  expect(chainOf(store, 2)).toEqual({ missing: idOf(0) })
})

test('a chain that leads back to itself ends', () => {
  const store = storeWith(stored(1), stored(2), stored(1, { previousId: idOf(2) }))
  expect(chainOf(store, 2)).toHaveProperty('missing')
})

test('the oldest of 10,000 answers leaves first, whatever its type', () => {
  const store = new AnswerStore()
  const completion = { type: 'completion', sessionId, id: 'chatcmpl-1', model: 'm', metadata: {} } as const
  store.put({ ...completion, answer: '{}', request: '{}' })
  for (const number of numbers(10_000)) store.put(stored(number))
  expect(store.completionsOf(sessionId)).toEqual([])
  store.put(stored(10_000))
  expect(chainOf(store, 10_000)).toEqual({ missing: idOf(0) })
  expect(store.response(sessionId, idOf(1))).toBeDefined()
})

test('an item finds its response, and no id finds one of another session', () => {
  const store = storeWith(stored(7))
  expect(store.responseWith(sessionId, itemOf(7))?.id).toBe(idOf(7))
  expect(store.responseWith(sessionIdOf('sk-other', ''), itemOf(7))).toBeUndefined()
  expect(store.responseWith(sessionIdOf('sk-test', 't1'), itemOf(7))).toBeUndefined()
  expect(store.response(sessionId, itemOf(7))).toBeUndefined()
  store.delete(sessionId, itemOf(7))
  expect(store.response(sessionId, idOf(7))).toBeDefined()
})

test('the responses that a request can read are those it names, and those that they name', () => {
  const references = (...ids: readonly string[]): string =>
    JSON.stringify({ input: ids.map((id) => ({ type: 'item_reference', id })) })
  const store = storeWith(...numbers(4).map((number) => stored(number)))
  store.put(stored(5, { request: references(itemOf(2)), previousId: undefined, references: [itemOf(2)] }))
  const named = (request: string): readonly string[] => store.responsesNamedIn(sessionId, request).map(({ id }) => id)
  expect(named(JSON.stringify({ previous_response_id: idOf(1) }))).toEqual([idOf(1), idOf(0)])
  expect(named(references(itemOf(5)))).toEqual([idOf(5), idOf(2), idOf(1), idOf(0)])
  expect(named(JSON.stringify({ input: `"previous_response_id": "${idOf(1)}"` }))).toEqual([])
})
