/** What a real service answers, here a second mock, is recorded and replayed byte for byte. */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import OpenAI from 'openai'
import { expect, test, vi } from 'vitest'
import { createMock, type ScenarioInput } from '../../src/index.ts'
import { EMBEDDINGS_PATH, fetchFrom, GENEROUS_MS, HELLO, type HttpCall, serve, TEXT } from '../support/http.ts'
import { hasRecordings, readRecordings } from '../support/recorded.ts'
import { IN_PROCESS_URL, inProcess } from '../support/transports.ts'
import { type Recording, record, replayed, upstreamOf, upstreamThatSays } from './recording.ts'

vi.setConfig({ testTimeout: GENEROUS_MS })

const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]
const UPSTREAM: ScenarioInput = {
  description: 'A service with something of everything.',
  replies: [
    { when: { user: 'weather' }, call: [{ name: 'get_weather', arguments: { city: 'Rome' } }] },
    { when: { user: 'secret' }, say: 'Write to jo.doe@example.com, it says.' },
    { when: { user: 'Grüße' }, say: 'Schöne Grüße 😀, line\nbreak and "quotes"' },
    { when: { user: 'broken' }, fault: 'cut', after: 2 },
    { when: { user: 'stumble', attempt: 1 }, fault: 'rate-limit', retryAfter: '1.5s' },
    { when: { user: 'fail' }, fault: 500 },
  ],
}
const say = (content: string, more: object = {}): HttpCall => ({
  body: { model: 'gpt-4o', messages: [{ role: 'user', content }], ...more },
})
const embed = (more: object = {}): HttpCall => ({ path: EMBEDDINGS_PATH, body: { ...TEXT, ...more } })

const CALLS: Readonly<Record<string, HttpCall>> = {
  'a chat': say('Hello!'),
  'a chat with every kind of character': say('Grüße'),
  'a stream': say('Grüße', { stream: true, stream_options: { include_usage: true } }),
  'a call of a tool': say('the weather?', { tools: TOOLS }),
  'a streamed call of a tool': say('the weather?', { tools: TOOLS, stream: true }),
  'a request that is refused': say('Hello!', { temperature: 9 }),
  'a rate limit': say('stumble'),
  'a server error': say('fail'),
  'a body that is no JSON': { body: '{"model": ' },
  'a JSON body that is no object': { body: '[1]' },
  'embeddings as floats': embed(),
  'embeddings as base64': embed({ encoding_format: 'base64', input: ['one', 'two'] }),
}

test.each(Object.entries(CALLS))(
  '%s is recorded and replayed byte for byte, over HTTP and in process',
  async (_, made) => {
    const upstream = await serve(UPSTREAM, { seed: 7 })
    const recording = await record(upstream.url)
    const real = await fetchFrom(recording, made)
    await recording.over(1)
    expect(recording.calls[0]).toMatchObject({ ruleId: 'replies[0]', status: real.status })

    const overHttp = await fetchFrom(await replayed(recording), made)
    await using opened = await inProcess.open(createMock(recording.source(), { baseURL: IN_PROCESS_URL }))
    // The path of the call has the /v1 of the base URL already.
    const here = await fetchFrom({ origin: opened.baseUrl.replace(/\/v1$/, '') }, made)
    for (const again of [overHttp, here]) {
      expect(again.text).toBe(withoutOrganization(real.text))
      expect(again.status).toBe(real.status)
      for (const name of ['content-type', 'retry-after', 'retry-after-ms']) {
        expect(again.headers.get(name), name).toBe(real.headers.get(name))
      }
    }
  },
)

/** The one thing in these answers that is not written down: a rate limit names whose it is. */
const withoutOrganization = (text: string): string => text.replace(/org-\w{24}/, '[redacted]')

test('two answers to the same request are replayed in the recorded order for each key', async () => {
  const upstream = await serve(UPSTREAM)
  const recording = await record(upstream.url)
  const real = [await fetchFrom(recording, say('stumble')), await fetchFrom(recording, say('stumble'))]
  await recording.over(2)
  expect(real.map(({ status }) => status)).toEqual([429, 200])
  expect(recording.calls.map(({ ruleId }) => ruleId)).toEqual(['replies[0]', 'replies[0].answer[1]'])
  const again = await replayed(recording)
  for (const key of ['sk-one', 'sk-two']) {
    const texts = []
    for (let count = 0; count < 3; count++) texts.push((await fetchFrom(again, { ...say('stumble'), key })).text)
    expect(texts).toEqual([withoutOrganization(real[0]!.text), real[1]!.text, real[1]!.text])
  }
})

