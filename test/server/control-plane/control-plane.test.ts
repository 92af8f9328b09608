/** The control plane as a program uses it: health, scenario, faults, journal, reset. */
import { expect, test } from 'vitest'
import { expectNoStrays } from '../../robustness/strays.ts'
import {
  EMBEDDINGS_PATH,
  errorIn,
  fetchFrom,
  HELLO,
  type HttpAnswer,
  type HttpCall,
  type Served,
  serve,
  stillAnswers,
  TEXT,
} from '../../support/http.ts'

expectNoStrays()

const SCENARIO = '/_mock/scenario'
const STATE = '/_mock/state'
const FAULTS = '/_mock/faults'
const JOURNAL = '/_mock/journal'
const RESET = '/_mock/reset'

const put = (server: Served, body: unknown, contentType = 'application/yaml'): Promise<HttpAnswer> =>
  fetchFrom(server, { path: SCENARIO, method: 'PUT', body, headers: { 'content-type': contentType } })
const post = (server: Served, path: string, body?: unknown): Promise<HttpAnswer> =>
  fetchFrom(server, { path, method: 'POST', body })
const said = async (server: Served, asked: HttpCall = {}): Promise<string> =>
  (await fetchFrom(server, asked)).json.choices[0].message.content

async function statuses(server: Served, ...calls: readonly HttpCall[]): Promise<number[]> {
  const all: number[] = []
  for (const each of calls) all.push((await fetchFrom(server, each)).status)
  return all
}

// Reply functions

test('a function of a scenario in code is shown as a text, which cannot be applied', async () => {
  const replies = [{ say: () => 'Hi' }, { call: () => ({ name: 'f' }) }]
  const server = await serve({ replies })
  const { json } = await fetchFrom(server, { path: SCENARIO })
  expect(json.source.replies).toEqual([{ say: '[function]' }, { call: '[function]' }])
  expect(json.text).toContain('- say: "[function]"')
  const refused = await put(server, json.text)
  expect(refused.status).toBe(400)
  expect(errorIn(refused).message).toContain("got '[function]', which stands for a function of a scenario in code.")
  expect(await said(server)).toBe('Hi')
})

// Health

test('health returns the status and the scenario of the server', async () => {
  const server = await serve('flaky')
  const { status, json } = await fetchFrom(server, { path: '/_mock/health' })
  expect({ status, json }).toEqual({ status: 200, json: { status: 'ok', scenario: 'flaky' } })
})

test('the control plane needs no key, and its requests are not in the journal', async () => {
  const server = await serve()
  expect((await fetchFrom(server, { path: '/_mock/health', key: '' })).status).toBe(200)
  expect(server.mock.journal).toEqual([])
})

// What it is doing now

test('now has the state, the limits, the prompt cache, the timing and the mistakes of clients', async () => {
  const server = await serve({
    description: 'Small limits.',
    limits: { requests: '2 per minute', concurrent: 3 },
    states: { up: { lasts: '20 calls', next: 'down' }, down: {} },
  })
  expect(await statuses(server, {}, {}, {}, {})).toEqual([200, 200, 429, 429])
  const { json } = await fetchFrom(server, { path: '/_mock/now' })
  expect(json.state).toEqual({ state: 'up', forMs: expect.any(Number), calls: 4, next: 'down', callsLeft: 16 })
  const [requests, concurrent] = json.limits[0].limits
  expect(requests).toMatchObject({ kind: 'requests', limit: 2, used: 2, window: 'minute' })
  expect(requests.freeInMs).toBeGreaterThan(20_000)
  expect(requests.freeInMs).toBeLessThanOrEqual(30_000)
  expect(concurrent).toEqual({ kind: 'concurrent', limit: 3, used: 0 })
  expect(json.cache).toBeNull()
  expect(json.timing.valid).toBe(true)
  expect(json.journal).toEqual({ kept: 4, total: 4 })
  expect(json.findings).toMatchObject([
    { name: 'repeated-call', calls: [1, 2] },
    { name: 'early-retry', calls: [3, 4] },
  ])
})

