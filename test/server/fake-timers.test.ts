/** A server in a test that has replaced the timers, as `vi.useFakeTimers()` does: only waits of the scenario follow the fake ones. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchFrom, HELLO, type Served, serve } from '../support/http.ts'

let server: Served
beforeEach(async () => {
  server = await serve()
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

test.each([
  ['an answer', 100_000, false],
  ['a stream', 4_000, true],
])('%s of half a megabyte arrives whole', async (_, words, stream) => {
  const messages = [{ role: 'user', content: 'word '.repeat(words) }]
  const { text } = await fetchFrom(server, { body: { ...HELLO, stream, messages } })
  expect(text.length).toBeGreaterThan(500_000)
  expect(text.endsWith(stream ? 'data: [DONE]\n\n' : '}')).toBe(true)
})

test.each([0, undefined])('the server closes, with a grace of %s', async (graceMs) => {
  await fetchFrom(server)
  await server.close(graceMs)
})
