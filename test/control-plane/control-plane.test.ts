/** The control plane as a program uses it: health, scenario, faults, journal, reset. */
import { expect, test } from 'vitest'
import { expectNoStrays } from '../hardness/strays.ts'
import {
  call,
  EMBEDDINGS_PATH,
  errorIn,
  HELLO,
  type HttpAnswer,
  type HttpCall,
  type Served,
  serve,
  stillAnswers,
  TEXT,
} from '../support/http.ts'

expectNoStrays()

const SCENARIO = '/_mock/scenario'
const STATE = '/_mock/state'
const FAULTS = '/_mock/faults'
const JOURNAL = '/_mock/journal'
const RESET = '/_mock/reset'

const put = (server: Served, body: unknown, contentType = 'application/yaml'): Promise<HttpAnswer> =>
  call(server, { path: SCENARIO, method: 'PUT', body, headers: { 'content-type': contentType } })
const post = (server: Served, path: string, body?: unknown): Promise<HttpAnswer> =>
  call(server, { path, method: 'POST', body })
const said = async (server: Served, asked: HttpCall = {}): Promise<string> =>
  (await call(server, asked)).json.choices[0].message.content

async function statuses(server: Served, ...calls: readonly HttpCall[]): Promise<number[]> {
  const all: number[] = []
  for (const each of calls) all.push((await call(server, each)).status)
  return all
}

// Health

test('health says that the server is up, and with which scenario', async () => {
  const server = await serve('flaky')
  const { status, json } = await call(server, { path: '/_mock/health' })
  expect({ status, json }).toEqual({ status: 200, json: { status: 'ok', scenario: 'flaky' } })
})

test('the control plane asks for no key, and is no call of the journal', async () => {
  const server = await serve()
  expect((await call(server, { path: '/_mock/health', key: '' })).status).toBe(200)
  expect(server.mock.journal).toEqual([])
})

// State

const setState = (server: Served, body: unknown): Promise<HttpAnswer> =>
  call(server, { path: STATE, method: 'PUT', body })

test('the state in force is told with all there are, and with the health', async () => {
  const server = await serve('incident')
  const states = ['healthy', 'degraded', 'down', 'recovering']
  expect((await call(server, { path: STATE })).json).toEqual({ state: 'healthy', states })
  expect((await setState(server, { state: 'down' })).json).toEqual({ state: 'down', states })
  expect((await call(server, { path: '/_mock/health' })).json).toEqual({
    status: 'ok',
    scenario: 'incident',
    state: 'down',
  })
  expect(await statuses(server, {})).toEqual([503])
})

test('a scenario without states has none to tell, and none to enter', async () => {
  const server = await serve()
  expect((await call(server, { path: STATE })).json).toEqual({ state: null, states: [] })
  const answer = await setState(server, { state: 'down' })
  expect(answer.status).toBe(400)
  expect(errorIn(answer).message).toBe("Failed to enter a state: the scenario 'default' has none.")
})

test.each([
  [{ state: 'dwon' }, /^Failed to enter 'dwon': there is no such state\. Did you mean 'down'\? States are: healthy, /],
  [{ state: 'toString' }, /there is no such state/],
  [{ state: 7 }, /^Found no state in the body\. Send JSON like \{"state": "down"\}/],
  [{}, /^Found no state in the body/],
  [[], /^Found no state in the body/],
])('%j is no state to enter, and the old one stays', async (body, message) => {
  const server = await serve('incident')
  const answer = await setState(server, body)
  expect(answer.status).toBe(400)
  expect(errorIn(answer).message).toMatch(message)
  expect(server.mock.state).toBe('healthy')
})

// Scenario

test('the scenario in force can be read', async () => {
  const server = await serve('rate-limited')
  const { json } = await call(server, { path: SCENARIO })
  expect(json).toMatchObject({ name: 'rate-limited', source: { limits: { requests: '3 per minute' } } })
  expect(json.description).toBe(json.source.description)
})

test('a built-in scenario is put in force by its name', async () => {
  const server = await serve()
  const { status, json } = await put(server, { scenario: 'outage' }, 'application/json')
  expect({ status, name: json.name }).toEqual({ status: 200, name: 'outage' })
  expect(await statuses(server, {})).toEqual([500])
})

