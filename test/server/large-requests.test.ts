/** Large requests are read when there is room for them, in order of arrival. */
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { LargeRequests } from '../../src/http/memory-bounds.ts'

const LIMIT = 1_000_000

/** Sends requests with these headers to a bound of 1 MB; `receive[i]` is the arrival of the i-th body, `hold[i]` the size of its plan, `decide[i]` and `leave[i]` end it. */
function admitAll(...headers: readonly Record<string, string>[]) {
  const requests = new LargeRequests(LIMIT)
  const read: number[] = []
  const receive: (() => void)[] = []
  const decide: (() => void)[] = []
  const hold: ((planBytes: number) => void)[] = []
  const leave = headers.map((one, index) => {
    const response = Object.assign(new EventEmitter(), { req: { headers: one } })
    requests.admit(response as unknown as ServerResponse, LIMIT, (room) => {
      read.push(index)
      receive[index] = () => room!.receive()
      decide[index] = () => room!.release()
      hold[index] = (planBytes) => room!.hold(planBytes)
    })
    return () => void response.emit('close')
  })
  return { read, receive, decide, hold, leave }
}

const large = { 'content-length': '600000' }
const small = { 'content-length': '4096' }
const chunked = { 'transfer-encoding': 'chunked' }

describe('a large request', () => {
  test('waits for room, and the first that came is read first', () => {
    const { read, decide } = admitAll(large, large, large)
    expect(read).toEqual([0])
    decide[0]!()
    expect(read).toEqual([0, 1])
    decide[0]!()
    expect(read).toEqual([0, 1])
    decide[1]!()
    expect(read).toEqual([0, 1, 2])
  })

  test('makes room when its client leaves, whether it was read or waited', () => {
    const { read, leave } = admitAll(large, large, large)
    leave[1]!()
    expect(read).toEqual([0])
    leave[0]!()
    expect(read).toEqual([0, 2])
  })

  test('keeps its room until it is decided, even if its client leaves after the body has arrived', () => {
    const { read, receive, decide, leave } = admitAll(large, large)
    receive[0]!()
    leave[0]!()
    expect(read).toEqual([0])
    decide[0]!()
    expect(read).toEqual([0, 1])
  })

  test('counts as the largest allowed one when its length is not known', () => {
    const { read, decide } = admitAll(chunked, large)
    expect(read).toEqual([0])
    decide[0]!()
    expect(read).toEqual([0, 1])
  })
})

test('the plan of a large request takes its room until the answer is sent', () => {
  const { read, receive, decide, hold } = admitAll(large, large, large)
  receive[0]!()
  hold[0]!(300_000)
  expect(read).toEqual([0, 1])
  hold[0]!(0)
  expect(read).toEqual([0, 1])
  hold[1]!(300_000)
  expect(read).toEqual([0, 1, 2])
  hold[0]!(300_000)
  decide[0]!()
})

test('small requests, and those that are refused without reading, never wait', () => {
  expect(admitAll(large, large, small, {}, { 'content-length': '5000000' }).read).toEqual([0, 2, 3, 4])
})