test('now has the state of each session', async () => {
  const server = await serve({ description: 'Short.', states: { up: { lasts: '2 calls', next: 'down' }, down: {} } })
  const ask = (session: string) => statuses(server, { headers: { 'x-mock-session': session } })
  for (const session of ['a', 'b', 'a']) expect(await ask(session)).toEqual([200])
  const { json } = await fetchFrom(server, { path: '/_mock/now' })
  expect(json.state).toMatchObject({ state: 'up', calls: 0 })
  expect(json.sessions).toEqual([
    { session: 'a', state: 'down', forMs: expect.any(Number), calls: 0 },
    { session: 'b', state: 'up', forMs: expect.any(Number), calls: 1, next: 'down', callsLeft: 1 },
  ])
})

test('a reset clears what now says of clients', async () => {
  const server = await serve('default')
  expect(await statuses(server, {}, {})).toEqual([200, 200])
  const read = async () => (await fetchFrom(server, { path: '/_mock/now' })).json.findings.length
  expect(await read()).toBe(1)
  await post(server, RESET)
  expect(await read()).toBe(0)
})

// State

const setState = (server: Served, body: unknown): Promise<HttpAnswer> =>
  fetchFrom(server, { path: STATE, method: 'PUT', body })

test('the current state is returned with the list of states, and in the health answer', async () => {
  const server = await serve('incident')
  const states = ['healthy', 'degraded', 'down', 'recovering']
  expect((await fetchFrom(server, { path: STATE })).json).toEqual({ state: 'healthy', states })
  expect((await setState(server, { state: 'down' })).json).toEqual({ state: 'down', states })
  expect((await fetchFrom(server, { path: '/_mock/health' })).json).toEqual({
    status: 'ok',
    scenario: 'incident',
    state: 'down',
  })
  expect(await statuses(server, {})).toEqual([503])
})

test('a scenario without states has no state to show or enter', async () => {
  const server = await serve()
  expect((await fetchFrom(server, { path: STATE })).json).toEqual({ state: null, states: [] })
  const answer = await setState(server, { state: 'down' })
  expect(answer.status).toBe(400)
  expect(errorIn(answer).message).toBe("Failed to enter a state: the scenario 'default' has no states.")
})

test.each([
  [{ state: 'dwon' }, /^Failed to enter 'dwon': there is no such state\. Did you mean 'down'\? States are: healthy, /],
  [{ state: 'toString' }, /there is no such state/],
  [{ state: 7 }, /^Expected a state in the body\. Send JSON like \{"state": "down"\}/],
  [{}, /^Expected a state in the body/],
  [[], /^Expected a state in the body/],
])('%j is refused as a state, and the old state stays', async (body, message) => {
  const server = await serve('incident')
  const answer = await setState(server, body)
  expect(answer.status).toBe(400)
  expect(errorIn(answer).message).toMatch(message)
  expect(server.mock.state).toBe('healthy')
})

// Scenario

test('the active scenario can be read', async () => {
  const server = await serve('rate-limited')
  const { json } = await fetchFrom(server, { path: SCENARIO })
  expect(json).toMatchObject({ name: 'rate-limited', source: { limits: { requests: '3 per minute' } } })
  expect(json.description).toBe(json.source.description)
})

test('a built-in scenario is applied by its name', async () => {
  const server = await serve()
  const { status, json } = await put(server, { scenario: 'outage' }, 'application/json')
  expect({ status, name: json.name }).toEqual({ status: 200, name: 'outage' })
  expect(await statuses(server, {})).toEqual([500])
})

test('a scenario is applied as YAML', async () => {
  const server = await serve()
  const { status, json } = await put(server, 'description: Mine.\nreplies:\n  - say: Hello from YAML!\n')
  expect({ status, description: json.description }).toEqual({ status: 200, description: 'Mine.' })
  expect(await said(server)).toBe('Hello from YAML!')
})

