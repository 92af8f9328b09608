/** What is recorded is written so that a scenario reads it, and every byte comes back. */
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillVectors } from '../../src/core/decide/pipeline/recorded-vectors.ts'
import { compileAnswer } from '../../src/core/scenario/compile/recorded-answer.ts'
import type { AnswerSource } from '../../src/core/scenario/scenario-source.ts'
import { parseScenario } from '../../src/core/scenario/yaml/parse-scenario.ts'
import { Cassette } from '../../src/record/cassette.ts'
import { CassetteFile } from '../../src/record/cassette-file.ts'
import { EventSplitter, recordedAnswer } from '../../src/record/recorded-exchange.ts'
import { Redactor } from '../../src/record/redact/redact.ts'
import { redactStream } from '../../src/record/redact/redact-stream.ts'

const plain = new Redactor()
const received = { status: 200, contentType: 'application/json', retryAfterMs: undefined, waitMs: 12.7, isCut: false }
const replies = (cassette: Cassette) => parseScenario(cassette.toString(), 'cassette.yaml', 10_000_000).replies!
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'\n\r\t {}[]:,#&*!|>\'"%@`-?\\\u0000\u0085\u2028\ufeff\ud800ä😀'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
})

/** A secret in a property name is an error. */
function hasNoSecret(text: string): boolean {
  try {
    return plain.redactJson(text) === text
  } catch {
    return false
  }
}

test('a cassette is a valid scenario', () => {
  const cassette = new Cassette({ description: 'Recorded.' })
  const request = { model: 'gpt-4o', messages: [{ role: 'user', content: 'What is\nthe weather?' }] }
  cassette.add('chat', request, { status: 429, retryAfter: '2s', body: '{"error": {}}\n' })
  cassette.add('chat', request, { wait: '412ms', body: '{\n  "id": "chatcmpl-1"\n}' })
  cassette.add(
    'chat',
    { ...request, stream: true },
    {
      wait: '300ms',
      events: [
        { at: '300ms', data: '{"choices":[{"delta":{"content":"It\'s"}}]}' },
        { at: '320ms', text: ': ping\r\n\r\n' },
        { at: '1.2s', data: '[DONE]' },
      ],
    },
  )
  cassette.add('embeddings', { model: 'm', input: 'hi' }, { body: '[{{vector}}]', vectors: [{ floats: 'AAAAPw==' }] })
  expect(cassette.toString()).toMatchInlineSnapshot(`
    "description: "Recorded."
    replies:
      - when:
          endpoint: chat
          request:
            model: gpt-4o
            messages:
              - role: user
                content: |-
                  What is
                  the weather?
        answer:
          - status: 429
            retryAfter: 2s
            body: |
              {"error": {}}
          - wait: 412ms
            body: |-
              {
                "id": "chatcmpl-1"
              }
      - when:
          endpoint: chat
          request:
            model: gpt-4o
            messages:
              - role: user
                content: |-
                  What is
                  the weather?
            stream: true
        answer:
          wait: 300ms
          events:
            - { at: 300ms, data: '{"choices":[{"delta":{"content":"It''s"}}]}' }
            - { at: 320ms, text: ": ping\\r\\n\\r\\n" }
            - { at: 1.2s, data: "[DONE]" }
      - when:
          endpoint: embeddings
          request:
            model: m
            input: hi
        answer:
          body: "[{{vector}}]"
          vectors:
            - { floats: AAAAPw== }
    "
  `)
  expect(replies(cassette)).toHaveLength(3)
})

test('any text is read back from the file unchanged', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.jsonValue(), (body, content, more) => {
      const cassette = new Cassette({ description: 'x' })
      const request = { model: content, more }
      cassette.add('chat', request, { body })
      const [rule] = replies(cassette)
      expect(rule!.answer).toEqual({ body })
      const { request: read } = rule!.when!
      expect(JSON.stringify(typeof read === 'string' ? JSON.parse(read) : read)).toBe(JSON.stringify(request))
    }),
    { numRuns: 300 },
  )
})

test('any received body is replayed byte for byte', () => {
  const body = fc.oneof(
    fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
    fc.json(),
    anyText,
  )
  fc.assert(
    fc.property(body, (text) => {
      fc.pre(hasNoSecret(text))
      const answer = recordedAnswer({ ...received, body: text }, plain)
      expect(fillVectors(compileAnswer(answer))).toBe(text)
    }),
    { numRuns: 300 },
  )
})