test('an official client gets the same results from the service and from its cassette', async () => {
  const upstream = await serve(UPSTREAM)
  const recording = await record(upstream.url)
  const ask = async (baseURL: string) => {
    const client = new OpenAI({ baseURL, apiKey: 'sk-test' })
    const stream = await client.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Grüße' }],
      stream: true,
    })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    const { data } = await client.embeddings.create({ model: 'hash-1', input: 'hi' })
    return { text, embedding: data[0]!.embedding }
  }
  const real = await ask(`${recording.origin}/v1`)
  await recording.over(2)
  expect(await ask(`${(await replayed(recording)).origin}/v1`)).toEqual(real)
})

test('a cassette records that a stream broke off', async () => {
  const upstream = await serve(UPSTREAM)
  const recording = await record(upstream.url)
  await expect(fetchFrom(recording, say('broken', { stream: true }))).rejects.toThrow()
  await recording.over(1)
  const [{ answer }] = recording.source().replies as [{ answer: { cut: boolean; events: object[] } }]
  expect(answer).toMatchObject({ cut: true })
  expect(answer.events).toHaveLength(2)
  await expect(fetchFrom(await replayed(recording), say('broken', { stream: true }))).rejects.toThrow()
})

test('the recorder forwards a stream event by event, and the cassette keeps its timing', async () => {
  let release = (): void => {}
  const upstream = await upstreamOf((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"n":1}\n\ndata: {"n"')
    release = () => response.end(':2}\n\ndata: [DONE]\n\n')
  })
  const recording = await record(upstream)
  const response = await fetch(`${recording.origin}/v1/chat/completions`, { method: 'POST', body: '{}' })
  const reader = response.body!.getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('data: {"n":1}')
  await new Promise((resolve) => setTimeout(resolve, 60))
  release()
  while (!(await reader.read()).done);
  await recording.over(1)
  const [{ answer }] = recording.source().replies as [{ answer: { events: { at: string; data: string }[] } }]
  expect(answer.events.map(({ data }) => data)).toEqual(['{"n":1}', '{"n":2}', '[DONE]'])
  const [first, second, third] = answer.events.map(({ at }) => Number.parseInt(at, 10))
  expect(second! - first!).toBeGreaterThanOrEqual(50)
  expect(third).toBe(second)
})

test('a character split over two chunks is recorded whole', async () => {
  const bytes = Buffer.from('data: {"text":"😀ü"}\n\n')
  const upstream = await upstreamOf(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const byte of bytes) {
      response.write(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  })
  const recording = await record(upstream)
  const { text } = await fetchFrom(recording, {})
  await recording.over(1)
  expect((await fetchFrom(await replayed(recording), {})).text).toBe(text)
})

// One failing run is shown as it is: making it smaller would take many more calls than the test has time for.
const RUNS = { numRuns: 20, endOnFailure: true }

/** Records one call and replays it in this process. */
async function recordedAndReplayed(upstream: string, made: HttpCall): Promise<{ real: string; again: string }> {
  const recording = await record(upstream)
  const { text: real } = await fetchFrom(recording, made)
  await recording.over(1)
  await using opened = await inProcess.open(createMock(recording.source(), { baseURL: IN_PROCESS_URL }))
  const { text: again } = await fetchFrom({ origin: opened.baseUrl.replace(/\/v1$/, '') }, made)
  return { real, again }
}

/** An email address would be redacted. */
const jsonWithoutEmail = fc.json().filter((json) => !json.includes('@'))

