import { expect, test } from 'vitest'
import { HELLO, World } from '../../support/core.ts'

test('the same call of the same key is answered with the same bytes', () => {
  expect(new World().answer()).toEqual(new World().answer())
})

test('spaces in the JSON make no difference', () => {
  expect(new World().answer({ body: JSON.stringify(HELLO, null, 2) })).toEqual(new World().answer())
})

test.each([
  ['seed', () => new World({ seed: 2 }).json().id],
  ['key', () => new World().json({ key: 'sk-other' }).id],
  ['body', () => new World().json({ body: { ...HELLO, temperature: 1 } }).id],
  [
    'attempt',
    () => {
      const world = new World()
      world.answer()
      return world.json().id
    },
  ],
])('another %s gives another id', (_, id) => {
  expect(id()).not.toBe(new World().json().id)
})

test('other calls in between change nothing', () => {
  const busy = new World()
  for (let other = 0; other < 20; other++) busy.answer({ key: `sk-${other}`, body: { ...HELLO, seed: other } })
  expect(busy.answer()).toEqual(new World().answer())
})

test('ids have the lengths and letters of the service', () => {
  const { id, created, system_fingerprint } = new World().json()
  expect(id).toMatch(/^chatcmpl-[A-Za-z0-9]{29}$/)
  expect(new Date(created * 1000).getUTCFullYear()).toBe(2025)
  expect(system_fingerprint).toMatch(/^fp_[0-9a-f]{10}$/)
  expect(new World().answer().headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/)
})

test('the seeded answer to a greeting is pinned', () => {
  expect(new World().answer()).toMatchSnapshot()
})
