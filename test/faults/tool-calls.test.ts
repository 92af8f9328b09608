/** The faults of tool calls: what is wrong with the call, whole and streamed, and what the same fault needs to happen. */
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findInvalid } from '../../src/core/lib/json-schema/validate.ts'
import { toolCallFaults } from '../../src/core/protocol/faults/tool-call-faults.ts'
import type { ScenarioSource } from '../../src/core/scenario/scenario-source.ts'
import { type CallOverrides, chunksIn, mockWith } from '../support/core.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
type Json = any

const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer', minimum: 1, maximum: 14 },
    hourly: { type: 'boolean' },
    place: { type: 'object', properties: { zip: { type: 'string' } }, required: ['zip'], additionalProperties: false },
  },
  required: ['city', 'days', 'hourly', 'place'],
  additionalProperties: false,
}
const ARGUMENTS = { city: 'Coeur d\'Alene, "Idaho"', days: 3, hourly: true, place: { zip: '83814' } }
const USER = { role: 'user', content: 'The forecast, please' }
const FORECAST = { type: 'function', function: { name: 'get_forecast', parameters: SCHEMA } }
const SUN = { type: 'function', function: { name: 'get_sun', parameters: { type: 'object', properties: {} } } }
const TWO_CALLS: Partial<ScenarioSource> = {
  replies: [
    {
      when: { user: 'forecast' },
      call: [
        { name: 'get_forecast', arguments: ARGUMENTS },
        { name: 'get_sun', arguments: {} },
      ],
    },
  ],
}
const ONE_CALL: Partial<ScenarioSource> = {
  replies: [{ when: { user: 'forecast' }, call: { name: 'get_forecast', arguments: ARGUMENTS } }],
}

interface Called {
  readonly id: unknown
  /** All ids that the chunks of the call have. */
  readonly ids: readonly unknown[]
  readonly name: string
  readonly input: string
}

interface Answered {
  readonly calls: readonly Called[]
  readonly finishReason: string
  readonly tokens: number
}

const request = (body: object = {}, seed = 1): CallOverrides => ({
  body: { model: 'echo-1', seed, messages: [USER], tools: [FORECAST, SUN], ...body },
})

function whole(fault: string, scenario: Partial<ScenarioSource>, call = request()): Answered {
  const { choices, usage } = mockWith(scenario).json({ ...call, headers: { 'x-mock-fault': fault } })
  const calls = (choices[0].message.tool_calls ?? []).map(({ id, function: { name, arguments: input } }: Json) => ({
    id,
    ids: [id],
    name,
    input,
  }))
  return { calls, finishReason: choices[0].finish_reason, tokens: usage.completion_tokens }
}

function streamed(fault: string, scenario: Partial<ScenarioSource>, call = request()): Answered {
  const body = { ...(call.body as object), stream: true, stream_options: { include_usage: true } }
  const { text } = mockWith(scenario).answer({ ...call, body, headers: { 'x-mock-fault': fault } })
  const chunks = chunksIn(text)
  const calls: { id: unknown; ids: unknown[]; name: string; input: string }[] = []
  for (const { choices } of chunks) {
    for (const { index, id, function: called } of choices[0]?.delta.tool_calls ?? []) {
      calls[index] ??= { id, ids: [], name: called.name, input: '' }
      if (id !== undefined) calls[index].ids.push(id)
      calls[index].input += called.arguments
    }
  }
  const finishReason = chunks.findLast(({ choices }) => choices[0]?.finish_reason)?.choices[0].finish_reason
  return { calls, finishReason, tokens: chunks.at(-1).usage.completion_tokens }
}

const errorOf = (fault: string, scenario: Partial<ScenarioSource>, call = request()): Json =>
  mockWith(scenario).json({ ...call, headers: { 'x-mock-fault': fault } }).error

const ajv = new Ajv({ allErrors: true })
const problemsOf = (input: string): readonly string[] => {
  ajv.validate(SCHEMA, JSON.parse(input))
  return (ajv.errors ?? []).map(({ keyword }) => keyword)
}

