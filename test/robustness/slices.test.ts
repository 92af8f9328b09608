/** Calls with much to do are prepared in slices: others are served meanwhile, and the order of a key's calls holds. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Steps } from '../../src/core/lib/work/steps.ts'
import { UNITS_PER_TURN } from '../../src/core/lib/work/steps.ts'
import type { Exchange } from '../../src/engine/exchange.ts'
import { engineOf } from '../../src/engine/mock.ts'
import { beginInSteps, CallQueue } from '../../src/engine/scheduling/call-queue.ts'
import { Slices } from '../../src/engine/scheduling/slices.ts'
import { createMock } from '../../src/index.ts'
import { type CallOverrides, call } from '../support/call.ts'

/** A turn of the event loop that the test makes. */
function manualTurns() {
  const waiting: (() => void)[] = []
  const turn = (): boolean => {
    const run = waiting.shift()
    run?.()
    return run !== undefined
  }
  return { slices: new Slices((run) => void waiting.push(run)), turn }
}

const user = (content: string, extra: object = {}): CallOverrides => ({
  body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content }], ...extra },
})
const LARGE = user('some words '.repeat(30_000))

/** A mock whose calls are decided in turns that the test makes. */
function slicedMock(scenario: Parameters<typeof createMock>[0] = { limits: { requests: '3 per day' } }) {
  const engine = engineOf(createMock(scenario))
  const { slices, turn } = manualTurns()
  const queue = new CallQueue<Exchange>((one, preparation) => engine.begin(one, preparation), slices)
  const begun: string[] = []
  const receive = (name: string, overrides: CallOverrides): void =>
    queue.add(
      call({ bodyLimit: 10_000_000, ...overrides }),
      ({ entry }) => begun.push(`${name} ${entry.status}`),
      (error) => begun.push(`${name} failed: ${error}`),
    )
  const finish = (): number => {
    let turns = 0
    while (turn()) turns++
    return turns
  }
  return { engine, receive, turn, finish, begun }
}

test('a small call is decided at once', () => {
  const { receive, begun } = slicedMock()
  receive('small', user('Hello!'))
  expect(begun).toEqual(['small 200'])
})

test('of fifty calls that arrive together, those that are too much for one turn are decided in later ones', () => {
  const { receive, begun, turn, finish } = slicedMock({ limits: { requests: '100 per day' } })
  const names = Array.from({ length: 50 }, (_, index) => `call ${index}`)
  for (const name of names) receive(name, { ...user('some words '.repeat(700)), key: `sk-${name}` })
  const counts = [begun.length]
  while (turn()) counts.push(begun.length)
  expect(counts[0]).toBeLessThan(5)
  expect(Math.max(...counts.slice(1).map((count, index) => count - counts[index]!))).toBeLessThan(25)
  expect(begun.toSorted()).toEqual(names.map((name) => `${name} 200`).toSorted())
  receive('a small call meanwhile', user('Hello!'))
  expect(begun.at(-1)).toBe('a small call meanwhile 200')
  finish()
})

test('a large call takes several turns, and calls of other keys are decided meanwhile', () => {
  const { receive, begun, turn, finish } = slicedMock()
  receive('large', { ...LARGE, key: 'sk-a' })
  turn()
  receive('other', { ...user('Hello!'), key: 'sk-b' })
  expect(begun).toEqual(['other 200'])
  expect(finish()).toBeGreaterThan(5)
  expect(begun).toEqual(['other 200', 'large 200'])
})

test('later calls of a key wait for its large call, so the limit refuses the last one', () => {
  const { receive, begun, turn, finish } = slicedMock()
  receive('large', LARGE)
  turn()
  for (const name of ['second', 'third', 'fourth']) receive(name, user(name))
  receive('large again', LARGE)
  expect(begun).toEqual([])
  finish()
  expect(begun).toEqual(['large 200', 'second 200', 'third 200', 'fourth 429', 'large again 429'])
})

