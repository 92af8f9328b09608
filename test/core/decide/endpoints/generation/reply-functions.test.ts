/** Replies as functions: what they are given, what they may return, and what happens when they fail. */
import fc from 'fast-check'
import { expect, expectTypeOf, test } from 'vitest'
import { explainCall } from '../../../../../src/core/decide/pipeline/explain.ts'
import { prepareSource } from '../../../../../src/core/scenario/check/prepare-source.ts'
import { FUNCTION, plainSource, type ScenarioSource } from '../../../../../src/core/scenario/scenario-source.ts'
import type { ReplyRequest, ScenarioInput } from '../../../../../src/index.ts'
import { type CallOverrides, chunksIn, mockWith } from '../../../../support/core.ts'
import { findProblems } from '../../../../support/find-problems.ts'

type Rules = NonNullable<ScenarioInput['replies']>
const TOOLS = ['get_weather', 'get_time'].map((name) => ({ type: 'function', function: { name } }))
const asks = (content: string, more: object = {}): CallOverrides => ({
  body: { model: 'echo-1', messages: [{ role: 'user', content }], ...more },
})
const mockOf = (replies: Rules, more: ScenarioInput = {}) => mockWith(prepareSource({ ...more, replies }))
const saidTo = (replies: Rules, call: CallOverrides): string => mockOf(replies).json(call).choices[0].message.content

test('say returns a text, or an object that is sent as JSON', () => {
  expect(saidTo([{ say: ({ user }) => user.toUpperCase() }], asks('hello'))).toBe('HELLO')
  expect(saidTo([{ say: ({ user }) => ({ length: user.length }) }], asks('hello'))).toBe('{"length":5}')
})

test('a function is given the turn, the texts, the attempt and the captured groups', () => {
  const seen: ReplyRequest[] = []
  const say = (request: ReplyRequest): string => {
    seen.push(request)
    return 'Fine.'
  }
  const mock = mockOf([{ when: { user: /weather in (?<city>\w+)/ }, say }])
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'The weather in Oslo?' }] },
  ]
  const body = { model: 'echo-1', messages, tools: TOOLS, stream: true, max_tokens: 50 }
  mock.plan({ body })
  mock.plan({ body })
  expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2])
  const [request] = seen
  expect(request).toMatchObject({ model: 'echo-1', messages, maxTokens: 50, isStream: true, groups: { city: 'Oslo' } })
  expect(request).toMatchObject({ user: 'The weather in Oslo?', system: 'Be brief.', toolResult: undefined })
  expect(request!.tools.allowed.map(({ name }) => name)).toEqual(['get_weather', 'get_time'])
})

test('a response is given as the same turn as a chat', () => {
  const say = ({ messages, system, user }: ReplyRequest): object => ({
    roles: messages.map(({ role }) => role),
    system,
    user,
  })
  const body = { model: 'echo-1', instructions: 'Be brief.', input: 'Hello' }
  const { output } = mockOf([{ say }] as Rules).json({ path: '/v1/responses', body })
  expect(JSON.parse(output[0].content[0].text)).toEqual({
    roles: ['developer', 'user'],
    system: 'Be brief.',
    user: 'Hello',
  })
})

test('a list may mix texts and functions, used in turn for each key', () => {
  const mock = mockOf([{ say: ['one', ({ attempt }) => `attempt ${attempt}`, 'three'] }])
  const said = () => mock.json(asks('hi')).choices[0].message.content
  expect([said(), said(), said(), said()]).toEqual(['one', 'attempt 2', 'three', 'three'])
})

