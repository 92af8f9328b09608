/** Clients that do not read: their answers stop, and beyond a bound their connections are reset. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { JournalEntry, ScenarioChoice, ScenarioInput } from '../../src/index.ts'
import {
  CHAT_PATH,
  fetchFrom,
  GENEROUS_MS,
  requestText,
  type Served,
  serve,
  stillAnswers,
  Wire,
} from '../support/http.ts'
import { ask } from '../support/stepping.ts'
import { expectNoStrays } from './strays.ts'

expectNoStrays()

const asked = (content: string, more: object) => ({ model: 'echo-1', messages: [{ role: 'user', content }], ...more })
/** More than the sockets of both sides buffer. */
const STREAM = asked('word '.repeat(50_000), { stream: true })
const LOGPROBS = { logprobs: true, top_logprobs: 20 }
const WHOLE = asked('word '.repeat(8_000), LOGPROBS)
const WHOLE_CJK = asked('漢😀'.repeat(3_500), LOGPROBS)
const PACED: ScenarioInput = { description: 'A test.', pace: { perToken: '1ms' } }

/** Sends a call on a socket that reads nothing. */
async function askWithoutReading(server: Served, body: object): Promise<Wire> {
  const wire = await Wire.open(server)
  wire.socket.pause()
  void wire.send(requestText({ body: JSON.stringify(body) }))
  return wire
}

/** The entries of calls that have ended, once there are so many. */
async function ended(server: Served, count: number): Promise<readonly JournalEntry[]> {
  const found = (): readonly JournalEntry[] => server.mock.journal.filter(({ outcome }) => outcome !== 'open')
  await expect.poll(() => found().length, { timeout: GENEROUS_MS }).toBe(count)
  return found()
}

test.each<[string, ScenarioChoice, object]>([
  ['a stream', 'default', STREAM],
  ['a paced stream', PACED, STREAM],
  ['a whole answer', 'default', WHOLE],
  ['a whole answer in other letters', 'default', WHOLE_CJK],
])(
  '%s that is read late has the same bytes as one that is read at once',
  async (_, scenario, body) => {
    const [server, other] = [await serve(scenario, { speed: 1000 }), await serve(scenario, { speed: 1000 })]
    const call = request(`${server.origin}${CHAT_PATH}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    }).end(JSON.stringify(body))
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    await stillAnswers(server)
    const atOnce = await fetchFrom(other, { body })
    expect(atOnce.text.length).toBeGreaterThan(8_000_000)
    expect((await text(response)) === atOnce.text).toBe(true)
  },
  GENEROUS_MS,
)

test(
  'beyond the bound, the connection that has read nothing for longest is reset, and the journal says so',
  async () => {
    const server = await serve('default', { listen: { unreadLimit: 1_000_000 } })
    const first = await askWithoutReading(server, WHOLE)
    await expect.poll(() => server.mock.journal.length, { timeout: GENEROUS_MS }).toBe(1)
    const others = [await askWithoutReading(server, WHOLE), await askWithoutReading(server, WHOLE)]
    const [entry] = await ended(server, 1)
    expect(entry).toMatchObject({ number: 1, status: 200, outcome: 'cut' })
    expect(entry?.notes.at(-1)).toBe(
      'The connection was reset, because its client did not read the answer: unread answers may take 1000000 bytes over all connections.',
    )
    first.socket.resume()
    await first.closed()
    for (const { socket } of others) socket.destroy()
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  'a client that reads is answered while others do not',
  async () => {
    const server = await serve('default', { listen: { unreadLimit: 0 } })
    for (let client = 0; client < 3; client++) await askWithoutReading(server, WHOLE)
    await ended(server, 3)
    await stillAnswers(server)
    expect(server.mock.calls({ outcome: 'cut' })).toHaveLength(3)
  },
  GENEROUS_MS,
)

/** Asks for something of a journal with one call of 11 MB, on a socket that reads nothing. */
async function askForJournal(path: string): Promise<{ readonly server: Served; readonly wire: Wire }> {
  const server = await serve('default', { listen: { unreadLimit: 1000 }, journal: { bytes: 1_000_000_000 } })
  await ask(server.mock, { body: WHOLE })
  const wire = await Wire.open(server)
  wire.socket.pause()
  await wire.send(requestText({ method: 'GET', path, body: null }))
  return { server, wire }
}

test(
  'an answer of the control plane that nobody reads counts too',
  async () => {
    const { server, wire } = await askForJournal('/_mock/journal/1')
    // A socket that does not read notices a reset when it writes.
    await expect.poll(() => wire.send('x').then(() => wire.socket.destroyed), { timeout: GENEROUS_MS }).toBe(true)
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  'a journal is sent call by call, so a client that reads late gets all of it',
  async () => {
    const { server, wire } = await askForJournal('/_mock/journal')
    await stillAnswers(server)
    wire.socket.resume()
    const { entries } = (await wire.answer())!.json
    expect(entries[0].body).toEqual(WHOLE)
  },
  GENEROUS_MS,
)
