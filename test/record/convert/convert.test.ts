/** Recordings and fixtures of other tools become scenarios that give the same answers. */
import { resolve } from 'node:path'
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import OpenAI from 'openai'
import { expect, test, vi } from 'vitest'
import { checkScenario } from '../../../src/core/scenario/yaml/parse-scenario.ts'
import type { ScenarioInput } from '../../../src/index.ts'
import { convertFiles } from '../../../src/record/convert/convert-files.ts'
import { readDataFile } from '../../../src/record/convert/read-files.ts'
import { Redactor } from '../../../src/record/redact/redact.ts'
import { mockWith } from '../../support/core.ts'
import { GENEROUS_MS, serve } from '../../support/http.ts'

vi.setConfig({ testTimeout: GENEROUS_MS })

type Converted = ReturnType<typeof convertFiles>['converted'][number]

interface Result extends Pick<Converted, 'format' | 'items' | 'carried'> {
  readonly text: string
  readonly source: ScenarioInput
  readonly warnings: readonly unknown[]
  /** As the command reports them. */
  readonly findings: readonly string[]
}

function convertValue(value: unknown, path = 'x', ignore: readonly string[] = []): Result {
  const { cassette, converted } = convertFiles([{ path, value }], new Redactor(), ignore)
  const [{ findings, ...counts }] = converted as [Converted]
  const text = cassette.toString()
  const { source, warnings } = checkScenario(text, 'converted.yaml', 10_000_000)
  const lines = findings.map(({ place, reason }) => `${place}: ${reason}`)
  return { ...counts, text, source: source as ScenarioInput, warnings, findings: lines }
}

const convertFixture = async (name: string): Promise<Result> => {
  const path = resolve(import.meta.dirname, 'fixtures', name)
  return convertValue(await readDataFile(path), path)
}

async function clientOf({ source }: Result): Promise<OpenAI> {
  const { url } = await serve(source)
  return new OpenAI({ baseURL: url, apiKey: 'sk-test' })
}

const say = (content: string) => ({ model: 'gpt-4o', messages: [{ role: 'user' as const, content }] })
const contentOf = async (client: OpenAI, content: string) =>
  (await client.chat.completions.create(say(content))).choices[0]!.message.content

async function streamed(client: OpenAI, content: string): Promise<string[]> {
  const pieces: string[] = []
  for await (const chunk of await client.chat.completions.create({ ...say(content), stream: true }))
    pieces.push(chunk.choices[0]?.delta.content ?? '')
  return pieces
}

const WEATHER = ['', 'Rome ', 'is sunny ☀.', '']

test('a VCR cassette gives the official client what was recorded', async () => {
  const result = await convertFixture('chat.vcr.yaml')
  const client = await clientOf(result)
  expect(await contentOf(client, 'Say hello')).toBe("It's a plain hello.")
  expect(await contentOf(client, 'Zip it, Jürgen')).toBe('Unzipped for Jürgen.')
  expect(await contentOf(client, 'Older httpx')).toBe('From an older stub.')
  expect(await streamed(client, 'Weather in Rome?')).toEqual(WEATHER)
  // The client retries the recorded 429.
  expect(await contentOf(client, 'Try twice')).toBe('Second time lucky.')
  const { data } = await client.embeddings.create({ model: 'text-embedding-3-small', input: 'hi' })
  expect(data[0]!.embedding.slice(0, 3)).toEqual([0.25, -0.5, 0.125])

  expect(result).toMatchObject({ format: 'VCR', items: 9, carried: 7, warnings: [] })
  expect(result.findings).toEqual([
    'interactions[6] (GET https://api.openai.com/v1/models): not converted: only POST .../v1/chat/completions, .../v1/responses, .../v1/responses/input_tokens and .../v1/embeddings can be replayed',
    'interactions[7] (POST https://api.openai.com/v1/chat/completions): not converted: its body is not UTF-8 text',
  ])
})

test('a HAR file of a browser gives the official client what was recorded', async () => {
  const result = await convertFixture('browser.har')
  const client = await clientOf(result)
  expect(await contentOf(client, 'Say hello')).toBe('Hello from a page.')
  expect(await contentOf(client, 'In base64')).toBe('Grüße aus base64.')
  expect(await contentOf(client, 'With a header')).toBe('Kept its header.')
  expect(await streamed(client, 'Weather in Rome?')).toEqual(WEATHER)

  expect(result).toMatchObject({ format: 'HAR', items: 7, carried: 4, warnings: [] })
  expect(result.findings).toEqual([
    'log.entries[3] (POST https://api.openai.com/v1/chat/completions): not converted: the file does not have the body of its answer',
    'log.entries[4] (POST https://api.openai.com/v1/chat/completions): not converted: it has no answer',
    'log.entries[5] (GET https://app.example.com/index.html): not converted: only POST .../v1/chat/completions, .../v1/responses, .../v1/responses/input_tokens and .../v1/embeddings can be replayed',
  ])
})

