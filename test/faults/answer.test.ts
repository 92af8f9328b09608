/** Faults that replace the answer, and the errors of faults that cannot be read. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ErrorName } from '../../src/core/protocol/errors/error-catalogue.ts'
import { faults } from '../../src/core/protocol/faults/fault-catalogue.ts'
import { readFault } from '../../src/core/protocol/faults/read-fault.ts'
import type { Plan } from '../../src/core/protocol/plan/plan.ts'
import type { ScenarioSource } from '../../src/core/scenario/scenario-source.ts'
import { type CallOverrides, type CoreMock, HELLO, mockWith, read } from '../support/core.ts'

const EMBEDDINGS: CallOverrides = { path: '/v1/embeddings', body: { model: 'hash-1', input: 'Hello there!' } }
const RESPONSES: CallOverrides = { path: '/v1/responses', body: { model: 'echo-1', input: 'Hello there!' } }
const STREAM = { body: { ...HELLO, stream: true } }

const fault = (text: string, call: CallOverrides = {}): CallOverrides => ({
  ...call,
  headers: { 'x-mock-fault': text },
})

/** The error of one call, with its status and headers. */
function failed(text: string, call: CallOverrides = {}, mock = mockWith()) {
  const answer = mock.answer(fault(text, call))
  return { ...answer, error: JSON.parse(answer.text).error as Record<'message' | 'type' | 'param' | 'code', string> }
}

/** Injects a fault, as code and the control plane do. */
function inject(mock: CoreMock, name: string | number, times = 1): void {
  const reading = readFault(name)
  if ('problem' in reading) throw new Error(reading.problem)
  mock.apply({
    type: 'inject',
    injection: {
      id: 1,
      name: String(name),
      configured: reading.configured,
      match: () => ({}),
      delay: 0,
      remaining: times,
    },
  })
}

const statuses = (mock: CoreMock, calls: readonly CallOverrides[]): number[] =>
  calls.map((call) => mock.answer(call).status)
const kinds = ({ events }: Plan): string[] => [...events].map(({ type }) => type)

// Each fault

