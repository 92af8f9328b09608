/** Every fault over responses: it changes the answer, or is refused by name. */
import { expect, test } from 'vitest'
import { faults } from '../../src/core/protocol/faults/fault-catalogue.ts'
import { type CallOverrides, mockWith, read } from '../support/core.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
type Json = any
const TEXT = 'One two thrée'
const SCHEMA = {
  type: 'object',
  properties: { unit: { enum: ['celsius', 'fahrenheit'] }, note: { type: 'string' } },
  required: ['unit', 'note'],
  additionalProperties: false,
}
const TOOL = { type: 'function', name: 'report', parameters: SCHEMA }
const asking = (more: object = {}): CallOverrides => ({
  path: '/v1/responses',
  body: { model: 'echo-1', input: TEXT, ...more },
})
const STREAM = { stream: true }
const CALLING = { tools: [TOOL], tool_choice: 'required' }
const AFTER_A_CALL = {
  input: [
    { role: 'user', content: TEXT },
    { type: 'function_call', call_id: 'call_earlier', name: 'report', arguments: '{"note":"a"}' },
    { type: 'function_call_output', call_id: 'call_earlier', output: 'Done.' },
  ],
}
const withFault = (fault: string, call: CallOverrides): CallOverrides => ({
  ...call,
  headers: { 'x-mock-fault': fault },
})
const planOf = (fault: string, more: object = {}) => mockWith().plan(withFault(fault, asking(more)))
const textOf = (fault: string, more: object = {}): string => read(planOf(fault, more)).text
const eventsIn = (text: string): Json[] =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('event: ') && event.endsWith('}'))
    .map((event) => JSON.parse(event.slice(event.indexOf('{'))))
const namesIn = (text: string): string[] => eventsIn(text).map(({ type }) => type.replace('response.', ''))
const outputOf = (fault: string, more: object = {}): Json => JSON.parse(textOf(fault, more)).output

