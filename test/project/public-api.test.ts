/** The public API: what must not compile (checked by tsc), what is refused at run time, and how errors are told apart. */
import { expect, expectTypeOf, test } from 'vitest'
import { createMock, FilterError, isMockError, MockError, ScenarioError, type ScenarioInput } from '../../src/index.ts'
import { intercept, listen, loadScenario, middleware } from '../../src/node.ts'

/** What a function throws. */
function thrownBy(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('Expected an error, got none.')
}

test('a misspelt fault does not compile, and is refused at run time', () => {
  const mock = createMock()
  // @ts-expect-error the fault is called rate-limit
  expect(() => mock.inject('rate-limti')).toThrow("Did you mean 'rate-limit'?")
  // @ts-expect-error the option is called times
  expect(() => mock.inject('rate-limit', { tims: 2 })).toThrow("Did you mean 'times'?")
  // @ts-expect-error a duration has a unit
  expect(() => mock.inject('rate-limit', { retryAfter: 'soon' })).toThrow('expected a duration')
  // @ts-expect-error cut ends in one of four ways
  expect(() => mock.inject('cut', { end: 'fine' })).toThrow('expected one of reset, fin, stall, clean')
  // @ts-expect-error hang has no options of its own
  expect(() => mock.inject('hang', { before: 2 })).toThrow('Its options are: times, endpoint, key, session, skip.')
  // @ts-expect-error only cut and some faults of streams have a number there
  expect(() => mock.inject('hang', { after: 2 })).toThrow("fault 'hang' has no option 'after'")
  expect(mock.injected).toEqual([])
})

test('every way to inject a fault compiles', () => {
  const mock = createMock()
  mock.inject('rate-limit', { times: 2, retryAfter: '1m30s', key: 'sk-a', endpoint: 'chat' })
  mock.inject(429, { retryAfter: 2 })
  mock.inject('cut', { after: 3, end: 'fin' })
  mock.inject('server-error')
  expect(mock.injected.map(({ fault }) => fault)).toEqual(['rate-limit', '429', 'cut', 'server-error'])
})

test('the faults of one session are cleared, and not those of others', () => {
  const mock = createMock()
  mock.inject('server-error')
  mock.inject('overloaded', { session: 'a' })
  // @ts-expect-error a wrong option
  expect(() => mock.clearFaults({ sesion: 'a' })).toThrow("Did you mean 'session'?")
  mock.clearFaults({ session: 'a' })
  expect(mock.injected.map(({ fault }) => fault)).toEqual(['server-error'])
})

test.each([
  [() => createMock('default', { baseUrl: 'x' } as object), 'createMock', 'baseUrl', 'baseURL'],
  [() => createMock('default', { sead: 7 } as object), 'createMock', 'sead', 'seed'],
  [
    () => intercept(createMock(), { onUnhandledRequests: 'error' } as object),
    'intercept',
    'onUnhandledRequests',
    'onUnhandledRequest',
  ],
] as const)('an unknown option is refused with the nearest name (%#)', (act, name, unknown, near) => {
  const error = thrownBy(act)
  expect(isMockError(error, 'unknown-option')).toBe(true)
  expect(String(error)).toContain(`Unknown option '${unknown}'. Did you mean '${near}'? The options of ${name} are: `)
})

test.each([
  ['default', { bodyLimit: 'x' }, "bodyLimit to be a whole number from 1, got 'x'."],
  ['default', { bodyLimit: -1 }, 'bodyLimit to be a whole number from 1, got -1.'],
  ['default', { journal: 5 }, 'the options to be an object, got 5.'],
  ['default', { journal: { bytes: '1' } }, "bytes to be a whole number from 1, got '1'."],
  ['default', { speed: '2' }, "speed to be a number from 0.001 to 1,000,000, got '2'."],
  ['default', { speed: 0 }, 'speed to be a number from 0.001 to 1,000,000, got 0.'],
  ['default', { seed: {} }, 'seed to be a number or a text, got an object.'],
  ['default', { seed: Number.NaN }, 'seed to be a number or a text, got NaN.'],
  ['default', { clock: 'manuel' }, "got 'manuel'. Did you mean 'manual'?"],
  ['default', { clock: {} }, "clock to be 'manual' or a clock, such as that of another mock, got an object."],
  ['default', { baseURL: 5 }, "baseURL to be an address, such as 'https://api.example.com/v1', got 5."],
  ['default', null, 'createMock: expected the options to be an object, got null.'],
  ['default', 'fast', "createMock: expected the options to be an object, got 'fast'."],
  ['default', [], 'createMock: expected the options to be an object, got a list.'],
] as const)('createMock(%j, %j) is refused', (choice, options, message) => {
  const error = thrownBy(() => createMock(choice, options as object))
  expect(isMockError(error, 'invalid-option')).toBe(true)
  expect(String(error)).toContain(message)
})

test('a misspelt setting of the journal is refused with the nearest name', () => {
  const error = thrownBy(() => createMock('default', { journal: { entires: 5 } as object }))
  expect(isMockError(error, 'unknown-option')).toBe(true)
  expect(String(error)).toContain("Unknown option 'entires'. Did you mean 'entries'?")
})

const wrong = <Value>(value: unknown): Value => value as Value

