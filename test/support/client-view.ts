/** The official client's view of each fault, over HTTP and in process: an error of which class, after how much. */
import type OpenAI from 'openai'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { faults } from '../../src/core/protocol/faults/fault-catalogue.ts'
import { createMock } from '../../src/index.ts'
import { type Interception, intercept, listen, type MockServer } from '../../src/node.ts'

const IN_PROCESS = 'https://api.example.com/v1'
const CONTENT = 'One two thrée'
// Role, four tokens, finish, usage; [DONE] is no chunk.
const CHUNKS = 7

/** The client's view of a streamed and of a whole response. A number is the count of chunks before it. */
interface Seen {
  readonly stream: string
  readonly whole: string
  /** The view in process, where it differs. */
  readonly inProcess?: Pick<Seen, 'stream' | 'whole'>
}

const refused = (error: string): Seen => ({ stream: `0, ${error}`, whole: error })
const REFUSED_WHOLE = 'BadRequestError mock_impossible_fault'
const streamOnly = (stream: string): Seen => ({ stream, whole: REFUSED_WHOLE })
const CONNECTION: Seen = refused('APIConnectionError')

const SEEN: Readonly<Record<string, Seen>> = {
  'invalid-request': refused('BadRequestError'),
  'context-length': refused('BadRequestError context_length_exceeded'),
  'missing-key': refused('AuthenticationError'),
  'invalid-key': refused('AuthenticationError invalid_api_key'),
  'forbidden-region': refused('PermissionDeniedError unsupported_country_region_territory'),
  'not-found': refused('NotFoundError model_not_found'),
  conflict: refused('ConflictError'),
  unprocessable: refused('UnprocessableEntityError'),
  'rate-limit': refused('RateLimitError rate_limit_exceeded'),
  'rate-limit-tokens': refused('RateLimitError rate_limit_exceeded'),
  quota: refused('RateLimitError insufficient_quota'),
  'server-error': refused('InternalServerError'),
  'bad-gateway': refused('InternalServerError'),
  overloaded: refused('InternalServerError'),
  'gateway-timeout': refused('InternalServerError'),
  'status; status=418': refused('APIError'),

  hang: refused('APIConnectionTimeoutError'),
  'reset-before-headers': CONNECTION,
  'empty-reply': CONNECTION,
  garbage: { ...CONNECTION, inProcess: refused(REFUSED_WHOLE) },
  'reset-after-headers': refused('TypeError: terminated'),
  'half-body': { stream: '3, TypeError: terminated', whole: 'TypeError: terminated' },
  // Without streaming, the client returns the text, because the content type is not JSON.
  'wrong-content-type': { stream: `${CHUNKS}`, whole: 'a text' },
  'delay; by=1ms': { stream: `${CHUNKS}`, whole: CONTENT },
  'slow-drip; size=100; interval=1ms': { stream: `${CHUNKS}`, whole: CONTENT },
  'bandwidth; rate=100000': { stream: `${CHUNKS}`, whole: CONTENT },
  // fetch accepts a truncated gzip body as complete.
  'truncated-gzip': { stream: '3, SyntaxError', whole: 'SyntaxError' },

  'cut; after=3': { stream: '3, TypeError: terminated', whole: 'TypeError: terminated' },
  'cut; after=3; end=fin': { stream: '3, TypeError: terminated', whole: 'TypeError: terminated' },
  // Only the missing finish_reason shows that a stream ended early.
  'cut; after=3; end=clean': { stream: '3', whole: 'SyntaxError' },
  'cut; bytes=700': { stream: '2, TypeError: terminated', whole: 'BadRequestError mock_impossible_fault' },
  'cut; after=2; inside=data': { stream: '2, TypeError: terminated', whole: 'TypeError: terminated' },
  'cut; inside=character': { stream: '4, TypeError: terminated', whole: 'TypeError: terminated' },
  'cut; before=usage': { stream: `${CHUNKS - 1}, TypeError: terminated`, whole: REFUSED_WHOLE },
  // All chunks have come, and still there is an error.
  'cut; before=done': { stream: `${CHUNKS}, TypeError: terminated`, whole: REFUSED_WHOLE },
  'stream-error; after=2': streamOnly('2, APIError'),
  'stream-error; after=2; event=error': streamOnly('2, APIError'),
  'malformed-event; after=2': streamOnly('2, SyntaxError'),
  'missing-done': streamOnly(`${CHUNKS}`),
  'missing-usage': streamOnly(`${CHUNKS - 1}`),
  'duplicated-event': streamOnly(`${CHUNKS + 1}`),
  comments: streamOnly(`${CHUNKS}`),
  crlf: streamOnly(`${CHUNKS}`),
  'split-events; size=1': streamOnly(`${CHUNKS}`),
  'joined-events': streamOnly(`${CHUNKS}`),
}

