/** The tokens of prompts with functions, schemas, images and files. */
import { expect, test } from 'vitest'
import { mockWith } from '../../../../support/core.ts'
import { readRecordings } from '../../../../support/recorded.ts'

const LOCATION = { type: 'string', description: 'The city and state, e.g. Boston, MA' }
const WEATHER = {
  type: 'function',
  function: {
    name: 'get_current_weather',
    description: 'Get the current weather in a given location',
    parameters: { type: 'object', properties: { location: LOCATION }, required: ['location'] },
  },
}
const QUESTION = "What's the weather in Seattle and San Francisco today?"
const prompt = (body: object, source: object = {}): number =>
  mockWith(source).json({ body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: QUESTION }], ...body } })
    .usage.prompt_tokens

test('a function is counted by the formula of the cookbook', () => {
  expect(prompt({ tools: [WEATHER] }) - prompt({})).toBe(49)
})

test('an enum, a second property and a second function are counted too', () => {
  const unit = { type: 'string', enum: ['celsius', 'fahrenheit'] }
  const parameters = { type: 'object', properties: { location: LOCATION, unit } }
  const withEnum = { type: 'function', function: { ...WEATHER.function, parameters } }
  expect(prompt({ tools: [withEnum] })).toBeGreaterThan(prompt({ tools: [WEATHER] }))
  expect(prompt({ tools: [WEATHER, withEnum] })).toBeGreaterThan(prompt({ tools: [withEnum] }))
})

test('deprecated functions cost as many tokens as tools', () => {
  expect(prompt({ functions: [WEATHER.function] })).toBe(prompt({ tools: [WEATHER] }))
})

test('an enum of 300,000 values is counted', { timeout: 60_000 }, () => {
  const values = Array.from({ length: 300_000 }, (_, index) => index % 10)
  const parameters = { type: 'object', properties: { digit: { type: 'integer', enum: values } } }
  const tool = { type: 'function', function: { name: 'f', parameters } }
  expect(prompt({ tools: [tool], tool_choice: 'none' })).toBeGreaterThan(1_000_000)
})

test('the schema of an answer is part of the prompt', () => {
  const response_format = { type: 'json_schema', json_schema: { name: 'n', schema: WEATHER.function.parameters } }
  expect(prompt({ response_format })).toBeGreaterThan(prompt({}) + 10)
})

// The recorded calls with more than plain text in their messages; the exact ones are in test/recorded.

const TOLERANCE = { tools: 1, tool_calls: 0, input_audio: 0, json_schema: 25 } as const
const recorded = readRecordings().flatMap(({ request, body, status }) => {
  const kinds = Object.keys(TOLERANCE) as (keyof typeof TOLERANCE)[]
  const kind = kinds.find((one) => JSON.stringify(request).includes(`"${one}"`))
  const counted = /"prompt_tokens":\s*(\d+)/.exec(body)?.[1]
  return kind === undefined || status !== 200 || counted === undefined || request.modalities !== undefined
    ? []
    : [{ kind, request, counted: Number(counted) }]
})
const suffix = recorded.length === 0 ? ' (skipped: ../shared/recorded is not beside this checkout)' : ''

test.skipIf(recorded.length === 0)(`recorded prompts with tools, calls and sound are met nearly${suffix}`, () => {
  expect(recorded.length).toBeGreaterThan(8)
  for (const { kind, request, counted } of recorded) {
    const reasoning = { models: { [request.model]: { reasoning: /^gpt-5/.test(request.model) } } }
    const tokens = prompt({ ...request, stream: false, stream_options: undefined }, reasoning)
    expect(Math.abs(tokens - counted), `${kind}: ${tokens} for ${counted}`).toBeLessThanOrEqual(TOLERANCE[kind])
  }
})