test('call returns one call or several; missing arguments are generated', () => {
  const call = ({ groups }: ReplyRequest) => [
    { name: 'get_weather', arguments: { city: groups.city } },
    { name: 'get_time' },
  ]
  const { message, finish_reason } = mockOf([{ when: { user: /in (?<city>\w+)/ }, call }]).json(
    asks('weather in Oslo', { tools: TOOLS }),
  ).choices[0]
  expect(message.tool_calls.map((one: { function: object }) => one.function)).toEqual([
    { name: 'get_weather', arguments: '{"city":"Oslo"}' },
    { name: 'get_time', arguments: '{}' },
  ])
  expect(finish_reason).toBe('tool_calls')
})

test('right after a tool result, a call function is passed over as a call is; a reply function is not', () => {
  const messages = [
    { role: 'user', content: 'weather' },
    {
      role: 'assistant',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: '21' },
  ]
  const body = { model: 'echo-1', messages, tools: TOOLS }
  expect(saidTo([{ call: () => ({ name: 'get_weather' }) }], { body })).toBe('21')
  const reply = ({ toolResult }: ReplyRequest) =>
    toolResult === undefined ? { call: { name: 'get_weather' } } : `It is ${toolResult}.`
  const mock = mockOf([{ reply }])
  expect(mock.json(asks('weather', { tools: TOOLS })).choices[0].finish_reason).toBe('tool_calls')
  expect(mock.json({ body }).choices[0].message.content).toBe('It is 21.')
})

test('without tools in the request, a call function is passed over as a call is', () => {
  const mock = mockOf([{ call: () => ({ name: 'get_weather' }) }, { say: 'Fine.' }])
  expect(mock.json(asks('weather')).choices[0].message.content).toBe('Fine.')
  const none = asks('weather', { tools: TOOLS, tool_choice: 'none' })
  expect(mock.json(none).choices[0].message.content).toBe('Fine.')
  expect(mock.plan(none).notes).toEqual(['replies[0] did not call a tool: the request offers none'])
  expect(explainCall(mock.context(none)).passedOver).toMatchObject([
    { id: 'replies[0]', why: 'expected tool for the rule to call, got none' },
  ])
})

test('reply decides between a text, calls and a refusal, and may set the finish reason', () => {
  const mock = mockOf([
    { when: { user: 'cut' }, reply: () => ({ say: 'So lo', finish: 'length' }) },
    { when: { user: 'no' }, reply: () => ({ refuse: 'I will not.' }) },
  ])
  expect(mock.json(asks('cut')).choices[0]).toMatchObject({ message: { content: 'So lo' }, finish_reason: 'length' })
  expect(mock.json(asks('no')).choices[0].message).toMatchObject({ content: null, refusal: 'I will not.' })
})

test('placeholders in the text of a function are sent as they are', () => {
  expect(saidTo([{ say: () => '{{user}}' }], asks('hi'))).toBe('{{user}}')
})

test('a function that changes its request changes nothing for later calls', () => {
  const say = ({ messages, tools }: ReplyRequest): string => {
    const first = (messages as object[]).reverse().length
    Object.assign(messages[0]!, { content: 'changed' })
    ;(tools.allowed as unknown[]).length = 0
    return String(first)
  }
  const mock = mockOf([{ say }])
  const call = asks('hi', { tools: TOOLS })
  mock.plan(call)
  expect(mock.context(call).request.turn).toEqual(mockWith().context(call).request.turn)
})

// Same bytes

test('for any text, a function that returns it gives the bytes of the text, in both dialects, streamed or not', () => {
  const texts = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('{{'))
  fc.assert(
    fc.property(texts, fc.boolean(), fc.boolean(), (text, stream, isResponse) => {
      const call = isResponse
        ? { path: '/v1/responses', body: { model: 'echo-1', input: 'hi', stream } }
        : asks('hi', { stream })
      expect(mockOf([{ say: () => text }]).plan(call)).toEqual(mockWith({ replies: [{ say: text }] }).plan(call))
    }),
  )
})

test('a stream of a function has the whole text', () => {
  const chunks = chunksIn(mockOf([{ say: () => 'one two three' }]).answer(asks('hi', { stream: true })).text)
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('one two three')
})