type Expected = {
  readonly status: number
  readonly type?: string
  readonly code?: string | null
  readonly says: RegExp
}
const ANSWERS: Readonly<Record<string, Expected & { readonly as: ErrorName }>> = {
  'invalid-request': { as: 'missing-content', status: 400, says: /^Invalid value for 'content'/ },
  'context-length': {
    as: 'context-length',
    status: 400,
    code: 'context_length_exceeded',
    says: /maximum context length/,
  },
  'missing-key': { as: 'missing-key', status: 401, says: /^You didn't provide an API key/ },
  'invalid-key': {
    as: 'invalid-key',
    status: 401,
    code: 'invalid_api_key',
    says: /^Incorrect API key provided: sk-test\./,
  },
  'forbidden-region': {
    as: 'forbidden-region',
    status: 403,
    type: 'request_forbidden',
    code: 'unsupported_country_region_territory',
    says: /^Country, region, or territory not supported$/,
  },
  'not-found': {
    as: 'unknown-model',
    status: 404,
    code: 'model_not_found',
    says: /^The model `echo-1` does not exist/,
  },
  'rate-limit': {
    as: 'requests-limit',
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    says: /^Rate limit reached for echo-1 in organization org-\w{24} on requests per min \(RPM\)/,
  },
  'rate-limit-tokens': {
    as: 'tokens-limit',
    status: 429,
    type: 'tokens',
    code: 'rate_limit_exceeded',
    says: /^Rate limit reached for echo-1 in organization org-\w{24} on tokens per min \(TPM\)/,
  },
  quota: {
    as: 'quota-exceeded',
    status: 429,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    says: /current quota/,
  },
  'server-error': { as: 'server-error', status: 500, type: 'server_error', says: /request ID req_[0-9a-f]{32}/ },
  conflict: { as: 'conflict', status: 409, says: /^The resource was updated by another request/ },
  unprocessable: { as: 'unprocessable', status: 422, says: /^The request was well-formed but/ },
  overloaded: { as: 'overloaded', status: 503, type: 'server_error', says: /^That model is currently overloaded/ },
  status: { as: 'status-on-demand', status: 500, says: /^The mock was asked to answer with status 500\.$/ },
}
const PAGES = { 'bad-gateway': 502, 'gateway-timeout': 504 } as const

/** The errors of responses alone. */
const OF_RESPONSES = {
  'organization-not-verified': { status: 400, param: 'reasoning.summary', code: 'unsupported_value' },
  'zero-data-retention': { status: 400, param: 'previous_response_id', code: 'unsupported_parameter' },
  'invalid-encrypted-content': { status: 400, param: null, code: 'invalid_encrypted_content' },
  'item-not-found': { status: 404, param: 'input', code: null },
} as const

test('every answer fault is tested here', () => {
  const names = faults.filter(({ kind }) => kind === 'answer').map(({ name }) => name)
  const tested = [ANSWERS, OF_RESPONSES, PAGES].flatMap((table) => Object.keys(table))
  expect(tested.sort()).toEqual(names.sort())
})

test.each(Object.entries(OF_RESPONSES))(
  '%s is an error of responses, and refused by name elsewhere',
  (name, expected) => {
    const { status, error } = failed(name, RESPONSES)
    expect({ status, ...error }).toMatchObject({ ...expected, type: 'invalid_request_error' })
    expect(faults.find((one) => one.name === name)!.summary).toMatch(new RegExp(`^${status}:`))
    for (const call of [{}, STREAM, EMBEDDINGS]) {
      expect(failed(name, call).error).toMatchObject({
        code: 'mock_impossible_fault',
        message: `Fault '${name}' (header) can't happen here: only /v1/responses has it.`,
      })
    }
  },
)

test('a fault of responses in a scenario passes other calls over, and waits for its own', () => {
  const mock = mockWith({ faults: [{ fault: 'zero-data-retention', times: 1 }] })
  expect(statuses(mock, [{}, RESPONSES, RESPONSES])).toEqual([200, 400, 200])
})

test('not-found names the model of the address, and never the key', () => {
  const { error } = failed('not-found', { method: 'GET', path: '/v1/models/gpt-x' })
  expect(error.message).toBe('The model `gpt-x` does not exist or you do not have access to it.')
  const key = 'sk-0123456789abcdefghij'
  expect(failed('not-found', { method: 'GET', path: `/v1/models/${key}`, key }).error.message).not.toContain(key)
})

test('item-not-found names an item of the input, and never a text that may be a key', () => {
  const input = [
    { type: 'item_reference', id: 'sk-secret' },
    { type: 'item_reference', id: 'rs_0123' },
  ]
  const { error } = failed('item-not-found', { ...RESPONSES, body: { model: 'echo-1', input } })
  expect(error.message).toMatch(/^Item with id 'rs_0123' not found\./)
})

test.each(Object.entries(ANSWERS))('%s answers as its summary says', (name, expected) => {
  const { status, error } = failed(name)
  expect({ status, ...error }).toMatchObject({
    status: expected.status,
    type: expected.type ?? 'invalid_request_error',
    code: expected.code ?? null,
  })
  expect(error.message).toMatch(expected.says)
  const { summary } = faults.find((one) => one.name === name)!
  expect(summary).toMatch(name === 'status' ? /from 400 to 599/ : new RegExp(`^${expected.status}:`))
})

test.each(Object.entries(ANSWERS))(
  '%s applies to streams and embeddings too, with the same status',
  (name, { status }) => {
    expect(failed(name, STREAM).status).toBe(status)
    expect(failed(name, EMBEDDINGS).status).toBe(status)
  },
)

test.each(Object.entries(PAGES))(
  '%s answers with the page of a proxy: no error envelope, no header of the service',
  (name, status) => {
    for (const text of [name, String(status)]) {
      const answer = mockWith().answer(fault(text))
      expect(answer.status).toBe(status)
      expect(answer.headers['content-type']).toBe('text/html')
      expect(answer.text).toMatch(/^<!DOCTYPE html>/)
      expect(Object.keys(answer.headers).filter((header) => /^(x-|openai-)/.test(header))).toEqual([])
    }
  },
)

test('an invalid embeddings request is refused in the words of that endpoint', () => {
  expect(failed('invalid-request', EMBEDDINGS).error.message).toMatch(/^'\$\.input' is invalid\./)
})

test('errors of responses have the words of that endpoint', () => {
  expect(failed('invalid-request', RESPONSES).error).toEqual({
    message:
      "Invalid type for 'input[0].content': expected one of an array of objects or string, but got null instead.",
    type: 'invalid_request_error',
    param: 'input[0].content',
    code: 'invalid_type',
  })
  expect(failed('context-length', RESPONSES).error).toMatchObject({ param: 'input', code: 'context_length_exceeded' })
})

test('a call without a valid key is a 401, whatever fault it asks for', () => {
  const mock = mockWith({ keys: { 'sk-known': {} } })
  expect(failed('server-error', { key: '' }, mock).status).toBe(401)
  expect(failed('server-error', { key: 'sk-other' }, mock).status).toBe(401)
  expect(failed('server-error', { key: 'sk-known' }, mock).status).toBe(500)
})

test('a fault applies before the body is checked', () => {
  expect(failed('server-error', { body: '{' }).status).toBe(500)
})

test('a call with an answer fault does not count against the limits', () => {
  const mock = mockWith({ limits: { requests: '1 per minute' } })
  for (let time = 0; time < 5; time++) expect(failed('500', {}, mock).status).toBe(500)
  expect(mock.answer().status).toBe(200)
})

test.each(['rate-limit', 'rate-limit-tokens'])('%s says retry-after in both headers and in words', (name) => {
  const { headers, error } = failed(name)
  expect(headers).toMatchObject({ 'retry-after': '1', 'retry-after-ms': '1000' })
  expect(error.message).toContain('Please try again in 1s.')
})

test.each(['quota', 'server-error', 'overloaded', 'invalid-key'])('%s has no retry-after', (name) => {
  expect(failed(name).headers).not.toHaveProperty('retry-after')
  expect(failed(name).headers).not.toHaveProperty('retry-after-ms')
})

const retried = ({ status }: { readonly status: number }): boolean => [408, 409, 429].includes(status) || status >= 500

test.each(faults.filter(({ kind }) => kind === 'answer'))(
  '$name takes retryAfter exactly when clients retry its status',
  ({ name, options }) => {
    expect('retryAfter' in options).toBe(retried(mockWith().answer(fault(name))))
  },
)

test.each(faults.filter(({ options }) => 'retryAfter' in options))('$name names the wait of retryAfter', ({ name }) => {
  const headersFor = (retryAfter: string) => mockWith().answer(fault(`${name}; retry-after=${retryAfter}`)).headers
  expect(headersFor('2s')).toMatchObject({ 'retry-after': '2', 'retry-after-ms': '2000' })
  expect(headersFor('20ms')).toMatchObject({ 'retry-after': '1', 'retry-after-ms': '20' })
  // Clients take 0 ms for no header.
  expect(headersFor('0')).toMatchObject({ 'retry-after': '0', 'retry-after-ms': '1' })
})

test('without retryAfter, the bytes of an answer are those without the option', () => {
  for (const { name, options } of faults) {
    if (!('retryAfter' in options)) continue
    const [plain, delayed] = [name, `${name}; retry-after=0`].map((text) => mockWith().answer(fault(text)))
    const added = ['retry-after', 'retry-after-ms', 'access-control-expose-headers']
    const rest = (headers: object) => Object.entries(headers).filter(([header]) => !added.includes(header))
    expect(rest(delayed!.headers)).toEqual(rest(plain!.headers))
  }
})

test('a page of another origin may read the wait in the page of a proxy', () => {
  const { headers } = mockWith().answer(fault('bad-gateway; retry-after=0'))
  expect(headers['access-control-expose-headers']).toBe('retry-after, retry-after-ms')
})

test('rate-limit texts never say billing: some clients would then not retry', () => {
  for (const name of ['rate-limit', 'rate-limit-tokens']) expect(failed(name).text).not.toContain('billing')
})

test('hang never answers: no head, no end', () => {
  expect(kinds(mockWith().plan(fault('hang')))).toEqual(['stall'])
  expect(kinds(mockWith().plan(fault('hang', STREAM)))).toEqual(['stall'])
})

test('a wire fault applies after all checks: a bad request stays a 400', () => {
  const { status } = read(mockWith().plan(fault('cut', { body: { ...HELLO, n: 0 } })))
  expect(status).toBe(400)
})

// Statuses

test('a bare status means the fault of that status, or answers in the envelope', () => {
  const named: Readonly<Record<number, string>> = {
    400: 'invalid-request',
    401: 'invalid-key',
    403: 'forbidden-region',
    404: 'not-found',
    409: 'conflict',
    422: 'unprocessable',
    429: 'rate-limit',
    500: 'server-error',
    503: 'overloaded',
  }
  for (let status = 400; status <= 599; status++) {
    if (status === 502 || status === 504) continue
    const { status: answered, error } = failed(String(status))
    expect(answered).toBe(status)
    const name = named[status]
    expect(error.message).toBe(
      name === undefined ? `The mock was asked to answer with status ${status}.` : failed(name).error.message,
    )
    expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code'])
  }
})

test.each(['399', '600', '200', '0', '4e2', '0429', '-500', '429.0', '4 29'])('%s is no fault', (text) => {
  expect(failed(text)).toMatchObject({ status: 400, error: { code: 'mock_unknown_fault' } })
})

test('a bare status takes the options of its fault', () => {
  expect(failed('429; retry-after=7').headers['retry-after']).toBe('7')
})

test('status; status=418 is the long form of 418', () => {
  expect(failed('status; status=418').status).toBe(418)
})

// Options in a header

test.each([
  ['retry-after=2', '2', '2000', '2s'],
  ['retryAfter=2', '2', '2000', '2s'],
  ['retry-after=2s', '2', '2000', '2s'],
  ['retryAfter=500ms', '1', '500', '500ms'],
  ['retry-after=0', '0', '1', '0s'],
  ['retry-after=0.25', '1', '250', '250ms'],
  ['retry-after=1m30s', '90', '90000', '1m30s'],
  [' retry-after = 2 ', '2', '2000', '2s'],
  ['retry-after=2;', '2', '2000', '2s'],
])('rate-limit; %s', (option, seconds, milliseconds, words) => {
  const { headers, error } = failed(`rate-limit;${option}`)
  expect(headers).toMatchObject({ 'retry-after': seconds, 'retry-after-ms': milliseconds })
  expect(error.message).toContain(`Please try again in ${words}.`)
})

test.each([
  ['rate-limt', "unknown fault 'rate-limt'. Did you mean 'rate-limit'?"],
  ['server_error', "unknown fault 'server_error'. Did you mean 'server-error'?"],
  ['HANG', "unknown fault 'HANG'. Did you mean 'hang'?"],
  [
    'nonsense',
    "unknown fault 'nonsense'. Expected a fault name or a status from 400 to 599. List all faults with: npx api-mock list --faults",
  ],
  ['', "unknown fault ''. Expected a fault name or a status from 400 to 599."],
  ['__proto__', "unknown fault '__proto__'. Expected a fault name or a status from 400 to 599."],
  ['constructor', "unknown fault 'constructor'. Expected a fault name or a status from 400 to 599."],
  ['comments; after=2', "fault 'comments' has no option 'after'. It has no options."],
  [
    'cut; aftr=2',
    "fault 'cut' has no option 'aftr'. Did you mean 'after'? Its options are: after, bytes, inside, before, end.",
  ],
  [
    'rate-limit; retry=2',
    "fault 'rate-limit' has no option 'retry'. Did you mean 'retry-after'? Its options are: retry-after.",
  ],
  ['hang; after=2', "fault 'hang' has no option 'after'. It has no options."],
  ['delay; x=2', "fault 'delay' has no option 'x'. Its options are: by."],
  ['418; after=2', "fault '418' has no option 'after'. Its options are: status, should-retry, retry-after."],
  [
    'cut; constructor=1',
    "fault 'cut' has no option 'constructor'. Its options are: after, bytes, inside, before, end.",
  ],
  ['cut; to-string=1', "fault 'cut' has no option 'to-string'. Its options are: after, bytes, inside, before, end."],
  ['cut; __proto__=1', "fault 'cut' has no option '__proto__'. Its options are: after, bytes, inside, before, end."],
  ['cut; after=x', "fault 'cut', option 'after': expected a whole number from 0, got 'x'."],
  ['cut; after=-1', "fault 'cut', option 'after': expected a whole number from 0, got '-1'."],
  ['cut; after=1.5', "fault 'cut', option 'after': expected a whole number from 0, got '1.5'."],
  [
    'rate-limit; retry-after=soon',
    "fault 'rate-limit', option 'retry-after': expected a duration such as '500ms' or '20s'",
  ],
  ['rate-limit; retry-after=', "fault 'rate-limit', option 'retry-after': expected a duration"],
  ['status; status=200', "fault 'status', option 'status': expected a status from 400 to 599, got '200'."],
  ['cut; end=fine', "fault 'cut', option 'end': expected one of reset, fin, stall, clean, got 'fine'."],
  ['slow-drip; size=0', "fault 'slow-drip', option 'size': expected a whole number from 1, got '0'."],
  ['bandwidth; rate=fast', "fault 'bandwidth', option 'rate': expected a whole number from 1, got 'fast'."],
  ['cut; bytes=5; inside=data', "fault 'cut': expected one of bytes, inside, before, got bytes and inside."],
  ['cut; after', "fault 'cut': expected option=value after ';', got 'after'."],
  ['cut; =3', "fault 'cut': expected option=value after ';', got '=3'."],
  ['cut; after=1; after=2', "fault 'cut': got option 'after' twice. Give it once."],
  ['rate-limit; retry-after=1; retryAfter=2', "fault 'rate-limit': got option 'retryAfter' twice. Give it once."],
  [
    'tool-loop; turns=99999999999',
    "fault 'tool-loop', option 'turns': expected a whole number from 1 to 999999999, got '99999999999'.",
  ],
  [
    'bandwidth; rate=1e15',
    "fault 'bandwidth', option 'rate': expected a whole number from 1 to 999999999, got '1e15'.",
  ],
  ['x'.repeat(1000), `unknown fault '${'x'.repeat(100)}...'. Expected a fault name`],
])('x-mock-fault: %s is a 400 that explains', (text, explanation) => {
  const { status, error } = failed(text)
  expect({ status, code: error.code, param: error.param }).toEqual({
    status: 400,
    code: 'mock_unknown_fault',
    param: null,
  })
  expect(error.message).toContain(`x-mock-fault: ${explanation}`)
})

test.each([
  ['300 years', '9'.repeat(10)],
  ['more than can be printed without an exponent', '9'.repeat(25)],
  ['more than a number holds', '9'.repeat(400)],
  ['more than a day', '99999999d'],
])('a retry-after of %s is refused, or still a whole number in the header', (_, value) => {
  const { status, headers } = failed(`rate-limit; retry-after=${value}`)
  if (status === 429) expect(headers['retry-after']).toMatch(/^\d+$/)
  else expect(status).toBe(400)
})

test('any text in x-mock-fault gives a plan, never a throw', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...faults.map(({ name }) => name),
      '429',
      ';',
      '=',
      'after',
      'retry-after',
      '__proto__',
      'constructor',
    ),
    fc.string({ unit: 'binary', maxLength: 5 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const plan = mockWith().plan(fault(pieces.join('')))
      expect(['end', 'close', 'reset', 'stall']).toContain(plan.events.at(-1)?.type)
    }),
    { numRuns: 500 },
  )
})

