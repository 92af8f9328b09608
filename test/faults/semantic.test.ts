/** Faults that keep an answer well-formed and make its content wrong. */
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { faults } from '../../src/core/protocol/faults/fault-catalogue.ts'
import { readFault } from '../../src/core/protocol/faults/read-fault.ts'
import { type CallOverrides, chunksIn, mockWith } from '../support/core.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
type Json = any
const SCHEMA = {
  type: 'object',
  properties: {
    unit: { enum: ['celsius', 'fahrenheit'] },
    note: { type: 'string' },
    level: { type: 'integer', enum: [1, 2] },
  },
  required: ['unit', 'note', 'level'],
  additionalProperties: false,
}
const USER = { role: 'user', content: 'Hello there!' }
const chat = (more: object = {}): CallOverrides => ({ body: { model: 'echo-1', messages: [USER], ...more } })
const STRUCTURED = chat({ response_format: { type: 'json_schema', json_schema: { name: 'report', schema: SCHEMA } } })
const TOOLS = [{ type: 'function', function: { name: 'report', parameters: SCHEMA } }]
const FORCED = chat({ tools: TOOLS, tool_choice: 'required' })
const EARLIER = { id: 'call_earlier', type: 'function', function: { name: 'report', arguments: '{"level":1}' } }
const AFTER_A_CALL = [
  USER,
  { role: 'assistant', content: null, tool_calls: [EARLIER] },
  { role: 'tool', tool_call_id: 'call_earlier', content: 'Done.' },
]
const STREAMED = chat({ stream: true, stream_options: { include_usage: true } })
const embeddings = (...input: string[]): CallOverrides => ({ path: '/v1/embeddings', body: { model: 'hash-1', input } })

const jsonWithFault = (fault: string, call: CallOverrides, mock = mockWith()): Json =>
  mock.json({ ...call, headers: { 'x-mock-fault': fault } })
const choiceOf = (fault: string, call: CallOverrides): Json => jsonWithFault(fault, call).choices[0]
const argumentsOf = (choice: Json): string => choice.message.tool_calls[0].function.arguments
const ajv = new Ajv()

/** A call that each semantic fault can apply to, and one that it cannot. */
const CALLS: Readonly<Record<string, { readonly fits: CallOverrides; readonly misses: CallOverrides }>> = {
  refusal: { fits: chat(), misses: embeddings('a') },
  'empty-text': { fits: chat(), misses: embeddings('a') },
  'other-language': { fits: chat(), misses: STRUCTURED },
  unfinished: { fits: chat(), misses: embeddings('a') },
  'truncated-json': { fits: STRUCTURED, misses: chat() },
  'wrong-enum': { fits: STRUCTURED, misses: chat() },
  'undeclared-tool': { fits: chat(), misses: embeddings('a') },
  'missing-required': { fits: FORCED, misses: chat() },
  'wrong-type': { fits: FORCED, misses: chat({ tools: TOOLS }) },
  'extra-property': { fits: FORCED, misses: chat({ tools: TOOLS }) },
  'not-object': { fits: FORCED, misses: chat({ tools: TOOLS }) },
  'trailing-comma': { fits: FORCED, misses: chat({ tools: TOOLS }) },
  'single-quotes': { fits: FORCED, misses: chat({ tools: TOOLS }) },
  'code-fence': { fits: FORCED, misses: chat({ tools: TOOLS }) },
  'duplicate-tool-call': { fits: FORCED, misses: STRUCTURED },
  'wrong-tool-call-id': {
    fits: chat({ tools: TOOLS, tool_choice: 'required', messages: AFTER_A_CALL }),
    misses: FORCED,
  },
  'tool-loop': { fits: chat({ tools: TOOLS, messages: AFTER_A_CALL }), misses: chat({ tools: TOOLS }) },
  'repeated-chunk': { fits: STREAMED, misses: chat() },
  'wrong-usage': { fits: embeddings('a'), misses: { method: 'GET', path: '/v1/models', body: '' } },
  'wrong-dimension': { fits: embeddings('a'), misses: chat() },
  'shuffled-embeddings': { fits: embeddings('a', 'b'), misses: embeddings('a') },
}

test('every semantic fault of the catalogue is here', () => {
  const names = faults.filter(({ kind }) => kind === 'semantic').map(({ name }) => name)
  expect(Object.keys(CALLS).sort()).toEqual([...names].sort())
})

