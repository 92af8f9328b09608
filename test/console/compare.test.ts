/** Comparing JSON values, and two calls. */
import { expect, test } from 'vitest'
import { choosePartner, compareCalls, diffJson } from '../../src/console/call/compare-calls.ts'
import { asking, openedCall } from '../support/console.ts'

test('values differ field by field, with their paths', () => {
  const left = { a: 1, list: [1, { b: 2 }], gone: null, 'odd name': 1 }
  const right = { a: 1, list: [1, { b: 3 }, 4], 'odd name': 2, toString: 'own' }
  expect(diffJson(left, right)).toEqual([
    { path: 'list[1].b', left: 2, right: 3 },
    { path: 'list[2]', left: undefined, right: 4 },
    { path: 'gone', left: null, right: undefined },
    { path: '["odd name"]', left: 1, right: 2 },
    { path: 'toString', left: undefined, right: 'own' },
  ])
  expect(diffJson(left, left)).toEqual([])
  expect(diffJson(left, [1])).toEqual([{ path: '', left, right: [1] }])
})

test('the differences are bounded, in number and in depth', () => {
  expect(
    diffJson(
      Array.from({ length: 1000 }, () => 0),
      [],
    ).length,
  ).toBe(200)
  const nested = (leaf: number): unknown => {
    let value: unknown = leaf
    for (let depth = 0; depth < 5000; depth++) value = [value]
    return value
  }
  expect(diffJson(nested(1), nested(2)).length).toBe(1)
})

test('two calls are compared by facts, request, headers and content; a stream compares with a whole answer', () => {
  const scenario = { replies: [{ when: { attempt: 1 }, say: 'Wet.' }, { say: 'Dry.' }] }
  const left = openedCall(scenario, asking('Rain?'))
  const right = openedCall(scenario, asking('Rain?', { stream: true }), asking('Rain?', { stream: true }))
  const differing = compareCalls(left, right).filter(([, left, right]) => left !== right)
  expect(differing.map(([name]) => name)).toContain('Matched by')
  expect(differing).toContainEqual(['Request body stream', '', 'true'])
  expect(differing).toContainEqual(['Response body text', 'Wet.', 'Dry.'])
  expect(differing.filter(([name]) => /^Re\w+ body/.test(name))).toHaveLength(2)
})

test('a call is compared with the previous attempt first, or else with the previous call of its key', () => {
  const base = openedCall({})
  const calls = [
    { ...base, number: 1 },
    { ...base, number: 2, request: 'other' },
    { ...base, number: 3, caller: 'other' },
  ]
  expect(choosePartner({ ...base, number: 4 }, calls)).toBe(1)
  expect(choosePartner({ ...base, number: 4, request: 'new' }, calls)).toBe(2)
  expect(choosePartner({ ...base, number: 4, caller: 'new' }, calls)).toBe(3)
  expect(choosePartner({ ...base, number: 1 }, calls)).toBeUndefined()
})