type Client = typeof OpenAI

/** Declares the tests for one version of the client, with the rows in which this version differs. */
export function testFaultsWith(Client: Client, differing: Readonly<Record<string, Seen>> = {}): void {
  const rows = Object.entries({ ...SEEN, ...differing })
  test('the table has a row for each fault that is not semantic: add the row of a new fault to test/support/client-view.ts', () => {
    const names = new Set(Object.keys(SEEN).map((fault) => fault.split(';')[0]))
    const others = faults.filter(({ kind }) => kind !== 'semantic').map(({ name }) => name)
    // One fails the next call: client-table.test.ts. Others are for responses: test/faults/responses.test.ts.
    const isElsewhere = (name: string) =>
      name === 'stale-connection' ||
      faults.some((one) => one.name === name && one.endpoints?.includes('chat') === false)
    const missing = others.filter((name) => !names.has(name) && !isElsewhere(name))
    expect(missing).toEqual([])
    expect([...names].filter((name) => !others.includes(name!))).toEqual([])
  })

  const mock = createMock('default', { baseURL: IN_PROCESS })
  let server: MockServer
  let interception: Interception
  beforeAll(async () => {
    // The client also logs broken JSON to the console.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    server = await listen(mock, { port: 0 })
    interception = intercept(mock)
  })
  afterAll(async () => {
    interception.close()
    await server.close(0)
  })

  test.each(rows)('over HTTP: %s', async (fault, { stream, whole }) => {
    expect(await readSeen(Client, server.url, fault)).toEqual({ stream, whole })
  })

  test.each(rows)('in process: %s', async (fault, row) => {
    const { stream, whole } = row.inProcess ?? row
    expect(await readSeen(Client, IN_PROCESS, fault)).toEqual({ stream, whole })
  })

  test.each(['over HTTP', 'in process'])(
    '%s: a stream that stalls stays open until its reader leaves',
    async (place) => {
      mock.reset()
      const client = clientOf(Client, place === 'in process' ? IN_PROCESS : server.url)
      const stream = await client.chat.completions.create(
        { model: 'echo-1', stream: true, messages: [{ role: 'user', content: CONTENT }] },
        { headers: { 'x-mock-fault': 'cut; after=2; end=stall' } },
      )
      const reader = stream[Symbol.asyncIterator]()
      expect([(await reader.next()).done, (await reader.next()).done]).toEqual([false, false])
      expect(mock.journal[0]!.outcome).toBe('open')
      stream.controller.abort()
      await vi.waitFor(() => expect(mock.journal[0]!.outcome).toBe('client-left'), 10_000)
    },
  )
}

/** Only a call that never ends has a time-out shorter than that of its test. */
const clientOf = (Client: Client, baseURL: string, timeout = 600_000): OpenAI =>
  new Client({ baseURL, apiKey: 'sk-test', maxRetries: 0, timeout })

async function readSeen(Client: Client, baseURL: string, fault: string): Promise<Pick<Seen, 'stream' | 'whole'>> {
  const { completions } = clientOf(Client, baseURL, fault === 'hang' ? 1000 : undefined).chat
  const options = { headers: { 'x-mock-fault': fault } }
  const asked = { model: 'echo-1', messages: [{ role: 'user' as const, content: CONTENT }] }
  const whole = await completions.create(asked, options).then(
    (answer) => (typeof answer === 'string' ? 'a text' : (answer.choices[0]?.message.content ?? 'no content')),
    (error) => describe(Client, error),
  )
  let chunks = 0
  try {
    const stream = await completions.create(
      { ...asked, stream: true, stream_options: { include_usage: true } },
      options,
    )
    for await (const _ of stream) chunks++
    return { whole, stream: String(chunks) }
  } catch (error) {
    return { whole, stream: `${chunks}, ${describe(Client, error)}` }
  }
}

/** The error's class and code; for other errors, its message, except where it depends on the version of Node. */
function describe({ APIError }: Client, error: unknown): string {
  if (error instanceof APIError) return [error.constructor.name, error.code].filter(Boolean).join(' ')
  if (error instanceof SyntaxError) return 'SyntaxError'
  return String(error)
}
