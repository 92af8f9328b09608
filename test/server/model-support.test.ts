/** What each kind of model refuses in the scenario `openai`, over HTTP, word for word as section 10 of the contract has it. */
import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { fetchFrom, type HttpAnswer, serve } from '../support/http.ts'

const MESSAGES = [{ role: 'user', content: 'Say this is a test in JSON.' }]
const FUNCTION = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }
const CUSTOM = { type: 'custom', custom: { name: 'c' } }
const SCHEMA = { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' } } }

const NEVER_TOOLS = ['gpt-6-astra', 'gpt-6.1-sol']
const NEWEST = ['gpt-6-luna', 'gpt-6.1-terra', 'gpt-5.6', 'gpt-5.6-sol', 'gpt-5.6-terra', 'gpt-5.6-luna']
const MIDDLE = ['gpt-5.5', 'gpt-5.4', 'gpt-5.4-mini', 'gpt-5.4-nano']
const FORBIDDEN_LOGPROBS = ['gpt-5', 'gpt-5-mini', 'gpt-5-nano', 'o4-mini', 'o3', 'o3-mini', 'o1']
const OLDER = ['gpt-5.2', 'gpt-5.2-2025-12-11', 'gpt-5.1', ...FORBIDDEN_LOGPROBS]
const REASONING = [...NEVER_TOOLS, ...NEWEST, ...MIDDLE, ...OLDER]
const PLAIN = [
  'gpt-4.1',
  'gpt-4o',
  'gpt-4o-mini',
  'chatgpt-4o-latest',
  'gpt-5-chat-latest',
  'gpt-4-turbo',
  'gpt-3.5-turbo',
]
const RESPONSES_ONLY = ['codex-mini-latest', 'gpt-5.1-codex', 'o1-pro']
const REMOVED = [
  'gpt-3.5-turbo-0613',
  'gpt-3.5-turbo-16k',
  'gpt-4-32k',
  'gpt-4-vision-preview',
  'o1-mini',
  'o1-preview',
]

const EFFORTS: readonly (readonly [readonly string[], readonly string[]])[] = [
  [NEVER_TOOLS, ['low', 'medium', 'high', 'xhigh']],
  [
    [...NEWEST, ...MIDDLE, 'gpt-5.2'],
    ['none', 'low', 'medium', 'high', 'xhigh'],
  ],
  [['gpt-5.1'], ['none', 'low', 'medium', 'high']],
  [
    ['gpt-5', 'gpt-5-mini', 'gpt-5-nano'],
    ['minimal', 'low', 'medium', 'high'],
  ],
  [
    ['o4-mini', 'o3', 'o3-mini', 'o1'],
    ['low', 'medium', 'high', 'xhigh'],
  ],
]
const ALL_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** One server answers many calls: a new one for each would take minutes. */
async function asker(): Promise<(model: string, more?: object) => Promise<HttpAnswer>> {
  const server = await serve('openai')
  return (model, more = {}) => fetchFrom(server, { body: { model, messages: MESSAGES, ...more } })
}

const errorOf = ({ status, json }: HttpAnswer) => ({ status, ...json.error, type: undefined })
const problem = (message: string, param: string | null, code: string | null, status = 400) => ({
  status,
  message,
  param,
  code,
  type: undefined,
})

test('every list names models of the scenario', () => {
  const { models = {} } = createMock('openai').scenario as { models?: object }
  const known = new Set(Object.keys(models))
  const listed = [...REASONING, ...PLAIN, ...RESPONSES_ONLY, ...REMOVED]
  if (known.size > 0) expect(listed.filter((model) => !known.has(model))).toEqual([])
  expect(new Set(listed).size).toBe(listed.length)
})

describe('a reasoning model', () => {
  test.each(REASONING)('%s takes only the default of temperature and top_p', async (model) => {
    const ask = await asker()
    const isNewest = [...NEVER_TOOLS, ...NEWEST].includes(model)
    for (const name of ['temperature', 'top_p']) {
      for (const value of [0, 0.5]) {
        const expected =
          isNewest && name === 'top_p'
            ? problem(`Unsupported parameter: 'top_p' is not supported with this model.`, name, 'unsupported_parameter')
            : problem(
                `Unsupported value: '${name}' does not support ${value} with this model. Only the default (1) value is supported.`,
                name,
                'unsupported_value',
              )
        expect(errorOf(await ask(model, { reasoning_effort: 'medium', [name]: value })), `${name} ${value}`).toEqual(
          expected,
        )
      }
      expect((await ask(model, { [name]: 1 })).status, `${name} 1`).toBe(200)
      expect((await ask(model, { [name]: null })).status, `${name} null`).toBe(200)
    }
  })

  test.each(REASONING)('%s refuses the parameters of sampling', async (model) => {
    const ask = await asker()
    const refused = {
      ...(model !== 'o3-mini' && { stop: 'x' }),
      logit_bias: { 1: 1 },
      prediction: { type: 'content', content: 'x' },
      presence_penalty: 1,
      frequency_penalty: 1,
      ...(!FORBIDDEN_LOGPROBS.includes(model) && { logprobs: true }),
    }
    for (const [name, value] of Object.entries(refused)) {
      const expected = problem(
        `Unsupported parameter: '${name}' is not supported with this model.`,
        name,
        'unsupported_parameter',
      )
      expect(errorOf(await ask(model, { reasoning_effort: 'medium', [name]: value }))).toEqual(expected)
    }
    expect(errorOf(await ask(model, { max_tokens: 5 }))).toMatchObject({ param: 'max_tokens' })
    expect((await ask(model, { max_completion_tokens: 500 })).status).toBe(200)
  })

  test.each(REASONING)('%s has at most eight choices', async (model) => {
    const ask = await asker()
    const message = "Invalid 'n': integer above maximum value. Expected a value <= 8, but got 9 instead."
    expect(errorOf(await ask(model, { n: 9 }))).toEqual(problem(message, 'n', 'integer_above_max_value'))
    expect((await ask(model, { n: 8 })).json.choices).toHaveLength(8)
  })

  test.each(EFFORTS.flatMap(([models, efforts]) => models.map((model) => [model, efforts] as const)))(
    '%s has the efforts %j',
    async (model, efforts) => {
      const ask = await asker()
      const list = efforts.map((effort, index) => `${index === efforts.length - 1 ? 'and ' : ''}'${effort}'`)
      for (const effort of ALL_EFFORTS) {
        const answer = await ask(model, { reasoning_effort: effort })
        if (efforts.includes(effort)) expect(answer.status, effort).toBe(200)
        else
          expect(errorOf(answer)).toEqual(
            problem(
              `Unsupported value: 'reasoning_effort' does not support '${effort}' with this model. Supported values are: ${list.join(', ')}.`,
              'reasoning_effort',
              'unsupported_value',
            ),
          )
      }
    },
  )
})

describe('function tools', () => {
  const refusal = (model: string) =>
    problem(
      `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
      'reasoning_effort',
      null,
    )

  test.each(NEWEST)('%s takes them with the effort none only', async (model) => {
    const ask = await asker()
    for (const more of [{}, { reasoning_effort: 'low' }])
      expect(errorOf(await ask(model, { tools: [FUNCTION], ...more }))).toEqual(refusal(model))
    expect((await ask(model, { tools: [FUNCTION], reasoning_effort: 'none' })).status).toBe(200)
    expect((await ask(model, { tools: [CUSTOM] })).status).toBe(200)
  })

  test.each(MIDDLE)('%s takes them without an effort, or with none', async (model) => {
    const ask = await asker()
    expect(errorOf(await ask(model, { tools: [FUNCTION], reasoning_effort: 'low' }))).toEqual(refusal(model))
    for (const more of [{}, { reasoning_effort: 'none' }])
      expect((await ask(model, { tools: [FUNCTION], ...more })).status).toBe(200)
  })

  test.each(NEVER_TOOLS)('%s never takes them', async (model) => {
    const ask = await asker()
    expect(errorOf(await ask(model, { tools: [FUNCTION] }))).toEqual(refusal(model))
    expect((await ask(model, { tools: [CUSTOM] })).status).toBe(200)
  })

  test.each([...OLDER, ...PLAIN])('%s takes them', async (model) => {
    const ask = await asker()
    expect((await ask(model, { tools: [FUNCTION] })).status).toBe(200)
  })
})

test.each(PLAIN)('%s has no effort', async (model) => {
  const ask = await asker()
  expect(errorOf(await ask(model, { reasoning_effort: 'low' }))).toEqual(
    problem('Unrecognized request argument supplied: reasoning_effort', null, null),
  )
})

test.each(RESPONSES_ONLY)('%s is served by the Responses API only', async (model) => {
  const ask = await asker()
  const message = 'This model is only supported in v1/responses and not in v1/chat/completions.'
  expect(errorOf(await ask(model))).toEqual(problem(message, 'model', null, 404))
})

test.each(REMOVED)('%s is deprecated', async (model) => {
  const ask = await asker()
  const message = `The model \`${model}\` has been deprecated, learn more here: https://platform.openai.com/docs/deprecations`
  expect(errorOf(await ask(model))).toEqual(problem(message, null, 'model_not_found', 404))
})

test.each([
  ['gpt-4o-mini', 200],
  ['gpt-5-nano', 200],
  ['gpt-4o-2024-05-13', 400],
  ['gpt-4-turbo', 400],
  ['gpt-4', 400],
  ['gpt-3.5-turbo', 400],
])('json_schema with %s is a %i', async (model, status) => {
  const ask = await asker()
  expect((await ask(model, { response_format: SCHEMA })).status).toBe(status)
})

describe('accepted by every chat model', () => {
  const breakpoint = { mode: 'explicit', ttl: '12h' }
  const parts = [
    { type: 'text', text: 'look', prompt_cache_breakpoint: { mode: 'explicit' } },
    {
      type: 'image_url',
      image_url: { url: 'https://example.com/a.png', detail: 'original' },
      prompt_cache_breakpoint: breakpoint,
    },
    { type: 'file', file: { file_id: 'file-1' }, prompt_cache_breakpoint: breakpoint },
  ]
  test.each([
    ['the new fields of content parts', { messages: [{ role: 'user', content: parts }] }],
    ['prompt_cache_options', { prompt_cache_options: { mode: 'explicit', ttl: '30m' } }],
    ['prompt_cache_key and prompt_cache_retention', { prompt_cache_key: 'k', prompt_cache_retention: '24h' }],
    ['a safety_identifier of 128 characters', { safety_identifier: 's'.repeat(128) }],
    ['the largest seed', '"seed":9223372036854775807'],
    ['store', { store: true }],
    ['verbosity', { verbosity: 'low' }],
  ])('%s', async (_, more) => {
    const server = await serve('openai')
    for (const model of ['gpt-4o-mini', 'gpt-5-nano', 'gpt-5.6-luna']) {
      const body =
        typeof more === 'string'
          ? `${JSON.stringify({ model, messages: MESSAGES }).slice(0, -1)},${more}}`
          : { model, messages: MESSAGES, ...more }
      const { status, text } = await fetchFrom(server, { body })
      expect(status, text).toBe(200)
    }
  })

  test.each(['auto', 'default', 'fast', 'flex', 'priority'])('the service tier %s', async (tier) => {
    const ask = await asker()
    expect((await ask('gpt-4o-mini', { service_tier: tier })).status).toBe(200)
  })
})

test('moderation is answered, and a stream has a chunk for it; metadata is only stored', async () => {
  const ask = await asker()
  const asked = { metadata: { run: '1' }, store: true, moderation: { model: 'omni-moderation-latest' } }
  const { json } = await ask('gpt-4o-mini', asked)
  expect(json).not.toHaveProperty('metadata')
  expect(json.moderation).toMatchObject({
    input: { type: 'moderation_results' },
    output: { type: 'moderation_results' },
  })
  const { text } = await ask('gpt-4o-mini', { ...asked, stream: true })
  const chunks = text
    .split('\n\n')
    .filter((event) => event.includes('{'))
    .map((event) => JSON.parse(event.slice(6)))
  expect(chunks.filter((chunk) => chunk.moderation !== undefined)).toEqual([
    expect.objectContaining({ choices: [], object: 'chat.completion.chunk' }),
  ])
  expect(json).not.toHaveProperty('compute_units')
})

test('an image of low detail is the base of the model, and usage does not tell it apart', async () => {
  const ask = await asker()
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } }
  const tokensOf = async (content: object[]): Promise<number> => {
    const { json } = await ask('gpt-4o-mini', { messages: [{ role: 'user', content }] })
    expect(json.usage.prompt_tokens_details).toEqual({ cached_tokens: 0, audio_tokens: 0 })
    return json.usage.prompt_tokens
  }
  expect((await tokensOf([image])) - (await tokensOf([]))).toBe(2833)
})
