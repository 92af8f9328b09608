/** The mock answers recorded calls of /v1/responses as the real service did. */
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMock, type Mock, type ScenarioInput } from '../../src/index.ts'
import { listen, type MockServer } from '../../src/node.ts'
import type { Json } from '../support/recorded.ts'
import {
  eventsIn,
  hasRecordedResponses,
  type RecordedResponse,
  readRecordedResponses,
  responseIn,
  ruleFor,
  type ServerEvent,
} from '../support/recorded-responses.ts'

/** One comparison of an answer with its recording. */
interface Check {
  readonly name: string
  /** The difference; undefined if there is none. */
  readonly problem: string | undefined
}

/** A failed check that is known, and why it fails. It counts as failed in the percentage. */
interface Exception {
  readonly reason: string
  readonly calls: readonly number[]
  readonly checks: RegExp
}

const exceptions: readonly Exception[] = [
  { reason: 'a rule says one text, without calls', calls: [475, 487, 1096], checks: /^output$|^order of events$/ },
  {
    reason: 'only a model knows how long it thinks: here it may leave room for a text',
    calls: [705, 718, 720],
    checks: /^output$/,
  },
  { reason: 'the account of the recording stores nothing', calls: [1096, 1097], checks: /^store$/ },
  { reason: 'gpt-4.1-mini counts one token more than the other models', calls: [300], checks: /^body$/ },
  { reason: 'until July 2025 the echo of a strict tool was as sent', calls: [1047], checks: /^tools$/ },
]

/** The day on which a key or value was first recorded: the mock answers as the newest recordings do. */
const FIRST_SEEN: Readonly<Record<string, string>> = {
  background: '2025-05',
  service_tier: '2025-06',
  top_logprobs: '2025-06-11',
  max_tool_calls: '2025-06-11',
  'text.verbosity': '2025-08',
  'content[output_text].logprobs': '2025-08',
  prompt_cache_key: '2025-09',
  safety_identifier: '2025-09',
  billing: '2025-10',
  prompt_cache_retention: '2026-04-18',
  completed_at: '2026-01',
  presence_penalty: '2026-01',
  frequency_penalty: '2026-01',
  moderation: '2026-05',
  phase: '2026-05',
  'reasoning.context': '2026-06',
  'output[reasoning].content': '2026-06',
  'item[reasoning].content': '2026-06',
  'reasoning.mode': '2026-07',
  tool_usage: '2026-07',
  cache_write_tokens: '2026-07',
  output_schema: '2026-07',
}
const GENERATE_SUMMARY_UNTIL = '2025-04'

const calls = readRecordedResponses()
const titled = (which: (call: RecordedResponse) => boolean): [string, RecordedResponse][] =>
  calls.filter(which).map((call) => [`#${call.n} ${call.request.model}${call.stream ? ' stream' : ''}`, call])
const isInside = ({ method, scope }: RecordedResponse): boolean => method === 'POST' && scope.length === 0
const isError = ({ status }: RecordedResponse): boolean => status >= 400

const suffix = hasRecordedResponses ? '' : ' (skipped: ../shared/recorded-responses is not beside this checkout)'

