/** Calls that take time wait for it without holding up others, and the order of a key's calls holds. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { CallQueue } from '../../src/engine/scheduling/call-queue.ts'
import { type CallOverrides, call } from '../support/call.ts'

/** A queue in which calls to /v1/embeddings take time, until the test ends their wait in any order. */
function queue() {
  const seen: string[] = []
  const waiting: (() => void)[] = []
  const begun: string[] = []
  const nameOf = ({ body }: { readonly body: string | undefined }): string => {
    seen.push(body!)
    if (body === 'broken') throw new Error('broken')
    return body!
  }
  const calls = new CallQueue<string>({
    begin: nameOf,
    beginLater: async (one) => {
      if (one.path === '/v1/embeddings') await new Promise<void>((resolve) => waiting.push(resolve))
      return nameOf(one)
    },
    takesTime: ({ path }) => path === '/v1/embeddings',
  })
  const add = (name: string, overrides: CallOverrides = {}): void =>
    calls.add(
      call({ ...overrides, body: name }),
      (done) => begun.push(done),
      (error) => begun.push(String(error)),
    )
  return {
    add,
    slow: (name: string, key?: string) => add(name, { path: '/v1/embeddings', ...(key && { key }) }),
    waiting,
    begun,
  }
}

test('a call that takes no time is begun at once', () => {
  const { add, begun } = queue()
  add('one')
  expect(begun).toEqual(['one'])
})

test('later calls of a key wait for one that takes time, and those of other keys do not', async () => {
  const { add, slow, waiting, begun } = queue()
  slow('first')
  add('second')
  slow('third')
  add('fourth')
  add('other', { key: 'sk-b' })
  expect(begun).toEqual(['other'])
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  waiting[0]!()
  await vi.waitFor(() => expect(waiting).toHaveLength(2))
  expect(begun).toEqual(['other', 'first', 'second'])
  waiting[1]!()
  await vi.waitFor(() => expect(begun).toEqual(['other', 'first', 'second', 'third', 'fourth']))
  add('last')
  expect(begun.at(-1)).toBe('last')
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

test('with fake timers no call takes time', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { slow, begun } = queue()
  slow('one')
  expect(begun).toEqual(['one'])
})