// The five ways in, and which comes first

const at = (name: string | number) => ({ fault: name })
const FIVE: Partial<ScenarioSource> = {
  keys: { 'sk-test': at(403) },
  faults: [at(500)],
  replies: [{ when: { user: 'hello' }, ...at(503) }],
}

test('the order is header, injected, key, scenario, reply: the nearest to the caller is the only one', () => {
  const { keys: _, ...withoutKey } = FIVE
  const { faults: __, ...withoutFaults } = withoutKey
  const all = mockWith(FIVE)
  inject(all, 429)
  expect(failed('418', {}, all).status).toBe(418)
  expect(statuses(all, [{}, {}])).toEqual([429, 403])
  expect(mockWith(withoutKey).answer().status).toBe(500)
  expect(mockWith(withoutFaults).answer().status).toBe(503)
})

test.each([
  ['fault: rate-limit (header)', {}, fault('rate-limit')],
  ['fault: forbidden-region (key)', { keys: { 'sk-test': at(403) } }, {}],
  ['fault: server-error (faults[1])', { faults: [{ ...at(500), when: { attempt: 2 } }, at(500)] }, {}],
  ['fault: overloaded (replies[0])', { replies: [{ when: { user: 'hello' }, ...at(503) }] }, {}],
] as const)('x-mock-reason says where it came from: %s', (reason, source, call: CallOverrides) => {
  const headers = { ...call.headers, 'x-mock-explain': '1' }
  expect(mockWith(source as Partial<ScenarioSource>).answer({ ...call, headers }).headers['x-mock-reason']).toBe(reason)
})