describe.skipIf(!hasRecordedResponses)(`recorded calls of /v1/responses${suffix}`, () => {
  const openai = createMock('openai').scenario.source as ScenarioInput
  let mock: Mock
  let server: MockServer
  const done: Check[] = []
  beforeAll(async () => {
    mock = createMock('openai', { seed: 7 })
    server = await listen(mock, { port: 0 })
  })
  afterAll(() => server.close(0))

  /** Sends a recorded call to a mock that gives the recorded kind of answer. */
  async function replay(call: RecordedResponse): Promise<Answer> {
    const earlier = calls.find((one) => responseIn(one)?.id === (call.request?.previous_response_id ?? ''))
    const rules = [call, ...(earlier === undefined ? [] : [earlier])].map(ruleFor)
    mock.use({ ...openai, replies: rules, ...(call.status === 401 && { keys: { 'sk-test': {} } }) })
    const given = earlier === undefined ? {} : givenIds(responseIn(earlier), responseIn(await post(earlier)))
    return post({ ...call, request: renamed(call.request, given) })
  }

  const post = (call: RecordedResponse): Promise<Answer> =>
    send('POST', call.path, JSON.stringify(call.request), call.status === 401 ? refusedKeyOf(call) : undefined)

  async function send(method: string, path: string, body?: string, key = 'sk-test'): Promise<Answer> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const url = server.url.replace(/\/v1$/, path)
    const response = await fetch(url, { method, headers, ...(body !== undefined && method === 'POST' && { body }) })
    const text = await response.text()
    const isStream = text.startsWith('event:')
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      ...(isStream ? { events: eventsIn(text) } : { body: text === '' ? undefined : JSON.parse(text) }),
    }
  }

  function report(call: RecordedResponse, checks: readonly Check[]): void {
    done.push(...checks)
    const known = exceptions.filter((one) => one.calls.includes(call.n))
    const failed = checks.filter(
      ({ name, problem }) => problem !== undefined && !known.some((one) => one.checks.test(name)),
    )
    expect(failed.map(({ name, problem }) => `${name}: ${problem}`)).toEqual([])
  }

  test('there are 80 calls', () => expect(calls).toHaveLength(80))

  test.each(titled((call) => isInside(call) && isError(call)))('the error: %s', async (_, call) => {
    const { status, body } = await replay(call)
    const fields = ['message', 'type', 'param', 'code'].map((field) =>
      equal(`error.${field}`, call.body.error[field], body.error?.[field]),
    )
    report(call, [equal('status', call.status, status), ...fields, equal('body', call.body, body)])
  })

  test.each(titled((call) => isInside(call) && !isError(call)))('the answer: %s', async (_, call) => {
    const answer = await replay(call)
    expect(answer.status, answer.text).toBe(call.status)
    report(call, [
      equal('status', call.status, answer.status),
      ...checkHeaders(call, answer),
      ...(call.path === '/v1/responses' ? checkResponse(call, answer) : [equal('body', call.body, answer.body)]),
      ...(call.stream ? checkEvents(call, answer) : []),
    ])
  })

  test.each(titled(({ scope }) => scope.length > 0))('outside the border: %s', async (_, call) => {
    const { status, body } = await replay(call)
    const isCompact = call.path.endsWith('/compact')
    report(call, [
      equal('status', isCompact ? 404 : 400, status),
      equal('error.type', 'invalid_request_error', body?.error?.type),
      isCompact
        ? like('error.message', /not simulate/, body?.error?.message)
        : equal('error.code', 'mock_not_simulated', body?.error?.code),
    ])
  })

  test('a stored response is answered by GET as it was by POST, and deleted by DELETE', async () => {
    for (const call of calls.filter(({ method }) => method !== 'POST')) {
      mock.use({ ...openai, replies: [ruleFor(call)] })
      const created = await send('POST', '/v1/responses', JSON.stringify({ model: 'gpt-4o', input: 'Hello!' }))
      const { status, body } = await send(call.method, `/v1/responses/${created.body.id}`)
      const checks =
        call.method === 'GET'
          ? [equal('as POST', created.body, body), ...checkResponse(call, { ...created, body })]
          : [equal('body', { ...call.body, id: created.body.id }, body)]
      report(call, [equal('status', call.status, status), ...checks])
    }
  })

  test('at least 99 % of all checks pass', () => {
    const failed = done.filter(({ problem }) => problem !== undefined).length
    const percent = (100 * (1 - failed / done.length)).toFixed(2)
    expect(Number(percent), `${percent} % of ${done.length} checks passed`).toBeGreaterThanOrEqual(99)
    expect(done.length).toBeGreaterThan(3000)
  })
})

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly body?: Json
  readonly events?: readonly ServerEvent[]
}