// Failures

const thrower = (thrown: unknown) => () => {
  throw thrown
}

const UNREADABLE = new Proxy(
  {},
  {
    getPrototypeOf: () => {
      throw new Error('hidden')
    },
  },
)

test.each<[rule: object, message: string]>([
  [{ say: thrower(new Error('boom')) }, 'replies[0].say threw: boom'],
  [{ say: thrower('boom') }, "replies[0].say threw: 'boom'"],
  [{ say: thrower(undefined) }, 'replies[0].say threw: undefined'],
  [{ say: ['one', 'two'].map((text) => thrower(new Error(text))) }, 'replies[0].say[0] threw: one'],
  [{ call: thrower(new TypeError('no city')) }, 'replies[0].call threw: no city'],
  [{ reply: thrower(new Error('x'.repeat(2000))) }, `replies[0].reply threw: ${'x'.repeat(500)}`],
  [
    { say: async () => thrower(new Error('late'))() },
    'replies[0].say returned a promise, but replies are synchronous. Load what the function needs before the call, and return the answer itself. For a late answer, add a delay to the rule.',
  ],
  [{ say: () => undefined }, 'replies[0].say: expected a text, or an object that is sent as JSON, got undefined.'],
  [{ say: () => Number.NaN }, 'replies[0].say: expected a text, or an object that is sent as JSON, got NaN.'],
  [
    { reply: () => ({ say: Promise.reject(new Error('late')) }) },
    'replies[0].reply returned a promise, but replies are synchronous. Load what the function needs before the call, and return the answer itself. For a late answer, add a delay to the rule.',
  ],
  [{ say: thrower(UNREADABLE) }, 'replies[0].say threw: an object that cannot be read'],
  [{ say: () => 5 }, 'replies[0].say: expected a text, or an object that is sent as JSON, got 5.'],
  [{ say: () => ['a'] }, 'replies[0].say: expected a text, or an object that is sent as JSON, got a list.'],
  [
    { call: () => [] },
    'replies[0].call: expected a call such as { name: "get_weather", arguments: { city: "Paris" } }, or a list of calls, got a list.',
  ],
  [
    { call: () => 'get_weather' },
    'replies[0].call: expected a call such as { name: "get_weather", arguments: { city: "Paris" } }, or a list of calls, got \'get_weather\'.',
  ],
  [
    { call: () => ({ name: 'get_weathr' }) },
    "replies[0].call: expected a tool that the request offers ('get_weather' or 'get_time'), got 'get_weathr'.",
  ],
  [
    { reply: () => ({ say: 'a', refuse: 'b' }) },
    'replies[0].reply: expected a text, or an object with one of say, call and refuse, got an object.',
  ],
  [
    { reply: () => ({ text: 'a' }) },
    'replies[0].reply: expected a text, or an object with one of say, call and refuse, got an object.',
  ],
  [
    { reply: () => ({ refuse: 'a', finish: 'length' }) },
    'replies[0].reply: expected a text, or an object with one of say, call and refuse, got an object.',
  ],
])('%j fails with a 500 that names the rule: %s', (rule, message) => {
  const mock = mockOf([rule] as Rules)
  const call = asks('hi', { tools: TOOLS })
  const { status, headers } = mock.answer(call)
  expect({ status, retry: headers['x-should-retry'] }).toEqual({ status: 500, retry: 'false' })
  expect(mock.json(call).error).toMatchObject({ code: 'mock_reply_function', message })
  expect(mock.plan(call)).toMatchObject({ reason: { by: 'request', name: 'reply-function-failed' }, notes: [message] })
  expect(explainCall(mock.context(call))).toMatchObject({ status: 500, notes: [message] })
})