test('an injected fault applies to `times` calls of any key, and a header in between does not use it up', () => {
  const mock = mockWith()
  inject(mock, 500, 2)
  expect(statuses(mock, [{}, fault('404'), { key: 'sk-other' }, {}])).toEqual([500, 404, 500, 200])
  expect(mock.state.injections).toEqual([])
})

test('injected faults apply in the order of injection', () => {
  const mock = mockWith()
  for (const status of [500, 429]) inject(mock, status)
  expect(statuses(mock, [{}, {}, {}])).toEqual([500, 429, 200])
})

// First, chance, when

test('times limits a fault to the first calls of each key', () => {
  const mock = mockWith({ faults: [{ fault: 500, times: 2 }] })
  expect(statuses(mock, [{}, {}, {}, { key: 'sk-other' }, {}, { key: 'sk-other' }, { key: 'sk-other' }])).toEqual([
    500, 500, 200, 500, 200, 500, 200,
  ])
})

test('first counts only the calls that the rule matches', () => {
  const mock = mockWith({ faults: [{ fault: 500, times: 1, when: { endpoint: 'embeddings' } }] })
  expect(statuses(mock, [{}, {}, EMBEDDINGS, EMBEDDINGS])).toEqual([200, 200, 500, 200])
})

test('when: attempt 1 fails every first try, and every retry works', () => {
  const mock = mockWith({ faults: [{ fault: 500, when: { attempt: 1 } }] })
  const other = { body: { ...HELLO, temperature: 1 } }
  expect(statuses(mock, [{}, {}, other, other, { key: 'sk-other' }])).toEqual([500, 200, 500, 200, 500])
})

