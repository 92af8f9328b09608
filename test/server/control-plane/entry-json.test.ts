/** The journal as JSON. */
import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../src/core/journal/entry.ts'
import { journalJson } from '../../../src/server/entry-json.ts'

test('while a long journal is written, the event loop does other work, and a short one is written at once', async () => {
  const entry = { toJSON: () => ({ body: { text: 'x'.repeat(60_000) } }) as unknown as JournalEntry }
  const write = async (count: number) => {
    let turns = 0
    let isDone = false
    const turn = (): void => {
      turns++
      if (!isDone) setImmediate(turn)
    }
    setImmediate(turn)
    let json = ''
    for await (const piece of journalJson(Array(count).fill(entry))) json += piece
    isDone = true
    return { turns, entries: JSON.parse(json).entries.length }
  }
  expect(await write(1)).toEqual({ turns: 0, entries: 1 })
  const { turns, entries } = await write(100)
  expect(entries).toBe(100)
  expect(turns).toBeGreaterThanOrEqual(40)
})