test('the events of a stream of a HAR file are spread over the time in which it came', async () => {
  const { source } = await convertFixture('browser.har')
  const { answer } = source.replies!.find(({ when }) => (when!.request as { stream?: boolean }).stream === true)!
  expect(answer).toMatchObject({
    wait: '200ms',
    events: ['200ms', '300ms', '400ms', '500ms', '600ms'].map((at) => ({ at })),
  })
})

test('a recording of Polly.js has compressed bodies in base64 or hex, and answers in order', async () => {
  const result = await convertFixture('polly.har')
  const client = await clientOf(result)
  expect(await contentOf(client, 'Hex chunks')).toBe('Unzipped from hex.')
  expect(await contentOf(client, 'Base64 chunks')).toBe('Unzipped in chunks.')
  expect(await contentOf(client, 'Base64 chunks')).toBe('The second time.')
  expect(result).toMatchObject({ format: 'HAR', items: 3, carried: 3, findings: [], warnings: [] })
})

test('fixtures of aimock become rules', async () => {
  const result = await convertFixture('aimock.json')
  const client = await clientOf(result)
  expect(await contentOf(client, 'A very good morning')).toBe('Good morning to you!')
  expect(await contentOf(client, 'what is /help/ for')).toBe('Not a pattern.')
  expect(await contentOf(client, 'no help')).toBe('Anything else?')
  expect(JSON.parse((await contentOf(client, 'as data'))!)).toEqual({ city: 'Rome', degrees: 21 })
  expect([await contentOf(client, 'again'), await contentOf(client, 'again')]).toEqual(['The first.', 'The second.'])
  expect(await contentOf(client, 'my key')).toBe('It is [redacted].')
  expect(await contentOf(client, 'which model')).toBe('A big one.')
  for (const system of ['A pirate, and brief', 'pirate, brief']) {
    const messages = [{ role: 'system' as const, content: system }, ...say('x').messages]
    const { choices } = await client.chat.completions.create({ model: 'm', messages })
    expect(choices[0]).toMatchObject({ message: { content: 'Arr.' }, finish_reason: 'length' })
  }
  const refused = client.chat.completions.create(say('too fast'), { maxRetries: 0 })
  await expect(refused).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded', type: 'requests' })
  const { data } = await client.embeddings.create({ model: 'any', input: 'a cat' })
  expect(data[0]!.embedding).toEqual([0.5, -0.25, 0.125])
  const floats = await client.embeddings.create({ model: 'any', input: 'a cat', encoding_format: 'float', user: 'u' })
  expect(floats.data[0]!.embedding).toEqual([0.5, -0.25, 0.125])
})

test('an agent loop of aimock runs: a call, its result, an answer', async () => {
  const client = await clientOf(await convertFixture('aimock.json'))
  const tools = [{ type: 'function' as const, function: { name: 'get_weather' } }]
  const { messages } = say('the weather?')
  const first = await client.chat.completions.create({ model: 'm', messages, tools })
  const { message } = first.choices[0]!
  expect(message.tool_calls).toMatchObject([{ function: { name: 'get_weather', arguments: '{"city":"Rome"}' } }])
  const result = { role: 'tool' as const, tool_call_id: message.tool_calls![0]!.id, content: '21 degrees' }
  const second = await client.chat.completions.create({ model: 'm', messages: [...messages, message, result], tools })
  expect(second.choices[0]!.message.content).toBe('It is 21 degrees.')
})

test('what aimock has and a rule has not is reported with its place and the reason', async () => {
  const result = await convertFixture('aimock.json')
  expect(result).toMatchObject({ format: 'aimock', items: 19, carried: 14, warnings: [] })
  expect(result.findings).toEqual([
    'fixtures[3].response.toolCalls[0].id: left out: the mock draws the ids of calls',
    'fixtures[4].match.toolCallId: left out: the mock draws the ids of calls, so the rule matches the results of all tools, not only of call_weather',
    'fixtures[8].latency: left out: see `pace` of a scenario',
    'fixtures[8].match.systemMessage: matches its texts only in this order',
    'fixtures[9].response.usage: left out: a rule has no such field',
    'fixtures[10].match.inputText: matches requests with a single text as input',
    'fixtures[11]: not converted: no condition is like match.context',
    'fixtures[12]: not converted: this mock has no endpoint for image',
    'fixtures[13]: not converted: its text has {{...}}, which is a placeholder here',
    'fixtures[14].response.content: left out: a rule has a text or calls, not both',
    'fixtures[15]: not converted: its match has a secret, which is not written down',
    'fixtures[17]: not converted: expected a map with match and response',
  ])
})

