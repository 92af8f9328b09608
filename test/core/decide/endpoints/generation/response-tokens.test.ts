/** Counts the prompts of recorded responses calls, and compares them with what the service counted. */
import { expect, test } from 'vitest'
import { fitTurn } from '../../../../../src/core/decide/endpoints/generation/prompt.ts'
import { mockWith } from '../../../../support/core.ts'
import type { Json } from '../../../../support/recorded.ts'
import { hasRecordedResponses, readRecordedResponses } from '../../../../support/recorded-responses.ts'

const reasoning = { reasoning: true }
const mock = mockWith({
  models: { 'gpt-5*': reasoning, 'o*': reasoning, 'gpt-4o-mini': { images: { base: 2833, tile: 5667 } }, 'gpt-*': {} },
})

/** The difference of the mock's count from the recorded one. */
function difference({ path, request, answer }: Json): number {
  const context = mock.context({ path, body: request })
  return fitTurn(context).prompt.tokens - answer.usage.input_tokens
}

/** Calls that count what is in their own text: no earlier responses. */
const counted: readonly Json[] = readRecordedResponses()
  .filter(
    ({ scope, status, path, request }) =>
      scope.length === 0 && status === 200 && path === '/v1/responses' && !request.previous_response_id,
  )
  .map(({ body, events, ...call }) => ({ ...call, answer: body ?? events!.at(-1)![1].response }))
const plain = counted.filter(({ request }) => !hasTools(request) && !hasSchema(request))
const withTools = counted.filter(({ request }) => hasTools(request))

function hasTools({ tools = [] }: Json): boolean {
  return tools.length > 0
}

function hasSchema({ text }: Json): boolean {
  return text?.format?.type === 'json_schema'
}

const countWithin = (calls: readonly Json[], most: number): number =>
  calls.filter((one) => Math.abs(difference(one)) <= most).length

test.skipIf(!hasRecordedResponses)('texts count as the service counted them', () => {
  // The others: a call in mode pro, two calls with a text that looks like a file, and a conversation of two agents.
  expect(plain.length).toBe(29)
  expect(countWithin(plain, 0)).toBeGreaterThanOrEqual(25)
})

test.skipIf(!hasRecordedResponses)('tools count about as the service counted them', () => {
  // The others: encrypted reasoning, which counts, a hidden prompt, and schemas of an early time.
  expect(withTools.length).toBe(23)
  expect(countWithin(withTools, 0)).toBeGreaterThanOrEqual(8)
  expect(countWithin(withTools, 2)).toBeGreaterThanOrEqual(15)
})

test.skipIf(!hasRecordedResponses)('a schema of the answer counts within 6 tokens', () => {
  const schemas = counted.filter(({ request }) => hasSchema(request))
  expect(schemas.length).toBe(6)
  expect(countWithin(schemas, 6)).toBe(6)
})

const tokens = (more: object): number => {
  const context = mock.context({ path: '/v1/responses', body: { input: 'hello', ...more } })
  return fitTurn(context).prompt.tokens
}
const TOOL = { type: 'function', name: 'f', description: 'Finds.', parameters: { type: 'object', properties: {} } }

test('instructions count as one message', () => {
  expect(tokens({ model: 'gpt-4o' })).toBe(3 + 4 + 1)
  expect(tokens({ model: 'gpt-4o', instructions: 'hello' })).toBe(3 + 2 * (4 + 1))
  expect(tokens({ model: 'gpt-5', instructions: 'hello' })).toBe(2 + 2 * (4 + 1))
})

test('a demanded call counts 10 tokens on a model without reasoning, and nothing on the others', () => {
  for (const [model, added] of [
    ['gpt-4o', 10],
    ['gpt-5', 0],
  ] as const) {
    const free = tokens({ model, tools: [TOOL] })
    const demanded = { model, tools: [TOOL], tool_choice: 'required' }
    expect(tokens(demanded) - free).toBe(added)
    const allowed = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }] }
    expect(tokens({ ...demanded, tool_choice: allowed }) - free).toBe(0)
  }
})

test('calls one by one count 21 tokens, and 78 on a reasoning model', () => {
  const one = { tools: [TOOL], parallel_tool_calls: false }
  expect(tokens({ model: 'gpt-4o', ...one }) - tokens({ model: 'gpt-4o', tools: [TOOL] })).toBe(21)
  expect(tokens({ model: 'gpt-5', ...one }) - tokens({ model: 'gpt-5', tools: [TOOL] })).toBe(78)
})

test('a strict tool counts one token less on a reasoning model', () => {
  const loose = [{ ...TOOL, strict: false }]
  expect(tokens({ model: 'gpt-5', tools: [TOOL] })).toBe(tokens({ model: 'gpt-5', tools: loose }) - 1)
  expect(tokens({ model: 'gpt-4o', tools: [TOOL] })).toBe(tokens({ model: 'gpt-4o', tools: loose }))
})