test.each(Object.keys(CALLS))('%s applies to a suitable call, and the reason names it', (name) => {
  const { fits } = CALLS[name]!
  const headers = { 'x-mock-fault': name }
  const plan = mockWith().plan({ ...fits, headers })
  expect(plan.reason).toEqual({ by: 'fault', name: `${name} (header)` })
  expect(mockWith().answer({ ...fits, headers }).text).not.toBe(mockWith().answer(fits).text)
  expect(mockWith().answer({ ...fits, headers })).toEqual(mockWith().answer({ ...fits, headers }))
})

test.each(Object.keys(CALLS))('%s in a header is refused by name when it cannot apply to the call', (name) => {
  const { error } = jsonWithFault(name, CALLS[name]!.misses)
  expect(error).toMatchObject({
    code: 'mock_impossible_fault',
    message: expect.stringContaining(`Fault '${name}' (header)`),
  })
})

test.each(Object.keys(CALLS))('%s in a scenario skips calls it cannot apply to, and is not used up', (name) => {
  const { fits, misses } = CALLS[name]!
  const mock = mockWith({ faults: [{ fault: name }] })
  expect(mock.answer(misses).text).toBe(mockWith().answer(misses).text)
  expect(mock.plan(fits).reason.name).toBe(`${name} (faults[0])`)
})