const fixture = (match: object, response: object, more: object = {}) => ({ match, response, ...more })

test.each<[what: string, fixtures: readonly object[], replies: readonly object[], findings: readonly string[]]>([
  [
    'a sequence with a call goes on after its result',
    [
      fixture({ userMessage: 'a', sequenceIndex: 0 }, { toolCalls: [{ name: 'f', arguments: '{}' }] }),
      fixture({ userMessage: 'a', sequenceIndex: 1 }, { content: 'b' }),
    ],
    [
      { when: { user: 'a', attempt: 1 }, call: [{ name: 'f', arguments: {} }] },
      { when: { user: 'a', toolResult: '/^/' }, say: 'b' },
    ],
    [
      'fixtures[0].match.sequenceIndex: became attempt: 1, because a rule has answers of one kind',
      'fixtures[1].match.sequenceIndex: became toolResult: /^/, because a rule has answers of one kind',
    ],
  ],
  [
    'a sequence of errors is a list of answers',
    [0, 1].map((sequenceIndex) => fixture({ sequenceIndex }, { error: { message: 'x' }, status: 500 + sequenceIndex })),
    [
      {
        answer: [500, 501].map((status) => ({
          status,
          body: '{"error":{"message":"x","type":"server_error","param":null,"code":null}}',
        })),
      },
    ],
    [],
  ],
  [
    'blocks of text are one text',
    [
      fixture(
        {},
        {
          blocks: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ),
    ],
    [{ say: 'ab' }],
    [],
  ],
  [
    'the text of a result stays beside the id of a call, in any order',
    [fixture({ toolResultContains: 'ok', toolCallId: 'c', hasToolResult: true }, { content: 'a' })],
    [{ when: { toolResult: 'ok' }, say: 'a' }],
    [expect.stringContaining('fixtures[0].match.toolCallId: left out')] as unknown as string[],
  ],
  [
    'a turn counts messages of the user',
    [
      fixture(
        { turnIndex: 1, responseFormat: 'json_object', hasToolResult: false, endpoint: 'chat' },
        { content: 'a' },
      ),
    ],
    [{ when: { turn: 2, endpoint: 'chat' }, say: 'a' }],
    [
      'fixtures[0].match.turnIndex: became turn 2: it counts the messages of the user, not the answers',
      "fixtures[0].match.responseFormat: left out: no condition is about response_format, so the rule matches without 'json_object' too",
      'fixtures[0].match.hasToolResult: left out: a rule that calls a tool never matches right after a result, but one with a text does',
    ],
  ],
])('%s', (_, fixtures, replies, findings) => {
  const result = convertValue({ fixtures })
  expect(result.source.replies).toEqual(replies)
  expect(result.findings).toEqual(findings)
})

test.each<[what: string, fixture: object, reason: string]>([
  ['no answer that a rule can give', fixture({}, { image: { url: 'x' } }), 'no action is like a response of image'],
  [
    'a vector for chats',
    fixture({ userMessage: 'a' }, { embedding: [1] }),
    'match.userMessage is about chats, but the response is a vector',
  ],
  [
    'a text for embeddings',
    fixture({ endpoint: 'embedding' }, { content: 'a' }),
    'the endpoint is embedding, but the response has no vector',
  ],
  [
    'a status that no answer has',
    fixture({}, { error: { message: 'x' }, status: 99 }),
    'it cannot be written as a scenario: expected a whole number from 200 to 599, got 99.',
  ],
])('a fixture with %s is not converted', (_, one, reason) => {
  expect(convertValue({ fixtures: [one] }).findings).toEqual([`fixtures[0]: not converted: ${reason}`])
})

test.each(['chat.vcr.yaml', 'browser.har', 'polly.har', 'aimock.json'])(
  'no key of %s is written down',
  async (name) => {
    const { text, findings } = await convertFixture(name)
    expect(text + findings.join()).not.toMatch(/0123456789/)
  },
)

test('an item that is not a recording is reported', () => {
  const request = { method: 'POST', uri: 'https://x/v1/chat/completions', body: '{"a@b.example":1}' }
  const result = convertValue({
    interactions: ['x', { request: {} }, { request, response: { status: { code: 200 }, body: { string: '{}' } } }],
  })
  expect(result.findings).toEqual([
    'interactions[0]: not converted: expected a request and a response',
    'interactions[1]: not converted: expected a request and a response',
    'interactions[2] (POST https://x/v1/chat/completions): not converted: a property name contains a secret',
  ])
})

test('a binary body of a HAR file is reported, not written down as base64', () => {
  const request = { method: 'POST', url: URL, headers: [], postData: { text: '{}' } }
  const content = {
    mimeType: 'audio/mpeg',
    encoding: 'base64',
    text: Buffer.of(0xff, 0xfb, 0x90, 0x00).toString('base64'),
  }
  const result = convertValue({ log: { entries: [{ request, response: { status: 200, headers: [], content } }] } })
  expect(result.findings).toEqual([`log.entries[0] (POST ${URL}): not converted: its body is not UTF-8 text`])
})

test.each<[what: string, value: unknown, got: string]>([
  ['a map', { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, 'a map of "a", "b", "c", "d", "e", ...'],
  ['a scenario', { replies: [] }, 'a scenario of this mock'],
  ['a list', [], 'a list'],
  ['a text', 'x', 'text'],
  ['nothing', null, 'an empty file'],
])('%s of another format is refused with what is expected', (_, value, got) => {
  expect(() => convertValue(value, 'some.yaml')).toThrow(
    "Failed to convert 'some.yaml': expected a VCR cassette (with a list `interactions`), a HAR file (with a list `log.entries`) or " +
      `fixtures of aimock (with a list \`fixtures\`), got ${got}.`,
  )
})

test('once the cassette is full, no other body is decompressed', () => {
  const interactions = ['a', 'b', 'c'].map((text) => ({
    request: vcrRequest(JSON.stringify(say(text))),
    // The third cannot be decompressed.
    response: {
      ...vcrResponse(text === 'c' ? Buffer.from([0xff]) : gzipSync(' '.repeat(6_000_000))),
      headers: { 'Content-Encoding': ['gzip'] },
    },
  }))
  const { carried, findings } = convertValue({ interactions })
  expect(carried).toBe(1)
  expect(findings.map((line) => line.replace(/.*not converted: /, ''))).toEqual(
    Array(2).fill('the cassette is full (10 MB); continue in another file'),
  )
})

test.each([
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
])('a body that is compressed by %s is decompressed', (encoding, compress) => {
  const response = { ...vcrResponse(compress('{"id":"whole"}')), headers: { 'Content-Encoding': [encoding] } }
  const { carried, text } = convertValue({
    interactions: [{ request: vcrRequest(JSON.stringify(say('a'))), response }],
  })
  expect([carried, text]).toEqual([1, expect.stringContaining('whole')])
})

// Without a text that looks like an email address, which would be redacted.
const body = fc.json().filter((text) => !text.includes('@'))

test.each<[format: string, make: (request: string, answer: string) => unknown]>([
  ['VCR', (request, answer) => ({ interactions: [{ request: vcrRequest(request), response: vcrResponse(answer) }] })],
  [
    'compressed VCR',
    (request, answer) => ({
      interactions: [
        {
          request: vcrRequest(request),
          response: { ...vcrResponse(gzipSync(answer)), headers: { 'Content-Encoding': ['gzip'] } },
        },
      ],
    }),
  ],
  [
    'HAR',
    (request, answer) => ({
      log: {
        entries: [
          {
            request: { method: 'POST', url: URL, headers: [], postData: { text: request } },
            response: { status: 200, headers: [], content: { mimeType: 'application/json', text: answer } },
          },
        ],
      },
    }),
  ],
])('any body of %s is replayed byte for byte', (_, make) => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('model', 'b'), body), body, (request, answer) => {
      const sent = JSON.stringify(request)
      const { source } = convertValue(make(sent, answer))
      expect(mockWith(source as never).answer({ body: sent }).text).toBe(answer)
    }),
    { numRuns: 50 },
  )
})

const URL = 'https://api.example.com/v1/chat/completions'
const vcrRequest = (text: string) => ({ method: 'POST', uri: URL, headers: {}, body: text })
const vcrResponse = (string: string | Uint8Array) => ({
  status: { code: 200, message: 'OK' },
  headers: {},
  body: { string },
})

test('a call of another run matches when what changes is ignored', () => {
  const request = JSON.stringify({ model: 'm', metadata: { run: 'one' }, messages: [] })
  const { source } = convertValue(
    { interactions: [{ request: vcrRequest(request), response: vcrResponse('yes') }] },
    'x',
    ['metadata.run'],
  )
  expect(source.ignore).toEqual(['metadata.run'])
  const sent = { model: 'm', metadata: { run: 'two' }, messages: [] }
  expect(mockWith(source as never).answer({ body: sent }).text).toBe('yes')
})
