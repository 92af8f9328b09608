/** Requests for a response that are refused for their files, or because the mock does not simulate a part of them. */
import { expect, test } from 'vitest'
import { fileProblem } from '../../../../../src/core/decide/endpoints/checks/media-problems.ts'
import { mockWith } from '../../../../support/core.ts'

const refusalOf = (body: object): [status: number, message: string, param: string | null] => {
  const { status, text } = mockWith().answer({ path: '/v1/responses', body: { model: 'gpt-4o', input: 'Hi', ...body } })
  const { error } = JSON.parse(text)
  return [status, error?.message, error?.param]
}

test.each([
  ['a custom tool', { tools: [{ type: 'custom', name: 'f' }] }, 'tools[0].type', 'custom tools'],
  ['a hosted tool', { tools: [{ type: 'web_search' }] }, 'tools[0].type', "the hosted tool 'web_search'"],
  [
    'a tool that is loaded later',
    { tools: [{ type: 'function', name: 'f', parameters: null, strict: null, defer_loading: true }] },
    'tools[0].defer_loading',
    'tools that are loaded later',
  ],
  [
    'a hosted tool as choice',
    { tool_choice: { type: 'file_search' } },
    'tool_choice.type',
    "the hosted tool 'file_search'",
  ],
  [
    'an item of a hosted tool',
    {
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'web_search_call', id: 'ws_1' },
      ],
    },
    'input[1].type',
    "items of the type 'web_search_call'",
  ],
])('%s is refused, and the message names it', (_, body, param, named) => {
  const [status, message, path] = refusalOf(body)
  expect([status, path]).toEqual([400, param])
  expect(message).toContain(named)
})

const problemOf = (...input: readonly unknown[]) => fileProblem({ input })?.body
const file = (part: object) => ({ role: 'user', content: [{ type: 'input_text' }, { type: 'input_file', ...part }] })
const AUDIO = { file_data: 'data:audio/mpeg;base64,SUQz' }

test.each(['audio/mpeg', 'font/woff', 'image/png', 'video/mp4', 'application/zip', 'application/octet-stream'])(
  'file data of the type %s cannot be read',
  (mime) => {
    const problem = problemOf('Hi', file({ file_data: `data:${mime};base64,SUQz` }))
    expect(problem?.param).toBe('input[1].content[1].file_data')
    expect(problem?.message).toContain(`but got unsupported MIME type '${mime}'`)
  },
)

test('a file in the output of a function is read too', () => {
  const output = { type: 'function_call_output', output: [{ type: 'input_file', ...AUDIO }] }
  expect(problemOf(output)?.param).toBe('input[0].output[0].file_data')
})

test.each([
  ['a text as the input', 'Hi'],
  ['a text as the content', [{ role: 'user', content: 'Hi' }]],
  ['an item that is no object', [null]],
  ['a part that is no object', [{ role: 'user', content: [null] }]],
  ['a part that is no file', [{ role: 'user', content: [{ type: 'input_text', ...AUDIO }] }]],
  ['a file that can be read', [file({ file_data: 'data:application/pdf;base64,SUQz' })]],
  ['the id of a file', [file({ file_id: 'file-1' })]],
])('%s is no problem', (_, input) => {
  expect(fileProblem({ input })).toBeUndefined()
})

test.each(['https://example.com/a.mp3', 'https://example.com/A.PNG', 'https://example.com/a.zip?b=c.txt'])(
  'a file at %s cannot be read',
  (url) => {
    expect(problemOf(file({ file_url: url }))).toMatchObject({
      message: 'The file type you uploaded is not supported. Please try again with a pdf',
      param: 'input',
    })
  },
)

test.each(['https://example.com/a.pdf', 'https://example.com/mp3', 'https://example.com/?a.mp3', 'a.mp3'])(
  'a file at %s is no problem',
  (url) => {
    expect(problemOf(file({ file_url: url }))).toBeUndefined()
  },
)

const gpt4o = { model: 'gpt-4o', input: 'Hi' }
const strict = mockWith({ validation: 'strict' })
const errorOf = (body: object | string, mock = strict) => mock.json({ path: '/v1/responses', body }).error
const user = (...content: object[]) => ({ role: 'user', content })
const text = { type: 'input_text', text: 'Hi' }
const picture = { type: 'input_image', detail: 'auto', image_url: 'http://localhost/cat.png' }

test('strict validation refuses an image that cannot be downloaded, before a file that cannot be read', () => {
  const unreadable = { type: 'input_file', filename: 'a.mp3', ...AUDIO }
  expect(errorOf({ ...gpt4o, input: [user(text, picture, unreadable)] })).toMatchObject({
    message: 'Error while downloading http://localhost/cat.png.',
    code: 'invalid_image_url',
  })
  expect(errorOf({ ...gpt4o, input: [user(text, unreadable)] })).toMatchObject({
    param: 'input[0].content[1].file_data',
    code: 'invalid_value',
  })
})

test('an error quotes a number as it was sent', () => {
  expect(errorOf('{"model":"gpt-4o","input":"Hi","temperature":-1.0}')).toMatchObject({
    message: "Invalid 'temperature': decimal below minimum value. Expected a value >= 0, but got -1.0 instead.",
    code: 'decimal_below_min_value',
  })
})

test('a schema that is not strict enough is refused with the name of its function', () => {
  const parameters = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
  const [good, bad] = ['good', 'bad'].map((name) => ({ type: 'function', name, strict: true, parameters }))
  const tools = [{ ...good, parameters: { ...parameters, additionalProperties: false } }, bad]
  expect(errorOf({ ...gpt4o, tools })).toMatchObject({
    message: expect.stringMatching(/^Invalid schema for function 'bad': /),
    param: 'tools[1].parameters',
    code: 'invalid_function_parameters',
  })
})

test('a model without images refuses the first one by its place', () => {
  const mock = mockWith({ models: { 'gpt-4o': { supports: { images: false } } } })
  expect(errorOf({ ...gpt4o, input: [user(text), user(text, picture)] }, mock)).toMatchObject({
    message: 'Invalid content type. image_url is only supported by certain models.',
    param: 'input[1].content[1].type',
    code: 'invalid_value',
  })
  expect(errorOf({ ...gpt4o, input: [user(picture)] }, mock).param).toBe('input[0].content[0].type')
  expect(errorOf({ ...gpt4o, input: [user(text)] }, mock)).toBeNull()
})

test('max_output_tokens may be the maximum output of the model, and no more', () => {
  const mock = mockWith({ models: { 'gpt-4o': { maxOutputTokens: 500 } } })
  const statusOf = (max_output_tokens: number) =>
    mock.answer({ path: '/v1/responses', body: { model: 'gpt-4o', input: 'Hi', max_output_tokens } }).status
  expect([statusOf(500), statusOf(501)]).toEqual([200, 400])
})