describe.each([
  ['whole', whole],
  ['streamed', streamed],
])('%s', (_, answer) => {
  const inputOf = (fault: string, seed = 1): string => answer(fault, ONE_CALL, request({}, seed)).calls[0]!.input

  test.each([
    ['missing-required', 'required'],
    ['wrong-type', 'type'],
    ['extra-property', 'additionalProperties'],
  ])('%s makes arguments with one problem, whatever the seed', (fault, keyword) => {
    const inputs = new Set<string>()
    for (let seed = 0; seed < 20; seed++) {
      const input = inputOf(fault, seed)
      expect(problemsOf(input)).toEqual([keyword])
      inputs.add(input)
    }
    expect(inputs.size).toBeGreaterThan(2)
  })

  test('the arguments are drawn from the schema when no rule writes them', () => {
    const forced = request({ tool_choice: { type: 'function', function: { name: 'get_forecast' } } })
    expect(problemsOf(answer('missing-required', {}, forced).calls[0]!.input)).toEqual(['required'])
    expect(problemsOf(answer('wrong-type', {}, forced).calls[0]!.input)).toEqual(['type'])
  })

  test('not-object puts the object into an array or into a string', () => {
    const inputs = Array.from({ length: 20 }, (_, seed) => inputOf('not-object', seed))
    const text = JSON.stringify(ARGUMENTS)
    expect(new Set(inputs)).toEqual(new Set([`[${text}]`, JSON.stringify(text)]))
    expect(inputOf('not-object; as=array')).toBe(`[${text}]`)
    expect(inputOf('not-object; as=string')).toBe(JSON.stringify(text))
  })

  test('trailing-comma, single-quotes and code-fence are no JSON, and a tolerant reader finds the same object', () => {
    const comma = inputOf('trailing-comma')
    const quoted = inputOf('single-quotes')
    const fenced = inputOf('code-fence')
    for (const input of [comma, quoted, fenced]) expect(() => JSON.parse(input)).toThrow()
    expect(JSON.parse(comma.replace(/,}$/, '}'))).toEqual(ARGUMENTS)
    expect(new Function(`return ${quoted}`)()).toEqual(ARGUMENTS)
    expect(quoted).toBe(`{'city':'Coeur d\\'Alene, "Idaho"','days':3,'hourly':true,'place':{'zip':'83814'}}`)
    expect(JSON.parse(fenced.replace(/^```json\n|\n```$/g, ''))).toEqual(ARGUMENTS)
  })

  test('a fault of the arguments keeps the name, the other calls and the finish reason', () => {
    const { calls, finishReason } = answer('trailing-comma', TWO_CALLS)
    expect(calls.map(({ name }) => name)).toEqual(['get_forecast', 'get_sun'])
    expect(calls[1]!.input).toBe('{}')
    expect(finishReason).toBe('tool_calls')
  })

  test('duplicate-tool-call makes one call twice, with ids of their own, and counts its tokens', () => {
    const { calls, tokens } = answer('duplicate-tool-call', ONE_CALL)
    expect(calls.map(({ name }) => name)).toEqual(['get_forecast', 'get_forecast'])
    expect(calls[0]!.input).toBe(calls[1]!.input)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
    expect(tokens).toBeGreaterThan(answer('trailing-comma', ONE_CALL).tokens)
    const names = answer('duplicate-tool-call', TWO_CALLS).calls.map(({ name }) => name)
    expect([...names].sort()).toEqual(names)
    expect(names).toHaveLength(3)
  })

  test('wrong-tool-call-id repeats the id of the last call in the messages', () => {
    const { calls } = answer('wrong-tool-call-id', {}, request({ ...afterCalls(2), tool_choice: 'required' }))
    expect(calls[0]!.ids).toEqual(['call_2'])
  })

  test('wrong-tool-call-id gives all calls of an answer one id when the messages have none', () => {
    const { calls } = answer('wrong-tool-call-id', TWO_CALLS)
    expect(calls[0]!.id).toMatch(/^call_\w{24}$/)
    expect(calls[1]!.id).toBe(calls[0]!.id)
  })

  test('tool-loop makes the last calls again, with new ids, for so many turns', () => {
    const made = (count: number, fault = 'tool-loop; turns=3') => answer(fault, ONE_CALL, request(afterCalls(count)))
    const first = made(0)
    expect(first.calls[0]!.input).toBe(JSON.stringify(ARGUMENTS))
    for (const count of [1, 2, 3]) {
      const { calls, finishReason } = made(count)
      expect(calls).toHaveLength(1)
      expect(calls[0]).toMatchObject({ name: 'get_forecast', input: `{"city":"Turn ${count}"}` })
      expect(calls[0]!.id).toMatch(/^call_\w{24}$/)
      expect(finishReason).toBe('tool_calls')
    }
    expect(made(4)).toMatchObject({ calls: [], finishReason: 'stop' })
    expect(made(30, 'tool-loop').calls).toHaveLength(1)
    expect(made(31, 'tool-loop').calls).toHaveLength(0)
  })

  test('the same call has the same bytes', () => {
    for (const { name } of toolCallFaults) {
      const tool_choice = { type: 'function', function: { name: 'get_forecast' } }
      const call = request({ ...afterCalls(1), tool_choice })
      expect(answer(name, TWO_CALLS, call)).toEqual(answer(name, TWO_CALLS, call))
    }
  })
})

