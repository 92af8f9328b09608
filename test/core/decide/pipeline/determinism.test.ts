/** The same call has the same answer, whatever comes before it. */
import { expect, test } from 'vitest'
import { HELLO, mockWith } from '../../../support/core.ts'

test('the same call of the same key is answered with the same bytes', () => {
  expect(mockWith().answer()).toEqual(mockWith().answer())
})

test('whitespace in the JSON does not change the answer', () => {
  expect(mockWith().answer({ body: JSON.stringify(HELLO, null, 2) })).toEqual(mockWith().answer())
})

test.each([
  ['seed', () => mockWith({ seed: 2 }).json().id],
  ['key', () => mockWith().json({ key: 'sk-other' }).id],
  ['body', () => mockWith().json({ body: { ...HELLO, temperature: 1 } }).id],
  [
    'attempt',
    () => {
      const mock = mockWith()
      mock.answer()
      return mock.json().id
    },
  ],
])('another %s gives another id', (_, id) => {
  expect(id()).not.toBe(mockWith().json().id)
})

test('other calls in between do not change the answer', () => {
  const busy = mockWith()
  for (let other = 0; other < 20; other++) busy.answer({ key: `sk-${other}`, body: { ...HELLO, seed: other } })
  expect(busy.answer()).toEqual(mockWith().answer())
})

test('ids have the lengths and letters of the service', () => {
  const { id, created, system_fingerprint } = mockWith().json()
  expect(id).toMatch(/^chatcmpl-[A-Za-z0-9]{29}$/)
  expect(new Date(created * 1000).getUTCFullYear()).toBe(2025)
  expect(system_fingerprint).toMatch(/^fp_[0-9a-f]{10}$/)
  expect(mockWith().answer().headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/)
})

test('the seeded answer to a greeting is pinned', () => {
  expect(mockWith().answer()).toMatchSnapshot()
})
