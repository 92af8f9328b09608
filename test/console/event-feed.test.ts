/** Server-sent events are read however the network cuts them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventReader } from '../../src/console/app/control-api.ts'

test('an event has a name and data; a heartbeat is not an event', () => {
  const text = 'event: hello\ndata: {"now":1}\n\n: still here\n\ndata: plain\ndata: in two lines\n\n'
  expect(new EventReader().feed(text)).toEqual([
    { event: 'hello', data: '{"now":1}' },
    { event: 'message', data: 'plain\nin two lines' },
  ])
})

test('events split at any byte are read the same', () => {
  const event = fc.record({ event: fc.stringMatching(/^[a-z]{1,8}$/), data: fc.json() })
  fc.assert(
    fc.property(fc.array(event), fc.array(fc.nat(40)), (events, sizes) => {
      const text = events.map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`).join('')
      const reader = new EventReader()
      const read: unknown[] = []
      let rest = text
      for (const size of sizes) {
        read.push(...reader.feed(rest.slice(0, size)))
        rest = rest.slice(size)
      }
      read.push(...reader.feed(rest))
      expect(read).toEqual(events)
    }),
  )
})
