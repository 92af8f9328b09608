/** Every fault of the catalogue in each of the five ways, over HTTP and in process, as the journal tells it. */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Fault } from '../../src/core/protocol/faults/fault.ts'
import { faults } from '../../src/core/protocol/faults/fault-catalogue.ts'
import { toolCallFaults } from '../../src/core/protocol/faults/tool-call-faults.ts'
import { createMock, type FaultName, type Mock, type ScenarioInput } from '../../src/index.ts'
import { type Interception, intercept, listen, type MockServer } from '../../src/node.ts'

const IN_PROCESS = 'https://api.example.com/v1'
const KEY = 'sk-faulty'
// A stream with usage in it: there is something in it for every fault.
const STREAM = {
  model: 'echo-1',
  stream: true,
  stream_options: { include_usage: true },
  messages: [{ role: 'user', content: 'One two thrée' }],
}

const RESPONSE = { model: 'echo-1', stream: true, input: 'One two thrée' }
const EMBEDDINGS = { model: 'hash-1', input: ['one', 'two'] }
const SCHEMA = { type: 'object', properties: { unit: { enum: ['m', 'km'] } }, required: ['unit'] }

const TOOL = { type: 'function', function: { name: 'measure', parameters: SCHEMA } }
const EARLIER = { id: 'call_1', type: 'function', function: { name: 'measure', arguments: '{"unit":"m"}' } }
/** A call to an agent that has called a tool and must call one again. */
const AGENT = {
  ...STREAM,
  messages: [
    ...STREAM.messages,
    { role: 'assistant', content: null, tool_calls: [EARLIER] },
    { role: 'tool', tool_call_id: 'call_1', content: '5' },
  ],
  tools: [TOOL],
  tool_choice: 'required',
}

/** A call in which a fault finds what it needs. */
function fittingCall({ name, kind, endpoints = [] }: Fault): { readonly path: string; readonly body: object } {
  if (endpoints.includes('embeddings')) return { path: '/embeddings', body: EMBEDDINGS }
  if (endpoints[0] === 'responses') return { path: '/responses', body: RESPONSE }
  if (toolCallFaults.some((one) => one.name === name)) return { path: '/chat/completions', body: AGENT }
  const needsJson = kind === 'semantic' && name !== 'other-language'
  const json = { response_format: { type: 'json_schema', json_schema: { name: 'length', schema: SCHEMA } } }
  return { path: '/chat/completions', body: { ...STREAM, ...(needsJson && json) } }
}

type Options = Readonly<Record<string, string | number>>
/** Options for those that would take long without. */
const OPTIONS: Readonly<Record<string, Options>> = {
  delay: { by: '1ms' },
  'slow-drip': { size: 500, interval: '1ms' },
  bandwidth: { rate: 1_000_000 },
  cut: { after: 3, end: 'fin' },
  'rate-limit': { retryAfter: '2s' },
}

interface Way {
  readonly scenario?: (fault: FaultName, options: Options) => Partial<ScenarioInput>
  readonly arrange?: (fault: string, options: Options, mock: Mock, controlUrl: string) => unknown
  readonly header?: (fault: string, options: Options) => string
  /** Where the journal says it came from. */
  readonly from: string
}

const WAYS: Readonly<Record<string, Way>> = {
  'request header': {
    header: (fault, options) => [fault, ...Object.entries(options).map((option) => option.join('='))].join('; '),
    from: 'header',
  },
  key: { scenario: (fault, options) => ({ keys: { [KEY]: { fault, ...options } } }), from: 'key' },
  scenario: {
    scenario: (fault, options) => ({ faults: [{ fault, ...options, when: { key: KEY } }] }),
    from: 'faults[0]',
  },
  'control plane': {
    arrange: (fault, options, _, controlUrl) =>
      fetch(`${controlUrl}/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ fault, ...options, key: KEY }),
      }),
    from: 'injected',
  },
  code: {
    arrange: (fault, options, mock) => mock.inject(fault as FaultName, { ...options, key: KEY }),
    from: 'injected',
  },
}

/** Whether a fault needs the connection itself, which fetch hides. */
const isOverHttpOnly = (fault: Fault): boolean => fault.kind === 'wire' && fault.notOverFetch !== undefined

const TABLE = Object.keys(WAYS).flatMap((way) =>
  (['over HTTP', 'in process'] as const).flatMap((place) => faults.map(({ name }) => [way, place, name] as const)),
)

const mock = createMock('default', { baseURL: IN_PROCESS })
let server: MockServer
let interception: Interception

beforeAll(async () => {
  server = await listen(mock, { port: 0 })
  interception = intercept(mock)
})
afterAll(() => {
  interception.close()
  return server.close(0)
})

test.each(TABLE)('by %s, %s: %s', async (way, place, name) => {
  const { scenario, arrange, header, from } = WAYS[way]!
  const options = OPTIONS[name] ?? {}
  mock.use({ ...scenario?.(name as FaultName, options) })
  mock.reset()
  await arrange?.(name, options, mock, server.controlUrl)

  const fault = faults.find((one) => one.name === name)!
  const leave = new AbortController()
  // The next test must not meet the stale connection.
  const { url } = name === 'stale-connection' ? await anotherServer() : server
  const baseUrl = place === 'in process' ? IN_PROCESS : url
  const asked = ask(baseUrl, fittingCall(fault), header?.(name, options), leave.signal)
  if (name === 'hang') {
    await vi.waitFor(() => expect(mock.journal).toHaveLength(1), 10_000)
    leave.abort()
  }
  await asked

  const [entry] = mock.journal
  if (place === 'in process' && isOverHttpOnly(fault)) {
    expect(entry).toMatchObject({ status: 400, reason: { by: 'request', name: 'impossible-fault' } })
  } else {
    expect(entry!.reason).toEqual({ by: 'fault', name: `${name} (${from})` })
  }
})

async function anotherServer(): Promise<MockServer> {
  const another = await listen(mock, { port: 0 })
  onTestFinished(() => another.close(0))
  return another
}

/** Makes one call and reads all that comes of it. */
async function ask(
  baseUrl: string,
  { path, body }: ReturnType<typeof fittingCall>,
  fault: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: fault === undefined ? headers : { ...headers, 'x-mock-fault': fault },
    body: JSON.stringify(body),
    signal,
  })
    .then((response) => response.text())
    .catch(() => undefined)
}
