/** A short run of same-bytes; the long one, with other versions of Node, is `npm run same-bytes`. */
import { expect, test } from 'vitest'
import { compare } from '../../scripts/same-bytes/compare.ts'
import { generateCalls } from '../../scripts/same-bytes/corpus.ts'
import { ORDERS, play, type Way } from '../../scripts/same-bytes/play.ts'

const SEED = 1
const calls = generateCalls(240, SEED)
const ways = (['HTTP', 'in process'] as const).flatMap((transport) =>
  ORDERS.map((order): Way => ({ transport, order, isFetchOnly: true })),
)

test('generated calls with several keys get the same bytes in every order, over HTTP and in process', async () => {
  const [first, ...others] = ways
  const expected = await play(calls, first!)
  expect(expected.map((answer) => answer?.status)).toEqual(expect.arrayContaining([200, 400, 401, 404]))
  for (const way of others) {
    const { compared, differences } = compare(expected, await play(calls, way))
    expect(differences, `${way.transport}, ${way.order}`).toEqual([])
    expect(compared).toBeGreaterThan(calls.length / 2)
  }
})

test('calls that fetch cannot send get the same bytes in every order', async () => {
  const way = { transport: 'HTTP', order: 'as generated', isFetchOnly: false } as const
  const expected = await play(calls, way)
  expect(expected).not.toContain(undefined)
  expect(compare(expected, await play(calls, { ...way, order: '16 keys at once' })).differences).toEqual([])
})

test('a difference is counted in bytes and shown with its place', () => {
  const answer = { status: 200, headers: [['x', '1']], bytes: 'the same words', isBroken: false } as const
  expect(compare([answer, undefined], [{ ...answer, bytes: 'the same birds' }, answer])).toEqual({
    compared: 1,
    differences: [{ number: 0, bytes: 2, what: expect.stringContaining('body at byte 9 (14 and 14 bytes)') }],
  })
  expect(compare([answer], [{ ...answer, headers: [] }]).differences[0]!.what).toBe(
    'headers: expected x: 1, got nothing',
  )
})
