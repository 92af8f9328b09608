/** A session as a scenario and a test: its calls get their answers again. */
import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { formatSessionScenario, formatSessionTest, selectRepeatable } from '../../src/console/call/session-files.ts'
import { detailsOf } from '../../src/core/journal/call-details.ts'
import type { ScenarioSource } from '../../src/core/scenario/scenario-source.ts'
import { parseScenario } from '../../src/core/scenario/yaml/parse-scenario.ts'
import { asking, mockAfter, type PageCall } from '../support/console.ts'

/** The calls of a session with a scenario, as the page has them. */
const session = (source: Partial<ScenarioSource>, calls: readonly PageCall[]) =>
  mockAfter(source, calls).journal.map((entry) => detailsOf(entry, 1))

const answersOf = (calls: ReturnType<typeof session>) =>
  calls.map(({ status, timeline = [] }) => {
    const body = timeline.map((step) => ('bytes' in step ? step.data : '')).join('')
    return [status, /"(?:content|arguments|code)":\s*("(?:[^"\\]|\\.)*")/g[Symbol.match](body)]
  })

const failing = (call: PageCall, fault: string): PageCall => ({ ...call, headers: { 'x-mock-fault': fault } })
const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }]

const AGENT: Partial<ScenarioSource> = {
  replies: [
    { when: { toolResult: '21' }, say: 'It is 21 degrees.' },
    { when: { user: 'weather in' }, call: { name: 'get_weather', arguments: { city: 'Oslo' } } },
    { say: ['First.', 'Second.'] },
  ],
}
const ASKED = { role: 'user', content: 'The weather in Oslo?' }
const CALLS: readonly PageCall[] = [
  asking('The weather in Oslo?', { tools }),
  asking('', {
    tools,
    messages: [
      ASKED,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '21' },
    ],
  }),
  failing(asking('Hello'), 'server-error'),
  asking('Hello'),
  asking('Hello'),
  asking('Hello', { temperature: 0.5 }),
  asking('Hello there'),
  asking('Too warm', { temperature: 9 }),
  { path: '/v1/responses', body: { model: 'echo-1', input: 'Hello' } },
  { path: '/v1/embeddings', body: { model: 'hash-1', input: 'Hello' } },
]

test('a mock with the saved scenario gives every call of the session the same answer', () => {
  const calls = session(AGENT, CALLS)
  const scenario = formatSessionScenario({ calls, leftOut: 0 })
  const plain = CALLS.map(({ headers: _, ...call }) => call)
  const again = session(parseScenario(scenario, 'session.yaml'), plain)
  expect(answersOf(again)).toEqual(answersOf(calls))
  expect(answersOf(again)[1]).toEqual([200, ['"content":"It is 21 degrees."']])
  expect(again.filter(({ unmatched }) => unmatched)).toEqual([])
})

/** The statuses of a call and of a plain one after it, with the saved scenario. */
const refused = (source: Partial<ScenarioSource>, call: PageCall, next = asking('Good night')): number[] => {
  const calls = session(source, [call, next])
  const scenario = formatSessionScenario({ calls, leftOut: 0 })
  return session(parseScenario(scenario, 'session.yaml'), [call, next]).map(({ status }) => status)
}

test('a refusal that comes from the scenario is kept: an unknown model, no matching rule, a function that throws', () => {
  expect(refused({ models: { 'echo-1': {} } }, asking('Hello', { model: 'other' }))).toEqual([404, 200])
  const goodNight = { when: { user: 'good night' }, say: 'Good night.' }
  expect(refused({ unmatched: 'refuse', replies: [goodNight] }, asking('Hello'))).toEqual([404, 200])
  const say = (): string => {
    throw new Error('no city')
  }
  expect(refused({ replies: [goodNight, { say }] }, asking('Hello'))).toEqual([500, 200])
})

test.each([
  [{ supports: { topLogprobs: 2 } }, { logprobs: true, top_logprobs: 5 }],
  [{ reasoning: true }, { max_completion_tokens: 1 }],
  [{ contextTokens: 5 }, { messages: [{ role: 'user', content: 'one two three four five six seven' }] }],
])('a refusal that comes from the setting %j of a model is kept', (model, more) => {
  const models = { 'echo-1': model, other: {} }
  expect(refused({ models }, asking('Hello', more), asking('Hi', { model: 'other' }))).toEqual([400, 200])
})

test('a refusal that comes from the dimensions of a model is kept', () => {
  const models = { 'echo-1': {}, 'hash-1': { type: 'embedding', dimensions: 8 } } as const
  const call = { path: '/v1/embeddings', body: { model: 'hash-1', input: 'Hello', dimensions: 16 } }
  expect(refused({ models }, call)).toEqual([400, 200])
})

test('a rule has the whole request only where another call would match it too', () => {
  const scenario = formatSessionScenario({ calls: session({}, [asking('Hello'), asking('Good night')]), leftOut: 0 })
  expect(scenario).toBe(`description: A session of 2 calls, saved from the page.
replies:
  - when:
      endpoint: chat
      model: echo-1
      user: Hello
    say: Hello
  - when:
      endpoint: chat
      model: echo-1
      user: Good night
    say: Good night
`)
  const ambiguous = formatSessionScenario({ calls: session({}, [asking('Hello'), asking('Hello there')]), leftOut: 0 })
  expect(ambiguous.match(/request: .*/g)).toEqual([
    'request: {"model":"echo-1","messages":[{"role":"user","content":"Hello"}]}',
  ])
})

test('the test makes every call and expects its status', () => {
  const code = formatSessionTest({ calls: session(AGENT, CALLS), leftOut: 0 })
  expect(code).toContain("const mock = useMock(await loadScenario('session.yaml'))")
  expect(code).toContain('  const answer4 = await client.chat.completions.create({\n    model: "echo-1",')
  expect(code).toContain('toEqual([200, 200, 500, 200, 200, 200, 200, 400, 200, 200])')
  expect(() => transformSync(code, { loader: 'ts' })).not.toThrow()
})

test('calls that cannot be made again are left out', () => {
  const calls = session({ keys: { 'sk-test-abcdefghijkl': {} } }, [
    asking('Hello'),
    { method: 'GET', path: '/v1/models', body: '' },
    { ...asking('Hello'), key: 'sk-wrong' },
  ])
  const repeated = selectRepeatable(calls)
  expect(repeated).toEqual(calls.slice(0, 1))
  expect(formatSessionScenario({ calls: repeated, leftOut: 2 })).toMatch(
    /^# Left out: 2 calls \(.*\)\.\ndescription: A session of 1 call/,
  )
  expect(formatSessionTest({ calls: repeated, leftOut: 2 })).toMatch(/^\/\/ Left out: 2 calls \(.*\)\.\nimport /)
  expect(parseScenario(formatSessionScenario({ calls: repeated, leftOut: 2 }), 'session.yaml').replies).toHaveLength(1)
  expect(() => selectRepeatable(calls.slice(1))).toThrow(
    'The session has no ended calls to chat, responses or embeddings',
  )
})
