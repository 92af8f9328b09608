/** A fault on demand: 400, 401, 429 and 500 in each of the five ways, over HTTP and in process. */
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { createMock, type Mock, type ScenarioInput } from '../../src/index.ts'
import { intercept, listen } from '../../src/node.ts'
import { answerOf, errorIn, HELLO, type HttpAnswer, TEXT } from '../support/http.ts'

const IN_PROCESS = 'https://api.example.com/v1'
const KEY = 'sk-faulty'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

type Status = 400 | 401 | 429 | 500
const STATUSES: readonly Status[] = [400, 401, 429, 500]

interface Way {
  /** The scenario that makes the call fail. */
  readonly scenario?: (status: Status) => Partial<ScenarioInput>
  /** What is done to the running mock before the call. */
  readonly arrange?: (status: Status, mock: Mock, controlUrl: string) => unknown
  readonly header?: (status: Status) => string
  /** Where the answer says it came from. */
  readonly from: string
}

const WAYS: Readonly<Record<string, Way>> = {
  'request header': { header: String, from: 'header' },
  key: { scenario: (status) => ({ keys: { [KEY]: { fault: status }, 'sk-fine': {} } }), from: 'key' },
  scenario: { scenario: (status) => ({ faults: [{ fault: status, when: { key: KEY } }] }), from: 'faults[0]' },
  'control plane': {
    arrange: (fault, _, controlUrl) =>
      fetch(`${controlUrl}/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ fault, key: KEY }),
      }),
    from: 'injected',
  },
  code: { arrange: (status, mock) => mock.inject(status, { key: KEY }), from: 'injected' },
}

const FAULT_OF: Readonly<Record<Status, string>> = {
  400: 'invalid-request',
  401: 'invalid-key',
  429: 'rate-limit',
  500: 'server-error',
}
const ERROR_CLASS = {
  400: OpenAI.BadRequestError,
  401: OpenAI.AuthenticationError,
  429: OpenAI.RateLimitError,
  500: OpenAI.InternalServerError,
} as const

type Place = 'over HTTP' | 'in process'
const PLACES: readonly Place[] = ['over HTTP', 'in process']

/** The base URL of a mock, served or intercepted until the test is over. The control plane is there either way. */
async function placed({ scenario, arrange }: Pick<Way, 'scenario' | 'arrange'>, place: Place, status: Status = 500) {
  const mock = createMock({ description: 'A test.', ...scenario?.(status) }, { baseURL: IN_PROCESS })
  const server = await listen(mock, { port: 0 })
  onTestFinished(() => server.close(0))
  await arrange?.(status, mock, server.controlUrl)
  if (place === 'over HTTP') return server.url
  const interception = intercept(mock)
  onTestFinished(() => interception.close())
  return IN_PROCESS
}

async function ask(baseUrl: string, path: string, body: object, headers: Record<string, string>): Promise<HttpAnswer> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'x-mock-explain': '1', ...headers },
    body: JSON.stringify(body),
  })
  return answerOf(response)
}

const TABLE = Object.keys(WAYS).flatMap((way) =>
  PLACES.flatMap((place) => STATUSES.map((status) => [way, place, status] as const)),
)

test.each(TABLE)('by %s, %s: %d', async (name, place, status) => {
  const way = WAYS[name]!
  const baseURL = await placed(way, place, status)
  const headers: Record<string, string> = way.header === undefined ? {} : { 'x-mock-fault': way.header(status) }
  const answer = await ask(baseURL, '/chat/completions', HELLO, headers)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('x-mock-reason')).toBe(`fault: ${FAULT_OF[status]} (${way.from})`)
  errorIn(answer)
  if (status === 429) expect(answer.headers.get('retry-after')).toBe('1')

  const other = await ask(baseURL, '/chat/completions', HELLO, { authorization: 'Bearer sk-fine' })
  expect(other.status).toBe(200)
})

test.each(TABLE)('by %s, %s: %d for embeddings, as the official client reports it', async (name, place, status) => {
  const way = WAYS[name]!
  const baseURL = await placed(way, place, status)
  const client = new OpenAI({ baseURL, apiKey: KEY, maxRetries: 0 })
  const headers: Record<string, string> = way.header === undefined ? {} : { 'x-mock-fault': way.header(status) }
  const failure = await client.embeddings.create(TEXT, { headers }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ERROR_CLASS[status])
  expect(failure).toMatchObject({ status, requestID: expect.stringMatching(/^req_[0-9a-f]{32}$/) })
})

/** A 429 and then a 500: a client that retries twice sees neither. */
const twoFailures: Way['arrange'] = (_, mock) => {
  mock.inject('rate-limit', { retryAfter: '10ms' })
  mock.inject('server-error')
}

async function greets(baseURL: string): Promise<void> {
  const client = new OpenAI({ baseURL, apiKey: KEY, maxRetries: 2 })
  const { choices } = await client.chat.completions.create({
    model: 'echo-1',
    messages: [{ role: 'user', content: 'Hi!' }],
  })
  expect(choices[0]!.message.content).toBe('Hi!')
}

test.each(PLACES)(
  '%s: the official client retries a 429 and a 500 successfully',
  async (place) => {
    await greets(await placed({ arrange: twoFailures }, place))
  },
  30_000,
)

test('while calls are intercepted, retries against another server still reach it', async () => {
  const elsewhere = await placed({ arrange: twoFailures }, 'over HTTP')
  await placed({}, 'in process')
  await greets(elsewhere)
}, 15_000)

test.each(PLACES)(
  '%s: a cut stream fails in the client after the events that were sent',
  async (place) => {
    const baseURL = await placed({}, place)
    const client = new OpenAI({ baseURL, apiKey: KEY, maxRetries: 0 })
    const stream = await client.chat.completions.create(
      { model: 'echo-1', stream: true, messages: [{ role: 'user', content: 'One two three four' }] },
      { headers: { 'x-mock-fault': 'cut; after=3' } },
    )
    const received: string[] = []
    const reading = (async () => {
      for await (const chunk of stream) received.push(chunk.choices[0]?.delta.content ?? '')
    })()
    await expect(reading).rejects.toThrow()
    expect(received).toEqual(['', 'One', ' two'])
  },
  30_000,
)

test.each(PLACES)(
  "%s: a call that hangs ends with the client's time-out",
  async (place) => {
    const baseURL = await placed({}, place)
    const client = new OpenAI({ baseURL, apiKey: KEY, maxRetries: 0, timeout: 200 })
    const asked = client.chat.completions.create(
      { model: 'echo-1', messages: [{ role: 'user', content: 'Hi!' }] },
      { headers: { 'x-mock-fault': 'hang' } },
    )
    const ended = expect(asked).rejects.toBeInstanceOf(OpenAI.APIConnectionTimeoutError)
    // A client waits for minutes, so what only weak references hold is gone by then.
    await setTimeout(50)
    collectGarbage()
    await ended
  },
  30_000,
)

test('in code: options, times and endpoint choose the calls of a fault', async () => {
  const mock = createMock('default', { baseURL: IN_PROCESS })
  const interception = intercept(mock)
  onTestFinished(() => interception.close())
  mock.inject('rate-limit', { times: 2, endpoint: 'embeddings', retryAfter: '2s' })

  const chat = await ask(IN_PROCESS, '/chat/completions', HELLO, {})
  const refused = [await ask(IN_PROCESS, '/embeddings', TEXT, {}), await ask(IN_PROCESS, '/embeddings', TEXT, {})]
  const afterwards = await ask(IN_PROCESS, '/embeddings', TEXT, {})
  expect([chat, ...refused, afterwards].map(({ status }) => status)).toEqual([200, 429, 429, 200])
  expect(refused.map(({ headers }) => headers.get('retry-after-ms'))).toEqual(['2000', '2000'])
  expect(mock.injected).toEqual([])
})

test('in code: a cleared fault does not apply', async () => {
  const mock = createMock('default', { baseURL: IN_PROCESS })
  const interception = intercept(mock)
  onTestFinished(() => interception.close())
  mock.inject(500, { times: 5 })
  expect(mock.injected).toEqual([{ fault: '500', remaining: 5 }])
  mock.clearFaults()
  expect((await ask(IN_PROCESS, '/chat/completions', HELLO, {})).status).toBe(200)
})

const untyped = (fault: string | number, options?: object) => () => createMock().inject(fault as 500, options)

test.each([
  [untyped('rate-limt'), 'unknown-fault', "Failed to inject: unknown fault 'rate-limt'. Did you mean 'rate-limit'?"],
  [
    untyped('cut', { after: 'x' }),
    'invalid-option',
    "Failed to inject: fault 'cut', option 'after': expected a whole number from 0, got 'x'.",
  ],
  [
    untyped('cut', { sooner: 1 }),
    'unknown-option',
    "Failed to inject: fault 'cut' has no option 'sooner'. Its options are: after, bytes, inside, before, end, times, endpoint, key, session, skip.",
  ],
  [
    untyped('rate-limit', { tims: 2 }),
    'unknown-option',
    "Failed to inject: fault 'rate-limit' has no option 'tims'. Did you mean 'times'? Its options are: retryAfter, times, endpoint, key, session, skip.",
  ],
  [
    untyped('server-error', { tims: 2 }),
    'unknown-option',
    "Failed to inject: fault 'server-error' has no option 'tims'. Did you mean 'times'? Its options are: retryAfter, times, endpoint, key, session, skip.",
  ],
  [
    untyped(500, { times: 0 }),
    'invalid-option',
    "Failed to inject '500': expected times to be a whole number from 1, got 0.",
  ],
  [
    untyped(500, { endpoint: 'embedings' }),
    'invalid-option',
    "Failed to inject '500': expected endpoint to be chat or responses or input-tokens or embeddings, got 'embedings'.",
  ],
] as const)('in code, a fault that can never apply is refused at once (%#)', (inject, code, message) => {
  expect(inject).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }))
})
