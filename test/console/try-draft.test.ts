/** The form of the view to try the mock, as a request. */
import { expect, test } from 'vitest'
import { buildRequest, EMPTY_DRAFT, type TryDraft } from '../../src/console/try/try-draft.ts'

const build = (draft: Partial<TryDraft> = {}) =>
  buildRequest({ ...EMPTY_DRAFT, isStream: false, ...draft }, { model: 'echo-1', key: 'sk-test' })

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const FULL = {
  message: 'Weather?',
  system: 'Be brief.',
  tools: JSON.stringify([{ name: 'get_weather', parameters }]),
  schema: JSON.stringify(parameters),
}

test('empty fields are left out, or have the values that the form suggests', () => {
  expect(build()).toMatchObject({ path: '/v1/chat/completions', key: 'sk-test', requestHeaders: {}, problems: [] })
  expect(build().body).toEqual({ model: 'echo-1', messages: [{ role: 'user', content: 'Hello!' }] })
  expect(build({ isStream: true, endpoint: 'responses' }).body).toEqual({
    model: 'echo-1',
    input: 'Hello!',
    stream: true,
  })
})

test('a system prompt, tools and a schema are written in the dialect of the endpoint', () => {
  expect(build(FULL).body).toEqual({
    model: 'echo-1',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
    ],
    tools: [{ type: 'function', function: { name: 'get_weather', parameters } }],
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: parameters } },
  })
  expect(build({ ...FULL, endpoint: 'responses' }).body).toEqual({
    model: 'echo-1',
    instructions: 'Be brief.',
    input: 'Weather?',
    tools: [{ type: 'function', name: 'get_weather', parameters }],
    text: { format: { type: 'json_schema', name: 'answer', schema: parameters } },
  })
})

test('a tool may be in the form of either dialect, and a hosted one stays as it is', () => {
  const tools = JSON.stringify([{ type: 'function', function: { name: 'a' } }, { type: 'web_search' }])
  expect(build({ tools, endpoint: 'responses' }).body?.tools).toEqual([
    { type: 'function', name: 'a' },
    { type: 'web_search' },
  ])
  expect(build({ tools: '{"type": "function", "name": "a"}' }).body?.tools).toEqual([
    { type: 'function', function: { name: 'a' } },
  ])
})

test('headers are read by line, and what cannot be read is a problem', () => {
  expect(build({ headers: 'X-Mock-Fault: cut; after=2\n\n x-a:b ' }).requestHeaders).toEqual({
    'x-mock-fault': 'cut; after=2',
    'x-a': 'b',
  })
  expect(build({ headers: 'nonsense', tools: '[', schema: '{' }).problems).toEqual([
    'Headers: expected a line such as x-mock-fault: rate-limit, got nonsense',
    expect.stringMatching(/^Tools: expected JSON\. /),
    expect.stringMatching(/^Schema: expected JSON\. /),
  ])
})

test('a body that is edited as JSON is sent as it is, even a broken one', () => {
  expect(build({ ...FULL, raw: '{"model": "other"}' })).toMatchObject({
    text: '{"model": "other"}',
    body: { model: 'other' },
  })
  expect(build({ raw: '{"model":' })).toMatchObject({ text: '{"model":', problems: [] })
  expect(build({ raw: '{"model":' }).body).toBeUndefined()
})