test('a scenario fault that finds nothing to change leaves a note', () => {
  const { reason, notes } = mockWith({ faults: [{ fault: 'wrong-enum' }] }).plan(chat())
  expect(reason.by).toBe('echo')
  expect(notes).toEqual([expect.stringMatching(/^Fault 'wrong-enum' \(faults\[0\]\) can't happen here: it needs /)])
})

test('the fault of a key applies, and an injected fault waits for an endpoint that it can apply to', () => {
  const mock = mockWith({ keys: { 'sk-mute': { fault: 'empty-text' }, 'sk-fine': {} } })
  expect(mock.plan({ ...chat(), key: 'sk-mute' }).reason.name).toBe('empty-text (key)')
  const reading = readFault('wrong-dimension')
  if ('problem' in reading) throw new Error(reading.problem)
  mock.apply({
    type: 'inject',
    injection: {
      id: 1,
      name: 'wrong-dimension',
      configured: reading.configured,
      match: () => ({}),
      remaining: 1,
      delay: 0,
    },
  })
  const reasons = [chat(), embeddings('a'), embeddings('b')].map(
    (call) => mock.plan({ ...call, key: 'sk-fine' }).reason.name,
  )
  expect(reasons).toEqual(['echo', 'wrong-dimension (injected)', 'vectors'])
})

test('an invalid request gets its own error, whatever fault was requested', () => {
  expect(jsonWithFault('wrong-enum', chat({ temperature: 9 })).error.code).toBe('decimal_above_max_value')
})

test.each([[-1e300], [1e300], [2 ** 53], [2 ** 53 - 1, 2 ** 53], [1e308, 1, 2]])(
  'wrong-enum finds another value for %j',
  (...values) => {
    const schema = { type: 'object', properties: { level: { enum: values } }, required: ['level'] }
    const call = chat({ response_format: { type: 'json_schema', json_schema: { name: 'report', schema } } })
    const { level } = JSON.parse(choiceOf('wrong-enum', call).message.content)
    expect(level).toEqual(expect.any(Number))
    expect(values).not.toContain(level)
  },
)

test('wrong-enum keeps the shape and sets one value that its enum does not have', () => {
  for (const text of [
    choiceOf('wrong-enum', STRUCTURED).message.content,
    argumentsOf(choiceOf('wrong-enum', FORCED)),
  ]) {
    const value = JSON.parse(text)
    expect(ajv.validate(SCHEMA, value)).toBe(false)
    expect(ajv.errors).toEqual([expect.objectContaining({ keyword: 'enum' })])
    expect([typeof value.unit, typeof value.level]).toEqual(['string', 'number'])
  }
})

test('truncated-json: half of it or more, and a finish_reason as if it were whole', () => {
  const said = choiceOf('truncated-json', STRUCTURED)
  const whole: string = mockWith().json(STRUCTURED).choices[0].message.content
  expect(whole.startsWith(said.message.content)).toBe(true)
  expect(said.message.content.length).toBeGreaterThanOrEqual(Math.floor(whole.length / 2))
  expect(said.finish_reason).toBe('stop')
  expect(() => JSON.parse(said.message.content)).toThrow()
  const called = choiceOf('truncated-json', FORCED)
  expect(called.finish_reason).toBe('tool_calls')
  expect(() => JSON.parse(argumentsOf(called))).toThrow()
})

test('unfinished: half of a text, of JSON or of the arguments, and a finish_reason that says so', () => {
  expect(choiceOf('unfinished', chat())).toMatchObject({ message: { content: 'Hello ' }, finish_reason: 'length' })
  expect(choiceOf('unfinished; reason=content_filter', chat()).finish_reason).toBe('content_filter')
  const said = choiceOf('unfinished', STRUCTURED)
  expect(said.finish_reason).toBe('length')
  expect(() => JSON.parse(said.message.content)).toThrow()
  const called = choiceOf('unfinished', FORCED)
  expect(called.finish_reason).toBe('length')
  expect(() => JSON.parse(argumentsOf(called))).toThrow()
})

test('unfinished: the same half in a stream, and the tokens of that half in the usage', () => {
  const chunks = chunksIn(mockWith().answer({ ...STREAMED, headers: { 'x-mock-fault': 'unfinished' } }).text)
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Hello ')
  expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(['length'])
  expect(chunks.at(-1)!.usage).toEqual(jsonWithFault('unfinished', chat()).usage)
})

test('undeclared-tool calls a tool that the request does not offer, with or without tools', () => {
  for (const call of [chat(), FORCED]) {
    const { message, finish_reason } = choiceOf('undeclared-tool', call)
    expect(finish_reason).toBe('tool_calls')
    expect(message.tool_calls[0].function.name).not.toBe('report')
    JSON.parse(message.tool_calls[0].function.arguments)
  }
})

test('refusal and empty-text end with finish_reason stop', () => {
  const { message, finish_reason } = choiceOf('refusal', STRUCTURED)
  expect([message.content, finish_reason]).toEqual([null, 'stop'])
  expect(message.refusal).toMatch(/can't help/)
  expect(choiceOf('empty-text', FORCED)).toMatchObject({ message: { content: '' }, finish_reason: 'stop' })
  expect(jsonWithFault('empty-text', chat()).usage.completion_tokens).toBe(0)
})

test('other-language answers with a text in another language', () => {
  const { content } = choiceOf('other-language', chat()).message
  expect(content.length).toBeGreaterThan(10)
  expect(content).not.toContain('Hello')
})

test('repeated-chunk sends one piece twice and leaves the rest', () => {
  const text = (fault?: string): string[] => {
    const headers = fault === undefined ? {} : { 'x-mock-fault': fault }
    const chunks = chunksIn(mockWith().answer({ ...STREAMED, headers }).text)
    return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').filter(Boolean)
  }
  const [right, stuttered] = [text(), text('repeated-chunk')]
  expect(stuttered).toHaveLength(right.length + 1)
  const place = stuttered.findIndex((piece, index) => piece === stuttered[index + 1])
  expect(stuttered.toSpliced(place, 1)).toEqual(right)
})

test('wrong-usage: the total exceeds its parts, whole, streamed and for embeddings', () => {
  const last = chunksIn(mockWith().answer({ ...STREAMED, headers: { 'x-mock-fault': 'wrong-usage' } }).text).at(-1)
  for (const { usage } of [jsonWithFault('wrong-usage', chat()), last, jsonWithFault('wrong-usage', embeddings('a'))]) {
    expect(usage.total_tokens).toBeGreaterThan(usage.prompt_tokens + (usage.completion_tokens ?? 0))
  }
})

test('wrong-dimension: one embedding lacks a number', () => {
  const sizes = jsonWithFault('wrong-dimension', embeddings('a', 'b', 'c')).data.map(
    ({ embedding }: Json) => embedding.length,
  )
  expect(sizes.sort()).toEqual([1535, 1536, 1536])
})

test('shuffled-embeddings keeps every index and moves every embedding', () => {
  const inputs = ['a', 'b', 'c', 'd']
  const right = mockWith().json(embeddings(...inputs)).data
  const { data } = jsonWithFault('shuffled-embeddings', embeddings(...inputs))
  expect(data.toSorted((a: Json, b: Json) => a.index - b.index)).toEqual(right)
  expect(data.every(({ index }: Json, place: number) => index !== place)).toBe(true)
})

test.each(['duplicate-tool-call', 'wrong-tool-call-id'])(
  '%s cannot happen to a function_call, which is alone and has no id',
  (name) => {
    const functions = [{ name: 'report', parameters: SCHEMA }]
    const call = chat({ functions, function_call: { name: 'report' }, messages: AFTER_A_CALL })
    expect(jsonWithFault(name, call).error.code).toBe('mock_impossible_fault')
  },
)
