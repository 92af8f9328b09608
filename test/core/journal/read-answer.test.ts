/** The content of an answer, read from its pieces, streamed or not. */
import { expect, test } from 'vitest'
import { type AnswerContent, joinBody, readAnswer, summarizeChunk } from '../../../src/core/journal/read-answer.ts'
import { asking, openedCall, type PageCall } from '../../support/console.ts'

const tool = { type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }
const replies = [
  { when: { user: 'weather' }, call: { name: 'get_weather', arguments: { city: 'Paris' } } },
  { when: { user: 'refuse' }, refuse: 'No, sorry.' },
  { when: { user: 'long' }, say: 'It goes on and', finish: 'length' as const },
]

function said(call: PageCall): AnswerContent | undefined {
  const body = joinBody(openedCall({ replies }, call))
  return body === undefined ? undefined : readAnswer(body)
}

test.each([{ stream: false }, { stream: true }])(
  'text, finish reason, refusal and tool calls are read with %j',
  (how) => {
    expect(said(asking('Hello "there"\n\nGrüße 👋', how))).toEqual({
      text: 'Hello "there"\n\nGrüße 👋',
      finish: 'stop',
    })
    expect(said(asking('a long one', how))).toEqual({ text: 'It goes on and', finish: 'length' })
    expect(said(asking('refuse', how))).toEqual({ refusal: 'No, sorry.' })
    expect(said(asking('weather', { ...how, tools: [tool] }))).toEqual({
      calls: [{ name: 'get_weather', input: '{"city":"Paris"}' }],
      finish: 'tool_calls',
    })
  },
)

test('the first of several choices is read', () => {
  expect(said(asking('Hello', { n: 3, stream: true }))).toEqual({ text: 'Hello', finish: 'stop' })
})

test('an error and an embedding have no text', () => {
  expect(readAnswer('{"error":{"message":"No."}}')).toBeUndefined()
  expect(said({ path: '/v1/embeddings', body: { model: 'hash-1', input: 'a', dimensions: 2 } })).toBeUndefined()
})

test('a broken answer is read up to its break', () => {
  expect(said({ ...asking('one two three', { stream: true }), headers: { 'x-mock-fault': 'cut; after=3' } })).toEqual({
    text: 'one two',
  })
  expect(readAnswer('{"choices": [{"mess')).toBeUndefined()
})

test('a body that the journal cut is not shown', () => {
  expect(joinBody({})).toBeUndefined()
  expect(joinBody({ timeline: [{ type: 'send', bytes: 9, data: 'a' }], isWhole: false })).toBeUndefined()
})

test('a chunk is shown by its delta', () => {
  const { timeline } = openedCall(
    { replies },
    asking('Hello there', { stream: true, stream_options: { include_usage: true } }),
  )
  const gists = timeline!.flatMap((step) => (step.type === 'send' ? [summarizeChunk(step.data!)] : []))
  expect(gists).toEqual(['start', '"Hello"', '" there"', 'finish: stop', 'usage', 'data: [DONE]'])
})

test.each(['{"id":"chatcmpl-1","choices":[{"message":{"content":"a"}}]}', '{"error":{}}', '<html>', ''])(
  'other text than a chunk is shown unchanged: %j',
  (data) => {
    expect(summarizeChunk(data)).toBe(data)
  },
)

// Responses

const flat = { type: 'function', name: 'get_weather', parameters: { type: 'object' } }
const response = (input: string, more: object = {}): PageCall => ({
  path: '/v1/responses',
  body: { model: 'echo-1', input, ...more },
})

test.each([{ stream: false }, { stream: true }])('a response is read like a chat with %j', (how) => {
  expect(said(response('Hello "there"', how))).toEqual({ text: 'Hello "there"', finish: 'completed' })
  expect(said(response('a long one', how))).toEqual({ text: 'It goes on and', finish: 'length' })
  expect(said(response('refuse', how))).toEqual({ refusal: 'No, sorry.' })
  expect(said(response('weather', { ...how, tools: [flat] }))).toEqual({
    calls: [{ name: 'get_weather', input: '{"city":"Paris"}' }],
    finish: 'completed',
  })
})

test('an event of a response is shown as its content, or else as its name', () => {
  const { timeline } = openedCall({}, response('Hello there', { stream: true }))
  const gists = timeline!.flatMap((step) => (step.type === 'send' ? [summarizeChunk(step.data!)] : []))
  expect(gists.slice(0, 6)).toEqual([
    'created',
    'in_progress',
    'output_item.added',
    'content_part.added',
    '"Hello"',
    '" there"',
  ])
  expect(gists.at(-1)).toBe('finish: completed')
})