test('a large call is sent in a later turn than the one that decided and recorded it', () => {
  const { engine, receive, begun, turn, finish } = slicedMock()
  receive('large', LARGE)
  while (engine.journal.exchanges.length === 0) turn()
  expect(begun).toEqual([])
  finish()
  expect(begun).toEqual(['large 200'])
})

test('two large calls of different keys take turns', () => {
  const { receive, begun, finish } = slicedMock()
  receive('longer', { ...user('some words '.repeat(60_000)), key: 'sk-a' })
  receive('shorter', { ...LARGE, key: 'sk-b' })
  finish()
  expect(begun).toEqual(['shorter 200', 'longer 200'])
})

test('a call keeps the time at which it arrived', () => {
  const { engine, receive, finish } = slicedMock()
  receive('large', { ...LARGE, now: 5 })
  finish()
  expect(engine.journal.entries[0]).toMatchObject({ at: 5, status: 200 })
})

test('a reset while a call is prepared does not lose the call', () => {
  const { engine, receive, begun, turn, finish } = slicedMock()
  receive('large', LARGE)
  turn()
  engine.reset()
  finish()
  expect(begun).toEqual(['large 200'])
  expect(engine.journal.entries).toHaveLength(1)
})

test('a call that fails to be decided does not hold up the next one', () => {
  const { slices, turn } = manualTurns()
  const seen: string[] = []
  const queue = new CallQueue<string>(({ path }, preparation) => {
    if (path !== '/v1/models') preparation.of('work', path, work)
    if (path === '/v1/embeddings') throw new Error('broken')
    return path
  }, slices)
  for (const path of ['/v1/embeddings', '/v1/chat/completions', '/v1/models']) {
    queue.add(
      call({ path }),
      (done) => seen.push(done),
      (error) => seen.push(String(error)),
    )
  }
  while (turn());
  expect(seen).toEqual(['Error: broken', '/v1/chat/completions', '/v1/models'])
})

test('a computation that needs another one begins again when that is done', () => {
  const { slices, turn } = manualTurns()
  const seen: string[] = []
  const queue = new CallQueue<string>((_call, preparation) => {
    function* outer(): Steps<string> {
      yield UNITS_PER_TURN
      return `${preparation.of('inner', '', work)} twice`
    }
    return preparation.of('outer', '', outer)
  }, slices)
  queue.add(
    call(),
    (done) => seen.push(done),
    (error) => seen.push(String(error)),
  )
  while (turn());
  expect(seen).toEqual(['done twice'])
})

function* work(): Steps<string> {
  yield UNITS_PER_TURN
  return 'done'
}

/** Long texts of several kinds: words, one long word, characters of three bytes, spaces, and quotes to escape. */
const longText = fc
  .tuple(fc.constantFrom('word ', 'a', '中文', ' ', '"', 'e\u0301', '1,2 '), fc.integer({ min: 8000, max: 40_000 }))
  .map(([unit, times]) => unit.repeat(times))
const streaming = fc.constantFrom({}, { stream: true }, { stream: true, stream_options: { include_obfuscation: true } })
const chats = fc.record({
  model: fc.constantFrom('gpt-4o-mini', 'gpt-4', 'o3'),
  messages: longText.map((content) => [{ role: 'user', content, name: 'Bob' }]),
  stop: fc.option(fc.constantFrom('d w', '文中', `${'a'.repeat(5000)}b`), { nil: undefined }),
  max_completion_tokens: fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: undefined }),
  prediction: fc.option(
    longText.map((content) => ({ type: 'content', content })),
    { nil: undefined },
  ),
})
const LIST = { type: 'array', minItems: 1000, uniqueItems: true, items: { type: 'string' } }
/** Texts a little shorter and longer than MAX_LIGHT_LENGTH. */
const text = fc
  .tuple(fc.constantFrom('word ', 'a', '中文'), fc.integer({ min: 1, max: 1500 }))
  .map(([unit, times]) => unit.repeat(times))
