/** A call as a conversation, and the pages of code that repeat it. */
import { expect, test } from 'vitest'
import { describeGaps, readConversation, whyNoAnswer } from '../../src/console/call/conversation.ts'
import { detailsOf } from '../../src/core/journal/call-details.ts'
import { asking, mockAfter, openedCall, type PageCall } from '../support/console.ts'

const chat = (messages: readonly unknown[], more: object = {}): PageCall => ({
  body: { model: 'echo-1', messages, ...more },
})
const weather = { type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: {} } } }

test('messages, tool calls and results become parts, and media become placeholders', () => {
  const call = openedCall(
    { replies: [{ say: 'Wet.' }] },
    chat(
      [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          name: 'ann',
          content: [
            { type: 'text', text: 'Rain?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(4000)}`, detail: 'low' } },
            { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'yes' },
      ],
      { tools: [weather] },
    ),
  )
  const { messages, answers, tools } = readConversation(call)!
  expect(tools).toEqual(['get_weather'])
  expect(messages.map(({ role, detail }) => [role, detail])).toEqual([
    ['system', ''],
    ['user', 'ann'],
    ['assistant', ''],
    ['tool', 'call_1'],
  ])
  expect(messages[1]!.parts).toEqual([
    { kind: 'text', text: 'Rain?' },
    { kind: 'image', label: 'image: png, 3.0 kB, detail low' },
    { kind: 'audio', label: 'audio: wav, 3 bytes' },
  ])
  expect(messages[2]!.parts).toEqual([{ kind: 'call', name: 'get_weather', input: '{"a":1}', id: 'call_1' }])
  expect(answers).toEqual([{ role: 'assistant', detail: 'finish: stop', parts: [{ kind: 'text', text: 'Wet.' }] }])
})

test.each([false, true])('every choice and every tool call of an answer is shown, streamed: %s', (stream) => {
  const said = openedCall({ replies: [{ say: 'Wet.' }] }, asking('Rain?', { n: 2, stream }))
  expect(readConversation(said)!.answers.map(({ parts }) => parts)).toEqual([
    [{ kind: 'text', text: 'Wet.' }],
    [{ kind: 'text', text: 'Wet.' }],
  ])
  const replies = [{ call: [{ name: 'get_weather', arguments: { city: 'Oslo' } }] }]
  const called = openedCall({ replies }, asking('Rain?', { tools: [weather], stream }))
  expect(readConversation(called)!.answers).toMatchObject([
    { detail: 'finish: tool_calls', parts: [{ kind: 'call', name: 'get_weather', input: '{"city":"Oslo"}' }] },
  ])
})

test('of a stream that the client left, only what was sent is shown', () => {
  const call = openedCall({ replies: [{ say: 'one two three' }] }, asking('Count.', { stream: true }))
  const timeline = call.timeline!.map((step, index) => (index < 3 ? { ...step, atMs: 5 } : step))
  expect(readConversation({ ...call, timeline })!.answers[0]!.parts).toEqual([{ kind: 'text', text: 'one' }])
})

test('messages of any shape are shown, and errors have no answer', () => {
  const odd = chat([
    7,
    { role: 3 },
    { role: 'user', content: { a: 1 } },
    { role: 'user', content: [{ type: 'x' }, null] },
  ])
  const { messages, answers } = readConversation(openedCall({}, odd))!
  expect(messages.map(({ role, parts }) => [role, parts.map(({ kind }) => kind)])).toEqual([
    ['invalid', ['other']],
    ['invalid', []],
    ['user', ['other']],
    ['user', ['other', 'other']],
  ])
  expect(answers).toEqual([])
  expect(
    readConversation(openedCall({}, { path: '/v1/embeddings', body: { model: 'hash-1', input: 'a' } })),
  ).toBeUndefined()
})

test('the items of a response are shown as messages', () => {
  const call = openedCall(
    { replies: [{ say: 'Wet.' }] },
    {
      path: '/v1/responses',
      body: {
        model: 'echo-1',
        instructions: 'Be brief.',
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'Rain?' }] },
          { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"a":1}' },
          { type: 'function_call_output', call_id: 'call_1', output: 'yes' },
        ],
        tools: [{ type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} } }],
      },
    },
  )
  const { messages, answers, tools } = readConversation(call)!
  expect(tools).toEqual(['get_weather'])
  expect(messages).toEqual([
    { role: 'developer', detail: '', parts: [{ kind: 'text', text: 'Be brief.' }] },
    { role: 'user', detail: '', parts: [{ kind: 'text', text: 'Rain?' }] },
    { role: 'assistant', detail: '', parts: [{ kind: 'call', name: 'get_weather', input: '{"a":1}', id: 'call_1' }] },
    { role: 'tool', detail: 'call_1', parts: [{ kind: 'text', text: 'yes' }] },
  ])
  expect(answers).toEqual([{ role: 'assistant', detail: 'finish: completed', parts: [{ kind: 'text', text: 'Wet.' }] }])
})

test('a partial answer says what is missing at its end', () => {
  const whole = openedCall({}, asking('Hello'))
  const gapsOf = (more: object) => describeGaps({ ...whole, outcome: 'complete', ...more })
  expect(gapsOf({})).toEqual([])
  expect(gapsOf({ outcome: 'cut' })).toEqual(['The mock cut the answer off here.'])
  expect(gapsOf({ outcome: 'client-left' })).toEqual(['The client left here.'])
  expect(gapsOf({ isWhole: false, bytes: 240_000 })).toEqual(['The answer has 240,000 bytes. The rest is left out.'])
})

test('a call without an answer says why there is none', () => {
  const [entry] = mockAfter({}, [asking('Hello')]).journal
  const why = (more: object, maxCharacters?: number) =>
    whyNoAnswer({ ...detailsOf(entry!, 1, maxCharacters), outcome: 'complete', bytes: 240_000, ...more })
  expect(why({ outcome: 'open' })).toBe('No part of the answer is sent yet.')
  expect(why({ status: 502 })).toBe('The answer is an error: see the tab Response.')
  expect(why({ bytes: 0 })).toBe('The client got no message.')
  expect(why({}, 20)).toBe('The answer of 240,000 bytes is too long for this view.')
  for (const gone of [why({ timeline: undefined, isWhole: undefined }), why({}, 0)]) {
    expect(gone).toBe('The answer is not in the journal: 240,000 bytes were sent.')
  }
})