test('any received stream is replayed byte for byte, however it was split into chunks', () => {
  const event = fc.oneof(
    fc.json().map((json) => `data: ${json}\n\n`),
    fc.constantFrom(
      ': ping\n\n',
      'event: error\ndata: {}\n\n',
      'data: a\r\n\r\n',
      'data: x\r\r',
      '\n\n',
      'data:',
      '\r\n',
    ),
    anyText,
  )
  const stream = fc.array(event, { maxLength: 8 }).map((events) => events.join(''))
  fc.assert(
    fc.property(stream, fc.array(fc.nat(40), { maxLength: 20 }), (text, lengths) => {
      fc.pre(hasNoSecret(text))
      const cutter = new EventSplitter()
      let from = 0
      let atMs = 0
      for (const length of lengths) {
        cutter.add(text.slice(from, from + length), atMs)
        from += length
        atMs += 10
      }
      cutter.add(text.slice(from), atMs)
      const answer = recordedAnswer({ ...received, waitMs: 0, body: cutter.end(atMs) }, plain)
      const cassette = new Cassette({ description: 'x' })
      cassette.add('chat', {}, answer)
      const { events = [] } = replies(cassette)[0]!.answer as AnswerSource
      const sent = events.map((event) => (event.data === undefined ? event.text : `data: ${event.data}\n\n`))
      expect(sent.join('')).toBe(text)
    }),
    { numRuns: 300 },
  )
})