test('a scenario is checked with every problem at its line and column, and the active one stays', async () => {
  const server = await serve()
  const check = async (body: string) =>
    (await fetchFrom(server, { path: '/_mock/scenario/check', method: 'POST', body })).json
  expect(await check('description: Mine.\nsead: 7\n')).toEqual({
    problems: [
      expect.objectContaining({ line: 2, column: 1, message: expect.stringContaining("Did you mean 'seed'?") }),
    ],
    warnings: [],
  })
  const { problems, warnings } = await check(
    'description: Mine.\nfaults:\n  - { fault: overloaded }\n  - { fault: cut }\n',
  )
  expect(problems).toEqual([])
  expect(warnings).toMatchObject([{ line: 4 }])
  expect((await check('')).problems).toHaveLength(1)
  expect(server.mock.scenario.name).toBe('default')
})

test('the JSON Schema of scenarios is served', async () => {
  const { status, json } = await fetchFrom(await serve(), { path: '/_mock/scenario/schema' })
  expect([status, json.properties.limits.type]).toEqual([200, 'object'])
})

test('each built-in scenario can be read as YAML, and an unknown one is refused', async () => {
  const server = await serve()
  const { json } = await fetchFrom(server, { path: '/_mock/scenarios/rate-limited' })
  expect(json).toMatchObject({ name: 'rate-limited', text: expect.stringContaining('requests: 3 per minute') })
  const unknown = await fetchFrom(server, { path: '/_mock/scenarios/flakey' })
  expect([unknown.status, errorIn(unknown).message]).toEqual([404, expect.stringContaining("Did you mean 'flaky'?")])
  expect((await fetchFrom(server, { path: '/_mock/scenarios/__proto__' })).status).toBe(404)
})

test('a scenario with dead rules is applied with warnings', async () => {
  const server = await serve()
  const { status, json } = await put(
    server,
    'description: Mine.\nfaults:\n  - { fault: overloaded }\n  - { fault: cut }\n',
  )
  expect(status).toBe(200)
  expect(json.warnings).toEqual([
    {
      path: ['faults', 1],
      line: 4,
      column: 5,
      message: expect.stringMatching(/^never applies: faults\[0\] comes first/),
    },
  ])
  expect((await put(server, { scenario: 'flaky' })).json.warnings).toEqual([])
  expect((await fetchFrom(server, { path: SCENARIO })).json).not.toHaveProperty('warnings')
})

test.each(['application/json', 'application/yaml', 'text/plain', 'application/x-www-form-urlencoded'])(
  'a scenario is applied as JSON, sent as %s',
  async (contentType) => {
    const server = await serve()
    const scenario = {
      description: 'Mine.',
      replies: [{ when: { user: '/^Hello (?<who>\\w+)/' }, say: 'Hello {{who}}!' }],
    }
    expect((await put(server, scenario, contentType)).status).toBe(200)
    expect(await said(server)).toBe('Hello there!')
  },
)

test('applying a scenario clears sessions and injected faults, and keeps the journal', async () => {
  const server = await serve('rate-limited')
  await post(server, FAULTS, { fault: 503, times: 9 })
  expect(await statuses(server, {}, {})).toEqual([503, 503])
  await put(server, { scenario: 'rate-limited' })
  expect(await statuses(server, {}, {}, {}, {})).toEqual([200, 200, 200, 429])
  expect(server.mock.journal).toHaveLength(6)
})