test('any JSON answer without a secret is replayed byte for byte', async () => {
  let body = ''
  const upstream = await upstreamOf((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  await fc.assert(
    fc.asyncProperty(jsonWithoutEmail, fc.nat(4), async (json, indent) => {
      body = JSON.stringify(JSON.parse(json), null, indent)
      expect(await recordedAndReplayed(upstream, {})).toEqual({ real: body, again: body })
    }),
    RUNS,
  )
})

test('any stream is replayed byte for byte, however it was split into chunks', async () => {
  let chunks: readonly string[] = []
  const upstream = await upstreamOf(async (request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks) {
      if (chunk !== '') response.write(chunk)
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  })
  const chunk = fc.oneof(
    jsonWithoutEmail.map((json) => `data: ${json}\n\n`),
    fc.constantFrom('\n\n', '\r\n\r\n', ': ping\n', 'data:', 'event: error\n'),
    fc.string({ unit: 'grapheme', maxLength: 10 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 10 }), async (made) => {
      chunks = made
      // Reading a body as text takes a byte order mark from its beginning.
      const whole = made.join('').replace(/^\ufeff/, '')
      expect(await recordedAndReplayed(upstream, {})).toEqual({ real: whole, again: whole })
    }),
    RUNS,
  )
})

test.skipIf(!hasRecordings)(
  'recorded traffic of the real service is replayed byte for byte, and its vectors are short',
  async () => {
    const all = readRecordings()
    let now = all[0]!
    const upstream = await upstreamOf((request, response) => {
      request.resume()
      response.writeHead(now.status, { 'content-type': now.headers['content-type'] }).end(now.body)
    })
    const recording = await record(upstream)
    for (const [index, one] of all.entries()) {
      now = one
      // Some requests stand there twice, with different answers.
      await fetchFrom(recording, { path: one.path, body: { ...one.request, user: `number ${index}` } })
      await recording.over(index + 1)
    }
    expect(recording.calls.filter(({ problem }) => problem !== undefined)).toEqual([])
    const again = await replayed(recording)
    for (const [index, one] of all.entries()) {
      const { text, status } = await fetchFrom(again, {
        path: one.path,
        body: { ...one.request, user: `number ${index}` },
      })
      expect({ status, text }).toEqual({ status: one.status, text: one.body })
    }
    expect(recording.cassette.toString()).not.toMatch(/-?0\.\d+,\s+-?0\.\d+,\s+-?0\.\d+/)
  },
)

test('the client gets an answer that cannot be recorded, and the log gives the reason', async () => {
  const binary = await record(await upstreamThatSays(Buffer.of(0xff, 0xfe, 0x00)))
  const answer = await fetch(`${binary.origin}/v1/chat/completions`, { method: 'POST', body: '{}' })
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.of(0xff, 0xfe, 0x00))
  await binary.over(1)
  expect(binary.calls[0]!.problem).toBe('its body is not UTF-8 text')

  const compressed = await record(
    await upstreamOf((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}'))
    }),
  )
  expect((await fetchFrom(compressed, {})).text).toBe('{}')
  await compressed.over(1)
  expect(compressed.calls[0]!.problem).toContain('compressed (gzip), although the recorder asked for identity')

  const large = await record(await upstreamThatSays('x'.repeat(8_000_001)))
  expect((await fetchFrom(large, {})).text).toHaveLength(8_000_001)
  await large.over(1)
  expect(large.calls[0]!.problem).toContain('more than 8000000 bytes')
  expect(large.cassette.answers).toBe(0)
})

test('an answer that is not JSON is replayed with its content type', async () => {
  const page = '<html>\r\n<h1>502 Bad Gateway</h1>\r\n</html>'
  const recording = await record(await upstreamThatSays(page, 'text/html', 502))
  await fetchFrom(recording, {})
  await recording.over(1)
  const { status, text, headers } = await fetchFrom(await replayed(recording), {})
  expect({ status, text, type: headers.get('content-type') }).toEqual({ status: 502, text: page, type: 'text/html' })
})

test('a cassette answers unrecorded calls with 404, and other features of the mock still work', async () => {
  const recording: Recording = await record((await serve(UPSTREAM)).url)
  await fetchFrom(recording, say('Hello!'))
  await recording.over(1)
  const again = await replayed(recording)
  expect((await fetchFrom(again, { body: HELLO })).json.error.code).toBe('mock_not_recorded')
  expect((await fetchFrom(again, { ...say('Hello!'), headers: { 'x-mock-fault': '503' } })).status).toBe(503)
  expect(again.mock.journal.map(({ reason }) => `${reason.by} ${reason.name}`)).toEqual([
    'request not-recorded',
    'fault overloaded (header)',
  ])
})