/** The ids of an earlier answer as the mock gave them, by the recorded ones. */
const givenIds = (recorded: Json, answered: Json): Readonly<Record<string, string>> =>
  Object.fromEntries([
    [recorded.id, answered.id],
    ...recorded.output.map(({ call_id }: Json, index: number) => [call_id, answered.output[index].call_id]),
  ])

const renamed = (request: Json, given: Readonly<Record<string, string>>): Json =>
  JSON.parse(JSON.stringify(request), (_, value) => given[value] ?? value)

// Checks

const equal = (name: string, recorded: unknown, answered: unknown): Check => ({
  name,
  problem: isDeepStrictEqual(recorded, answered)
    ? undefined
    : `${shortened(answered)} instead of ${shortened(recorded)}`,
})
const like = (name: string, form: RegExp, answered: unknown): Check => ({
  name,
  problem: typeof answered === 'string' && form.test(answered) ? undefined : `${shortened(answered)} is not ${form}`,
})
const shortened = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 200)

/** The names of the headers that the mock decides, and the values that never differ. */
function checkHeaders(recorded: RecordedResponse, answered: Answer): Check[] {
  const names = Object.keys(recorded.headers).filter((name) => /^openai-|^x-request-id$|^x-ratelimit-/.test(name))
  return [
    equal('content-type', recorded.headers['content-type'], answered.headers['content-type']),
    ...names.map((name) => equal(`header ${name}`, true, name in answered.headers)),
    equal('openai-version', recorded.headers['openai-version'], answered.headers['openai-version']),
  ]
}

/** The response: keys at each level in both directions, the echo of the request, the items, their ids and the tokens. */
function checkResponse(call: RecordedResponse, answer: Answer): Check[] {
  const recorded = responseIn(call)
  const answered = responseIn(answer) ?? {}
  const day = dayOf(recorded)
  const names = Object.keys(recorded).filter((key) => !OWN.has(key))
  return [
    ...compareShapes(recorded, answered, day),
    ...names.flatMap((name) => compareValues(name, recorded[name], answered[name], day)),
    equal('output', kindsOf(recorded), kindsOf(answered)),
    ...checkReasoning(call, answered),
    ...checkIds(answered),
    ...(isCounted(call)
      ? [equal('usage.input_tokens', recorded.usage.input_tokens, answered.usage?.input_tokens)]
      : []),
    ...(isUnsorted(call) ? [equal('order of keys', orderIn(recorded, answered), orderIn(answered, recorded))] : []),
  ]
}

/** Fields with values of the answer's own. */
const OWN = new Set(['id', 'created_at', 'completed_at', 'output', 'usage', 'billing', 'previous_response_id'])

function compareValues(name: string, recorded: Json, answered: Json, day: string): Check[] {
  if (name === 'reasoning' || name === 'tools') {
    // The keys are compared apart; here only those that both have.
    return [equal(name, common(recorded, answered, day), common(answered, recorded, day))]
  }
  if (recorded === null && day < (FIRST_SEEN[name] ?? '')) return []
  if (name === 'text') return [equal(name, common(recorded, answered, day), common(answered, recorded, day))]
  return [equal(name, recorded, answered)]
}

/** The value with only the keys that both values have. */
function common(value: Json, other: Json, day: string): Json {
  if (Array.isArray(value)) return value.map((item, index) => common(item, other?.[index], day))
  if (kindOf(value) !== 'object' || kindOf(other) !== 'object') return value
  return Object.fromEntries(
    Object.keys(value)
      .filter((key) => key in other)
      .map((key) => [key, value[key]]),
  )
}