/** Messages in which the tool was called so many times after the user message. */
function afterCalls(count: number): { readonly messages: readonly object[] } {
  const turns = Array.from({ length: count }, (_, index) => {
    const turn = index + 1
    const called = { name: 'get_forecast', arguments: `{"city":"Turn ${turn}"}` }
    return [
      { role: 'assistant', content: null, tool_calls: [{ id: `call_${turn}`, type: 'function', function: called }] },
      { role: 'tool', tool_call_id: `call_${turn}`, content: `Sunny in turn ${turn}.` },
    ]
  })
  return { messages: [USER, ...turns.flat()] }
}

test('wrong-tool-call-id; id=changing gives every later chunk of a stream another id', () => {
  const [call] = streamed('wrong-tool-call-id; id=changing', ONE_CALL).calls
  const [first, ...later] = call!.ids
  expect(later.length).toBeGreaterThan(1)
  expect(new Set(later).size).toBe(1)
  expect(later[0]).toMatch(/^call_\w{24}$/)
  expect(later[0]).not.toBe(first)
  expect(JSON.parse(call!.input)).toEqual(ARGUMENTS)
  expect(errorOf('wrong-tool-call-id; id=changing', ONE_CALL).message).toMatch(/for a changing id a stream\.$/)
})

test.each([2, 4])('a new user message after %d calls ends their loop, and the next one begins', (count) => {
  const { messages } = afterCalls(count)
  const next = request({ messages: [...messages, USER] })
  expect(whole('tool-loop; turns=3', ONE_CALL, next).calls[0]!.input).toBe(JSON.stringify(ARGUMENTS))
})

test('tool-loop repeats all calls of a turn, a custom tool and a function_call too', () => {
  const custom = { type: 'custom', custom: { name: 'search' } }
  const calls = [
    { id: 'call_1', type: 'custom', custom: { name: 'search', input: 'rain' } },
    { id: 'call_2', type: 'function', function: { name: 'get_sun', arguments: '{}' } },
    { id: 'call_3', type: 'function', function: { name: 'gone', arguments: '{}' } },
  ]
  const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'Done.' }))
  const messages = [USER, { role: 'assistant', content: null, tool_calls: calls }, ...results]
  const body = { model: 'echo-1', messages, tools: [SUN, custom] }
  const { message } = mockWith().json({ body, headers: { 'x-mock-fault': 'tool-loop' } }).choices[0]
  expect(message.tool_calls).toMatchObject([
    { type: 'custom', custom: { name: 'search', input: 'rain' } },
    { type: 'function', function: { name: 'get_sun', arguments: '{}' } },
  ])
  const legacy = {
    model: 'echo-1',
    functions: [FORECAST.function],
    messages: [
      USER,
      { role: 'assistant', content: null, function_call: { name: 'get_forecast', arguments: '{"days":2}' } },
      { role: 'function', name: 'get_forecast', content: 'Sunny.' },
    ],
  }
  const again = mockWith().json({ body: legacy, headers: { 'x-mock-fault': 'tool-loop' } }).choices[0]
  expect(again).toMatchObject({
    message: { function_call: { name: 'get_forecast', arguments: '{"days":2}' } },
    finish_reason: 'function_call',
  })
})