test('a scenario with mistakes is refused with all of them, each at its line and column, and the old one stays', async () => {
  const server = await serve('outage')
  const text =
    'description: Mine.\nsead: 7\nreplies:\n  - sya: Hello\n  - when: { user: "/(/" }\n    say: x\nfaults:\n  - fault: server-eror\n    chance: often\n'
  const answer = await put(server, text)
  expect(answer.status).toBe(400)
  const { message, type } = errorIn(answer)
  expect(type).toBe('invalid_request_error')
  const lines = message
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
  expect(lines.map((line) => /^\S+:(\d+):(\d+) /.exec(line)?.slice(1).map(Number))).toEqual([
    [2, 1],
    [4, 5],
    [5, 19],
    [8, 12],
    [9, 13],
  ])
  expect(message).toContain("unknown field 'sead'")
  expect(message).toContain("Did you mean 'seed'?")
  expect(message).toContain("Did you mean 'say'?")
  expect(message).toContain("unknown fault 'server-eror'. Did you mean 'server-error'?")
  expect(await statuses(server, {})).toEqual([500])
  expect(server.mock.scenario.name).toBe('outage')
})

test.each([
  ['nothing', ''],
  ['spaces', '   \n\n'],
  ['a text', 'flaky'],
  ['a number', '5'],
  ['null', 'null'],
  ['a list', '[1, 2]'],
  ['broken YAML', 'description: [unclosed\nreplies: }'],
  ['broken JSON', '{"description": '],
  ['tabs', 'description: x\nreplies:\n\t- say: x\n'],
  ['two documents', 'description: x\n---\ndescription: y\n'],
  ['a tag', 'description: !!js/function "x"\n'],
  ['a scenario that is no text', '{"scenario": 5}'],
  ['a scenario and more', '{"scenario": {"description": "x"}}'],
])('%s is refused as a scenario, and the old one stays', async (_, text) => {
  const server = await serve('outage')
  const answer = await put(server, text)
  expect(answer.status).toBe(400)
  expect(errorIn(answer).message).not.toBe('')
  expect(await statuses(server, {})).toEqual([500])
})

const LIST = 'GET /_mock/scenarios lists the built-in scenarios. Name one of them, or send a scenario as YAML or JSON.'

test.each([
  ['outag', "Did you mean 'outage'?"],
  ['', LIST],
  ['__proto__', LIST],
  ['constructor', LIST],
  ['toString', LIST],
])("there is no built-in scenario '%s'", async (scenario, message) => {
  const server = await serve()
  const answer = await put(server, { scenario })
  expect(answer.status).toBe(404)
  expect(errorIn(answer).message).toContain(message)
  await stillAnswers(server)
})

// Faults

test('a fault applies to the next call, once by default', async () => {
  const server = await serve()
  const { status, json } = await post(server, FAULTS, { fault: 'server-error' })
  expect({ status, json }).toEqual({
    status: 201,
    json: { faults: [{ id: 1, fault: 'server-error', options: {}, remaining: 1 }] },
  })
  expect(await statuses(server, {}, {})).toEqual([500, 200])
})

test('a fault takes times, an endpoint, a key and its own options', async () => {
  const server = await serve()
  await post(server, FAULTS, {
    fault: 'rate-limit',
    times: 2,
    endpoint: 'embeddings',
    key: 'sk-a',
    'retry-after': '3s',
  })
  const asked: HttpCall = { path: EMBEDDINGS_PATH, body: TEXT, key: 'sk-a' }
  expect(await statuses(server, { key: 'sk-a' }, { ...asked, key: 'sk-b' })).toEqual([200, 200])
  expect((await fetchFrom(server, asked)).headers.get('retry-after')).toBe('3')
  expect((await fetchFrom(server, { path: FAULTS })).json).toEqual({
    faults: [
      {
        id: 1,
        fault: 'rate-limit',
        options: { retryAfter: 3000 },
        remaining: 1,
        endpoint: 'embeddings',
        key: '****',
      },
    ],
  })
  expect(await statuses(server, asked, asked)).toEqual([429, 200])
})