/** A reasoning item can stand only where a model reasons; encrypted content is there when asked for. */
function checkReasoning({ request }: RecordedResponse, answered: Json): Check[] {
  const items: Json[] = (answered.output ?? []).filter(({ type }: Json) => type === 'reasoning')
  const canReason = answered.reasoning?.effort !== null && answered.reasoning?.effort !== 'none'
  const isEncrypted = request?.include?.includes('reasoning.encrypted_content') ?? false
  return [
    equal('a reasoning item', canReason && items.length > 0, items.length > 0),
    ...items.map((item) =>
      equal('encrypted content', isEncrypted, /^gAAAAA[\w-]{194,}=*$/.test(item.encrypted_content)),
    ),
  ]
}

/** All ids of an answer have the first 16 digits of the response's. */
function checkIds({ id = '', output = [], created_at }: Json): Check[] {
  const shared = id.slice(5, 21)
  const seconds = Number(created_at).toString(16)
  const prefixes: Json = { message: 'msg', function_call: 'fc', reasoning: 'rs' }
  return [
    like('id', new RegExp(`^resp_[0-9a-f]{16}00${seconds}[0-9a-f]{24}$`), id),
    ...output.map((item: Json) =>
      like('item id', new RegExp(`^${prefixes[item.type]}_${shared}00[0-9a-f]{32}$`), item.id),
    ),
    ...output.flatMap((item: Json) =>
      item.type === 'function_call' ? [like('call id', /^call_[A-Za-z0-9]{24}$/, item.call_id)] : [],
    ),
  ]
}

/** True where the contract's formula counts exactly: text alone, without tools, schemas and encrypted reasoning. */
function isCounted({ request }: RecordedResponse): boolean {
  if (request === null || request.tools?.length > 0 || request.text?.format?.type === 'json_schema') return false
  if (request.reasoning?.mode === 'pro') return false
  return typeof request.input === 'string' || request.input.every(isText)
}

const isText = ({ type = 'message', content }: Json): boolean =>
  type === 'message' && (typeof content === 'string' || content.every((part: Json) => 'text' in part))

/** True if the recorder kept the order of keys, and the service has it to this day. */
const isUnsorted = ({ body }: RecordedResponse): boolean =>
  body !== undefined && Object.keys(body)[0] === 'id' && dayOf(body) > '2025-06'
const orderIn = (value: Json, other: Json): string[] => Object.keys(value).filter((key) => key in other)

/** The kinds of items and of their parts; reasoning items are the model's choice. */
const kindsOf = ({ output = [] }: Json): string[] =>
  output
    .filter(({ type }: Json) => type !== 'reasoning')
    .map(({ type, status, content = [] }: Json) => [type, status, ...content.map((part: Json) => part.type)].join(' '))

/** The events of a stream: their order, the keys of each kind in both directions, the numbers and the obfuscation. */
function checkEvents({ events: recorded = [] }: RecordedResponse, { text, events: answered = [] }: Answer): Check[] {
  const day = dayOf(recorded[0]![1].response)
  const [one, other] = [withoutReasoning(recorded), withoutReasoning(answered)]
  const kinds = new Set(one.map(([name]) => name).filter((name) => other.some(([like]) => like === name)))
  const first = ([event]: readonly ServerEvent[]): Json => event?.[1].response ?? {}
  const ofCreated = ['status', 'output', 'usage', 'completed_at', 'service_tier'].filter(
    (key) => key in first(recorded),
  )
  return [
    equal('order of events', collapsed(one.map(([name]) => name)), collapsed(other.map(([name]) => name))),
    ...[...kinds].flatMap((kind) => compareShapes(allOf(one, kind), allOf(other, kind), day, kind)),
    ...ofCreated.map((key) => equal(`created ${key}`, first(recorded)[key], first(answered)[key])),
    equal('created and in_progress', answered[0]?.[1].response, answered[1]?.[1].response),
    equal(
      'no billing',
      false,
      answered.some(([, { response }]) => response !== undefined && 'billing' in response),
    ),
    equal(
      'numbers',
      answered.map((_, index) => index),
      answered.map(([, data]) => data.sequence_number),
    ),
    equal(
      'names',
      answered.map(([name]) => name),
      answered.map(([, { type }]) => type),
    ),
    equal('no [DONE]', false, text.includes('[DONE]')),
    equal(
      'obfuscation',
      [],
      answered.filter(([, data]) => !isPadded(data)).map(([, data]) => data),
    ),
  ]
}