test.each([
  ['endpoint', { endpoint: 'embeddings' }, EMBEDDINGS],
  ['model', { model: 'hash-*' }, EMBEDDINGS],
  ['key', { key: 'sk-ci-*' }, { key: 'sk-ci-7' }],
  ['user', { user: /bye/i }, { body: { model: 'echo-1', messages: [{ role: 'user', content: 'Bye!' }] } }],
  [
    'turn',
    { turn: 2 },
    {
      body: {
        model: 'echo-1',
        messages: [HELLO.messages[0], { role: 'assistant', content: 'Hi!' }, HELLO.messages[0]],
      },
    },
  ],
  ['tool', { tool: 'f' }, { body: { ...HELLO, tools: [{ type: 'function', function: { name: 'f' } }] } }],
] as const)('when: %s chooses the calls', (_, when, call: CallOverrides) => {
  const written = JSON.parse(JSON.stringify(when, (__, value) => (value instanceof RegExp ? String(value) : value)))
  const mock = mockWith({ faults: [{ fault: 500, when: written }] })
  expect(statuses(mock, [{}, call])).toEqual([200, 500])
})

test('the first fault that matches is the only one', () => {
  const mock = mockWith({ faults: [{ fault: 503, when: { attempt: 2 } }, { fault: 500 }] })
  expect(statuses(mock, [{}, {}, {}])).toEqual([500, 503, 500])
})