test('one injected fault can be cancelled, and its id is not used again', async () => {
  const server = await serve()
  for (const fault of ['overloaded', 'server-error']) await post(server, FAULTS, { fault, skip: 1 })
  const { json } = await fetchFrom(server, { path: FAULTS })
  expect(json.faults).toMatchObject([
    { id: 1, fault: 'overloaded', skip: 1 },
    { id: 2, fault: 'server-error', skip: 1 },
  ])
  expect((await fetchFrom(server, { path: `${FAULTS}/1`, method: 'DELETE' })).status).toBe(204)
  expect(await statuses(server, {}, {}, {})).toEqual([200, 500, 200])
  await post(server, RESET)
  await post(server, FAULTS, { fault: 'overloaded' })
  for (const id of ['1', '2', 'x', '%00', '-1']) {
    const answer = await fetchFrom(server, { path: `${FAULTS}/${id}`, method: 'DELETE' })
    expect([id, answer.status]).toEqual([id, 404])
    expect(errorIn(answer).message).toContain('There is no injected fault')
  }
  expect(server.mock.injected).toHaveLength(1)
})

test('a fault can be for calls like an earlier one: of its key, endpoint, model and session', async () => {
  const server = await serve()
  const session = { 'x-mock-session': 'one' }
  await fetchFrom(server, { key: 'sk-a', headers: session })
  const { json } = await post(server, FAULTS, { fault: 'overloaded', like: 1 })
  expect(json.faults).toMatchObject([{ endpoint: 'chat', model: 'echo-1', session: 'one' }])
  const other = { ...HELLO, model: 'gpt-4o' }
  const others: HttpCall[] = [
    { key: 'sk-b', headers: session },
    { key: 'sk-a' },
    { key: 'sk-a', headers: session, body: other },
    { key: 'sk-a', headers: session, path: EMBEDDINGS_PATH, body: TEXT },
  ]
  expect(await statuses(server, ...others)).toEqual([200, 200, 200, 200])
  expect(await statuses(server, { key: 'sk-a', headers: session })).toEqual([503])
  for (const like of [99, '1', null]) {
    const answer = await post(server, FAULTS, { fault: 'overloaded', like })
    expect([answer.status, errorIn(answer).message]).toEqual([400, expect.stringContaining('the number of a call')])
  }
})

test('injected faults can be cleared', async () => {
  const server = await serve()
  await post(server, FAULTS, { fault: 429, times: 5 })
  expect((await fetchFrom(server, { path: FAULTS, method: 'DELETE' })).status).toBe(204)
  expect((await fetchFrom(server, { path: FAULTS })).json).toEqual({ faults: [] })
  expect(await statuses(server, {})).toEqual([200])
})

test.each<[unknown, string]>([
  [undefined, 'Expected a fault in the body. Send JSON like {"fault": "server-error", "times": 2}'],
  [{}, 'Expected a fault in the body.'],
  [[], 'Expected a fault in the body.'],
  [{ fault: true }, 'Expected a fault in the body.'],
  [{ falt: 'cut' }, 'Expected a fault in the body.'],
  [{ fault: {} }, 'Expected a fault in the body.'],
  [{ fault: 'server-eror' }, "unknown fault 'server-eror'. Did you mean 'server-error'?"],
  [{ fault: 200 }, "unknown fault '200'."],
  [{ fault: '__proto__' }, "unknown fault '__proto__'."],
  [
    { fault: 'cut', aftr: 2 },
    "fault 'cut' has no option 'aftr'. Did you mean 'after'? Its options are: after, bytes, inside, before, end, times, endpoint, key, session, skip.",
  ],
  [{ fault: 'cut', after: -1 }, "option 'after': expected a whole number from 0, got -1."],
  [{ fault: 'cut', after: null }, "option 'after': expected a whole number from 0, got null."],
  [{ fault: 'cut', after: [1] }, "option 'after': expected"],
  [{ fault: 'cut', after: { toString: 1 } }, "option 'after': expected"],
  [{ fault: 'cut', constructor: 1 }, "fault 'cut' has no option 'constructor'."],
  ['{"fault":"cut","__proto__":{"after":3}}', "fault 'cut' has no option '__proto__'."],
  [{ fault: 500, times: 0 }, 'expected times to be a whole number from 1, got 0.'],
  [{ fault: 500, times: 1.5 }, 'expected times to be a whole number from 1, got 1.5.'],
  [{ fault: 500, times: '2' }, 'expected times to be a whole number from 1, got '],
  [{ fault: 500, times: null }, 'expected times to be a whole number from 1, got '],
  [{ fault: 500, times: { toString: 1 } }, 'expected times to be a whole number from 1, got '],
  [
    { fault: 500, endpoint: 'chatt' },
    "expected endpoint to be chat or responses or input-tokens or embeddings, got 'chatt'.",
  ],
  [{ fault: 500, key: 5 }, 'expected key to be the text of a key, got 5.'],
  ['{"fault": ', 'JSON'],
  ['"server-error"', 'JSON'],
])('the fault %j is refused with a sentence that helps', async (body, message) => {
  const server = await serve()
  const answer = await post(server, FAULTS, body)
  expect(answer.status).toBe(400)
  expect(errorIn(answer).message).toContain(message)
  expect(server.mock.injected).toEqual([])
  await stillAnswers(server)
})