const isPadded = ({ delta, obfuscation }: Json): boolean =>
  obfuscation === undefined || (delta.length + obfuscation.length) % 16 === 0

const allOf = (events: readonly ServerEvent[], kind: string): Json[] =>
  events.filter(([name]) => name === kind).map(([, data]) => data)

const isOfReasoning = ({ item, item_id }: Json): boolean => /^rs_/.test(item?.id ?? item_id ?? '')
const withoutReasoning = (events: readonly ServerEvent[]): ServerEvent[] =>
  events.filter(([, data]) => !isOfReasoning(data))

/** Without repetitions of what came just before. */
const collapsed = (names: readonly string[]): string[] => names.filter((name, index) => name !== names[index - 1])

// Shapes: the paths of all keys with the kinds of their values

function compareShapes(recorded: Json, answered: Json, day: string, of = 'response'): Check[] {
  const [one, other] = [shapeOf(recorded), shapeOf(answered)]
  const paths = [...new Set([...one.keys(), ...other.keys()])].filter((path) => isInBoth(path, one, other))
  return paths.map((path) => ({
    name: `${of} ${path}`,
    problem: differenceOf(path, one.get(path), other.get(path), day),
  }))
}

function differenceOf(path: string, recorded: string | undefined, answered: string | undefined, day: string) {
  if (recorded === answered) return undefined
  if (isNewer(path, day) && (recorded === undefined || recorded === 'null')) return undefined
  if (/reasoning\.(generate_)?summary$/.test(path) && day < GENERATE_SUMMARY_UNTIL) return undefined
  return `${answered ?? 'no key'} instead of ${recorded ?? 'no key'}`
}

/** True if the key was first recorded after that day. */
const isNewer = (path: string, day: string): boolean =>
  Object.entries(FIRST_SEEN).some(([key, since]) => day < since && `.${path}.`.includes(`.${key}.`)) ||
  Object.entries(FIRST_SEEN).some(([key, since]) => day < since && path.endsWith(key))

/** Items and parts that only one of the two has are compared by `output` and not by their keys. */
function isInBoth(path: string, one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  const labels = [...path.matchAll(/^.*?\[\w+\]/g)].map(([label]) => label)
  const isEmpty = (shape: ReadonlyMap<string, string>, label: string): boolean =>
    ![...shape.keys()].some((key) => key.startsWith(label))
  return labels.every((label) => !isEmpty(one, label) && !isEmpty(other, label))
}

/** Values with keys of the user's. */
const OPAQUE = /(parameters|schema|metadata)$/

function shapeOf(value: Json, path = '', shape = new Map<string, string>()): Map<string, string> {
  if (path !== '')
    shape.set(path, [...new Set([...(shape.get(path)?.split('|') ?? []), kindOf(value)])].sort().join('|'))
  if (Array.isArray(value)) {
    for (const item of value) shapeOf(item, path + labelOf(item, path), shape)
  } else if (kindOf(value) === 'object' && !OPAQUE.test(path)) {
    for (const key of Object.keys(value)) {
      const label = key === 'item' || key === 'part' ? `[${value[key].type}]` : ''
      shapeOf(value[key], `${path === '' ? key : `${path}.${key}`}${label}`, shape)
    }
  }
  return shape
}

const labelOf = (item: Json, path: string): string =>
  path !== '' && kindOf(item) === 'object' && typeof item.type === 'string' ? `[${item.type}]` : ''

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const dayOf = ({ created_at }: Json): string => new Date(created_at * 1000).toISOString().slice(0, 10)

/** A key that is masked as the recorded one is. */
const refusedKeyOf = ({ body }: RecordedResponse): string =>
  /provided: (\S+)\. /.exec(body.error.message)![1]!.replace(/\*/g, 'x')
