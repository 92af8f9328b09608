/**
 * Attack: an attacker guesses the token of the control plane letter by letter, by how long a refusal takes.
 * Defence: what is compared is two digests, in constant time: neither the letters of the token nor its length make a
 * difference. Keys of a scenario are no secrets (it is a file in a repository); they are found by their hash in a map and
 * never compared letter by letter, unless they have a star.
 */
import { timingSafeEqual } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { serve } from '../support/http.ts'
import { attack } from './attacker.ts'

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>()
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) }
})

test('every guess of any length is compared in constant time, over the same number of bytes', async () => {
  const server = await serve('default', { listen: { host: '0.0.0.0', token: 'a-token-of-some-length' } })
  const compare = vi.mocked(timingSafeEqual)
  for (const guess of ['', 'a', 'a-token-of-some-lengtx', 'x'.repeat(4000)]) {
    compare.mockClear()
    expect((await attack(server, { headers: [`Authorization: Bearer ${guess}`] })).status).toBe(401)
    expect(compare.mock.calls.map(([given, wanted]) => [given.byteLength, wanted.byteLength])).toEqual([[32, 32]])
  }
})

test.each(['sk-secret-key-0', 'sk-secret-key-012', 'SK-SECRET-KEY-01', 'constructor', '__proto__', '*', 'sk-*'])(
  'only the whole key is the key: %s is not',
  async (key) => {
    const server = await serve({ description: 'x', keys: { 'sk-secret-key-01': {} } })
    const status = async (given: string) =>
      (await fetch(`${server.url}/models`, { headers: { authorization: `Bearer ${given}` } })).status
    expect([await status(key), await status('sk-secret-key-01')]).toEqual([401, 200])
  },
)
