/** A server that is late with everything: it goes on at once, and the client sees the same answer. */
import { expect, test, vi } from 'vitest'
import { createMock } from '../../src/index.ts'
import { listen } from '../../src/node.ts'
import { wakeAtOnce } from '../support/transports.ts'

test('an answer that starts after all its waits still arrives in pieces, and the journal has the time of each', async () => {
  let time = 0
  const clock = { speed: 1, now: () => (time += 1000), wake: wakeAtOnce }
  const mock = createMock({ description: 'Paced.', pace: { firstToken: '2ms', perToken: '1ms' } }, { clock })
  await using server = await listen(mock, { port: 0 })
  const response = await fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'echo-1', stream: true, messages: [{ role: 'user', content: 'One two three' }] }),
  })
  expect((await response.text()).match(/^data: /gm)).toHaveLength(6)
  await vi.waitFor(() => expect(mock.journal).toMatchObject([{ outcome: 'complete' }]))
  const { timeline } = mock.journal[0]!
  expect(timeline!.map(({ type }) => type).filter((type) => type === 'wait')).toHaveLength(3)
  expect(timeline!.every(({ atMs }) => atMs !== undefined && atMs > 0)).toBe(true)
  expect(mock.timing.report()).toMatchObject({ waits: 3, valid: false })
})