test('whatever a function returns or throws, the call is answered', () => {
  const rule = fc
    .tuple(fc.constantFrom('say', 'call', 'reply'), fc.anything(), fc.boolean())
    .map(([field, value, throws]) => ({ [field]: throws ? thrower(value) : () => value }))
  fc.assert(
    fc.property(rule, (one) => {
      const { status } = mockOf([one] as Rules).answer(asks('hi', { tools: TOOLS }))
      expect([200, 500]).toContain(status)
    }),
  )
})

test('a failed function takes no turn of a sequence', () => {
  let isBroken = true
  const mock = mockOf([{ say: [() => (isBroken ? thrower(new Error('boom'))() : 'one'), 'two'] }])
  expect(mock.answer(asks('hi')).status).toBe(500)
  isBroken = false
  const said = () => mock.json(asks('hi')).choices[0].message.content
  expect([said(), said()]).toEqual(['one', 'two'])
})

// Scenarios

test('a function is a valid reply, and a function anywhere else is a problem', () => {
  expect(findProblems({ replies: [{ say: () => '' }, { call: () => [] }, { reply: () => '' }] })).toEqual([])
  const problems = findProblems({ replies: [{ refuse: () => '' }], description: () => '' })
  expect(new Set(problems.map(({ path }) => path.join('.')))).toEqual(new Set(['description', 'replies.0.refuse']))
})

test('a function within an object is a problem, because JSON has no functions', () => {
  const find = (rule: object) => findProblems({ replies: [rule] } as ScenarioInput)
  const message = 'expected JSON, got a function. Make say itself a function.'
  expect(find({ say: { city: () => 'Oslo' } })).toMatchObject([{ path: ['replies', 0, 'say', 'city'], message }])
  expect(find({ say: ['a', { cities: [() => 'Oslo'] }] })).toMatchObject([{ message }])
  expect(find({ call: { name: 'get_weather', arguments: { city: () => 'Oslo' } } })).toMatchObject([
    { message: 'expected JSON, got a function. Make call itself a function.' },
  ])
})

test('as data, a scenario shows a text for each function, which is no valid reply', () => {
  const source: ScenarioSource = prepareSource({
    replies: [{ when: { user: 'a' }, say: ['x', () => ''] }, { call: () => [] }],
  })
  const plain = plainSource(source)
  expect(plain).toEqual({ replies: [{ when: { user: 'a' }, say: ['x', FUNCTION] }, { call: FUNCTION }] })
  expect(findProblems(plain).map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['replies.0.say', "expected a text, got '[function]', which stands for a function of a scenario in code."],
    ['replies.1.call', expect.stringContaining("got '[function]'")],
  ])
  const texts: ScenarioSource = { replies: [{ say: 'x' }] }
  expect(plainSource(texts)).toBe(texts)
})

test('the types know what a function is given, and refuse a promise', () => {
  const typed = (_: ScenarioInput): void => undefined
  typed({
    replies: [
      { say: (request) => request.user },
      { say: [(request) => ({ attempt: request.attempt }), 'text'], delay: '2s' },
      { call: ({ tools, groups }) => tools.allowed.map(({ name }) => ({ name, arguments: groups })) },
      { reply: ({ toolResult }) => (toolResult === undefined ? { call: { name: 'f' } } : { say: toolResult }) },
    ],
  })
  // @ts-expect-error a promise
  typed({ replies: [{ say: async () => 'x' }] })
  // @ts-expect-error a number
  typed({ replies: [{ say: () => 5 }] })
  // @ts-expect-error a promise
  typed({ replies: [{ call: async () => ({ name: 'f' }) }] })
  // @ts-expect-error a call has a name
  typed({ replies: [{ call: () => ({ tool: 'f' }) }] })
  // @ts-expect-error no such field of an answer
  typed({ replies: [{ reply: () => ({ text: 'x' }) }] })
  // @ts-expect-error no such field of a request
  typed({ replies: [{ say: ({ prompt }) => prompt }] })
  expectTypeOf<ReplyRequest['groups']>().toEqualTypeOf<Readonly<Record<string, string>>>()
})
