/** The events of the mock are read however the network cuts them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents } from '../../src/console/app/control-api.ts'

async function read(...chunks: readonly string[]): Promise<unknown[]> {
  const events: unknown[] = []
  const texts = (async function* () {
    yield* chunks
  })()
  for await (const event of readEvents(texts)) events.push(event)
  return events
}

test('an event has a name and data; a heartbeat is not an event', async () => {
  const text = 'event: hello\ndata: {"now":1}\n\n: still here\n\nevent: call\ndata: 7\n\n'
  expect(await read(text)).toEqual([
    { name: 'hello', data: { now: 1 } },
    { name: 'call', data: 7 },
  ])
})

test('events split at any byte are read the same', async () => {
  const event = fc.record({ name: fc.stringMatching(/^[a-z]{1,8}$/), data: fc.json() })
  await fc.assert(
    fc.asyncProperty(fc.array(event), fc.array(fc.nat(40)), async (events, sizes) => {
      const text = events.map(({ name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('')
      const chunks: string[] = []
      let rest = text
      for (const size of sizes) {
        chunks.push(rest.slice(0, size))
        rest = rest.slice(size)
      }
      expect(await read(...chunks, rest)).toEqual(events)
    }),
  )
})
