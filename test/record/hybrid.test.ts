/** Hybrid recording: what the cassette knows is answered from it, and the rest goes to the upstream and is added. */
import OpenAI from 'openai'
import { expect, test, vi } from 'vitest'
import { parseScenario } from '../../src/core/scenario/yaml/parse-scenario.ts'
import { Cassette } from '../../src/record/cassette.ts'
import { fetchFrom, GENEROUS_MS, HELLO, type HttpCall, serve } from '../support/http.ts'
import { type Recording, recordHybrid, replayed } from './recording.ts'

vi.setConfig({ testTimeout: GENEROUS_MS })

const say = (content: string, more: object = {}): HttpCall => ({
  body: { model: 'gpt-4o', messages: [{ role: 'user', content }], ...more },
})

/** A cassette that was edited by hand: with comments and more fields. */
const CASSETTE = `# Ours.
description: Kept by hand.
ignore: [user]

replies:
# The greeting.
- when:
    endpoint: chat
    request: {model: gpt-4o, messages: [{role: user, content: Known}]}
  answer: {body: '{"known": true}'}   # short
- when: { endpoint: chat, request: { model: gpt-4o, messages: [{ role: user, content: Busy }] } }
  answer: { status: 503, retryAfter: 0s, body: '{"error":{"message":"Busy."}}' }
- { when: { user: help }, say: Ask me anything. }

# No limits.
seed: 7
`
const UPSTREAM = { replies: [{ when: { user: 'fail', attempt: 1 }, fault: 503 as const }] }

const textsOf = async (recording: Pick<Recording, 'origin'>, ...calls: HttpCall[]): Promise<string[]> => {
  const texts = []
  for (const made of calls) texts.push((await fetchFrom(recording, made)).text)
  return texts
}

test('a known call is answered from the cassette, and the upstream does not see it', async () => {
  const upstream = await serve(UPSTREAM)
  const recording = await recordHybrid(CASSETTE, upstream.url)
  expect(await textsOf(recording, say('Known'), say('Known', { user: 'someone' }))).toEqual([
    '{"known": true}',
    '{"known": true}',
  ])
  expect((await fetchFrom(recording, say('help!'))).json.choices[0].message.content).toBe('Ask me anything.')
  await recording.over(3)
  expect(recording.calls).toMatchObject([
    { ruleId: 'replies[0]', isReplayed: true, status: 200 },
    { ruleId: 'replies[0]', isReplayed: true },
    { ruleId: 'replies[2]', isReplayed: true },
  ])
  expect(upstream.mock.journal).toEqual([])
  expect(recording.cassette.toString()).toBe(CASSETTE)
})

test('an unknown call goes to the upstream once and is added; then it is known', async () => {
  const upstream = await serve(UPSTREAM)
  const recording = await recordHybrid(CASSETTE, upstream.url)
  const [first, second, third] = await textsOf(recording, say('New'), say('New'), say('New', { user: 'u' }))
  expect([second, third]).toEqual([first, first])
  await recording.over(3)
  expect(recording.calls.map(({ ruleId, isReplayed }) => [ruleId, isReplayed === true])).toEqual([
    ['replies[3]', false],
    ['replies[3]', true],
    ['replies[3]', true],
  ])
  expect(upstream.mock.journal).toHaveLength(1)

  const text = recording.cassette.toString()
  const [before, added] = text.split('- { when: { user: help }, say: Ask me anything. }\n')
  expect(CASSETTE.startsWith(before!)).toBe(true)
  expect(added).toMatch(/^- when:\n {4}endpoint: chat\n[\s\S]*\n\n# No limits\.\nseed: 7\n$/)
  const again = await replayed(recording)
  expect(await textsOf(again, say('New'), say('Known'))).toEqual([first, '{"known": true}'])
})

test('a streamed answer that was just recorded is replayed as a stream', async () => {
  const upstream = await serve('default')
  const recording = await recordHybrid('description: Empty.\n', upstream.url)
  const client = new OpenAI({ baseURL: `${recording.origin}/v1`, apiKey: 'sk-test' })
  const read = async () => {
    const pieces: string[] = []
    const stream = await client.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'A b c' }],
      stream: true,
    })
    for await (const chunk of stream) pieces.push(chunk.choices[0]?.delta.content ?? '')
    return pieces
  }
  const first = await read()
  await recording.over(1)
  expect(await read()).toEqual(first)
  expect(upstream.mock.journal).toHaveLength(1)
})

