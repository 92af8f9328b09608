/** Sessions: clients that share a key keep their state apart, over every transport. */
import fc from 'fast-check'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMock, type ScenarioInput } from '../../src/index.ts'
import { send, textOf } from '../support/send.ts'
import { IN_PROCESS_URL, type Opened, stillMock, type Transport, transports } from '../support/transports.ts'
import { contractCall } from './calls.ts'

const HELLO = { model: 'echo-1', messages: [{ role: 'user' as const, content: 'Hello there!' }] }

/** Where the base path of a session can be: an app that mounts the mock below `/v1` gets no other path. */
const hasPaths = ({ name }: Transport): boolean => name !== 'Express at a path to /v1'

describe.each(transports)('over $name', (transport) => {
  const mock = createMock('default', { baseURL: IN_PROCESS_URL, seed: 7 })
  let opened: Opened

  beforeAll(async () => {
    opened = await transport.open(mock)
  })
  afterAll(() => opened[Symbol.asyncDispose]())
  beforeEach(() => {
    mock.use('default')
    mock.reset()
  })

  const call = (session?: string, more: object = {}): Promise<Response> =>
    fetch(`${opened.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer sk-shared',
        'content-type': 'application/json',
        ...(session !== undefined && { 'x-mock-session': session }),
        ...more,
      },
      body: JSON.stringify(HELLO),
    })
  const bytes = async (response: Response): Promise<string> =>
    `${response.headers.get('x-request-id')} ${await response.text()}`

  test('attempts are counted per session, and its name changes no byte', async () => {
    const [plain, again, one, other] = [await call(), await call(), await call('one'), await call('other')]
    const first = await bytes(plain)
    expect(await bytes(one)).toBe(first)
    expect(await bytes(other)).toBe(first)
    expect(await bytes(again)).not.toBe(first)
    expect(mock.journal.map(({ session, attempt }) => [session, attempt])).toEqual([
      [undefined, 1],
      [undefined, 2],
      ['one', 1],
      ['other', 1],
    ])
  })

  test('limits, sequences and schedules are those of the session', async () => {
    mock.use({
      limits: { requests: '2 per day' },
      replies: [{ say: 'a {{attempt}}' }],
      faults: [{ fault: 'overloaded', every: 2 }],
    })
    for (const session of ['one', 'other', undefined]) {
      const statuses: number[] = []
      for (let number = 0; number < 4; number++) statuses.push((await call(session)).status)
      expect(statuses).toEqual([200, 503, 200, 503])
    }
    mock.use({ limits: { requests: '2 per day' } })
    for (const session of ['one', 'other', undefined]) {
      const statuses: number[] = []
      for (let number = 0; number < 3; number++) statuses.push((await call(session)).status)
      expect(statuses).toEqual([200, 200, 429])
    }
    expect(mock.limitUsage.map(({ session }) => session)).toEqual(['one', 'other', undefined])
  })

  test('each session has its own state machine', async () => {
    mock.use({ states: { up: { lasts: '1 call', next: 'down' }, down: { faults: [{ fault: 'overloaded' }] } } })
    const statuses = async (session?: string) => [(await call(session)).status, (await call(session)).status]
    expect(await statuses('one')).toEqual([200, 503])
    expect(await statuses('other')).toEqual([200, 503])
    expect(mock.state).toBe('up')
    mock.enter('up', { session: 'one' })
    expect(await statuses('one')).toEqual([200, 503])
    expect(await statuses('other')).toEqual([503, 503])
    mock.enter('down')
    expect(await statuses('one')).toEqual([503, 503])
    expect(await statuses('new')).toEqual([503, 503])
    expect(await statuses()).toEqual([503, 503])
    mock.enter('up')
    expect(await statuses('other')).toEqual([200, 503])
  })

  test('a fault can be injected into one session, and calls can be filtered by it', async () => {
    mock.inject('overloaded', { session: 'one' })
    expect([(await call()).status, (await call('other')).status, (await call('one')).status]).toEqual([200, 200, 503])
    expect(mock.injected).toEqual([])
    expect(mock.calls({ session: 'one' }).map(({ status }) => status)).toEqual([503])
    expect(mock.calls({ session: ['o*'] })).toHaveLength(2)
    expect(mock.calls({ session: 'none' })).toEqual([])
  })

  test.each([
    ['a b', "Invalid session 'a b': expected 1 to 128 letters, digits, '.', '_', '~' or '-'."],
    ['a/b', "Invalid session 'a/b': expected 1 to 128 letters, digits, '.', '_', '~' or '-'."],
    ['', "Invalid session '': expected 1 to 128 letters, digits, '.', '_', '~' or '-'."],
    ['x'.repeat(129), /^Invalid session 'x{100}\.\.\.': expected 1 to 128 letters/],
    ['sk-shared', /^Invalid session 'sk\*{4}ed': it contains an API key, and the journal shows sessions\.$/],
    ['sk-abcdefghijklmnopqrst', /^Invalid session 'sk-abcde\*{4}qrst': it contains an API key/],
  ])('the session "%s" is refused, and the call changes nothing', async (session, message) => {
    mock.use({ states: { up: { lasts: '1 call', next: 'down' }, down: {} } })
    const response = await call(session)
    const { error } = (await response.json()) as { error: { message: string; code: string } }
    expect([response.status, error.code]).toEqual([400, 'mock_invalid_session'])
    expect(error.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
    expect(mock.journal[0]).toMatchObject({ status: 400, reason: { by: 'request', name: 'invalid-session' } })
    expect(JSON.stringify(mock.journal)).not.toMatch(/sk-shared|sk-abcdefghijklmnopqrst/)
    expect(mock.state).toBe('up')
    expect((await call()).status).toBe(200)
    expect(mock.journal[1]?.attempt).toBe(1)
  })

  const testPaths = hasPaths(transport) ? test : () => {}
  testPaths('the base path of a session is the same session as its header', async () => {
    const baseURL = opened.baseUrl.replace(/\/v1$/, '/s/one/v1')
    const client = new OpenAI({ apiKey: 'sk-shared', baseURL, maxRetries: 0 })
    const answer = await client.chat.completions.create(HELLO)
    const plain = (await (await call()).json()) as { id: string }
    expect(answer.id).toBe(plain.id)
    expect(mock.journal[0]).toMatchObject({ session: 'one', path: '/v1/chat/completions' })
    await call('one')
    expect(mock.journal.map(({ attempt }) => attempt)).toEqual([1, 1, 2])
    const conflict = await fetch(`${baseURL}/models`, {
      headers: { authorization: 'Bearer sk-shared', 'x-mock-session': 'two' },
    })
    expect(await conflict.json()).toMatchObject({
      error: { message: "Invalid session 'one': the header x-mock-session names another one, 'two'." },
    })
  })

  test('sessions that run at the same time do not influence each other', async () => {
    const scenario: ScenarioInput = {
      limits: { requests: '5 per day', tokens: '90 per day' },
      states: {
        up: { lasts: '3 calls', next: 'down' },
        down: { lasts: '2 calls', next: 'up', faults: [{ fault: 'overloaded' }] },
      },
      faults: [
        { fault: 'server-error', every: 3 },
        { fault: 'rate-limit', times: 1, when: { user: 'two' } },
      ],
      replies: [{ when: { user: 'two' }, say: ['first', 'second'] }, { say: '{{attempt}}' }],
    }
    const answersOf = async (baseUrl: string, session: string, texts: readonly string[]): Promise<string[]> => {
      const answers: string[] = []
      for (const text of texts) {
        const body = { model: 'echo-1', messages: [{ role: 'user', content: text }] }
        const one = contractCall('a chat', { body })
        const answer = await send(baseUrl, { ...one, headers: { ...one.headers, 'x-mock-session': session } })
        answers.push(`${answer.status} ${JSON.stringify(answer.headers)} ${textOf(answer)}`)
      }
      return answers
    }
    const texts = fc.array(fc.constantFrom('one', 'two', 'three'), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 2, maxLength: 4 }), async (sessions) => {
        const answers = async (names: readonly string[]): Promise<string[][]> => {
          await opened[Symbol.asyncDispose]()
          opened = await transport.open(stillMock(scenario, 7))
          return Promise.all(names.map((name) => answersOf(opened.baseUrl, name, sessions[Number(name.slice(1))]!)))
        }
        const names = sessions.map((_, index) => `s${index}`)
        const together = await answers(names)
        for (const [index, name] of names.entries()) expect(await answers([name])).toEqual([together[index]])
      }),
      { numRuns: 8 },
    )
  })
})

test('baseURLOf names the address of a session, and refuses a name that no call could use', () => {
  expect(createMock().baseURLOf('test-1')).toBe('https://api.openai.com/s/test-1/v1')
  expect(createMock('default', { baseURL: 'http://localhost/api' }).baseURLOf('a')).toBe('http://localhost/api/s/a')
  expect(() => createMock().baseURLOf('a/b')).toThrow(
    "baseURLOf: expected the session to be 1 to 128 letters, digits, '.', '_', '~' or '-', got 'a/b'.",
  )
  expect(() => createMock().inject('overloaded', { session: '' })).toThrow(/expected session to be 1 to 128 letters/)
})

test('what is remembered of sessions is bounded', async () => {
  const mock = stillMock({ limits: { requests: '1 per day' } }, 1)
  const { engineOf } = await import('../../src/engine/mock.ts')
  const begin = (session: string) =>
    engineOf(mock).begin({
      method: 'POST',
      path: '/v1/chat/completions',
      session,
      headers: { authorization: 'Bearer sk-shared' },
      body: JSON.stringify(HELLO),
      bodyLimit: 1000,
      now: 0,
      transport: 'http',
    }).entry.status
  for (let number = 0; number <= 10_000; number++) expect(begin(`s${number}`)).toBe(200)
  // The oldest is forgotten, and the newest is not.
  expect([begin('s0'), begin('s10000')]).toEqual([200, 429])
})
