/** Which connections are reset when clients leave more unread than the bound allows. */
import type { Socket } from 'node:net'
import { beforeEach, expect, test } from 'vitest'
import { type UnreadAnswer, UnreadAnswers } from '../../src/http/unread-answers.ts'

let events: string[] = []
beforeEach(() => {
  events = []
})

const socketOf = (name: string): Socket =>
  ({ resetAndDestroy: () => events.push(`reset ${name}`) }) as unknown as Socket

const answerOf = (name: string, bytes: number, socket = socketOf(name)): UnreadAnswer => ({
  socket,
  bytes,
  drop: () => events.push(`drop ${name}`),
})

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('within the bound nothing is reset', async () => {
  const unread = new UnreadAnswers(100)
  unread.add(answerOf('a', 60))
  unread.add(answerOf('b', 40))
  await nextTurn()
  expect(events).toEqual([])
})

test('beyond the bound the connection that has waited longest is reset, and no more than needed', async () => {
  const unread = new UnreadAnswers(100)
  for (const name of ['a', 'b', 'c', 'd']) unread.add(answerOf(name, 40))
  await nextTurn()
  expect(events).toEqual(['drop a', 'reset a', 'drop b', 'reset b'])
})

test('a connection that has taken data counts as the last one to be reset', async () => {
  const unread = new UnreadAnswers(100)
  const a = answerOf('a', 40)
  unread.add(a)
  unread.add(answerOf('b', 40))
  unread.delete(a)
  unread.add(a)
  unread.add(answerOf('c', 40))
  await nextTurn()
  expect(events).toEqual(['drop b', 'reset b'])
})

test('answers that are read in the same turn of the event loop are not counted', async () => {
  const unread = new UnreadAnswers(100)
  const answers = ['a', 'b', 'c'].map((name) => answerOf(name, 90))
  for (const answer of answers) unread.add(answer)
  for (const answer of answers) unread.delete(answer)
  unread.add(answerOf('d', 100))
  await nextTurn()
  expect(events).toEqual([])
})

test('all answers that are queued on one connection are dropped together', async () => {
  const unread = new UnreadAnswers(100)
  const socket = socketOf('both')
  unread.add(answerOf('first', 50, socket))
  unread.add(answerOf('second', 40, socket))
  unread.add(answerOf('other', 20))
  await nextTurn()
  expect(events).toEqual(['drop first', 'drop second', 'reset both'])
})

test('an answer that is deleted twice is counted once', async () => {
  const unread = new UnreadAnswers(100)
  const a = answerOf('a', 50)
  unread.add(a)
  unread.delete(a)
  unread.delete(a)
  unread.add(answerOf('b', 101))
  await nextTurn()
  expect(events).toEqual(['drop b', 'reset b'])
})
