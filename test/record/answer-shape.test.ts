/** Shapes: what counts as drift and what does not. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareAnswers } from '../../src/record/answer-shape.ts'

const differences = (before: string, now: string): string[] =>
  compareAnswers({ status: 200, body: before }, { status: 200, body: now }).map(
    (one) => `${one.path} ${one.change} ${one.before} -> ${one.now}`,
  )
const between = (before: unknown, now: unknown) => differences(JSON.stringify(before), JSON.stringify(now))

test('answers that differ only in values have the same shape', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(differences(json, json)).toEqual([])
    }),
  )
  expect(between({ id: 'a', n: 1, list: [1, 2] }, { id: 'b', n: 2.5, list: [3] })).toEqual([])
})

test('missing, new and changed fields are reported by path', () => {
  expect(between({ a: { b: 1 } }, { a: { c: 1 } })).toEqual([
    'a.b missing number -> nothing',
    'a.c added nothing -> number',
  ])
  expect(between({ a: [{ b: 1 }] }, { a: [{ b: '1' }] })).toEqual(['a[].b type number -> string'])
  expect(between({ a: null }, { a: 'x' })).toEqual(['a type null -> string'])
})

test('fields below a missing or changed field are not reported', () => {
  expect(between({ a: { b: { c: 1 } } }, {})).toEqual(['a missing object -> nothing'])
  expect(between({ a: { b: 1 } }, { a: 'x' })).toEqual(['a type object -> string'])
})

test('items of an empty list are not compared', () => {
  expect(between({ a: [] }, { a: [{ b: 1 }] })).toEqual([])
  expect(between({ a: [{ b: 1 }] }, { a: [] })).toEqual([])
})

test('items of a list may have different types', () => {
  expect(between([{ a: 1 }, { b: 2 }], [{ b: 1, a: 2 }])).toEqual([])
  expect(between([1, 'a'], [1])).toEqual(['[] type number or string -> number'])
})

test('a stream is compared by the fields of all its chunks together', () => {
  const stream = (...payloads: unknown[]): string =>
    payloads.map((one) => `data: ${one === '[DONE]' ? one : JSON.stringify(one)}\n\n`).join('')
  expect(differences(stream({ a: 1 }, { b: 1 }, '[DONE]'), stream({ b: 1 }, { a: 1 }, { a: 2 }, '[DONE]'))).toEqual([])
  expect(differences(stream({ a: 1 }, '[DONE]'), stream({ a: 1, b: 2 }))).toEqual([
    '[DONE] missing text -> nothing',
    'chunk.b added nothing -> number',
  ])
  expect(differences(stream({ a: 1 }), '{"a":1}')[0]).toBe(' type object or stream -> object')
})

test('an HTML page instead of JSON is a change of type', () => {
  expect(differences('{"a":1}', '<html>')).toEqual([' type object -> text that is not JSON'])
})
