/** A long stream: its events are looked up by number when they are read. */
import { expect, test } from 'vitest'
import { EventList, LongStream } from '../../../../src/core/protocol/plan/event-list.ts'

class CountedList extends EventList {
  readonly length = 1000
  readonly minBytes = 0
  readonly maxBytes = Number.POSITIVE_INFINITY
  readonly tokens = 1000
  lookups = 0

  textOf(number: number): string {
    return `data: ${number}\n\n`
  }

  tokensOf(): number {
    this.lookups++
    return 1
  }

  isBeside(): boolean {
    this.lookups++
    return false
  }
}

test('the tokens of a long stream are looked up only for events whose tokens are read', () => {
  const list = new CountedList((measure) => measure())
  const stream = new LongStream({ type: 'head', status: 200, headers: {} }, list)
  const events = [...stream].filter((event) => event.type === 'send')
  expect(events[999]).toMatchObject({ type: 'send', data: 'data: 999\n\n', byteLength: 11 })
  expect(list.lookups).toBe(0)
  expect([events[999]!.tokens, events[999]!.isBeside, list.lookups]).toEqual([1, false, 2])
})