test.each([
  ['missing-required', 'no property is required', { replies: [{ when: { user: /./ }, call: 'get_sun' }] }, request()],
  ['wrong-type', 'the arguments are empty', { replies: [{ when: { user: /./ }, call: 'get_sun' }] }, request()],
  ['trailing-comma', 'the arguments are empty', { replies: [{ when: { user: /./ }, call: 'get_sun' }] }, request()],
  ['single-quotes', 'the arguments are empty', { replies: [{ when: { user: /./ }, call: 'get_sun' }] }, request()],
  ['tool-loop', 'the request allows no tool', {}, request({ ...afterCalls(1), tool_choice: 'none' })],
  ['tool-loop', 'the request has no tools', {}, request({ ...afterCalls(1), tools: undefined })],
  ['wrong-tool-call-id', 'no other call has an id', ONE_CALL, request()],
] as const)('%s is refused by name when %s', (fault, _, scenario, call) => {
  expect(errorOf(fault, scenario as Partial<ScenarioSource>, call)).toMatchObject({
    code: 'mock_impossible_fault',
    message: expect.stringMatching(`^Fault '${fault}' \\(header\\) can't happen here: it needs a tool call`),
  })
})

test('a function_call, which is always alone and has no id, cannot have a duplicate or a wrong id', () => {
  const call = {
    body: {
      model: 'echo-1',
      messages: [USER],
      functions: [FORECAST.function],
      function_call: { name: 'get_forecast' },
    },
  }
  for (const fault of ['duplicate-tool-call', 'wrong-tool-call-id']) {
    expect(errorOf(fault, {}, call).code).toBe('mock_impossible_fault')
  }
})

test('the faults of JSON apply to an answer by response_format too', () => {
  const json_schema = { name: 'forecast', schema: SCHEMA }
  const call = request({ tools: undefined, response_format: { type: 'json_schema', json_schema } })
  const contentOf = (fault: string): string =>
    mockWith().json({ ...call, headers: { 'x-mock-fault': fault } }).choices[0].message.content
  expect(problemsOf(contentOf('missing-required'))).toEqual(['required'])
  expect(problemsOf(contentOf('wrong-type'))).toEqual(['type'])
  expect(problemsOf(contentOf('extra-property'))).toEqual(['additionalProperties'])
  expect(contentOf('code-fence')).toMatch(/^```json\n\{.*\}\n```$/)
  for (const fault of ['trailing-comma', 'single-quotes', 'code-fence'])
    expect(() => JSON.parse(contentOf(fault))).toThrow()
  expect(problemsOf(contentOf('not-object'))).toEqual(['type'])
})

test('extra-property adds a name that no part of the schema has', () => {
  const names = ['explanation', 'confidence', 'comment', 'reasoning', 'is_final']
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]))
  const tool = { type: 'function', function: { name: 'report', parameters: { type: 'object', properties } } }
  const { calls } = whole('extra-property', {}, request({ tools: [tool], tool_choice: 'required' }))
  const extra = Object.keys(JSON.parse(calls[0]!.input)).filter((name) => !names.includes(name))
  expect(extra).toEqual([expect.stringMatching(/_2$/)])
})

test('single-quotes keeps every text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }).filter((text) => !text.includes('{{')),
      (text) => {
        const call = { name: 'get_sun', arguments: JSON.stringify([text]) }
        const { calls } = whole('single-quotes', { replies: [{ when: { user: 'forecast' }, call }] })
        expect(new Function(`return ${calls[0]!.input}`)()).toEqual([text])
      },
    ),
    { numRuns: 100 },
  )
})

test('a schema that forbids nothing is given up after a few tries', () => {
  const properties = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`p${index}`, {}]))
  const values = Object.fromEntries(Object.keys(properties).map((name) => [name, 1]))
  let tries = 0
  function* manyValues(): Iterable<unknown> {
    for (;;) {
      tries++
      yield values
    }
  }
  expect(findInvalid({ type: 'object', properties }, manyValues())).toBeUndefined()
  expect(tries).toBe(2)
  tries = 0
  expect(findInvalid({}, manyValues())).toBeUndefined()
  expect(tries).toBe(5)
})