test.each([
  [() => createMock().inject('rate-limit', wrong(null)), 'inject: expected the options to be an object, got null.'],
  [() => createMock().inject('rate-limit', wrong('x')), "inject: expected the options to be an object, got 'x'."],
  [() => createMock().inject('rate-limit', { times: wrong([]) }), 'times to be a whole number from 1, got a list.'],
  [() => createMock().calls(wrong(null)), 'calls: expected the filter to be an object, got null.'],
  [() => createMock().calls(wrong('chat')), "calls: expected the filter to be an object, got 'chat'."],
  [() => createMock('outage').enter(wrong(null)), 'enter: expected the state to be a text, got null.'],
  [() => intercept(createMock(), wrong(null)), 'intercept: expected the options to be an object, got null.'],
  [() => intercept(createMock(), { onUnhandledRequest: wrong('warm') }), "got 'warm'. Did you mean 'warn'?"],
  [
    () => intercept(createMock(), { unhandled: wrong('pass') }),
    "unhandled to be 'error' or 'warn' or 'bypass', got 'pass'.",
  ],
  [() => listen(wrong(null)), 'Expected a mock, as createMock() returns it, got null.'],
  [() => middleware(wrong({})), 'Expected a mock, as createMock() returns it, got an object.'],
  [() => intercept(wrong({})), 'intercept: expected the mock to be one of createMock(), got an object.'],
  [() => loadScenario(wrong(5)), 'loadScenario: expected the scenario to be a name or a path, got 5.'],
  [() => listen(createMock(), wrong(null)), 'listen: expected the options to be an object, got null.'],
  [() => listen(createMock(), { port: wrong('x') }), "port to be a whole number from 0 to 65535, got 'x'."],
  [() => listen(createMock(), { port: 70_000 }), 'port to be a whole number from 0 to 65535, got 70000.'],
  [() => createMock().explain(wrong(null)), 'explain: expected the options to be an object, got null.'],
  [() => createMock().explain(wrong('x')), "explain: expected the options to be an object, got 'x'."],
])('a wrong value is refused with what was expected and what it got (%#)', async (act, message) => {
  const error = await (async () => act())().catch((reason: unknown) => reason)
  expect(isMockError(error, 'invalid-option')).toBe(true)
  expect(String(error)).toContain(message)
})

test('explain shows where a request body belongs', async () => {
  await expect(createMock().explain({ model: 'echo-1' } as object)).rejects.toThrow(
    /The options of explain are: .+\. The request body is the option body: \{ "body": \{ "model": "echo-1" \} \}\.$/,
  )
})

test('listen refuses an unknown option', async () => {
  await expect(listen(createMock(), { prot: 0 } as object)).rejects.toMatchObject({
    code: 'unknown-option',
    message:
      "Unknown option 'prot'. Did you mean 'port'? The options of listen are: port, host, token, sessionTokens, handlers, basePath, unreadLimit, scenarioFile, metricsNames.",
  })
})

test.each(['api.example.com/v1', 'localhost:4010/v1', '/v1', '', 'ftp://example.com/v1'])(
  'the base URL %j has no scheme of HTTP and is refused with an example',
  (baseURL) => {
    expect(() => createMock('default', { baseURL })).toThrow(
      `expected baseURL to be an address with a scheme, such as 'https://api.example.com/v1', got '${baseURL}'.`,
    )
  },
)

test('a mock has the base URL that clients call, without a slash at its end', () => {
  expect(createMock().baseURL).toBe('https://api.openai.com/v1')
  expect(createMock('default', { baseURL: 'http://localhost:8080/v1/' }).baseURL).toBe('http://localhost:8080/v1')
})

test('errors of listen and loadScenario are MockErrors', async () => {
  await using server = await listen(createMock(), { port: 0 })
  const { port } = server
  await expect(listen(createMock(), { port })).rejects.toMatchObject({
    name: 'MockError',
    code: 'cannot-listen',
    message: `Port ${port} on 127.0.0.1 is in use. Stop the other program, or choose another port (0 for any free port).`,
  })
  await expect(loadScenario('flakey')).rejects.toMatchObject({ name: 'MockError', code: 'unknown-scenario' })
  await expect(loadScenario('./nowhere.yaml')).rejects.toMatchObject({ code: 'unreadable-scenario' })
})

test('every error is a MockError with a code', () => {
  const mock = createMock()
  const errors = [
    [() => createMock('flakey' as 'flaky'), 'unknown-scenario', MockError],
    [() => createMock({ descriptoin: 'x' } as unknown as ScenarioInput), 'invalid-scenario', ScenarioError],
    [() => mock.calls({ status: 'often' as '4xx' }), 'invalid-filter', FilterError],
    [() => mock.enter('down'), 'unknown-state', MockError],
    [() => createMock('default', { speed: 2, clock: 'manual' }), 'invalid-option', MockError],
    [() => createMock('default', { speed: 0 }), 'invalid-option', MockError],
    [() => createMock('default', { journal: { entries: 0 } }), 'invalid-option', MockError],
    [() => createMock('default', { clock: 'manual' }).clock.advance('soon'), 'invalid-option', MockError],
  ] as const
  for (const [act, code, errorClass] of errors) {
    const error = thrownBy(act)
    expect(error).toBeInstanceOf(errorClass)
    expect(isMockError(error, code), code).toBe(true)
  }
  expect(isMockError(new Error('x'))).toBe(false)
  expectTypeOf(isMockError).guards.toEqualTypeOf<MockError>()
})