const conversations = fc.record({
  model: fc.constantFrom('gpt-4o-mini', 'gpt-4', 'o3'),
  messages: fc.array(
    fc.oneof(
      text.map((content) => ({ role: 'user', content })),
      text.map((content) => ({ role: 'assistant', content })),
      text.map((content) => ({ role: 'user', content: [{ type: 'text', text: content }] })),
      text.map((name) => ({ role: 'assistant', tool_calls: [toolCall(JSON.stringify({ name }))] })),
    ),
    { minLength: 2, maxLength: 12 },
  ),
  tools: fc.option(
    text.map((description) => [{ type: 'function', function: { name: 'find', description, parameters: LIST } }]),
    { nil: undefined },
  ),
})
const toolCall = (argumentsText: string) => ({
  id: 'call_1',
  type: 'function',
  function: { name: 'find', arguments: argumentsText },
})
const embeddings = fc.record({
  model: fc.constant('text-embedding-3-small'),
  input: fc.array(fc.oneof(fc.string({ minLength: 1, maxLength: 60 }), text), { minLength: 30, maxLength: 80 }),
})
const lists = fc.constantFrom('list', 'names').map((name) => ({
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: 'A list, please.' }],
  response_format: { type: 'json_schema', json_schema: { name, schema: LIST } },
}))
const faults = fc.constantFrom({}, { 'x-mock-fault': 'crlf' }, { 'x-mock-fault': 'unfinished' })
const requests = fc.oneof(
  lists.map((body) => ({ path: '/v1/chat/completions', body })),
  fc
    .tuple(fc.oneof(chats, conversations), streaming, faults)
    .map(([body, more, headers]) => ({ path: '/v1/chat/completions', body: { ...body, ...more }, headers })),
  embeddings.map((body) => ({ path: '/v1/embeddings', body })),
)

const NOTHING_LEFT = { left: 0, spend: () => {} }

/** A step of a long word encodes two parts of 4,096 characters, of at most 3 bytes each. */
const MAX_UNITS_PER_STEP = UNITS_PER_TURN + 2 * 3 * 4096

test('in slices a call gets the same answer as at once, and its steps are bounded', () => {
  const property = fc.property(requests, (overrides) => {
    const received = call(overrides)
    const atOnce = engineOf(createMock()).begin(received)
    const engine = engineOf(createMock())
    const steps = beginInSteps((one, preparation) => engine.begin(one, preparation), received, NOTHING_LEFT)
    let most = 0
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) most = Math.max(most, step.value)
    expect(step.value.entry.toJSON()).toEqual(atOnce.entry.toJSON())
    expect(textOf(step.value)).toBe(textOf(atOnce))
    expect(most).toBeLessThanOrEqual(MAX_UNITS_PER_STEP)
  })
  fc.assert(property, { numRuns: 30 })
})

test('of a long stream that a fault changes, the events are built in steps', () => {
  const unitsOf = (headers: CallOverrides['headers'] = {}): number => {
    const engine = engineOf(createMock())
    const received = call({ ...user('some words '.repeat(10_000), { stream: true }), headers })
    const steps = beginInSteps((one, preparation) => engine.begin(one, preparation), received, NOTHING_LEFT)
    let units = 0
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) units += step.value
    expect(step.value.entry.status).toBe(200)
    return units
  }
  const units = unitsOf()
  const events = 20_000
  expect(unitsOf({ 'x-mock-fault': 'crlf' })).toBeGreaterThan(units + 5 * events)
  expect(unitsOf({ 'x-mock-fault': 'unfinished' })).toBeGreaterThan(2 * events)
})

const textOf = ({ plan }: Exchange): string =>
  plan.events.map((event) => ('data' in event ? String(event.data) : event.type)).join('\n')