/** The requests that faults need, where plain text is not enough. */
const NEEDS: Readonly<Record<string, object>> = {
  'truncated-json': CALLING,
  'wrong-enum': CALLING,
  'missing-required': CALLING,
  'wrong-type': CALLING,
  'extra-property': CALLING,
  'not-object': CALLING,
  'trailing-comma': CALLING,
  'single-quotes': CALLING,
  'code-fence': CALLING,
  'duplicate-tool-call': CALLING,
  'wrong-tool-call-id': { ...CALLING, ...AFTER_A_CALL },
  'tool-loop': { tools: [TOOL], ...AFTER_A_CALL },
  'repeated-chunk': STREAM,
}
/** The faults that need another endpoint, with the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  'wrong-dimension': 'it needs embeddings of at least two dimensions.',
  'shuffled-embeddings': 'it needs embeddings of at least two inputs.',
}

test.each(faults.map(({ name, kind }) => [name, kind] as const))(
  '%s works on responses, or is refused by name',
  (name, kind) => {
    const call = asking(NEEDS[name] ?? (kind === 'stream' ? STREAM : {}))
    const plan = mockWith().plan(withFault(name, call))
    const reason = REFUSED[name]
    if (reason !== undefined) {
      const { error } = JSON.parse(read(plan).text)
      expect(error).toMatchObject({
        code: 'mock_impossible_fault',
        message: `Fault '${name}' (header) can't happen here: ${reason}`,
      })
      return
    }
    expect(plan.reason).toEqual({ by: 'fault', name: `${name} (header)` })
    const usual = mockWith().plan(call)
    expect(plan.events).not.toEqual(usual.events)
  },
)

// By place

test('cut; after counts the events before the first item as one, as the first chunk of a chat; 0 is the same', () => {
  for (const after of [0, 1]) {
    expect(namesIn(textOf(`cut; after=${after}`, STREAM))).toEqual(['created', 'in_progress'])
  }
  const three = namesIn(textOf('cut; after=3', STREAM))
  expect(three.filter((name) => name === 'output_text.delta')).toHaveLength(2)
  expect(three.at(-1)).toBe('output_text.delta')
  expect(planOf('cut; after=3', STREAM).events.at(-1)).toEqual({ type: 'reset' })
})

test('cut; after counts the deltas of refusals and of arguments, and not those of summaries', () => {
  const refusing = mockWith({ replies: [{ refuse: 'No, never.' }] })
  expect(namesIn(read(refusing.plan(withFault('cut; after=2', asking(STREAM)))).text).at(-1)).toBe('refusal.delta')
  const calls = namesIn(textOf('cut; after=3', { ...STREAM, ...CALLING }))
  expect(calls.filter((name) => name === 'function_call_arguments.delta')).toHaveLength(2)
  expect(calls.at(-1)).toBe('function_call_arguments.delta')
})

test('a cut of several calls leaves the same names and arguments in a response and in a chat', () => {
  const calls = ['a', 'b'].map((note) => ({ name: 'report', arguments: { unit: 'celsius', note } }))
  const mock = mockWith({ replies: [{ call: calls }] })
  const { type, ...declaration } = TOOL
  const chat = { messages: [{ role: 'user', content: TEXT }], tools: [{ type, function: declaration }] }
  const shownBy = (after: number, call: CallOverrides, partOf: (event: Json) => string): string => {
    const { text } = read(mock.plan(withFault(`cut; after=${after}`, call)))
    const data = text.split('\n\n').filter((event) => event.endsWith('}'))
    return data.map((event) => partOf(JSON.parse(event.slice(event.indexOf('{'))))).join('')
  }
  const seen = new Set<string>()
  for (let after = 1; after <= 12; after++) {
    const ofResponse = shownBy(after, asking({ ...STREAM, tools: [TOOL] }), ({ type: event, item, delta }) =>
      event === 'response.output_item.added' ? item.name : (delta ?? ''),
    )
    const ofChat = shownBy(after, { body: { model: 'echo-1', ...chat, ...STREAM } }, ({ choices }) => {
      const called = choices[0].delta.tool_calls?.[0].function
      return called === undefined ? '' : (called.name ?? '') + called.arguments
    })
    expect(ofResponse).toBe(ofChat)
    seen.add(ofChat)
  }
  expect(seen.size).toBeGreaterThan(10)
})

test('cut; bytes counts from the first event, and with after from a place', () => {
  const whole = textOf('comments', STREAM).replaceAll(': keep-alive\n\n', '')
  expect(textOf('cut; bytes=10', STREAM)).toBe('event: res')
  const beforeItems = textOf('cut; after=1', STREAM)
  expect(textOf('cut; after=1; bytes=10', STREAM)).toBe(whole.slice(0, beforeItems.length + 10))
})

test('the last two places of a response are before and after its last event', () => {
  const names = namesIn(textOf('comments', STREAM))
  expect(namesIn(textOf('cut; after=6', STREAM))).toEqual(names.slice(0, -1))
  expect(namesIn(textOf('cut; after=7', STREAM))).toEqual(names)
})

test('a cut after more places than there are says how many there are', () => {
  expect(textOf('cut; after=99', STREAM)).toContain(
    "expected 'after' to be at most 7, the number of places in the stream, got 99.",
  )
})

test.each(['finish', 'usage', 'done'])('cut; before=%s omits the last event only', (before) => {
  expect(namesIn(textOf(`cut; before=${before}`, STREAM))).toEqual(namesIn(textOf('comments', STREAM)).slice(0, -1))
})

test('cut; inside=arguments breaks in the first delta of the arguments', () => {
  const text = textOf('cut; inside=arguments', { ...STREAM, ...CALLING })
  expect(text.split('\n\n').at(-1)).toMatch(/^event: response\.function_call_arguments\.delta\ndata: .*"delta":"[^"]+$/)
  expect(textOf('cut; inside=arguments', CALLING)).toMatch(/"arguments":"[^}]+$/)
})

// The events of a stream

test('stream-error ends with the event error and response.failed, numbered on', () => {
  const events = eventsIn(textOf('stream-error; after=0', STREAM))
  expect(events.map(({ type, sequence_number }) => [type, sequence_number])).toEqual([
    ['response.created', 0],
    ['response.in_progress', 1],
    ['error', 2],
    ['response.failed', 3],
  ])
  const message = expect.stringMatching(/^The server had an error/)
  expect(events[2].error).toEqual({ type: 'server_error', code: 'server_error', message, param: null })
  const { response } = events[0]
  const failed = { status: 'failed', error: { code: 'server_error', message } }
  expect(events[3].response).toEqual({ ...response, ...failed })
  expect(planOf('stream-error', STREAM).events.at(-1)).toEqual({ type: 'end' })
})

test('stream-error keeps the fields of the response as they are written', () => {
  const instructions = 'event: response.created "error":null'
  const text = textOf('stream-error', { ...STREAM, instructions })
  const [created, failed] = [eventsIn(text)[0], eventsIn(text).at(-1)]
  expect(failed.response.instructions).toBe(instructions)
  expect(text.match(/"temperature":1\.0/g)).toHaveLength(3)
  expect(created.response.instructions).toBe(instructions)
})

test('missing-done omits the last event, and the stream ends normally', () => {
  const plan = planOf('missing-done', STREAM)
  expect(namesIn(read(plan).text).at(-1)).toBe('output_item.done')
  expect(plan.events.at(-1)).toEqual({ type: 'end' })
})

test('missing-usage leaves a null in the last event', () => {
  const tools = [{ ...TOOL, parameters: { ...SCHEMA, properties: { usage: SCHEMA } }, strict: false }]
  const last = eventsIn(textOf('missing-usage', { ...STREAM, tools, tool_choice: 'none' })).at(-1)
  expect(last).toMatchObject({ type: 'response.completed', response: { usage: null, status: 'completed' } })
  expect(last.response.tools[0].parameters.properties.usage.type).toBe('object')
})

test('sequence-gap omits the event at a place, and the numbers show it', () => {
  const numbers = eventsIn(textOf('sequence-gap; after=2', STREAM)).map(({ sequence_number }) => sequence_number)
  const gaps = numbers.filter((number, index) => index > 0 && number !== numbers[index - 1]! + 1)
  expect(gaps).toEqual([6])
})

test('duplicated-event sends an event twice with its number', () => {
  const events = eventsIn(textOf('duplicated-event', STREAM)).slice(0, 6)
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual([0, 1, 2, 3, 4, 4])
})

// By meaning

test('unfinished says why the response is incomplete', () => {
  for (const [reason, told] of [
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ]) {
    const body = JSON.parse(textOf(`unfinished; reason=${reason}`))
    expect(body).toMatchObject({ status: 'incomplete', incomplete_details: { reason: told } })
  }
})

test('refusal is a part of the message, and an empty text is no output', () => {
  expect(outputOf('refusal')[0].content).toEqual([
    { type: 'refusal', refusal: "I'm sorry, but I can't help with that." },
  ])
  expect(outputOf('empty-text')).toEqual([])
})

test('a changing id is another call_id when the item is done', () => {
  const events = eventsIn(textOf('wrong-tool-call-id; id=changing', { ...STREAM, ...CALLING }))
  const [added, done] = ['added', 'done'].map((end) =>
    events.find(({ type }) => type === `response.output_item.${end}`),
  )
  expect(added.item.call_id).not.toBe(done.item.call_id)
  expect(events.at(-1).response.output[0].call_id).toBe(done.item.call_id)
})

test('a repeated id is that of the last call in the input', () => {
  expect(outputOf('wrong-tool-call-id', { ...CALLING, ...AFTER_A_CALL })[0].call_id).toBe('call_earlier')
})

test('wrong-usage does not add up', () => {
  const { input_tokens, output_tokens, total_tokens } = JSON.parse(textOf('wrong-usage')).usage
  expect(total_tokens).toBeGreaterThan(input_tokens + output_tokens)
})

test.each(faults.flatMap(({ name, kind }) => (kind === 'stream' ? [name] : [])))(
  '%s is refused by name when the response is not a stream',
  (name) => {
    expect(JSON.parse(textOf(name)).error).toMatchObject({
      code: 'mock_impossible_fault',
      message: expect.stringContaining('it changes a stream, and this answer is not a stream. Send "stream": true.'),
    })
  },
)