const many = (count: number): CallOverrides[] =>
  Array.from({ length: count }, (_, index) => ({ body: { ...HELLO, seed: index } }))

test('chance: the decisions of a seed are the same in any order, whatever other keys call', () => {
  const source: Partial<ScenarioSource> = { seed: 7, faults: [{ fault: 500, chance: '30%' }] }
  const calls = many(200)
  const forwards = statuses(mockWith(source), calls)
  const backwards = statuses(mockWith(source), calls.toReversed()).toReversed()
  const busy = mockWith(source)
  const amongOthers = calls.map((call) => {
    busy.answer({ ...call, key: 'sk-other' })
    return busy.answer(call).status
  })
  expect(backwards).toEqual(forwards)
  expect(amongOthers).toEqual(forwards)
  expect(statuses(mockWith({ ...source, seed: 8 }), calls)).not.toEqual(forwards)
})

test.each([
  ['5%', 0.05],
  ['30%', 0.3],
  [0.5, 0.5],
  ['99.5%', 0.995],
] as const)('chance: %s of many calls', (chance, share) => {
  const count = 4000
  const faulted = statuses(mockWith({ faults: [{ fault: 500, chance }] }), many(count)).filter(
    (status) => status === 500,
  )
  // Five standard deviations: the seed is fixed, so this passes always or never.
  expect(Math.abs(faulted.length / count - share)).toBeLessThan(5 * Math.sqrt((share * (1 - share)) / count))
})

test('chance: 0% never applies and 100% always does', () => {
  expect(new Set(statuses(mockWith({ faults: [{ fault: 500, chance: '0%' }] }), many(200)))).toEqual(new Set([200]))
  expect(new Set(statuses(mockWith({ faults: [{ fault: 500, chance: 1 }] }), many(200)))).toEqual(new Set([500]))
})

test('chance: each attempt at the same request has its own draw', () => {
  const mock = mockWith({ faults: [{ fault: 500, chance: '50%' }] })
  expect(new Set(statuses(mock, Array(40).fill({})))).toEqual(new Set([200, 500]))
})

test('chance: two faults with the same chance draw apart from each other', () => {
  const mock = mockWith({
    faults: [
      { fault: 500, chance: '50%' },
      { fault: 503, chance: '50%' },
    ],
  })
  expect(new Set(statuses(mock, many(400)))).toEqual(new Set([200, 500, 503]))
})
