/**
 * Attack: a line break in what becomes a header or an event ends it there, and the rest is a header, a body or an event of
 * the attacker's: in a name of the caller, in a value of the scenario, in what an upstream or a user's handler answers.
 * Defence: headers are made of printable ASCII; what a scenario says of headers and events has a pattern without line
 * breaks; text in events is JSON; what is shown on a terminal has no control characters.
 */
import { expect, test } from 'vitest'
import { callEvent, callLine } from '../../src/cli/output/log-entries.ts'
import { createMock, type ScenarioInput } from '../../src/index.ts'
import { jsonLine } from '../../src/terminal/text.ts'
import { record, upstreamOf } from '../record/recording.ts'
import { EMBEDDINGS_PATH, fetchFrom, HELLO, requestText, type Served, serve, Wire } from '../support/http.ts'

const BREAKS = ['\r\n', '\n', '\r', '\r\n\r\n', '\u2028', '\u2029', '\u0085', '\0', '\x0b', '嘊嘍']
const evil = (lineBreak: string): string => `x${lineBreak}set-cookie: evil=1${lineBreak}${lineBreak}<script>`

/** One call on a connection of its own, and the names and values of the head that came back. */
async function headOf(server: Served, body: object, path?: string): Promise<string> {
  const wire = await Wire.open(server)
  const headers = ['X-Mock-Explain: 1', 'Connection: close']
  await wire.send(requestText({ ...(path !== undefined && { path }), headers, body: JSON.stringify(body) }))
  await wire.closed()
  return (await wire.until('never')).split('\r\n\r\n')[0]!
}

function isClean(head: string): void {
  expect(head).toMatch(/^HTTP\/1\.1 \d{3} /)
  expect(head).not.toMatch(/^set-cookie/im)
  expect(head).not.toMatch(/[^\r\n\x20-\x7e]/)
}

test.each(BREAKS)('a line break in the name of a model or parameter stays escaped: %j', async (lineBreak) => {
  const server = await serve()
  const name = evil(lineBreak)
  isClean(await headOf(server, { ...HELLO, model: name, [name]: 1 }))
  isClean(await headOf(server, { model: name, input: 'x', [name]: 1 }, EMBEDDINGS_PATH))
  isClean(await headOf(server, { ...HELLO, stream: true, model: name }))
})

test.each(BREAKS)(
  'a line break in a text of a scenario (description, replies, seed) stays escaped: %j',
  async (lineBreak) => {
    const name = evil(lineBreak)
    const scenario: ScenarioInput = {
      description: name,
      seed: name,
      replies: [{ when: { user: 'no' }, refuse: name }, { say: name }],
    }
    const server = await serve(scenario)
    isClean(await headOf(server, HELLO))
    isClean(await headOf(server, { ...HELLO, stream: true }))
    isClean(await headOf(server, { model: 'hash-1', input: 'x' }, EMBEDDINGS_PATH))
    const chunks = (await fetchFrom(server, { body: { ...HELLO, stream: true } })).text.split('\n\n')
    for (const chunk of chunks.slice(0, -1)) expect(chunk).toMatch(/^data: [^\r\n]*$/)
  },
)

const recorded = (answer: object) => () =>
  createMock({ description: 'x', replies: [{ answer }] } as unknown as ScenarioInput)

test.each(['\r\n', '\n', '\r'])("in a scenario's recorded answer it is refused: %j", (lineBreak) => {
  const name = evil(lineBreak)
  expect(recorded({ body: '', contentType: `text/plain${lineBreak}set-cookie: a=b` })).toThrow('a content type')
  expect(recorded({ body: '', contentType: `text/plain; charset=utf-8${lineBreak}` })).toThrow('a content type')
  expect(recorded({ events: [{ at: '0ms', data: name }] })).toThrow('a line of text')
  expect(recorded({ body: '', retryAfter: `1s${lineBreak}a: b` })).toThrow('a duration')
  expect(recorded({ body: '', headers: { a: name } })).toThrow("unknown field 'headers'")
  const states = { [name]: {} }
  expect(() => createMock({ description: 'x', states })).toThrow('expected a name of letters, digits, - and _')
})

test.each(['\r\n', '\n', '\r', '\0', '\u0085', '\u2028', '\u2029'])(
  'a line break in the name of a model of a scenario is refused: %j',
  (lineBreak) => {
    const name = evil(lineBreak)
    expect(() => createMock({ models: { [name]: {} } })).toThrow('without line breaks or other control characters')
    expect(() => createMock({ models: { 'echo-1': { snapshot: name } } })).toThrow('a name on one line')
  },
)

test.each(BREAKS)("a line break in a text leaves each event of the page's stream one event: %j", async (lineBreak) => {
  const server = await serve()
  const said = `x${lineBreak}${lineBreak}event: call${lineBreak}data: {"number":99}${lineBreak}${lineBreak}`
  await fetchFrom(server, { body: { ...HELLO, model: said, messages: [{ role: 'user', content: said }] } })
  const watching = new AbortController()
  const response = await fetch(`${server.origin}/_mock/events`, { signal: watching.signal })
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body!) {
    text += decoder.decode(bytes, { stream: true })
    if (text.includes('event: call')) break
  }
  watching.abort()
  // As browsers read it: a carriage return ends a line too.
  const lines = text.split(/\r\n|\n|\r/)
  expect(lines.filter((line) => line === 'event: call')).toHaveLength(1)
  expect(lines.filter((line) => line.includes('"number":99'))).toEqual([])
})

const SIGNS = ['\r\n', '\n', '\r', '\x1b[2J', '\u009b2J', '\x7f', '\u202e', '\u2066', '\u200f', '\u2028']
test.each(SIGNS)('both logs escape %j, and stay a line a call', async (sign) => {
  const server = await serve()
  const name = `x${sign}POST /v1/fake 200`
  await fetchFrom(server, { body: { ...HELLO, [name]: 1, model: name } })
  const [entry] = server.mock.journal
  const lines = callLine(entry!, (_, text) => text).split('\n')
  expect(lines).toHaveLength(2)
  const json = jsonLine(callEvent(entry!))
  for (const text of [lines.join(''), json]) expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
  expect(lines.join('')).toContain(`\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  expect(JSON.parse(json).model).toBe(name)
})

test('a line break in the head of an upstream is an error of the upstream', async () => {
  const upstream = await upstreamOf(({ socket }) => {
    socket.end('HTTP/1.1 200 OK\r\nX-Request-Id: a\rSet-Cookie: evil=1\r\nContent-Length: 2\r\n\r\n{}')
  })
  const { status, headers } = await fetchFrom(await record(upstream))
  expect([status, headers.get('set-cookie')]).toEqual([502, null])
})

test.each(['\r\n', '\n', '\r'])('the cassette holds exactly the events that the upstream sent: %j', async (end) => {
  const body = `data: {"a":1}${end}${end}data: - say: pwned${end}replies: []${end}${end}`
  const upstream = await upstreamOf((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body)
  })
  const recording = await record(upstream)
  await fetchFrom(recording)
  await recording.over(1)
  const events = recording.source().replies!.map(({ answer }) => [answer].flat()[0]!.events!)
  expect(events).toHaveLength(1)
  const said = events[0]!.map(({ data, text }) => (data === undefined ? text : `data: ${data}\n\n`)).join('')
  expect(said).toBe(body)
})