test('a scenario is put in force as YAML', async () => {
  const server = await serve()
  const { status, json } = await put(server, 'description: Mine.\nreplies:\n  - say: Hello from YAML!\n')
  expect({ status, description: json.description }).toEqual({ status: 200, description: 'Mine.' })
  expect(await said(server)).toBe('Hello from YAML!')
})

test('a scenario is put in force with a word on what in it can do nothing', async () => {
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
      message: expect.stringMatching(/^never strikes: faults\[0\] comes first/),
    },
  ])
  expect((await put(server, { scenario: 'flaky' })).json.warnings).toEqual([])
  expect((await call(server, { path: SCENARIO })).json).not.toHaveProperty('warnings')
})

test.each(['application/json', 'application/yaml', 'text/plain', 'application/x-www-form-urlencoded'])(
  'a scenario is put in force as JSON, sent as %s',
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

test('a scenario put in force begins anew: sessions and injected faults are forgotten, the journal is not', async () => {
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
  expect(message).toContain("found the unknown key 'sead'")
  expect(message).toContain("Did you mean 'seed'?")
  expect(message).toContain("Did you mean 'say'?")
  expect(message).toContain("Unknown fault 'server-eror'. Did you mean 'server-error'?")
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
])('%s is no scenario: refused in the envelope, and the old one stays', async (_, text) => {
  const server = await serve('outage')
  const answer = await put(server, text)
  expect(answer.status).toBe(400)
  expect(errorIn(answer).message).not.toBe('')
  expect(await statuses(server, {})).toEqual([500])
})

test.each([
  ['outag', "Did you mean 'outage'?"],
  ['', 'Built in are: '],
  ['__proto__', 'Built in are: '],
  ['constructor', 'Built in are: '],
  ['toString', 'Built in are: '],
])("there is no built-in scenario '%s'", async (scenario, message) => {
  const server = await serve()
  const answer = await put(server, { scenario })
  expect(answer.status).toBe(404)
  expect(errorIn(answer).message).toContain(message)
  await stillAnswers(server)
})

test.each([
  '../../etc/passwd',
  '/etc/passwd',
  './scenarios/flaky.yaml',
  'flaky.yaml',
  '..\\..\\secrets.json',
  'file:///etc/passwd',
  'x.YML',
])('a file of the server is never read: %s', async (scenario) => {
  const server = await serve()
  const answer = await put(server, { scenario })
  expect(answer.status).toBe(400)
  expect(errorIn(answer).message).toContain('but no file')
  expect(answer.text).not.toContain('root:')
  await stillAnswers(server)
})

test('aliases that would grow without end are refused, and quickly', async () => {
  const server = await serve('outage')
  const levels = Array.from({ length: 9 }, (_, level) => {
    const items = level === 0 ? 'lol' : `*l${level - 1}`
    return `l${level}: &l${level} [${Array(10).fill(items).join(', ')}]`
  })
  const answer = await put(server, `description: x\n${levels.join('\n')}\n`)
  expect(answer.status).toBe(400)
  expect(errorIn(answer).message.length).toBeLessThan(20_000)
  expect(await statuses(server, {})).toEqual([500])
}, 15_000)

test.each([
  ['lists in YAML', `description: x\nreplies: ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['objects in JSON', `{"description":"x","replies":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`],
  [
    'indented lists',
    `description: x\nreplies:\n${Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth + 1)}-`).join('\n')}`,
  ],
  ['an alias of itself', 'description: x\nreplies: &a [*a]\n'],
])(
  '%s, however deep, are refused',
  async (_, text) => {
    const server = await serve('outage')
    const answer = await put(server, text)
    expect(answer.status).toBe(400)
    errorIn(answer)
    expect(await statuses(server, {})).toEqual([500])
  },
  15_000,
)

test('a scenario of more than a megabyte is refused', async () => {
  const server = await serve()
  const answer = await put(server, `description: x\n# ${'x'.repeat(1_100_000)}\n`)
  expect([400, 413]).toContain(answer.status)
  errorIn(answer)
  await stillAnswers(server)
}, 15_000)

test.each([
  'description: x\n__proto__: { polluted: true }\n',
  '{"description":"x","__proto__":{"polluted":true}}',
  '{"description":"x","constructor":{"prototype":{"polluted":true}}}',
  'description: x\nkeys: { __proto__: {} }\n',
  'description: x\nmodels: { __proto__: { polluted: true } }\n',
  'description: x\nreplies: [{ __proto__: { say: hi } }]\n',
  'description: x\nreplies: [{ say: hi, when: { __proto__: { user: x } } }]\n',
  '{"scenario":"flaky","__proto__":{"polluted":true}}',
])('prototype keys in a scenario pollute nothing: %j', async (text) => {
  const server = await serve()
  const answer = await put(server, text)
  expect([200, 400]).toContain(answer.status)
  expect({}).not.toHaveProperty('polluted')
  expect({}).not.toHaveProperty('say')
  server.mock.use('default')
  await stillAnswers(server)
})

test('a pattern that would hang a backtracking engine is matched at once', async () => {
  const server = await serve()
  await put(server, 'description: x\nreplies:\n  - when: { user: "/^(a+)+$/" }\n    say: never\n')
  const content = `${'a'.repeat(50_000)}!`
  expect(await said(server, { body: { ...HELLO, messages: [{ role: 'user', content }] } })).toBe(content)
}, 15_000)

// Faults

test('a fault strikes the next call, once unless told otherwise', async () => {
  const server = await serve()
  const { status, json } = await post(server, FAULTS, { fault: 'server-error' })
  expect({ status, json }).toEqual({ status: 201, json: { faults: [{ fault: 'server-error', remaining: 1 }] } })
  expect(await statuses(server, {}, {})).toEqual([500, 200])
})

test('a fault takes times, an endpoint, a key and options of its own', async () => {
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
  expect((await call(server, asked)).headers.get('retry-after')).toBe('3')
  expect((await call(server, { path: FAULTS })).json).toEqual({ faults: [{ fault: 'rate-limit', remaining: 1 }] })
  expect(await statuses(server, asked, asked)).toEqual([429, 200])
})

test('faults can be taken back', async () => {
  const server = await serve()
  await post(server, FAULTS, { fault: 429, times: 5 })
  expect((await call(server, { path: FAULTS, method: 'DELETE' })).status).toBe(204)
  expect((await call(server, { path: FAULTS })).json).toEqual({ faults: [] })
  expect(await statuses(server, {})).toEqual([200])
})

test.each<[unknown, string]>([
  [undefined, 'Found no fault in the body. Send JSON like {"fault": "server-error", "times": 2}'],
  [{}, 'Found no fault in the body.'],
  [[], 'Found no fault in the body.'],
  [{ fault: true }, 'Found no fault in the body.'],
  [{ fault: {} }, 'Found no fault in the body.'],
  [{ fault: 'server-eror' }, "Unknown fault 'server-eror'. Did you mean 'server-error'?"],
  [{ fault: 200 }, "Unknown fault '200'."],
  [{ fault: '__proto__' }, "Unknown fault '__proto__'."],
  [
    { fault: 'cut', aftr: 2 },
    "Fault 'cut' has no option 'aftr'. Did you mean 'after'? Its options are: after, bytes, inside, before, end.",
  ],
  [{ fault: 'cut', after: -1 }, "option 'after': found '-1', allowed is a whole number from 0."],
  [{ fault: 'cut', after: null }, "option 'after': found 'null', allowed is a whole number from 0."],
  [{ fault: 'cut', after: [1] }, "option 'after': found"],
  [{ fault: 'cut', after: { toString: 1 } }, "option 'after': found"],
  [{ fault: 'cut', constructor: 1 }, "Fault 'cut' has no option 'constructor'."],
  ['{"fault":"cut","__proto__":{"after":3}}', "Fault 'cut' has no option '__proto__'."],
  [{ fault: 500, times: 0 }, 'found times 0, allowed is a whole number from 1.'],
  [{ fault: 500, times: 1.5 }, 'found times 1.5, allowed is a whole number from 1.'],
  [{ fault: 500, times: '2' }, 'allowed is a whole number from 1.'],
  [{ fault: 500, times: null }, 'allowed is a whole number from 1.'],
  [{ fault: 500, times: { toString: 1 } }, 'allowed is a whole number from 1.'],
  [{ fault: 500, endpoint: 'chatt' }, "found endpoint 'chatt', allowed is chat or embeddings."],
  [{ fault: 500, key: 5 }, 'found key 5, allowed is the text of a key.'],
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

test('a body that is sent as something else than JSON is no fault, and the answer says so', async () => {
  const server = await serve()
  const answer = await call(server, {
    path: FAULTS,
    method: 'POST',
    body: 'fault=500',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(answer.status).toBe(400)
  expect(errorIn(answer).message).toContain('with Content-Type: application/json')
})

test('faults put in by hand are bounded: beyond a number the oldest are forgotten, or new ones refused', async () => {
  const server = await serve()
  for (let time = 0; time < 20_000; time++) {
    try {
      server.mock.inject(500, { key: 'sk-never' })
    } catch {
      break
    }
  }
  expect(server.mock.injected.length).toBeLessThanOrEqual(10_000)
  await stillAnswers(server)
}, 30_000)

// Journal

test('the journal tells what was asked, what was answered, and why', async () => {
  const server = await serve('canned')
  await call(server)
  await call(server, { headers: { 'x-mock-fault': 'overloaded' } })
  const { entries } = (await call(server, { path: JOURNAL })).json
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

test('the journal can be emptied, and counts on', async () => {
  const server = await serve()
  await call(server)
  expect((await call(server, { path: JOURNAL, method: 'DELETE' })).status).toBe(204)
  expect((await call(server, { path: JOURNAL })).json).toEqual({ entries: [] })
  await call(server)
  expect((await call(server, { path: JOURNAL })).json.entries[0].number).toBe(2)
})

const KEYS = ['sk-proj-abcdefghijklmnopqrstuvwxyz', 'sk-short-1', 'sk-12', 'four', 'k']

test.each(KEYS)('the key %s stands nowhere in the journal, however the call ends', async (key) => {
  const server = await serve({
    description: 'A test.',
    keys: { [KEYS[0]!]: {}, [KEYS[1]!]: { fault: 'invalid-key' } },
  })
  const calls: HttpCall[] = [
    {},
    { body: '{' },
    { path: '/v1/models' },
    { path: '/v1/foo' },
    { headers: { authorization: `bearer   ${key}` } },
    { headers: { authorization: `Basic ${key}` } },
    { headers: { 'x-mock-fault': '401' } },
    { headers: { 'x-mock-fault': 'nonsense' } },
    { path: EMBEDDINGS_PATH, body: TEXT },
  ]
  for (const each of calls) await call(server, { ...each, key })
  const { text, json } = await call(server, { path: JOURNAL })
  expect(json.entries).toHaveLength(calls.length)
  // A key of a few letters is part of other words; then it is the field that must not show it.
  if (key.length > 4) expect(text).not.toContain(key)
  for (const entry of json.entries) expect(entry.key).not.toBe(key)
})

test('a key that a body repeats stands nowhere in the journal either', async () => {
  const server = await serve()
  const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz'
  await call(server, { key, body: { ...HELLO, user: key, messages: [{ role: 'user', content: `My key is ${key}.` }] } })
  await call(server, { key, body: { ...HELLO, [key]: 1 } })
  await call(server, { key, path: `/v1/models/${key}` })
  await call(server, { key, path: `/v1/${key}` })
  expect((await call(server, { path: JOURNAL })).text).not.toContain(key)
})

test.each([
  ['of digits, which the body has as a number', '1234567890', '{"seed":1234567890}'],
  ['of brackets, which the body has as lists', '[[[[[[[[[[[[', `{"zzz":${'['.repeat(20)}${']'.repeat(20)}}`],
  ['with signs that a replacement reads as its own', 'sk-$&$1$$abcdefghij', '{"user":"sk-$&$1$$abcdefghij"}'],
  ['that the body writes in escapes', 'sk-proj-abcdefghijklm', '{"user":"\\u0073k-proj-abcdefghijklm"}'],
  ['with quotes and backslashes', 'sk-"a\\b"-abcdefghij', '{"user":"sk-\\"a\\\\b\\"-abcdefghij"}'],
  ['that the body has as a name', 'sk-proj-abcdefghijklm', '{"metadata":{"sk-proj-abcdefghijklm":"x"}}'],
])('a call with a key %s is answered, and the journal hides the key', async (_, key, more) => {
  const server = await serve()
  const body = `${JSON.stringify(HELLO).slice(0, -1)},${more.slice(1)}`
  expect((await call(server, { key, body })).status).toBe(200)
  const { entries } = (await call(server, { path: JOURNAL })).json
  expect(entries).toHaveLength(1)
  const texts: unknown[] = []
  JSON.stringify(entries, (name, value) => {
    texts.push(name, value)
    return value
  })
  expect(texts.filter((text) => typeof text === 'string' && text.includes(key))).toEqual([])
})

test('the journal keeps the last thousand calls', async () => {
  const server = await serve()
  for (let batch = 0; batch < 22; batch++) {
    await Promise.all(Array.from({ length: 50 }, () => call(server, { headers: { 'x-mock-fault': '500' } })))
  }
  const { entries } = (await call(server, { path: JOURNAL })).json
  expect(entries).toHaveLength(1000)
  expect(entries.at(0).number).toBe(101)
  expect(entries.at(-1).number).toBe(1100)
}, 60_000)

test('a large body is left out of the journal', async () => {
  const server = await serve()
  await call(server, { body: { ...HELLO, user: 'x'.repeat(17_000) } })
  const { entries } = (await call(server, { path: JOURNAL })).json
  expect(entries[0]).not.toHaveProperty('body')
})

// Reset

test('reset forgets sessions, limits, faults and the journal; the scenario stays', async () => {
  const server = await serve('rate-limited')
  await post(server, FAULTS, { fault: 500, key: 'sk-other' })
  expect(await statuses(server, {}, {}, {}, {})).toEqual([200, 200, 200, 429])
  expect((await post(server, RESET)).status).toBe(204)
  expect((await call(server, { path: JOURNAL })).json).toEqual({ entries: [] })
  expect((await call(server, { path: FAULTS })).json).toEqual({ faults: [] })
  expect(await statuses(server, {}, { key: 'sk-other' })).toEqual([200, 200])
  expect((await call(server, { path: '/_mock/health' })).json.scenario).toBe('rate-limited')
})

test('after a reset the same call is answered with the same bytes', async () => {
  const server = await serve()
  const first = await call(server)
  await post(server, RESET)
  expect((await call(server)).text).toBe(first.text)
})

// Everything else

test.each([
  '/_mock/nonsense',
  '/_mock/health/more',
  '/_mock/scenario/flaky',
  '/_mock/%E0%A4%A',
  '/_mock//health',
  '/_mockery',
])('%s is a 404 in the envelope', async (path) => {
  const server = await serve()
  const answer = await call(server, { path })
  expect([400, 404]).toContain(answer.status)
  errorIn(answer)
  await stillAnswers(server)
})

test.each([
  ['POST', '/_mock/health', 'GET'],
  ['POST', SCENARIO, 'GET, PUT'],
  ['DELETE', SCENARIO, 'GET, PUT'],
  ['PUT', FAULTS, 'GET, POST, DELETE'],
  ['POST', JOURNAL, 'GET, DELETE'],
  ['GET', RESET, 'POST'],
])('%s %s is a 405 that says what is allowed', async (method, path, allow) => {
  const server = await serve()
  const answer = await call(server, { method, path })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe(allow)
  expect(errorIn(answer).message).toContain(`${method} is not accepted here.`)
})

test('the control plane has no CORS headers, whatever is asked', async () => {
  const server = await serve()
  const paths = ['/_mock', '/_mock/health', SCENARIO, FAULTS, JOURNAL, RESET, '/_mock/nonsense']
  for (const path of paths) {
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      for (const origin of [server.origin, 'https://example.com']) {
        const headers = { origin, 'access-control-request-method': 'POST' }
        const answer = await call(server, { path, method, headers })
        expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    }
  }
})

test('answers do not say what they are made with', async () => {
  const server = await serve()
  expect((await call(server, { path: '/_mock/health' })).headers.has('x-powered-by')).toBe(false)
})
