/** One server for many teams: sessions with a scenario of their own, and tokens that open one session only. */
import { expect, test } from 'vitest'
import { callEvent, callLine, changeText } from '../../../src/cli/output/log-entries.ts'
import { engineOf } from '../../../src/engine/index.ts'
import type { ScenarioInput } from '../../../src/index.ts'
import { fetchFrom, type HttpCall, type Served, serve } from '../../support/http.ts'

const TEAM_A: ScenarioInput = {
  seed: 1,
  replies: [{ when: { user: 'ping' }, say: ['one {{attempt}}', 'two', 'three'] }],
  limits: { requests: '900 per day' },
  faults: [{ fault: 'overloaded', chance: 0.1 }],
}
const TEAM_B: ScenarioInput = {
  description: 'known to team B',
  seed: 2,
  states: {
    up: { lasts: '7 calls', next: 'down' },
    down: { lasts: '3 calls', next: 'up', faults: [{ fault: 'server-error' }] },
  },
  faults: [{ fault: 'rate-limit', every: 11 }],
}
const TEAMS: ScenarioInput = {
  keys: {
    'sk-team-a*': { session: 'team-a', scenario: TEAM_A },
    'sk-team-b*': { session: 'team-b', scenario: TEAM_B },
    'sk-*': {},
  },
}

const chat = (content: string) => ({ model: 'echo-1', messages: [{ role: 'user', content }] })
const ADMIN = { authorization: 'Bearer admin-token' }
const A = { authorization: 'Bearer token-of-a' }
const TOKENS = { token: 'admin-token', sessionTokens: { 'team-a': 'token-of-a', 'team-b': 'token-of-b' } }

/** A call to the control plane. */
const control = (server: Served, path: string, headers: object, call: Omit<HttpCall, 'headers'> = {}) =>
  fetchFrom(server, { path: `/_mock${path}`, key: '', headers: { ...headers }, ...call })

/** Everything of an answer that a client sees, without its date. */
async function bytesOf(server: Served, key: string, number: number): Promise<string> {
  const answer = await fetchFrom(server, { key, body: chat(number % 3 === 0 ? 'ping' : `text ${number % 40}`) })
  return JSON.stringify([answer.status, [...answer.headers].filter(([name]) => name !== 'date'), answer.text])
}

/** 1,000 calls over ten keys; the calls of each key come one after another. */
async function thousandCalls(server: Served, team: string, after?: (number: number) => Promise<unknown>) {
  const keys = Array.from({ length: 10 }, (_, index) => `sk-${team}-${index}`)
  const all = await Promise.all(
    keys.map(async (key, index) => {
      const answers: string[] = []
      for (let number = 0; number < 100; number++) {
        answers.push(await bytesOf(server, key, number))
        if (index === 0) await after?.(number)
      }
      return answers
    }),
  )
  return all.flat()
}

test('1,000 calls of a team have the same bytes while another team calls, injects and resets', async () => {
  // Without states, which all keys of a session share, the order of the calls of several keys decides nothing.
  const { states: _, ...ordered } = TEAM_B
  const source = { keys: { ...TEAMS.keys, 'sk-team-b*': { session: 'team-b', scenario: ordered } } }
  const alone = await thousandCalls(await serve(source, { clock: 'manual', listen: TOKENS }), 'team-b')
  const together = await serve(source, { clock: 'manual', listen: TOKENS })
  const [withOthers] = await Promise.all([
    thousandCalls(together, 'team-b'),
    thousandCalls(together, 'team-a', async (number) => {
      if (number % 5 !== 0) return
      const injected = await control(together, '/faults', A, { body: { fault: 'server-error', times: 3 } })
      expect(injected.status).toBe(201)
      if (number % 10 === 0) expect((await control(together, '/reset', A, { method: 'POST' })).status).toBe(204)
      if (number % 20 === 0)
        expect((await control(together, '/scenario', A, { method: 'PUT', body: '{"scenario":"flaky"}' })).status).toBe(
          200,
        )
    }),
  ])
  expect(withOthers).toEqual(alone)
})