test('a request that a scenario cannot hold as a map is written as text', () => {
  const requests = [
    JSON.parse('{"model": "m", "__proto__": {"a": 1}}'),
    { model: 'm', '<<': 1 },
    JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`),
    '{"model": ',
  ]
  const cassette = new Cassette({ description: 'x' })
  for (const request of requests) cassette.add('chat', request, { body: '' })
  expect(replies(cassette).map(({ when }) => when!.request)).toEqual(
    requests.map((request) => (typeof request === 'string' ? request : JSON.stringify(request))),
  )
})

test('equal requests share one rule, whatever the order of keys; each endpoint has its own rule', () => {
  const cassette = new Cassette({ description: 'x' })
  expect(cassette.add('chat', { model: 'm', a: { b: 1, c: 2 } }, { body: '1' })).toBe('replies[0]')
  expect(cassette.add('chat', { a: { c: 2, b: 1 }, model: 'm' }, { body: '2' })).toBe('replies[0].answer[1]')
  expect(cassette.add('embeddings', { model: 'm', a: { b: 1, c: 2 } }, { body: '3' })).toBe('replies[1]')
  expect(replies(cassette).map(({ answer }) => answer)).toEqual([[{ body: '1' }, { body: '2' }], { body: '3' }])
})

test('requests that differ only in what is ignored share one rule', () => {
  const cassette = new Cassette({ description: 'x', ignore: ['user', '/\\d+/'] })
  expect(cassette.add('chat', { model: 'm', user: 'a', input: 'run 1' }, { body: '1' })).toBe('replies[0]')
  expect(cassette.add('chat', { model: 'm', input: 'run 22' }, { body: '2' })).toBe('replies[0].answer[1]')
  expect(cassette.add('chat', { model: 'm', input: 'runs' }, { body: '3' })).toBe('replies[1]')
  expect(parseScenario(cassette.toString(), 'cassette.yaml').ignore).toEqual(['user', '/\\d+/'])
})

test('a repeated request keeps all its answers in order', () => {
  const cassette = new Cassette({ description: 'x' })
  const answers = Array.from({ length: 500 }, (_, index) => ({ events: [{ at: '0ms', data: String(index) }] }))
  for (const answer of answers) cassette.add('chat', { answer: '\n    answer:\n' }, answer)
  expect(replies(cassette)[0]!.answer).toEqual(answers)
})

test('a full cassette refuses further answers', () => {
  const cassette = new Cassette({ description: 'x' })
  cassette.add('chat', { n: 1 }, { body: 'x'.repeat(6_000_000) })
  expect(() => cassette.add('chat', { n: 2 }, { body: 'x'.repeat(6_000_000) })).toThrow('the cassette is full (10 MB)')
  expect(cassette.requests).toBe(1)
})

test('a cassette refuses an answer with which it would have more tokens than can be read', () => {
  const before = 'description: x\nreplies:\n'
  const cassette = new Cassette({ description: 'x' }, before, 100)
  let n = 0
  const fill = () => {
    for (; n < 100; n++) cassette.add('chat', { n }, { body: 'x' })
  }
  expect(fill).toThrow('the cassette is full (100 tokens of YAML); continue in another file')
  expect([cassette.requests, cassette.answers]).toEqual([n, n])
  expect(n).toBeGreaterThan(0)
  // Readers take a token for each 10 characters.
  expect(parseScenario(cassette.toString(), 'cassette', 1000).replies).toHaveLength(n)
  expect(cassette.full).toContain('100 tokens')
})

test('a malicious cassette is refused with all problems at once, each with its line', () => {
  const hostile = `description: x
replies:
  - when: { endpoint: chat, request: { __proto__: { a: 1 } }, authorization: Bearer sk-1 }
    answer:
      status: 700
      headers: { set-cookie: a }
      contentType: "text/html\\r\\nset-cookie: a=b"
      body: "{{vector}}{{vector}}"
      vectors: [{ floats: "../../etc/passwd" }]
  - answer: { events: [{ at: 99d, data: "a\\nevent: b" }, { at: 1ms, data: "", text: "" }] }
  - answer: { file: /etc/passwd }
`
  expect(() => parseScenario(hostile, 'cassette.yaml')).toThrowErrorMatchingInlineSnapshot(`
    [ScenarioError: Scenario 'cassette.yaml' has 10 problems:
      cassette.yaml:3:40  replies[0].when.request.__proto__: expected another name: JavaScript reserves this one.
      cassette.yaml:3:63  replies[0].when.authorization: unknown field 'authorization'. Expected one of endpoint, stream, attempt, state, turn, model, key, tool, request, earlierUser, earlierToolResult, user, system, toolResult.
      cassette.yaml:5:15  replies[0].answer.status: expected a whole number from 200 to 599, got 700.
      cassette.yaml:6:7  replies[0].answer.headers: unknown field 'headers'. Expected one of status, contentType, retryAfter, wait, body, vectors, events, cut.
      cassette.yaml:7:20  replies[0].answer.contentType: expected a content type, such as application/json or text/html; charset=utf-8, got 'text/html set-cookie: a=b'.
      cassette.yaml:9:27  replies[0].answer.vectors[0].floats: expected base64, got '../../etc/passwd'.
      cassette.yaml:10:30  replies[1].answer.events[0].at: expected a duration such as 300ms, 2s or 1m30s (at most a day), got '99d'.
      cassette.yaml:10:41  replies[1].answer.events[0].data: expected a line of text, got 'a event: b'.
      cassette.yaml:10:58  replies[1].answer.events[1]: expected either data or text, got both or neither.
      cassette.yaml:11:15  replies[2].answer.file: unknown field 'file'. Expected one of status, contentType, retryAfter, wait, body, vectors, events, cut.]
  `)
})

test.each([
  ['in one event', [{ content: 'Use sk-abcd', refusal: 'efghijklmnop now' }]],
  ['in two events', [{ content: 'Use sk-abcd' }, { refusal: 'efghijklmnop now' }]],
  [
    'one field after the other',
    [{ content: 'Use ' }, { refusal: 'efghijkl' }, { content: 'sk-abcd' }, { refusal: 'mnop now' }],
  ],
  ['by turns', [{ content: 'Use sk-' }, { refusal: 'abcdef' }, { content: 'ghijkl' }, { refusal: 'mnop now' }]],
])('a key that is split over two fields of a stream, %s, is redacted', (_, deltas) => {
  const events = deltas.map((delta) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`)
  const redacted = redactStream(
    events.map((text) => ({ atMs: 0, text })),
    plain,
  )
  const texts = redacted.flatMap(({ text }) => Object.values(JSON.parse(text.slice(6)).choices[0].delta))
  expect(texts.join('')).toContain('[redacted]')
  expect(texts.join('')).not.toMatch(/sk-|mnop/)
})

test('a cassette leaves no temporary file, and removes those that a killed process left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'api-mock-cassette-'))
  const path = join(folder, 'chat.yaml')
  const [old, own, other] = ['chat.yaml.0123456789ab.tmp', 'chat.yaml.ba9876543210.tmp', 'chat.yaml.tmp'] as const
  for (const name of [old, own, other]) writeFileSync(join(folder, name), 'x')
  for (const name of [old, other]) utimesSync(join(folder, name), 1, 1)
  const file = await CassetteFile.open(path, false)
  await file.save(() => 'text')
  // One that is new may belong to another process that writes now.
  expect(readdirSync(folder).sort()).toEqual(['chat.yaml', own, other])
  rmSync(folder, { recursive: true })
})
