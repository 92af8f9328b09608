/** Rehearsals in process: what is named, what is not, and what cannot be rehearsed. */
import { expect, test } from 'vitest'
import { isMockError, type Mock, type ScenarioInput } from '../../src/index.ts'
import { RehearsalError, type RehearsalReport, rehearse } from '../../src/rehearse.ts'

type Body = Readonly<Record<string, unknown>>

/** Calls the API as an app does that throws on an error. */
async function send(mock: Mock, path: string, body: Body, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(`${mock.baseURL}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mock.scenario.exampleKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  await response.clone().text()
  return response
}

const messages = [{ role: 'user', content: 'What is the weather in Oslo?' }]
const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const chatTool = { type: 'function', function: { name: 'get_weather', parameters } }

/** An app of one call. */
const calling =
  (path: string, body: Body) =>
  (mock: Mock): Promise<Response> =>
    send(mock, path, body)
const chatting = (body: Body = {}) => calling('/chat/completions', { model: 'gpt-4o', messages, ...body })
const responding = (body: Body = {}) => calling('/responses', { model: 'gpt-4o', input: 'Hello', ...body })

/** The report, whether something would break or not. */
const reportOf = (app: (mock: Mock) => Promise<unknown>, to: string, scenario: ScenarioInput = {}) =>
  rehearse(scenario, { to }, app).catch((error: unknown) => {
    if (error instanceof RehearsalError) return error.report
    throw error
  })
const errorOf = (run: Promise<unknown>): Promise<Error> =>
  run.then(
    () => new Error('expected an error'),
    (error) => error,
  )
const mendsOf = ({ targets }: RehearsalReport): string[] =>
  targets.flatMap(({ refusals }) => refusals.map(({ mend }) => mend))

test.each([
  ['gpt-5.2', { max_tokens: 50 }, ['send max_completion_tokens instead of max_tokens']],
  ['gpt-5.2', { temperature: 0.2, tools: [chatTool] }, []],
  ['gpt-5.2', { stop: ['x'] }, ['leave out stop']],
  ['gpt-5', { temperature: 0.2 }, ['leave out temperature']],
  ['gpt-5', { logprobs: true, top_logprobs: 2 }, ['leave out logprobs and top_logprobs']],
  ['gpt-5.5', { frequency_penalty: 1 }, ["leave out frequency_penalty, or set reasoning_effort to 'none'"]],
  ['gpt-5.6-sol', { modalities: ['text'] }, ['leave out modalities']],
  [
    'gpt-5.6-sol',
    { tools: [chatTool] },
    ["function tools of this model: call /v1/responses, or set reasoning_effort to 'none'"],
  ],
  ['gpt-6-astra', { tools: [chatTool] }, ['function tools of this model: call /v1/responses']],
  ['gpt-6-sol', { n: 10 }, ['send n: 8 at most']],
  ['gpt-4-turbo', { max_tokens: 10_000 }, ['send max_tokens: 4096 at most']],
  [
    'gpt-4-turbo',
    { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: parameters } } },
    ["use type 'json_object', and check the answer against the schema yourself"],
  ],
  ['gpt-5-codex', {}, ['call /v1/responses, or choose a model of chat']],
])('a chat that moves to %s with %j needs %j', async (to, body, mends) => {
  expect(mendsOf(await reportOf(chatting(body), to))).toEqual(mends)
})

test.each([
  ['gpt-5.2', { temperature: 0.2 }, []],
  ['gpt-5.6-sol', { temperature: 0.2 }, ["leave out temperature, or set reasoning.effort to 'none'"]],
  ['gpt-6-astra', { temperature: 0.2, top_p: 0.5 }, ['leave out temperature', 'leave out top_p']],
  ['gpt-6-astra', { tools: [{ type: 'function', name: 'f', parameters }] }, []],
  ['gpt-6-sol', { max_output_tokens: 100, text: { verbosity: 'medium' } }, []],
])('a response that moves to %s with %j needs %j', async (to, body, mends) => {
  expect(mendsOf(await reportOf(responding(body), to))).toEqual(mends)
})

test('each error hides the next, and all of a call are named in their order', async () => {
  const report = await reportOf(
    chatting({ max_tokens: 50, temperature: 0.2, stop: 'x', tools: [chatTool] }),
    'gpt-5.6-luna',
  )
  expect(report.targets[0]!.refusals.map(({ param }) => param)).toEqual([
    'max_tokens',
    'stop',
    'temperature',
    'reasoning_effort',
  ])
})

test('messages repeat numbers as they were sent', async () => {
  const body = `{"model":"gpt-4o","max_tokens":5,"temperature":0.0,"messages":${JSON.stringify(messages)}}`
  const app = (mock: Mock) =>
    fetch(`${mock.baseURL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${mock.scenario.exampleKey}`, 'content-type': 'application/json' },
      body,
    })
  const report = await reportOf(app, 'gpt-5-mini')
  expect(report.targets[0]!.refusals[1]!.message).toBe(
    "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default (1) value is supported.",
  )
})

test('an app that loses nothing gets a report of what changes silently', async () => {
  const report = await rehearse('default', { to: 'gpt-6-luna' }, chatting({ max_completion_tokens: 50 }))
  const { refusals, changes, model, usage, isBroken } = report.targets[0]!
  expect({ refusals, isBroken }).toEqual({ refusals: [], isBroken: false })
  expect(changes.map(({ text }) => text)).toEqual([
    'choices[].finish_reason: "length" instead of "stop", because reasoning tokens count against the limit of the answer',
    'usage.completion_tokens_details.reasoning_tokens: some instead of 0',
    'choices[].message.content: an empty text instead of a text',
    'choices[].logprobs: no key instead of null',
    'system_fingerprint: null instead of a text',
    'usage.prompt_tokens_details.cache_write_tokens: a number instead of no key',
  ])
  expect(model).toEqual([
    'longest input: 922,000 tokens instead of 128,000 tokens',
    'longest answer: 128,000 tokens instead of 16,384 tokens',
    'effort if none is sent: medium instead of no reasoning',
    'shutdown: not announced instead of 2027-01-14',
    'little is published about: its longest input, the tokens of images, the fields of /v1/responses, the parameters that it takes at effort none (temperature and top_p)',
  ])
  expect(usage).toEqual({
    calls: 1,
    before: { promptTokens: 14, completionTokens: 7, usd: 0.000105 },
    after: { promptTokens: 13, completionTokens: 50, usd: 0.0000263 },
  })
})

test('a limit that only some draws of the reasoning tokens exceed is named', async () => {
  const report = await reportOf(responding({ max_output_tokens: 100 }), 'gpt-6-luna')
  expect(report.targets[0]!.changes[0]!.text).toBe(
    'status: sometimes "incomplete" instead of "completed", because reasoning tokens count against the limit of the answer',
  )
})

test('an item that only some draws have replaces none', async () => {
  const { changes } = (await rehearse('default', { to: 'gpt-6-luna' }, responding({}))).targets[0]!
  expect(changes.map(({ text }) => text)).toContain('output[].type: sometimes "reasoning" besides "message"')
})

test('an answer that is incomplete is one change, and settings that only repeat a default are none', async () => {
  const report = await reportOf(responding({ max_output_tokens: 20 }), 'gpt-6-luna')
  const paths = report.targets[0]!.changes.map(({ text }) => text.split(':')[0])
  expect(paths.filter((path) => /status|incomplete/.test(path!))).toEqual(['status'])
  expect(paths.filter((path) => /top_p|context|mode/.test(path!))).toEqual([])
})

test.each([
  [chatting({ logprobs: true }), 'gpt-5.6-luna', /logprobs/],
  [chatting({ logprobs: true }), 'gpt-5-mini', /logprobs/],
  [responding({ include: ['message.output_text.logprobs'] }), 'gpt-6-luna', /logprobs/],
  [chatting({ model: 'gpt-5', tools: [chatTool] }), 'gpt-5.6-luna', /finish_reason|reasoning_tokens/],
])('a change of the answer that the mend makes is not listed (%#)', async (app, to, pattern) => {
  const { refusals, changes } = (await reportOf(app, to)).targets[0]!
  expect(refusals).toHaveLength(1)
  expect(changes.map(({ text }) => text)).not.toContainEqual(expect.stringMatching(pattern))
  expect(changes).not.toEqual([])
})

test('a report says that no answer called a tool', async () => {
  const note = '1 call made, and no answer called a tool: give a scenario whose replies do, --scenario scenario.yaml'
  const app = chatting({ tools: [chatTool] })
  expect((await reportOf(app, 'gpt-4.1')).note).toBe(note)
  const scenario: ScenarioInput = { replies: [{ call: { name: 'get_weather' } }] }
  expect((await reportOf(app, 'gpt-4.1', scenario)).note).toBeUndefined()
  expect((await reportOf(chatting(), 'gpt-4.1')).note).toBeUndefined()
  const error = await errorOf(rehearse('default', { to: 'gpt-6-luna' }, app))
  expect(error.message.split('\n').at(-1)).toBe(note)
})

test('the reasoning tokens of two models that reason are no change', async () => {
  const report = await rehearse('default', { to: 'o3' }, chatting({ model: 'gpt-5', reasoning_effort: 'high' }))
  expect(report.targets[0]!.changes).toEqual([])
})

test('an app that has moved already changes nothing', async () => {
  const report = await rehearse('default', { to: 'gpt-6-luna' }, chatting({ model: 'gpt-6-luna' }))
  expect(report.targets[0]).toMatchObject({ refusals: [], changes: [], isBroken: false })
})

test('what the service refuses today is no change', async () => {
  const report = await reportOf(chatting({ temprature: 1, max_tokens: 5 }), 'gpt-5.2')
  expect(mendsOf(report)).toEqual(['send max_completion_tokens instead of max_tokens'])
  expect(report.refusedToday.map(({ message }) => message)).toEqual([
    "Unknown parameter: 'temprature'. Did you mean 'temperature'?",
  ])
})

test('only the calls of one model move with from, and embeddings never do', async () => {
  const app = async (mock: Mock): Promise<void> => {
    await chatting({ stop: 'a' })(mock)
    await chatting({ model: 'gpt-4o-mini', stop: 'a' })(mock)
    await send(mock, '/embeddings', { model: 'text-embedding-3-small', input: 'Hello' })
  }
  const error = await errorOf(rehearse('default', { to: 'gpt-5.2', from: 'gpt-4o-mini' }, app))
  const { calls, targets } = (error as RehearsalError).report
  expect(calls.map(({ model }) => model)).toEqual(['gpt-4o', 'gpt-4o-mini'])
  expect(targets[0]!.refusals[0]!.calls.map(({ number }) => number)).toEqual([2])
})

test('a turn that goes on from a stored response is compared with it', async () => {
  const app = async (mock: Mock): Promise<void> => {
    const first = await send(mock, '/responses', { model: 'gpt-4o', input: 'One' })
    const { id } = (await first.json()) as { id: string }
    await send(mock, '/responses', { model: 'gpt-4o', input: 'Two', previous_response_id: id })
  }
  const report = await rehearse('default', { to: 'gpt-6-luna' }, app)
  expect(report.targets[0]).toMatchObject({ refusals: [], usage: { calls: 2 } })
})

test('the calls of a finding name the session of their test', async () => {
  const app = (mock: Mock): Promise<Response> =>
    send(mock, '/chat/completions', { model: 'gpt-4o', messages, max_tokens: 5 }, { 'x-mock-session': 'checkout' })
  const report = await reportOf(app, 'gpt-5.2')
  expect(report.targets[0]!.refusals[0]!.calls).toEqual([
    { number: 1, label: "/v1/chat/completions 'What is the weather in Oslo?'", model: 'gpt-4o', session: 'checkout' },
  ])
})

test('rules and recorded answers that name the model answer the new one too', async () => {
  const body = { model: 'gpt-4o', messages }
  const answer = { status: 200, body: '{"choices":[{"message":{"role":"assistant","content":"recorded"}}]}' }
  for (const scenario of [
    { replies: [{ when: { model: 'gpt-4o' }, say: 'rule' }] },
    { replies: [{ when: { request: body }, answer }] },
  ] as ScenarioInput[]) {
    const said: unknown[] = []
    const app = async (mock: Mock): Promise<void> => {
      const { choices } = (await (await send(mock, '/chat/completions', body)).json()) as {
        choices: [{ message: Body }]
      }
      said.push(choices[0].message.content)
    }
    const report = await rehearse(scenario, { to: 'gpt-6-luna' }, app)
    expect(report.targets[0]).toMatchObject({ refusals: [], isBroken: false })
    expect(new Set(said).size).toBe(1)
  }
})

test('a rule for a pattern of models answers the new one too', async () => {
  const scenario: ScenarioInput = { replies: [{ when: { model: ['gpt-4*'] }, say: 'rule' }], unmatched: 'refuse' }
  const report = await rehearse(scenario, { to: 'gpt-6-luna', from: 'gpt-4o' }, chatting())
  expect(report.targets[0]!.isBroken).toBe(false)
})

test('faults, limits and budgets of the scenario hide nothing', async () => {
  const scenario: ScenarioInput = {
    faults: [{ fault: 'rate-limit' }],
    limits: { requests: '1 per day' },
    keys: { 'sk-test': { budget: { requests: 1 } } },
  }
  const app = (mock: Mock) => chatting({ stop: 'x' })(mock).catch(() => undefined)
  expect(mendsOf(await reportOf(app, 'gpt-5.2', scenario))).toEqual(['leave out stop'])
})

test('an expectation that the new model does not meet breaks the app', async () => {
  const scenario: ScenarioInput = { expect: { errors: 0 } }
  const app = (mock: Mock) => chatting({ stop: 'x' })(mock).catch(() => undefined)
  const { targets } = await reportOf(app, 'gpt-5.2', scenario)
  expect(targets[0]!.failure).toMatch(/^It did not meet an expectation: errors 0/)
})

test('a scenario changes a row of the table and adds one', async () => {
  const scenario: ScenarioInput = {
    models: { '*': {}, 'gpt-5.2': { supports: { efforts: [] } }, ours: { supports: { without: ['stop'] } } },
  }
  expect(mendsOf(await reportOf(chatting({ stop: 'x' }), 'gpt-5.2', scenario))).toEqual([])
  expect(mendsOf(await reportOf(chatting({ stop: 'x' }), 'ours', scenario))).toEqual(['leave out stop'])
})

test('an app without a fallback fails when its model retires', async () => {
  const { report } = (await errorOf(rehearse('default', { to: 'retire' }, chatting()))) as RehearsalError
  expect(report.targets[0]).toMatchObject({
    from: ['gpt-4o'],
    refusals: [
      {
        status: 404,
        code: 'model_not_found',
        message:
          'The model `gpt-4o` has been deprecated, learn more here: https://platform.openai.com/docs/deprecations',
      },
    ],
    failure: expect.stringContaining('model_not_found'),
    isBroken: true,
  })
})

test('an app whose fallback works survives that its model retires', async () => {
  const app = (mock: Mock) => chatting()(mock).catch(() => chatting({ model: 'gpt-4.1' })(mock))
  const report = await rehearse('default', { to: 'retire' }, app)
  expect(report.calls).toHaveLength(1)
  expect(report.targets[0]).toMatchObject({
    fallbacks: { 'gpt-4.1': 1 },
    refusals: [{ code: 'model_not_found', mend: 'none is needed: gpt-4.1 answered' }],
    isBroken: false,
  })
})

test('a list of models has a report for each, and the message has a table', async () => {
  const error = await errorOf(rehearse('default', { to: ['gpt-4.1', 'gpt-5.2'] }, chatting({ stop: 'x' })))
  expect(error.message.split('\n').slice(-4)).toEqual([
    'model           refused  silent changes  tokens                app',
    'gpt-4o (today)  0 of 1   -               14 + 7 ($0.000105)    passes',
    'gpt-4.1         0 of 1   0               14 + 7 ($0.000084)    passes',
    'gpt-5.2         1 of 1   2               13 + 7 ($0.00012075)  fails',
  ])
})

test.each([
  [{ to: 'gpt-7' }, "to: no rules are known for the model 'gpt-7'."],
  [{ to: 'gpt-5.6-sool' }, "Did you mean 'gpt-5.6-sol'"],
  [{ to: ['gpt-5', 'gpt-5'] }, "to: 'gpt-5' is there twice."],
  [{ to: 'gpt-4o', from: 'gpt-4o' }, "to: 'gpt-4o' is the model to replace. Name another one."],
  [{ to: 'text-embedding-3-small' }, "no rules are known for the model 'text-embedding-3-small'"],
  [{ to: [] }, "rehearse: expected to to be a model, a list of models, or 'retire', got a list."],
])('%j is refused', async (options, message) => {
  const error = await errorOf(rehearse('default', options, chatting()))
  expect(isMockError(error, 'invalid-option')).toBe(true)
  expect(error.message).toContain(message)
})

test.each([
  ['fails-without-faults', async () => Promise.reject(new Error('no database')), undefined, 'no database'],
  ['no-calls', async () => {}, undefined, 'the function made no call of a model'],
  ['no-calls', chatting(), 'gpt-5', "no call asks for the model 'gpt-5'. The calls ask for 'gpt-4o'."],
] as const)('%s is told', async (code, app, from, message) => {
  const error = await errorOf(rehearse('default', { to: 'gpt-6-luna', from }, app))
  expect(isMockError(error, code)).toBe(true)
  expect(error.message).toContain(message)
})