test('the states of a team do not move with the calls of another one', async () => {
  const calls = async (server: Served) => {
    const answers: string[] = []
    for (let number = 0; number < 60; number++) answers.push(await bytesOf(server, 'sk-team-b', number))
    return answers
  }
  const alone = await calls(await serve(TEAMS, { clock: 'manual' }))
  const server = await serve(TEAMS, { clock: 'manual' })
  expect(await Promise.all([calls(server), thousandCalls(server, 'team-a')]).then(([answers]) => answers)).toEqual(
    alone,
  )
})

test('a session has its scenario by key, by header and by base path', async () => {
  const server = await serve({
    keys: { 'sk-a': { session: 'team-a', scenario: { replies: [{ say: 'A' }] } }, 'sk-*': {} },
  })
  const said = async (call: HttpCall) =>
    (await fetchFrom(server, { body: chat('Hi'), ...call })).json.choices[0].message.content
  expect(await said({ key: 'sk-a' })).toBe('A')
  expect(await said({ headers: { 'x-mock-session': 'team-a' } })).toBe('A')
  expect(await said({ path: '/s/team-a/v1/chat/completions' })).toBe('A')
  expect(await said({})).toBe('Hi')
  expect(server.mock.journal.map(({ session }) => session)).toEqual(['team-a', 'team-a', 'team-a', undefined])
})

test('a key that belongs to a session cannot name another one', async () => {
  const server = await serve(TEAMS)
  for (const call of [
    { headers: { 'x-mock-session': 'team-b' } },
    { path: '/s/team-b/v1/chat/completions', body: chat('Hi') },
  ]) {
    const { status, json } = await fetchFrom(server, { key: 'sk-team-a', ...call })
    expect([status, json.error.message]).toEqual([
      400,
      "Invalid session 'team-b': the key belongs to another one, 'team-a'.",
    ])
  }
})

test('a scenario can be given to a session, and taken away', async () => {
  const server = await serve('default', { listen: { token: 'admin-token' } })
  const status = async () => (await fetchFrom(server, { headers: { 'x-mock-session': 'team-a' } })).status
  const put = await control(server, '/scenario?session=team-a', ADMIN, { method: 'PUT', body: '{"scenario":"outage"}' })
  expect([put.status, put.json.name, server.mock.scenario.name]).toEqual([200, 'outage', 'default'])
  expect(await status()).toBe(500)
  expect((await fetchFrom(server)).status).toBe(200)
  expect((await control(server, '/scenario?session=team-a', ADMIN, { method: 'DELETE' })).status).toBe(204)
  expect(await status()).toBe(200)
  const again = await control(server, '/scenario?session=team-a', ADMIN, { method: 'DELETE' })
  expect([again.status, again.json.error.message]).toEqual([
    404,
    "The session 'team-a' has no scenario of its own to remove.",
  ])
  expect((await control(server, '/scenario', ADMIN, { method: 'DELETE' })).status).toBe(400)
})

test('in code, use, inject, enter and reset can concern one session', async () => {
  const { mock, ...server } = await serve('default')
  const call = (session: string) => fetchFrom(server, { headers: { 'x-mock-session': session } })
  mock.use({ states: { up: {}, down: { faults: [{ fault: 'overloaded' }] } } }, { session: 'one' })
  mock.enter('down', { session: 'one' })
  expect([(await call('one')).status, (await call('two')).status]).toEqual([503, 200])
  mock.reset({ session: 'one' })
  expect([(await call('one')).status, mock.journal.map(({ session }) => session)]).toEqual([200, ['two', 'one']])
  mock.inject('server-error', { session: 'one' })
  mock.inject('server-error', { session: 'two' })
  mock.reset({ session: 'two' })
  expect([mock.injected.length, (await call('two')).json.id]).toEqual([1, (await call('three')).json.id])
  expect((await call('one')).status).toBe(500)
  // @ts-expect-error a wrong option
  expect(() => mock.reset({ sesion: 'one' })).toThrow("Did you mean 'session'?")
  expect(() => mock.reset({ session: 'no name' })).toThrow('expected session to be 1 to 128 letters')
})