test('an error that clients retry is given once, and then the upstream is asked again', async () => {
  const upstream = await serve(UPSTREAM)
  const recording = await recordHybrid(CASSETTE, upstream.url)
  const client = new OpenAI({ baseURL: `${recording.origin}/v1`, apiKey: 'sk-test' })
  const ask = async (content: string) =>
    (await client.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content }] })).choices[0]!
      .message.content
  // A recorded error, and one of the upstream: the client retries both.
  expect([await ask('Busy'), await ask('fail once')]).toEqual(['Busy', 'fail once'])
  expect([await ask('Busy'), await ask('fail once')]).toEqual(['Busy', 'fail once'])
  await recording.over(6)
  expect(
    recording.calls.map(({ ruleId, isReplayed, status }) => `${ruleId} ${status}${isReplayed ? ' replayed' : ''}`),
  ).toEqual([
    'replies[1] 503 replayed',
    'replies[1].answer[1] 200',
    'replies[3] 503',
    'replies[3].answer[1] 200',
    'replies[1] 200 replayed',
    'replies[3] 200 replayed',
  ])
  const { replies } = parseScenario(recording.cassette.toString(), 'cassette.yaml')
  expect(replies!.map(({ answer }) => [answer ?? []].flat().map(({ status = 200 }) => status))).toEqual([
    [200],
    [503, 200],
    [],
    [503, 200],
  ])
})

test('a body that is not JSON goes to the upstream and is known afterwards', async () => {
  const upstream = await serve('default')
  const recording = await recordHybrid(CASSETTE, upstream.url)
  const texts = await textsOf(recording, { body: '{"model": ' }, { body: '{"model": ' })
  expect(texts[1]).toBe(texts[0])
  await recording.over(2)
  expect(recording.calls.map(({ ruleId, isReplayed }) => [ruleId, isReplayed === true])).toEqual([
    ['replies[3]', false],
    ['replies[3]', true],
  ])
})

test('no key is written down in a hybrid recording', async () => {
  const key = 'sk-live-0123456789abcdefghij'
  const upstream = await serve('default')
  const recording = await recordHybrid(CASSETTE, upstream.url)
  await textsOf(
    recording,
    { ...say(`My key is ${key}`), key },
    { ...say('Known'), key },
    { ...say(`My key is ${key}`), key },
  )
  await recording.over(3)
  expect(recording.cassette.toString()).not.toContain('0123456789')
  expect(recording.cassette.toString()).toContain('My key is [redacted]')
  expect(recording.calls[2]).toMatchObject({ isReplayed: true })
})

test.each([
  ['without rules', 'description: x\n'],
  ['without a line break at its end', 'description: x'],
  ['with an empty list', 'description: x\nreplies: []\nseed: 1\n'],
  ['in one line', `{ description: x, replies: [{ when: { user: a }, say: b }], seed: 1 }\n`],
  ['with rules in one line', `description: x\nreplies: [{ when: { user: a }, say: b }]\nseed: 1\n`],
  ['with rules far to the right', 'replies:\n      - say: b\n        when: { user: a }\n'],
  ['with rules at the left and a comment at the end', 'replies:\n- say: |\n    b\n  when: { user: a }\n# the end\n'],
])('an answer can be added to a cassette %s', (_, text) => {
  const before = parseScenario(text, 'x.yaml')
  const cassette = new Cassette(before, text)
  const answer = { body: 'line\n  another\n' }
  cassette.add('chat', HELLO, answer)
  cassette.add('chat', HELLO, { body: 'two' })
  const { replies = [], ...rest } = parseScenario(cassette.toString(), 'x.yaml')
  const { replies: old = [], ...others } = before
  expect(rest).toEqual(others)
  expect(replies).toEqual([...old, { when: { endpoint: 'chat', request: HELLO }, answer: [answer, { body: 'two' }] }])
})
