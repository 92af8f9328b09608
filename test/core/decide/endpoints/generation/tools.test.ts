/** Tool calls: scripted by a rule, or forced by the request. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ScenarioSource } from '../../../../../src/core/scenario/scenario-source.ts'
import { type CallOverrides, chunksIn, mockWith } from '../../../../support/core.ts'

const declare = (name: string, parameters?: object) => ({ type: 'function', function: { name, parameters } })
const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const WEATHER = declare('get_weather', CITY)
const TIME = declare('get_time', { type: 'object', properties: { zone: { enum: ['UTC', 'CET'] } }, required: ['zone'] })
const NEWS = { type: 'custom', custom: { name: 'search_news' } }
const MESSAGES = [{ role: 'user', content: 'What is the weather in Rome?' }]
const RULE: Partial<ScenarioSource> = {
  replies: [
    { when: { user: '/weather in (?<city>\\w+)/' }, call: { name: 'get_weather', arguments: { city: '{{city}}' } } },
  ],
}

const ask = (more: object): CallOverrides => ({
  body: { model: 'echo-1', messages: MESSAGES, tools: [WEATHER, TIME], ...more },
})
// biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
const choiceOf = (more: object, mock = mockWith()): any => mock.json(ask(more)).choices[0]
// biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
const calledIn = ({ message }: any): string[] => (message.tool_calls ?? []).map((call: any) => call.function.name)

test('tools that the request only offers are not called', () => {
  expect(choiceOf({}).message).toMatchObject({ content: 'What is the weather in Rome?' })
  expect(choiceOf({ tool_choice: 'auto' }).finish_reason).toBe('stop')
})

test('a scripted call contains the named groups of the rule', () => {
  expect(choiceOf({}, mockWith(RULE))).toEqual({
    index: 0,
    message: {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: expect.stringMatching(/^call_[0-9A-Za-z]{24}$/),
          type: 'function',
          function: { name: 'get_weather', arguments: '{"city":"Rome"}' },
        },
      ],
      refusal: null,
      annotations: [],
    },
    logprobs: null,
    finish_reason: 'tool_calls',
  })
})

test('a rule that calls a tool which the request does not offer is skipped with a note', () => {
  const mock = mockWith(RULE)
  for (const more of [{ tools: [TIME] }, { tools: undefined }, { tool_choice: 'none' }]) {
    const plan = mock.plan(ask(more))
    expect(plan.reason.by).toBe('echo')
    expect(plan.notes).toEqual(["replies[0] did not call 'get_weather': the request does not offer it"])
  }
})

test('after a tool result the same rule does not call again, so the loop of an agent ends', () => {
  const mock = mockWith(RULE)
  const { message } = choiceOf({}, mock)
  const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: '21 degrees' }
  const { message: last, finish_reason } = choiceOf({ messages: [...MESSAGES, message, result] }, mock)
  expect([last.content, finish_reason]).toEqual(['21 degrees', 'stop'])
})

test('the results of parallel calls are all echoed', () => {
  const tool_calls = ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'get_time', arguments: '{}' } }))
  const results = ['one', 'two'].map((content, index) => ({ role: 'tool', tool_call_id: 'ab'[index], content }))
  const { message } = choiceOf({ messages: [...MESSAGES, { role: 'assistant', tool_calls }, ...results] })
  expect(message.content).toBe('one\ntwo')
})

test('a rule that matches a tool result may call the next tool', () => {
  const mock = mockWith({
    replies: [
      { when: { toolResult: 'CET' }, call: { name: 'get_weather', arguments: { city: 'Rome' } } },
      { when: { user: 'weather' }, call: { name: 'get_time', arguments: { zone: 'CET' } } },
    ],
  })
  const messages: object[] = [...MESSAGES]
  const steps: string[] = []
  for (const result of ['12:00 CET', '21 degrees', 'unused']) {
    const { message } = choiceOf({ messages }, mock)
    steps.push(
      ...calledIn(message === undefined ? {} : { message }),
      ...(message.content === null ? [] : [message.content]),
    )
    if (message.tool_calls === undefined) break
    messages.push(message, { role: 'tool', tool_call_id: message.tool_calls[0].id, content: result })
  }
  expect(steps).toEqual(['get_time', 'get_weather', '21 degrees'])
})

test('a rule with several calls makes them in parallel, unless the request forbids it', () => {
  const mock = mockWith({ replies: [{ call: [{ name: 'get_weather' }, { name: 'get_time' }] }] })
  expect(calledIn(choiceOf({}, mock))).toEqual(['get_weather', 'get_time'])
  const plan = mock.plan(ask({ parallel_tool_calls: false }))
  expect(plan.notes).toEqual(['replies[0] made one of its 2 calls: parallel_tool_calls is false'])
  expect(calledIn(choiceOf({ parallel_tool_calls: false }, mock))).toEqual(['get_weather'])
})

test('arguments given as a text are sent as they are, valid or not', () => {
  const mock = mockWith({ replies: [{ call: { name: 'get_weather', arguments: '{"city": {{turn}}' } }] })
  expect(choiceOf({}, mock).message.tool_calls[0].function.arguments).toBe('{"city": 1')
})

test('scripted arguments that the schema refuses are noted', () => {
  const mock = mockWith({ replies: [{ call: { name: 'get_time', arguments: { zone: 'Mars' } } }] })
  expect(mock.plan(ask({})).notes).toEqual([expect.stringMatching(/^the answer of replies\[0\] is not valid .*zone/)])
})

test('a required call has arguments generated from the schema of the tool, the same ones every time', () => {
  const [first, again] = [0, 1].map(() => choiceOf({ tool_choice: 'required' }).message.tool_calls[0])
  expect(first).toEqual(again)
  expect(JSON.parse(first.function.arguments)).toEqual({ city: expect.any(String) })
  expect(first).toMatchInlineSnapshot(`
    {
      "function": {
        "arguments": "{"city":"Boston"}",
        "name": "get_weather",
      },
      "id": "call_9pQQKTU0UJO133DZi4iOAXzF",
      "type": "function",
    }
  `)
})

test('a named tool is called', () => {
  const choice = choiceOf({ tool_choice: { type: 'function', function: { name: 'get_time' } } })
  expect(calledIn(choice)).toEqual(['get_time'])
  expect(['UTC', 'CET']).toContain(JSON.parse(choice.message.tool_calls[0].function.arguments).zone)
})

describe('the finish reason of an answer with calls', () => {
  const named = { type: 'function', function: { name: 'get_time' } }
  const only = { mode: 'required', tools: [named] }
  const legacy = { tools: undefined, functions: [WEATHER.function] }
  // Of a recorded call, in the contract's section 11.4; the named function_call and allowed_tools are the simplest reading.
  test.each([
    ['a named function', { tool_choice: named }, 'stop', 'tool_calls'],
    ['required', { tool_choice: 'required' }, 'tool_calls', 'tool_calls'],
    ['auto', { tool_choice: 'auto' }, 'tool_calls', 'tool_calls'],
    ['no choice', {}, 'tool_calls', 'tool_calls'],
    ['allowed tools', { tool_choice: { type: 'allowed_tools', allowed_tools: only } }, 'tool_calls', 'tool_calls'],
    ['functions', legacy, 'function_call', 'function_call'],
    ['a named function_call', { ...legacy, function_call: { name: 'get_weather' } }, 'stop', 'stop'],
  ])('%s', (_, request, finish, finishOfReasoning) => {
    const call = 'functions' in request ? 'get_weather' : 'get_time'
    const finishes = [false, true].map((reasoning) => {
      const mock = mockWith({ models: { '*': { reasoning } }, replies: [{ call: { name: call } }] })
      const whole = choiceOf(request, mock).finish_reason
      const chunks = chunksIn(mock.answer(ask({ ...request, stream: true })).text)
      expect(chunks.at(-1).choices[0].finish_reason).toBe(whole)
      return whole
    })
    expect(finishes).toEqual([finish, finishOfReasoning])
  })
})

test('only the allowed tools are called', () => {
  const allowed = (mode: string, ...names: string[]) => ({
    type: 'allowed_tools',
    allowed_tools: { mode, tools: names.map((name) => ({ type: 'function', function: { name } })) },
  })
  expect(calledIn(choiceOf({ tool_choice: allowed('required', 'get_time') }))).toEqual(['get_time'])
  expect(calledIn(choiceOf({ tool_choice: allowed('auto', 'get_time') }))).toEqual([])
  expect(calledIn(choiceOf({ tool_choice: allowed('auto', 'get_time') }, mockWith(RULE)))).toEqual([])
  const { error } = mockWith().json(ask({ tool_choice: allowed('required', 'get_tide') }))
  expect(error.message).toContain("no function named 'get_tide'")
})

test('with tool_choice required at every step, each tool is called in turn', () => {
  const messages: object[] = [...MESSAGES]
  const names: string[] = []
  for (let step = 0; step < 3; step++) {
    const choice = choiceOf({ messages, tool_choice: 'required' })
    names.push(...calledIn(choice))
    const { id } = choice.message.tool_calls[0]
    messages.push(choice.message, { role: 'tool', tool_call_id: id, content: 'done' })
  }
  expect(names).toEqual(['get_weather', 'get_time', 'get_weather'])
})

test('a function without parameters is called with an empty object', () => {
  const choice = choiceOf({ tools: [declare('ping')], tool_choice: 'required' })
  expect(choice.message.tool_calls[0].function.arguments).toBe('{}')
})

test('a custom tool gets the user message, or a text that matches its pattern', () => {
  const forced = { tool_choice: { type: 'custom', custom: { name: 'search_news' } } }
  const { tool_calls } = choiceOf({ tools: [NEWS], ...forced }).message
  expect(tool_calls[0]).toMatchObject({
    type: 'custom',
    custom: { name: 'search_news', input: 'What is the weather in Rome?' },
  })
  const format = { type: 'grammar', grammar: { syntax: 'regex', definition: '[A-Z]{3}-\\d{2}' } }
  const strict = { type: 'custom', custom: { name: 'search_news', format } }
  expect(choiceOf({ tools: [strict], ...forced }).message.tool_calls[0].custom.input).toMatch(/^[A-Z]{3}-\d{2}$/)
})

test('the deprecated functions are answered with a function_call', () => {
  const legacy = { tools: undefined, functions: [WEATHER.function], function_call: { name: 'get_weather' } }
  const { message, finish_reason } = choiceOf(legacy)
  expect(message).toMatchObject({
    content: null,
    function_call: { name: 'get_weather', arguments: expect.any(String) },
  })
  expect(message.tool_calls).toBeUndefined()
  expect(finish_reason).toBe('stop')
  expect(choiceOf({ ...legacy, function_call: 'auto' }).finish_reason).toBe('stop')
  const result = { role: 'function', name: 'get_weather', content: '21 degrees' }
  expect(choiceOf({ ...legacy, function_call: 'auto', messages: [...MESSAGES, message, result] }).message.content).toBe(
    '21 degrees',
  )
})

test('a tool schema that no value can match is a 400 that names the place, if the tool must be called', () => {
  const impossible = declare('f', {
    type: 'object',
    properties: { n: { type: 'integer', minimum: 2, maximum: 1 } },
    required: ['n'],
  })
  const mock = mockWith()
  expect(mock.answer(ask({ tools: [impossible] })).status).toBe(200)
  const { error } = mock.json(
    ask({ tools: [WEATHER, impossible], tool_choice: { type: 'function', function: { name: 'f' } } }),
  )
  expect(error).toMatchObject({ param: 'tools[1].function.parameters', code: 'mock_unsatisfiable_schema' })
  expect(error.message).toMatch(/^Invalid schema for function 'f': no value fulfils it: .*#\/properties\/n/)
})

test('a strict function must use the documented subset of JSON Schema', () => {
  const strict = { type: 'function', function: { ...WEATHER.function, strict: true } }
  const { error } = mockWith().json(ask({ tools: [strict] }))
  expect(error).toEqual({
    message:
      "Invalid schema for function 'get_weather': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    type: 'invalid_request_error',
    param: 'tools[0].function.parameters',
    code: 'invalid_function_parameters',
  })
})

test('a tool call that exceeds max_tokens ends with length and incomplete arguments', () => {
  const city = 'Llanfairpwllgwyngyll'
  const mock = mockWith({ replies: [{ call: { name: 'get_weather', arguments: { city } } }] })
  const cut = (max_tokens: number) => choiceOf({ max_tokens }, mock)
  expect(cut(30).finish_reason).toBe('tool_calls')
  const { message, finish_reason } = cut(14)
  expect(finish_reason).toBe('length')
  expect(message.tool_calls[0].function.arguments).toBe('{"city":"Llan')
  expect(cut(3)).toMatchObject({ message: { content: '' }, finish_reason: 'length' })
})

test('each of n choices has its own tool call ids', () => {
  const { choices } = mockWith().json(ask({ tool_choice: 'required', n: 3 }))
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
  expect(new Set(choices.map(({ message }: any) => message.tool_calls[0].id)).size).toBe(3)
})

// Streams

const streamed = (more: object, mock = mockWith()) => chunksIn(mock.answer(ask({ stream: true, ...more })).text)

test('a streamed call begins with its id and name, and its pieces add up to the arguments', () => {
  const [first, ...rest] = streamed({ tool_choice: 'required' })
  expect(first.choices[0].delta).toEqual({
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        index: 0,
        id: expect.stringMatching(/^call_\w{24}$/),
        type: 'function',
        function: { name: 'get_weather', arguments: '' },
      },
    ],
    refusal: null,
  })
  const pieces = rest.slice(0, -1).map(({ choices }) => choices[0].delta.tool_calls[0])
  expect(pieces.every((piece) => Object.keys(piece).join() === 'index,function')).toBe(true)
  expect(pieces.length).toBeGreaterThan(3)
  expect(JSON.parse(pieces.map((piece) => piece.function.arguments).join(''))).toHaveProperty('city')
  expect(rest.at(-1).choices[0]).toMatchObject({ delta: {}, finish_reason: 'tool_calls' })
})

// As recorded from the real service; the official client parses the arguments of a call when another begins.
test('parallel calls come after the role, each complete before the next begins', () => {
  const made = { name: 'get_weather', arguments: { city: 'Rome' } }
  const mock = mockWith({ replies: [{ call: [made, { name: 'get_time', arguments: {} }] }] })
  const [role, ...deltas] = streamed({}, mock).map(({ choices }) => choices[0].delta)
  expect(role).toEqual({ role: 'assistant', content: null })
  const parts = deltas.slice(0, -1).map(({ tool_calls }) => tool_calls[0])
  const order = parts.map(({ index, function: { name } }) => (name === undefined ? `${index}` : `${index} ${name}`))
  expect([...new Set(order)]).toEqual(['0 get_weather', '0', '1 get_time', '1'])
  expect(order).toEqual(order.toSorted((one, other) => Number(one[0]) - Number(other[0])))
})

test('a streamed function_call and a streamed custom call come in pieces too', () => {
  const legacy = streamed({ tools: undefined, functions: [WEATHER.function], function_call: { name: 'get_weather' } })
  expect(legacy[0].choices[0].delta.function_call).toEqual({ name: 'get_weather', arguments: '' })
  const written = legacy.map(({ choices }) => choices[0].delta.function_call?.arguments ?? '').join('')
  expect(JSON.parse(written)).toHaveProperty('city')

  const custom = streamed({ tools: [NEWS], tool_choice: 'required' })
  expect(custom[0].choices[0].delta.tool_calls[0].custom).toEqual({ name: 'search_news', input: '' })
  const said = custom.map(({ choices }) => choices[0].delta.tool_calls?.[0].custom.input ?? '').join('')
  expect(said).toBe('What is the weather in Rome?')
})

test('a streamed call adds up to the whole answer', () => {
  const someCall = fc.record({
    name: fc.constantFrom('get_weather', 'get_time'),
    arguments: fc.oneof(fc.string({ unit: 'grapheme' }), fc.dictionary(fc.string(), fc.jsonValue())),
  })
  fc.assert(
    fc.property(fc.array(someCall, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 60 }), (calls, most) => {
      const replies = [{ call: calls }]
      fc.pre(!JSON.stringify(replies).includes('{{'))
      const mock = mockWith({ replies } as Partial<ScenarioSource>)
      const { message, finish_reason } = choiceOf({ max_tokens: most }, mock)
      const chunks = streamed({ max_tokens: most }, mockWith({ replies } as Partial<ScenarioSource>))
      // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
      const inputs: any[] = []
      for (const { choices } of chunks) {
        for (const { index, function: part } of choices[0].delta.tool_calls ?? []) {
          inputs[index] = {
            name: inputs[index]?.name ?? part.name,
            arguments: (inputs[index]?.arguments ?? '') + part.arguments,
          }
        }
      }
      // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
      const whole = (message.tool_calls ?? []).map((call: any) => call.function)
      expect(inputs).toEqual(whole)
      expect(chunks.at(-1).choices[0].finish_reason).toBe(finish_reason)
    }),
  )
})