test('a test does not find the scenario that a test before gave to a session', async () => {
  const { mock, ...server } = await serve('default')
  mock.use('outage', { session: 'one' })
  engineOf(mock).restart()
  expect((await fetchFrom(server, { headers: { 'x-mock-session': 'one' } })).status).toBe(200)
})

test('a reset of a session clears its journal, limits and attempts, and leaves those of others', async () => {
  const server = await serve({ limits: { requests: '2 per day' } }, { listen: { token: 'admin-token' } })
  const call = (session: string) =>
    fetchFrom(server, { headers: { 'x-mock-session': session } }).then(({ status }) => status)
  for (const session of ['one', 'two'])
    expect([await call(session), await call(session), await call(session)]).toEqual([200, 200, 429])
  expect((await control(server, '/reset?session=one', ADMIN, { method: 'POST' })).status).toBe(204)
  expect(
    (await control(server, '/limits', ADMIN)).json.keys.map(({ session }: { session: string }) => session),
  ).toEqual(['two'])
  expect((await control(server, '/now', ADMIN)).json.journal).toEqual({ kept: 3, total: 6 })
  expect([await call('one'), await call('two')]).toEqual([200, 429])
  expect(server.mock.journal.map(({ session, attempt }) => `${session} ${attempt}`)).toEqual([
    'two 1',
    'two 2',
    'two 3',
    'one 1',
    'two 4',
  ])
})

/** Every route of the control plane, and whether a token of a session opens it. */
const ROUTES = [
  ['GET', '/scenario', 200],
  ['PUT', '/scenario', 200, '{"scenario":"flaky"}'],
  ['DELETE', '/scenario', 204],
  ['PUT', '/scenario/file', 403, 'description: x'],
  ['GET', '/scenario/schema', 200],
  ['POST', '/scenario/check', 200, 'description: x'],
  ['GET', '/scenarios', 200],
  ['GET', '/scenarios/flaky', 200],
  ['GET', '/state', 200],
  ['PUT', '/state', 400, { state: 'down' }],
  ['GET', '/faults', 200],
  ['POST', '/faults', 201, { fault: 500 }],
  ['DELETE', '/faults', 204],
  ['GET', '/faults/catalogue', 200],
  ['DELETE', '/faults/2', 404],
  ['GET', '/journal', 200],
  ['DELETE', '/journal', 204],
  ['GET', '/journal/1', 404],
  ['GET', '/events', 200],
  ['GET', '/now', 200],
  ['GET', '/limits', 200],
  ['POST', '/explain', 200, { body: chat('Hi') }],
  ['GET', '/report', 200],
  ['GET', '/metrics', 403],
  ['POST', '/reset', 204],
  ['GET', '/nonsense', 403],
] as const

/** A server on which team B has a call, a fault and a state. */
async function served(): Promise<Served> {
  const server = await serve(TEAMS, { listen: TOKENS })
  await fetchFrom(server, { key: 'sk-team-b' })
  server.mock.inject('hang', { session: 'team-a' })
  server.mock.inject('overloaded', { session: 'team-b' })
  return server
}

/** What team B has, as the server's own token shows it. */
async function stateOfB(server: Served): Promise<unknown> {
  const of = async (path: string) => (await control(server, `${path}?session=team-b`, ADMIN)).text
  return [await of('/scenario'), await of('/state'), await of('/faults'), await of('/journal'), await of('/limits')]
}

async function open(server: Served, method: string, path: string, body?: unknown, headers: object = A) {
  const leaving = new AbortController()
  const text = typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body)
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const init = { method, body: text, headers: { ...headers, ...type }, signal: leaving.signal }
  const response = await fetch(`${server.origin}/_mock${path}`, init)
  if (path.startsWith('/events') && response.ok) {
    const { value } = await response.body!.getReader().read()
    leaving.abort()
    return { status: 200, text: new TextDecoder().decode(value) }
  }
  return { status: response.status, text: await response.text() }
}

