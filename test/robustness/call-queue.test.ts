/** Calls that take time wait for it without holding up others, and the order of a key's calls holds. */
import { expect, test, vi } from 'vitest'
import { CallQueue } from '../../src/engine/call-order.ts'
import { type CallOverrides, call } from '../support/call.ts'

/** A queue of calls to begin, and those to /v1/embeddings wait until the test ends their wait, in any order. */
function queue() {
  const waiting: (() => void)[] = []
  const begun: string[] = []
  const calls = new CallQueue()
  const begin = async (name: string, isSlow: boolean): Promise<string> => {
    if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve))
    if (name === 'broken') throw new Error('broken')
    return name
  }
  const add = (name: string, overrides: CallOverrides = {}): void =>
    calls.add(call(overrides), async ({ before }) => {
      await before.begun
      begun.push(await begin(name, overrides.path === '/v1/embeddings').catch(String))
    })
  const slow = (name: string, key = 'sk-test'): void => add(name, { path: '/v1/embeddings', key })
  return { calls, add, slow, waiting, begun }
}

test('a queue knows whether a call of the same key is not begun yet', async () => {
  const { calls, slow, waiting, begun } = queue()
  expect(calls.precedes(call())).toBe(false)
  slow('first')
  expect([calls.precedes(call()), calls.precedes(call({ key: 'sk-b' }))]).toEqual([true, false])
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  waiting[0]!()
  await vi.waitFor(() => expect(begun).toEqual(['first']))
  await vi.waitFor(() => expect(calls.precedes(call())).toBe(false))
})

test('later calls of a key wait for one that takes time, and those of other keys do not', async () => {
  const { add, slow, waiting, begun } = queue()
  slow('first')
  add('second')
  slow('third')
  add('fourth')
  add('other', { key: 'sk-b' })
  await vi.waitFor(() => expect(begun).toEqual(['other']))
  expect(waiting).toHaveLength(1)
  waiting[0]!()
  await vi.waitFor(() => expect(waiting).toHaveLength(2))
  expect(begun).toEqual(['other', 'first', 'second'])
  waiting[1]!()
  await vi.waitFor(() => expect(begun).toEqual(['other', 'first', 'second', 'third', 'fourth']))
})

test('calls of different keys take their time beside one another', async () => {
  const { slow, waiting, begun } = queue()
  slow('first', 'sk-a')
  slow('second', 'sk-b')
  await vi.waitFor(() => expect(waiting).toHaveLength(2))
  waiting[1]!()
  await vi.waitFor(() => expect(begun).toEqual(['second']))
  waiting[0]!()
  await vi.waitFor(() => expect(begun).toEqual(['second', 'first']))
})

test('a call that fails does not hold up the next one of its key', async () => {
  const { add, slow, waiting, begun } = queue()
  add('broken')
  slow('broken')
  add('next')
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  waiting[0]!()
  await vi.waitFor(() => expect(begun).toEqual(['Error: broken', 'Error: broken', 'next']))
})