test('a fault sent with another content type than JSON is refused, and the answer names the expected one', async () => {
  const server = await serve()
  const answer = await fetchFrom(server, {
    path: FAULTS,
    method: 'POST',
    body: 'fault=500',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(answer.status).toBe(400)
  expect(errorIn(answer).message).toContain('with Content-Type: application/json')
})

// Journal

test('a fault that is not JSON, or a scenario that is too large, is refused with the reason and the limit', async () => {
  const server = await serve()
  const broken = await fetchFrom(server, {
    path: FAULTS,
    method: 'POST',
    body: '{"fault": ',
    headers: { 'content-type': 'application/json' },
  })
  expect(broken.status).toBe(400)
  expect(errorIn(broken).message).toMatch(/^The body is not JSON: ./)
  const large = await put(server, `description: ${'x'.repeat(1_100_000)}`)
  expect(large.status).toBe(413)
  expect(errorIn(large).message).toBe('The body has more than 1,048,576 bytes. Send a smaller one.')
})

test('the journal has the request, the answer and the reason', async () => {
  const server = await serve('canned')
  await fetchFrom(server)
  await fetchFrom(server, { headers: { 'x-mock-fault': 'overloaded' } })
  const { entries } = (await fetchFrom(server, { path: JOURNAL })).json
  expect(entries).toMatchObject([
    {
      number: 1,
      method: 'POST',
      path: '/v1/chat/completions',
      model: 'echo-1',
      attempt: 1,
      body: HELLO,
      status: 200,
      reason: { by: 'reply', name: 'replies[4]' },
      outcome: 'complete',
    },
    { number: 2, attempt: 2, status: 503, reason: { by: 'fault', name: 'overloaded (header)' } },
  ])
  for (const { durationMs } of entries) expect(durationMs).toBeGreaterThanOrEqual(0)
})

test('the journal can be cleared, and its numbers continue', async () => {
  const server = await serve()
  await fetchFrom(server)
  expect((await fetchFrom(server, { path: JOURNAL, method: 'DELETE' })).status).toBe(204)
  expect((await fetchFrom(server, { path: JOURNAL })).json).toEqual({ entries: [] })
  await fetchFrom(server)
  expect((await fetchFrom(server, { path: JOURNAL })).json.entries[0].number).toBe(2)
})

test('a filter does not limit what is cleared from the journal, so it is refused', async () => {
  const server = await serve()
  await fetchFrom(server)
  const refused = await fetchFrom(server, { path: `${JOURNAL}?key=sk-b`, method: 'DELETE' })
  expect(refused.status).toBe(400)
  expect(errorIn(refused).message).toBe(
    "Expected DELETE /_mock/journal without a filter, got 'key'. Only session=... limits it.",
  )
  expect(server.mock.journal.length).toBe(1)
})

test('a HEAD request to the events is answered at once', async () => {
  const server = await serve()
  const { status, text } = await fetchFrom(server, { path: '/_mock/events', method: 'HEAD' })
  expect({ status, text }).toEqual({ status: 200, text: '' })
})

test('the journal keeps the last thousand calls', async () => {
  const server = await serve()
  for (let batch = 0; batch < 22; batch++) {
    await Promise.all(Array.from({ length: 50 }, () => fetchFrom(server, { headers: { 'x-mock-fault': '500' } })))
  }
  const { entries } = (await fetchFrom(server, { path: JOURNAL })).json
  expect(entries).toHaveLength(1000)
  expect(entries.at(0).number).toBe(101)
  expect(entries.at(-1).number).toBe(1100)
}, 60_000)

test('a large body is left out of the journal', async () => {
  const server = await serve()
  await fetchFrom(server, { body: { ...HELLO, user: 'x'.repeat(1_100_000) } })
  const { entries } = (await fetchFrom(server, { path: JOURNAL })).json
  expect(entries[0]).not.toHaveProperty('body')
})

test.each([
  ['status=429', [4]],
  ['status=4xx&endpoint=chat', [4]],
  ['status=200&status=429', [1, 2, 3, 4]],
  ['user=/HELLO/i', [1, 2, 3, 4]],
  ['user=/weather/', []],
  ['path=/v1/emb*', []],
  ['limit=requests', [4]],
  ['key=sk-test', [1, 2, 3, 4]],
  ['key=sk-other', []],
  ['text=rate_limit_exceeded', [4]],
  ['since=1h&unmatched=false&outcome=complete&attempt=2', [2]],
])('the journal is filtered by its query: %s', async (query, numbers) => {
  const server = await serve('rate-limited')
  await statuses(server, {}, {}, {}, {})
  const { entries } = (await fetchFrom(server, { path: `${JOURNAL}?${query}` })).json
  expect(entries.map(({ number }: { number: number }) => number)).toEqual(numbers)
})

test.each([
  [
    'stauts=429',
    "A filter has no field 'stauts'. Did you mean 'status' or 'state'? Its fields are: endpoint, method, path",
  ],
  ['__proto__=1', "A filter has no field '__proto__'."],
  ['status=often', "Filter 'status': expected a status such as 429, a class such as '4xx'"],
  [
    'endpoint=chatt',
    "Filter 'endpoint': expected chat, responses, input-tokens, embeddings, stored-completions, stored-responses, models, unknown, or a list of them, got 'chatt'. Did you mean 'chat'?",
  ],
  ['attempt=x', "Filter 'attempt': expected a whole number"],
  ['unmatched=maybe', "Filter 'unmatched': expected true or false, or a list of them, got 'maybe'."],
  [
    'since=yesterday',
    "Filter 'since': expected milliseconds of the mock's clock, or a duration such as 5s for so long ago, or a list of them, got 'yesterday'.",
  ],
  ['user=/(/', "Filter 'user': the pattern /(/ is invalid: missing closing )"],
  ['user=', "Filter 'user': expected text that must occur (in any case), a pattern /like this/i"],
])('an invalid filter in a query is refused with a helpful message: %s', async (query, message) => {
  const server = await serve()
  const answer = await fetchFrom(server, { path: `${JOURNAL}?${query}` })
  expect(answer.status).toBe(400)
  expect(errorIn(answer).message).toContain(message)
  await stillAnswers(server)
})

// Reset

test('reset clears sessions, limits, faults and the journal; the scenario stays', async () => {
  const server = await serve('rate-limited')
  await post(server, FAULTS, { fault: 500, key: 'sk-other' })
  expect(await statuses(server, {}, {}, {}, {})).toEqual([200, 200, 200, 429])
  expect((await post(server, RESET)).status).toBe(204)
  expect((await fetchFrom(server, { path: JOURNAL })).json).toEqual({ entries: [] })
  expect((await fetchFrom(server, { path: FAULTS })).json).toEqual({ faults: [] })
  expect(await statuses(server, {}, { key: 'sk-other' })).toEqual([200, 200])
  expect((await fetchFrom(server, { path: '/_mock/health' })).json.scenario).toBe('rate-limited')
})

test('after a reset the same call is answered with the same bytes', async () => {
  const server = await serve()
  const first = await fetchFrom(server)
  await post(server, RESET)
  expect((await fetchFrom(server)).text).toBe(first.text)
})

// Everything else

test('a body with a misspelt scenario field is a 400', async () => {
  const server = await serve()
  const answer = await fetchFrom(server, { path: SCENARIO, method: 'PUT', body: { scnario: 'flaky' } })
  expect(answer.status).toBe(400)
  expect(errorIn(answer).message).toBe(
    `The body has no field 'scenario', but 'scnario'. Did you mean {"scenario": "flaky"}?`,
  )
  expect(server.mock.scenario.name).toBe('default')
})

test('an unknown query parameter of a scenario is a 400 that names those that there are', async () => {
  const server = await serve()
  const answer = await fetchFrom(server, { path: `${SCENARIO}?editd=true`, method: 'PUT', body: { scenario: 'flaky' } })
  expect([answer.status, errorIn(answer).message]).toEqual([
    400,
    "Unknown option 'editd'. Did you mean 'edited'? The options of PUT /_mock/scenario are: session, edited.",
  ])
  expect(server.mock.scenario.name).toBe('default')
})

test('a scenario that is neither a name nor a scenario is a 400 that says what is expected', async () => {
  const server = await serve()
  const answer = await fetchFrom(server, { path: SCENARIO, method: 'PUT', body: { scenario: 5 } })
  expect([answer.status, errorIn(answer).message]).toEqual([
    400,
    `Expected the name of a built-in scenario as 'scenario', got 5. Send JSON like {"scenario": "flaky"}, or a whole scenario as YAML or JSON.`,
  ])
})

test('an unknown path of the control plane is a 404 that names the list of routes', async () => {
  const server = await serve()
  const answer = await fetchFrom(server, { path: '/_mock/nonsense' })
  expect(answer.status).toBe(404)
  expect(errorIn(answer).message).toBe('The control plane has no such route. GET /_mock/ lists them.')
  expect(errorIn(await fetchFrom(server, { path: '/_mock/reports' })).message).toBe(
    'The control plane has no such route. Did you mean /_mock/report? GET /_mock/ lists them.',
  )
})

test.each([
  '/_mock/nonsense',
  '/_mock/health/more',
  '/_mock/scenario/flaky',
  '/_mock/%E0%A4%A',
  '/_mock//health',
  '/_mockery',
])('%s is a 404 in the envelope', async (path) => {
  const server = await serve()
  const answer = await fetchFrom(server, { path })
  expect([400, 404]).toContain(answer.status)
  errorIn(answer)
  await stillAnswers(server)
})

test.each([
  ['POST', '/_mock/health', 'GET'],
  ['POST', SCENARIO, 'GET, PUT, DELETE'],
  ['PATCH', SCENARIO, 'GET, PUT, DELETE'],
  ['PUT', FAULTS, 'GET, POST, DELETE'],
  ['POST', JOURNAL, 'GET, DELETE'],
  ['GET', RESET, 'POST'],
])('%s %s is a 405 that lists the allowed methods', async (method, path, allow) => {
  const server = await serve()
  const answer = await fetchFrom(server, { method, path })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe(allow)
  expect(errorIn(answer).message).toContain(`${method} is not accepted here.`)
})

test('answers do not reveal the server software', async () => {
  const server = await serve()
  expect((await fetchFrom(server, { path: '/_mock/health' })).headers.has('x-powered-by')).toBe(false)
})