test.each(ROUTES)(
  '%s %s with the token of a session is %i, and tells and changes nothing of another one',
  async (...route) => {
    const [method, path, status, body] = route
    const server = await served()
    const before = await stateOfB(server)
    const answer = await open(server, method, path, body)
    expect(answer.status).toBe(status)
    expect(answer.text).not.toMatch(/team-b|sk-te\*|known to team B/)
    if (status === 403) expect(answer.text).toContain("token of the session 'team-a'")
    expect(await stateOfB(server)).toEqual(before)
  },
)

test.each(ROUTES)('%s %s with the token of a session and the name of another one is a 403', async (...route) => {
  const [method, path, , body] = route
  const server = await served()
  const before = await stateOfB(server)
  const names = ['?session=team-b', '?session=team%2Db', '?session=team-a&session=team-b', '?session=*', '?session=']
  for (const query of names) expect((await open(server, method, `${path}${query}`, body)).status).toBe(403)
  const inHeader = { ...A, 'x-mock-session': 'team-b' }
  expect((await open(server, method, path, body, inHeader)).status).toBe(403)
  if (typeof body === 'object' && path !== '/explain')
    expect((await open(server, method, path, { ...body, session: 'team-b' })).status).toBe(403)
  expect(await stateOfB(server)).toEqual(before)
})

test('every route is in the table', async () => {
  const server = await served()
  const { see } = (await control(server, '', ADMIN)).json as { see: string[] }
  const listed = see.flatMap((line) => {
    const [methods = '', path = ''] = line.split(' /_mock')
    return methods
      .split('|')
      .map((method) => `${method} ${path.replace('<name>', 'flaky').replace('<number>', '1').replace('<id>', '2')}`)
  })
  expect(listed.filter((one) => one !== 'GET /health').sort()).toEqual(
    ROUTES.map(([method, path]) => `${method} ${path}`)
      .filter((one) => !one.includes('nonsense'))
      .sort(),
  )
})

test('a token of a session cannot explain, or inject like, a call of another one', async () => {
  const server = await served()
  const explain = (body: object) => control(server, '/explain', A, { body })
  expect((await explain({ body: chat('Hi'), key: 'sk-team-b' })).json.reason.name).toBe('invalid-session')
  expect((await explain({ body: chat('Hi'), path: '/s/team-b/v1/chat/completions' })).json.reason.name).toBe(
    'invalid-session',
  )
  const named = await explain({ body: chat('Hi'), headers: { 'X-Mock-Session': 'team-b' } })
  expect(named.json.reason.name).not.toBe('scripted')
  expect((await control(server, '/faults', A, { body: { fault: 500, like: 1 } })).status).toBe(400)
  expect(server.mock.injected.length).toBe(2)
})

test('a scenario over the network names no file for a key', async () => {
  const server = await served()
  const text = 'keys: { x: { scenario: /etc/passwd, session: x } }'
  for (const headers of [A, ADMIN]) {
    const { status, json } = await control(server, '/scenario', headers, { method: 'PUT', body: text })
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('Only a scenario file can name a file')])
  }
  const nested = 'keys: { x: { scenario: { seed: 1 }, session: team-b } }'
  expect((await control(server, '/scenario', A, { method: 'PUT', body: nested })).status).toBe(400)
})

test('with tokens of sessions nobody has access without a token, and the same token twice is refused', async () => {
  const server = await serve(TEAMS, { listen: { sessionTokens: { 'team-a': 'token-of-a' } } })
  expect((await control(server, '/journal', {})).status).toBe(401)
  expect((await control(server, '/journal', A)).status).toBe(200)
  await expect(serve('default', { listen: { token: 'x', sessionTokens: { 'team-a': 'x' } } })).rejects.toThrow(
    'got the same token twice',
  )
  await expect(serve('default', { listen: { sessionTokens: { 'no name': 'x' } } })).rejects.toThrow(
    'tokens by the names of sessions',
  )
})

