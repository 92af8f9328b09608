/** The faults that bend a plan: what is left of it, event by event and byte by byte. */
import { constants, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { faults } from '../../src/core/protocol/faults/fault-catalogue.ts'
import { readFault } from '../../src/core/protocol/faults/read-fault.ts'
import type { Plan, PlanEvent } from '../../src/core/protocol/plan/plan.ts'
import { type CallOverrides, chunksIn, HELLO, mockWith, read } from '../support/core.ts'

const asking = (content: string, more: object = {}): CallOverrides => ({
  body: { model: 'echo-1', messages: [{ role: 'user', content }], ...more },
})
/** Role, four tokens, finish, usage, [DONE]. */
const STREAM = asking('One two thrée', { stream: true, stream_options: { include_usage: true } })
const EVENTS = 8
const EMBEDDINGS: CallOverrides = { path: '/v1/embeddings', body: { model: 'hash-1', input: 'Hello there!' } }

const planWithFault = (fault: string, call: CallOverrides = STREAM, mock = mockWith()): Plan =>
  mock.plan({ ...call, headers: { 'x-mock-fault': fault } })
const textOf = (plan: Plan): string => read(plan).text
const bytesOf = ({ events }: Plan): Buffer =>
  Buffer.concat([...events].flatMap((event) => (event.type === 'send' ? [Buffer.from(event.data)] : [])))
const kinds = ({ events }: Plan): string[] => [...events].map(({ type }) => type)
const eventsIn = (text: string): string[] => text.split(/(?<=\r?\n\r?\n)/)

const whole = textOf(mockWith().plan(STREAM))
const body = textOf(mockWith().plan())

test('the stream of these tests has the expected number of events', () => {
  expect(eventsIn(whole)).toHaveLength(EVENTS)
  expect(eventsIn(whole).at(-1)).toBe('data: [DONE]\n\n')
})

// Every fault on every kind of answer

const BENDING = faults.filter((fault) => 'transform' in fault)
const ENDS = ['end', 'close', 'reset', 'stall']

test.each(BENDING.map(({ name }) => name))('%s produces a valid plan', (name) => {
  for (const call of [STREAM, {}, EMBEDDINGS, { body: { ...HELLO, n: 0 } }]) {
    const plan = planWithFault(name, call)
    const order = kinds(plan)
    expect(ENDS).toContain(order.at(-1))
    expect(order.filter((kind) => ENDS.includes(kind))).toHaveLength(1)
    expect(order.filter((kind) => kind === 'head').length).toBeLessThanOrEqual(1)
    if (order.includes('send')) expect(order.indexOf('head')).toBeLessThan(order.indexOf('send'))
    if (order.includes('raw')) expect(order).not.toContain('head')
  }
})

// Those of responses alone: responses.test.ts.
test.each(
  BENDING.filter(({ kind, endpoints }) => kind === 'stream' && endpoints === undefined).map(({ name }) => name),
)('%s is refused by name when the answer is not a stream', (name) => {
  for (const call of [{}, EMBEDDINGS, { method: 'GET', path: '/v1/models' }]) {
    const { status, text } = read(planWithFault(name, call))
    expect({ status, ...JSON.parse(text).error }).toMatchObject({
      status: 400,
      code: 'mock_impossible_fault',
      message: `Fault '${name}' (header) can't happen here: it changes a stream, and this answer is not a stream. Send "stream": true.`,
    })
  }
})

test('a rule whose fault cannot apply leaves the answer as it is, with a note', () => {
  const plan = mockWith({ faults: [{ fault: 'missing-done' }] }).plan()
  expect(plan.reason.by).toBe('echo')
  expect(plan.notes).toEqual([
    "Fault 'missing-done' (faults[0]) can't happen here: it changes a stream, and this answer is not a stream. Add when: { stream: true } to the rule.",
  ])
})

test('a rule whose cut needs a stream says in the note what to add', () => {
  expect(mockWith({ faults: [{ fault: 'cut', before: 'done' }] }).plan().notes).toEqual([
    "Fault 'cut' (faults[0]) can't happen here: its option 'before' needs a stream, and this answer is not a stream. Add when: { stream: true } to the rule.",
  ])
})

test('when: { stream: true } confines a fault to calls that ask for a stream', () => {
  const mock = mockWith({ faults: [{ fault: 'missing-done', when: { stream: true } }] })
  expect(mock.answer().status).toBe(200)
  expect(mock.plan(STREAM).reason.name).toBe('missing-done (faults[0])')
})

test('a call that is refused anyway gets its own error, and a note says that the fault did not apply', () => {
  const plan = planWithFault('missing-done', { body: { ...HELLO, stream: true, n: 0 } })
  expect(JSON.parse(textOf(plan)).error.code).toBe('integer_below_min_value')
  expect(plan.reason).toEqual({ by: 'request', name: 'integer-below-min' })
  expect(plan.notes).toEqual([expect.stringMatching(/^Fault 'missing-done' \(header\) can't happen here/)])
})

test.each(BENDING.filter((fault) => fault.kind === 'wire' && fault.notOverFetch !== undefined).map(({ name }) => name))(
  '%s is refused by name over fetch, before anything else is done',
  (name) => {
    const mock = mockWith({ limits: { requests: '1 per day' } })
    const { status, text } = read(planWithFault(name, { transport: 'fetch' }, mock))
    expect({ status, code: JSON.parse(text).error.code }).toEqual({ status: 400, code: 'mock_impossible_fault' })
    expect(JSON.parse(text).error.message).toMatch(
      new RegExp(`^Fault '${name}' \\(header\\) can't happen here: .* Call the mock over HTTP`),
    )
    expect(mock.answer().status).toBe(200)
  },
)

// The connection

test.each([
  ['hang', ['stall']],
  ['reset-before-headers', ['reset']],
  ['empty-reply', ['close']],
  ['garbage', ['raw', 'close']],
  ['reset-after-headers', ['head', 'reset']],
])('%s sends nothing of the answer', (name, expected) => {
  for (const call of [STREAM, {}, EMBEDDINGS]) expect(kinds(planWithFault(name, call))).toEqual(expected)
})

test('a fault that breaks the connection before the answer does so when the answer would have begun', () => {
  const mock = mockWith({ pace: { firstToken: '100ms' } })
  for (const name of ['reset-before-headers', 'empty-reply', 'garbage'])
    expect(planWithFault(name, STREAM, mock).events.at(0)).toEqual({ type: 'wait', ms: 100 })
})

test('garbage is not HTTP', () => {
  const [raw] = planWithFault('garbage').events as [Extract<PlanEvent, { type: 'raw' }>]
  expect(Buffer.from(raw.data).toString('latin1')).not.toMatch(/^(HTTP|[A-Z]+ )/)
})

test('half-body announces the whole length and sends half', () => {
  for (const call of [{}, STREAM, EMBEDDINGS]) {
    const all = bytesOf(mockWith().plan(call))
    const plan = planWithFault('half-body', call)
    expect(read(plan).headers['content-length']).toBe(String(all.length))
    expect(bytesOf(plan)).toEqual(all.subarray(0, Math.floor(all.length / 2)))
    expect(kinds(plan).at(-1)).toBe('close')
  }
})

test('wrong-content-type changes only the content type', () => {
  for (const call of [{}, STREAM, EMBEDDINGS]) {
    const [one, other] = [read(planWithFault('wrong-content-type', call)), mockWith().answer(call)]
    expect(one).toEqual({ ...other, headers: { ...other.headers, 'content-type': 'text/html; charset=utf-8' } })
  }
})

// Pieces

const waits = ({ events }: Plan): number[] => [...events].flatMap((event) => (event.type === 'wait' ? [event.ms] : []))
const sizes = ({ events }: Plan): number[] =>
  [...events].flatMap((event) => (event.type === 'send' ? [Buffer.from(event.data).length] : []))

test('delay; by=5s waits 5 seconds, and changes no byte of a stream, an answer, embeddings or a refusal', () => {
  const refused = { body: { ...HELLO, n: 0 } }
  for (const call of [STREAM, {}, EMBEDDINGS, refused, { method: 'GET', path: '/v1/models' }]) {
    const plan = planWithFault('delay; by=5s', call)
    const usual = mockWith().plan(call)
    expect(plan.events).toEqual([{ type: 'wait', ms: 5000 }, ...usual.events])
    expect(plan.reason).toEqual({ by: 'fault', name: 'delay (header)' })
    expect(plan.faultOptions).toEqual({ by: '5000ms' })
  }
})

test('by default, delay waits 2 seconds, and its wait comes before those of the pace', () => {
  const plan = planWithFault('delay', {}, mockWith({ pace: { firstToken: '300ms' } }))
  expect([...plan.events].slice(0, 2)).toEqual([
    { type: 'wait', ms: 2000 },
    { type: 'wait', ms: 300 },
  ])
})

test('by default, slow-drip sends single bytes with a pause before each', () => {
  const plan = planWithFault('slow-drip', {})
  expect(textOf(plan)).toBe(body)
  expect(new Set(sizes(plan))).toEqual(new Set([1]))
  expect(waits(plan)).toEqual(Array(body.length).fill(100))
})

test('slow-drip; size=100; interval=2s sends 100 bytes every 2 seconds', () => {
  const plan = planWithFault('slow-drip; size=100; interval=2s', {})
  expect(sizes(plan).slice(0, -1)).toEqual(Array(Math.floor(body.length / 100)).fill(100))
  expect(waits(plan)).toEqual(Array(Math.ceil(body.length / 100)).fill(2000))
})

test.each([1000, 64, 7, 1])('bandwidth; rate=%d takes as long as its bytes', (rate) => {
  const plan = planWithFault(`bandwidth; rate=${rate}`, {})
  expect(textOf(plan)).toBe(body)
  expect(waits(plan).reduce((sum, ms) => sum + ms, 0)).toBeCloseTo((body.length * 1000) / rate, 6)
  expect(Math.max(...waits(plan))).toBeLessThanOrEqual(Math.max(1000 / rate, (1000 / rate) * Math.ceil(rate / 10)))
})

test('a fault that needs more pieces than a plan can hold is refused by name', () => {
  const { status, text } = read(planWithFault('slow-drip', asking('x'.repeat(150_000))))
  expect(status).toBe(400)
  expect(JSON.parse(text).error.message).toMatch(
    /^Fault 'slow-drip' \(header\) can't happen here: expected at most 100000 pieces, got \d+ of 1 bytes\. Choose a larger size or rate\.$/,
  )
})

test('split-events sends each event in packets of a few bytes', () => {
  const plan = planWithFault('split-events; size=50')
  expect(textOf(plan)).toBe(whole)
  expect(sizes(plan)).toEqual(
    eventsIn(whole).flatMap((event) => {
      const size = Buffer.byteLength(event)
      return [...Array(Math.floor(size / 50)).fill(50), ...(size % 50 > 0 ? [size % 50] : [])]
    }),
  )
  expect(kinds(plan).slice(1, 5)).toEqual(['send', 'flush', 'send', 'flush'])
})

test('joined-events sends several events in one packet, at the time of the last', () => {
  const mock = mockWith({ pace: { firstToken: '100ms', perToken: '10ms' } })
  const plan = planWithFault('joined-events; size=3', STREAM, mock)
  expect(textOf(plan)).toBe(whole)
  const sent = [...plan.events].flatMap((event) => (event.type === 'send' ? [eventsIn(String(event.data)).length] : []))
  expect(sent).toEqual([3, 3, 2])
  expect(kinds(plan).slice(0, 4)).toEqual(['wait', 'head', 'wait', 'send'])
  const total = (one: Plan): number => waits(one).reduce((sum, ms) => sum + ms, 0)
  expect(total(plan)).toBe(total(mock.plan(STREAM)))
})

// Gzip

const lenient = { finishFlush: constants.Z_SYNC_FLUSH }

test.each([
  ['a body', {}],
  ['a stream', STREAM],
  ['a body of several blocks', asking('x'.repeat(200_000))],
])('truncated-gzip is gzip that ends in the middle: %s', (_, call: CallOverrides) => {
  const plan = planWithFault('truncated-gzip', call)
  expect(read(plan).headers['content-encoding']).toBe('gzip')
  expect(kinds(plan).at(-1)).toBe('end')
  expect(() => gunzipSync(bytesOf(plan))).toThrow('unexpected end of file')
  const all = bytesOf(mockWith().plan(call))
  const arrived = gunzipSync(bytesOf(plan), lenient)
  expect(arrived).toEqual(all.subarray(0, arrived.length))
  expect(arrived.length).toBeGreaterThan(all.length * 0.4)
  expect(arrived.length).toBeLessThan(all.length * 0.6)
})

test('truncated-gzip zips what is sent at the same time in one block, and what a wait separates in several', () => {
  expect(kinds(planWithFault('truncated-gzip', STREAM))).toEqual(['head', 'send', 'send', 'send', 'end'])
  const paced = mockWith({ pace: { perToken: '10ms' } }).plan({
    ...STREAM,
    headers: { 'x-mock-fault': 'truncated-gzip' },
  })
  expect(kinds(paced).filter((kind) => kind === 'wait').length).toBeGreaterThan(1)
})

// Streams

test('stream-error ends the stream with an error in the envelope', () => {
  const plan = planWithFault('stream-error; after=2')
  const [first, second, error] = eventsIn(textOf(plan))
  expect([first, second]).toEqual(eventsIn(whole).slice(0, 2))
  const { error: said } = JSON.parse(error!.slice('data: '.length))
  expect(said).toMatchObject({ type: 'server_error', param: null, code: null })
  expect(said.message).toContain(read(plan).headers['x-request-id'])
  expect(kinds(plan)).toEqual(['head', 'send', 'send', 'send', 'end'])
})

test('stream-error; event=error names the event too', () => {
  const [, error] = eventsIn(textOf(planWithFault('stream-error; event=error')))
  expect(error).toMatch(/^event: error\ndata: \{"error":\{"message":/)
})

test('malformed-event breaks the JSON of one event and no framing', () => {
  const events = eventsIn(textOf(planWithFault('malformed-event; after=2')))
  expect(events.toSpliced(2, 1)).toEqual(eventsIn(whole).toSpliced(2, 1))
  expect(events[2]).toMatch(/^data: \{.*\n\n$/)
  expect(() => JSON.parse(events[2]!.slice('data: '.length))).toThrow()
})

test('duplicated-event sends one event twice', () => {
  const events = eventsIn(whole)
  expect(eventsIn(textOf(planWithFault('duplicated-event; after=2')))).toEqual(events.toSpliced(2, 0, events[2]!))
})

test('missing-done leaves out [DONE] and nothing else', () => {
  expect(textOf(planWithFault('missing-done'))).toBe(whole.replace('data: [DONE]\n\n', ''))
})

test('missing-usage leaves out the event with the usage and nothing else', () => {
  const events = eventsIn(whole)
  expect(eventsIn(textOf(planWithFault('missing-usage')))).toEqual(events.toSpliced(-2, 1))
  expect(events.at(-2)).toContain('"usage":{')
})

test('comments puts a comment before every event', () => {
  expect(eventsIn(textOf(planWithFault('comments')))).toEqual(
    eventsIn(whole).flatMap((event) => [': keep-alive\n\n', event]),
  )
})

test.each(['crlf', 'malformed-event'])(
  '%s leaves the tokens of events, and which are sent at the same time',
  (name) => {
    const call = asking('One two thrée', { stream: true, n: 2 })
    const tokensOf = ({ events }: Plan) =>
      [...events].flatMap((event) => (event.type === 'send' ? [[event.tokens, event.isBeside]] : []))
    expect(tokensOf(planWithFault(name, call))).toEqual(tokensOf(mockWith().plan(call)))
  },
)

test('crlf ends every line in CR LF', () => {
  expect(textOf(planWithFault('crlf'))).toBe(whole.replaceAll('\n', '\r\n'))
})

test.each(['stream-error', 'malformed-event', 'duplicated-event'])(
  '%s after the last event is refused by name',
  (name) => {
    expect(read(planWithFault(`${name}; after=${EVENTS - 1}`)).status).toBe(200)
    const { text } = read(planWithFault(`${name}; after=${EVENTS}`))
    expect(JSON.parse(text).error.message).toBe(
      `Fault '${name}' (header) can't happen here: expected 'after' to be below 8, the number of events of the stream, got 8.`,
    )
  },
)

test('missing-usage is refused by name if the request asks for no usage', () => {
  const { text } = read(planWithFault('missing-usage', asking('Hi!', { stream: true })))
  expect(JSON.parse(text).error.message).toContain('Ask for it with "stream_options": {"include_usage": true}.')
})

// Cut

test('by default, cut lets one event of a stream arrive', () => {
  expect(kinds(planWithFault('cut'))).toEqual(['head', 'send', 'reset'])
})

test.each([0, 1, 2, 3, EVENTS])('cut; after=%d lets that number of events arrive whole', (after) => {
  const plan = planWithFault(`cut; after=${after}`)
  expect(kinds(plan)).toEqual(['head', ...Array(after).fill('send'), 'reset'])
  expect(textOf(plan)).toBe(eventsIn(whole).slice(0, after).join(''))
})

test.each([
  ['reset', 'reset'],
  ['fin', 'close'],
  ['stall', 'stall'],
  ['clean', 'end'],
])('cut; end=%s ends in %s', (end, closing) => {
  expect(kinds(planWithFault(`cut; after=2; end=${end}`))).toEqual(['head', 'send', 'send', closing])
})

test('cut; inside=data breaks in the middle of an event', () => {
  const [first, second] = eventsIn(textOf(planWithFault('cut; after=1; inside=data')))
  expect(first).toBe(eventsIn(whole)[0])
  expect(eventsIn(whole)[1]!.startsWith(second!)).toBe(true)
  expect(second).toMatch(/^data: \{.+[^\n]$/)
})

test('cut; inside=character breaks between the bytes of a code point', () => {
  const left = bytesOf(planWithFault('cut; inside=character'))
  const all = Buffer.from(whole)
  expect(left).toEqual(all.subarray(0, all.indexOf('é') + 1))
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(left)).toThrow()
})

test.each(['finish', 'usage', 'done'])('cut; before=%s sends everything before that event', (before) => {
  const place = { finish: EVENTS - 3, usage: EVENTS - 2, done: EVENTS - 1 }[before]
  expect(textOf(planWithFault(`cut; before=${before}`))).toBe(eventsIn(whole).slice(0, place).join(''))
})

const BEYOND_EVENTS = `expected 'after' to be at most ${EVENTS}, the number of events of the stream, got 50.`
const beyond = (answer: string, more: number): string => {
  const size = Buffer.byteLength(answer)
  return `expected a cut before the end of the answer (${size} bytes), got a cut after ${size + more} bytes.`
}

test.each([
  ['cut; inside=arguments', STREAM, 'the answer has no tool arguments. Use a reply that calls a tool with arguments.'],
  [
    'cut; inside=character',
    asking('plain', { stream: true }),
    'the answer has no character of more than one byte. Use a reply with one, such as é.',
  ],
  [
    'cut; before=usage',
    asking('Hi!', { stream: true }),
    'the stream has no usage. Ask for it with "stream_options": {"include_usage": true}.',
  ],
  ['cut; after=7; before=finish', STREAM, 'the stream has no finish reason.'],
  ['cut; after=8; inside=data', STREAM, 'the answer has no data left.'],
  [
    'cut; before=done',
    {},
    'its option \'before\' needs a stream, and this answer is not a stream. Send "stream": true.',
  ],
  ['cut; after=50; end=clean', STREAM, BEYOND_EVENTS],
  ['cut; after=50; bytes=1', STREAM, BEYOND_EVENTS],
  [`cut; after=${EVENTS}; end=clean`, STREAM, beyond(whole, 0)],
  [`cut; after=${EVENTS}; bytes=1`, STREAM, beyond(whole, 1)],
  [`cut; bytes=${Buffer.byteLength(body) + 7}`, {}, beyond(body, 7)],
])('%s is refused by name when the answer has no such position', (fault, call, message) => {
  const { status, text } = read(planWithFault(fault, call))
  expect(status).toBe(400)
  expect(JSON.parse(text).error.message).toBe(`Fault 'cut' (header) can't happen here: ${message}`)
})

const event = (delta: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`
const plainly = (
  name: string,
  options: object,
  events: readonly PlanEvent[],
  contentType = 'text/event-stream',
): Plan => {
  const reading = readFault(name, { ...options })
  if ('problem' in reading) throw new Error(reading.problem)
  const { fault, options: read } = reading.configured
  if (!('transform' in fault)) throw new Error(`${name} bends no plan.`)
  const head: PlanEvent = { type: 'head', status: 200, headers: { 'content-type': contentType } }
  const plan: Plan = {
    events: [head, ...events, { type: 'end' }],
    reason: { by: 'echo', name: 'echo' },
    isStream: contentType.startsWith('text/event-stream'),
    notes: [],
  }
  const call = {
    endpoint: 'chat',
    model: 'm',
    body: {},
    maskedKey: '',
    organization: 'org',
    requestId: 'req',
    keepsAlive: true,
    realMs: Number,
  } as const
  const bent = fault.transform(plan, read, call)
  if ('notApplicable' in bent) throw new Error(bent.notApplicable)
  return bent
}

test.each(['{"city":"Oslo"}', '{}', '"', 'é', '{"a":"\\"quoted\\" and \\\\"}'])(
  'cut; inside=arguments breaks in the arguments of a tool call: %s',
  (written) => {
    const called = event({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '' } }] })
    const argued = event({ tool_calls: [{ index: 0, function: { arguments: written } }] })
    const sends = [called, argued].map((data): PlanEvent => ({ type: 'send', data }))
    const left = bytesOf(plainly('cut', { inside: 'arguments' }, sends))
    const quoted = Buffer.from(JSON.stringify(written))
    const start = Buffer.byteLength(called) + Buffer.from(argued).indexOf(quoted)
    expect(left.length).toBeGreaterThan(start)
    expect(left.length).toBeLessThan(start + quoted.length)
    expect(left).toEqual(Buffer.from(called + argued).subarray(0, left.length))
  },
)

test('cut sends half of an answer that is not a stream', () => {
  const plan = planWithFault('cut', {})
  expect(kinds(plan)).toEqual(['head', 'send', 'reset'])
  expect(textOf(plan)).toBe(body.slice(0, Math.floor(body.length / 2)))
})

test('cut; bytes and cut; inside also apply to an answer that is not a stream', () => {
  expect(textOf(planWithFault('cut; bytes=10', {}))).toBe(body.slice(0, 10))
  const left = bytesOf(planWithFault('cut; inside=character', asking('é')))
  expect(left.at(-1)).toBe(0xc3)
})

test('a cut stream keeps its pace, and breaks when the next event would have arrived', () => {
  const mock = mockWith({ pace: { firstToken: '100ms', perToken: '10ms' } })
  const arrived = kinds(planWithFault('cut; after=3', STREAM, mock))
  expect(arrived).toEqual(['wait', 'head', 'send', 'send', 'wait', 'send', 'wait', 'reset'])
})

// For any stream

const content = fc.string({
  unit: fc.oneof(fc.constantFrom('é', '世', '👍🏽', '"', '\\', '\n', 'data: '), fc.string()),
})
const anyStream = fc
  .array(fc.record({ text: content, ms: fc.nat(50) }), { maxLength: 12 })
  .map((pieces) =>
    pieces.flatMap(({ text, ms }): PlanEvent[] => {
      const send: PlanEvent = { type: 'send', data: event({ content: text }) }
      return ms === 0 ? [send] : [{ type: 'wait', ms }, send]
    }),
  )
  .map((events): PlanEvent[] => [...events, { type: 'send', data: 'data: [DONE]\n\n' }])
const allOf = (events: readonly PlanEvent[]): string[] =>
  events.flatMap((one) => (one.type === 'send' ? [String(one.data)] : []))

test('for any stream, cut; after=n delivers the first n events, whole', () => {
  fc.assert(
    fc.property(anyStream, fc.nat(20), fc.constantFrom('reset', 'fin', 'stall', 'clean'), (events, drawn, end) => {
      const count = allOf(events).length
      const after = drawn % (end === 'clean' ? count : count + 1)
      const plan = plainly('cut', { after, end }, events)
      expect(allOf([...plan.events])).toEqual(allOf(events).slice(0, after))
    }),
  )
})

test('for any stream, cut; bytes=n delivers the first n bytes, after=m those after m events', () => {
  fc.assert(
    fc.property(anyStream, fc.nat(600), fc.nat(5), (events, size, place) => {
      const all = Buffer.from(allOf(events).join(''))
      const after = place % (allOf(events).length + 1)
      const first = Buffer.byteLength(allOf(events).slice(0, after).join(''))
      const bytes = size % (all.length - first + 1)
      expect(bytesOf(plainly('cut', { bytes }, events))).toEqual(all.subarray(0, bytes))
      expect(bytesOf(plainly('cut', { bytes, after }, events))).toEqual(all.subarray(0, first + bytes))
    }),
  )
})

test.each([
  ['split-events', { size: 3 }],
  ['joined-events', { size: 3 }],
  ['slow-drip', { size: 7 }],
  ['delay', { by: '5s' }],
  ['bandwidth', { rate: 100 }],
])('for any stream, %s changes no byte and shortens no wait', (name, options) => {
  fc.assert(
    fc.property(anyStream, (events) => {
      const plan = plainly(name, options, events)
      expect(textOf(plan)).toBe(allOf(events).join(''))
      const total = (all: readonly PlanEvent[]): number =>
        all.reduce((sum, one) => sum + (one.type === 'wait' ? one.ms : 0), 0)
      expect(total([...plan.events])).toBeGreaterThanOrEqual(total(events))
    }),
  )
})

test('for any stream, a client that reads by the format reads the same with comments and with CR LF', () => {
  fc.assert(
    fc.property(anyStream, (events) => {
      const expected = chunksIn(allOf(events).join(''))
      for (const name of ['comments', 'crlf']) {
        const lines = textOf(plainly(name, {}, events)).split(/\r\n|\n/)
        const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice('data: '.length))
        expect(data.slice(0, -1).map((json) => JSON.parse(json))).toEqual(expected)
      }
    }),
  )
})