test('a session with a token has a scenario of its own, whatever the server applies', async () => {
  await expect(serve('default', { listen: { sessionTokens: { 'team-a': 'token-of-a' } } })).rejects.toThrow(
    "expected sessionTokens for sessions with a scenario of their own, got 'team-a'",
  )
  const server = await served()
  const shown = async () => (await control(server, '/scenario', A)).json.source.replies
  const before = await shown()
  server.mock.use('default')
  expect(await shown()).toEqual(before)
  expect((await control(server, '/scenario', A, { method: 'DELETE' })).status).toBe(204)
  expect(await shown()).toEqual(before)
})

test('each change over the control plane is reported with its token', async () => {
  const server = await served()
  const changes: object[] = []
  engineOf(server.mock).changes.add((change) => void changes.push(change))
  const body = { fault: 'rate-limit' }
  await control(server, '/faults', A, { body })
  await control(server, '/faults', ADMIN, { body: { ...body, session: 'team-b' } })
  await control(server, '/scenario?session=team-b', ADMIN, { method: 'PUT', body: '{"scenario":"incident"}' })
  await control(server, '/state', { authorization: 'Bearer token-of-b' }, { method: 'PUT', body: { state: 'down' } })
  await control(server, '/reset', ADMIN, { method: 'POST' })
  await control(server, '/reset?session=team-b', A, { method: 'POST' })
  await control(server, '/explain', A, { body: { body: chat('Hi') } })
  const [byA, byB, byServer] = ['the token of session team-a', 'the token of session team-b', 'the token of the server']
  expect(changes).toEqual([
    { by: byA, change: 'inject rate-limit', session: 'team-a' },
    { by: byServer, change: 'inject rate-limit', session: 'team-b' },
    { by: byServer, change: 'apply the scenario incident', session: 'team-b' },
    { by: byB, change: 'enter the state down', session: 'team-b' },
    { by: byServer, change: 'reset' },
  ])
})

test('at most 100 sessions have a scenario of their own, and 100,000 names in headers make none', async () => {
  const server = await serve('default')
  const { mock } = server
  for (let number = 0; number < 100; number++) mock.use('flaky', { session: `team-${number}` })
  expect(() => mock.use('flaky', { session: 'one-more' })).toThrow('At most 100 sessions')
  const put = await control(server, '/scenario?session=one-more', {}, { method: 'PUT', body: '{"scenario":"flaky"}' })
  expect([put.status, put.json.error.message]).toEqual([400, expect.stringContaining('At most 100 sessions')])
  mock.use('outage', { session: 'team-7' })
})

test('a call that began before its session got another scenario frees its place', async () => {
  const { mock, ...server } = await serve({ limits: { concurrent: 1 }, pace: { firstToken: '300ms' } })
  const call = () => fetchFrom(server, { headers: { 'x-mock-session': 'one' } })
  const first = call()
  while (mock.journal.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  mock.use('default', { session: 'one' })
  expect([(await call()).status, (await first).status]).toEqual([200, 200])
  engineOf(mock).release('one')
  expect((await call()).status).toBe(200)
})

test.each([
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', true],
  ['01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-later', true],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-later', false],
  ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', false],
  ['ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', false],
  ['nonsense', false],
])('traceparent %s is in the journal: %s', async (traceparent, isKept) => {
  const { mock, ...server } = await serve()
  await fetchFrom(server, { headers: { traceparent } })
  expect(mock.journal[0]?.traceparent).toBe(isKept ? traceparent.slice(0, 55) : undefined)
  await fetchFrom(server, { headers: { traceparent }, key: '4bf92f3577b34da6a3ce929d0e0e4736' })
  expect(mock.journal[1]?.traceparent).toBeUndefined()
})

test('the log has the trace of a call, and a line for each change', async () => {
  const { mock, ...server } = await serve()
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  await fetchFrom(server, { headers: { traceparent } })
  expect(callEvent(mock.journal[0]!)).toMatchObject({ traceparent })
  expect(callLine(mock.journal[0]!, (_, text) => text)).toContain('trace 4bf92f35')
  const by = 'the token of session team-a'
  expect(changeText({ by, change: 'enter the state x\ny', session: 'team-a' })).toBe(
    'Control plane: enter the state x\\u000ay, session team-a, by the token of session team-a',
  )
})
