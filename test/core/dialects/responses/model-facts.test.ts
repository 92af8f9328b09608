/** The fields of a response that depend on the model, as section 2.3 of the contract lists them. */
import { expect, test } from 'vitest'
import { builtInScenarios } from '../../../../src/generated/built-in.ts'
import { mockWith } from '../../../support/core.ts'

const mock = mockWith(builtInScenarios.openai)
const respond = (body: object) => mock.json({ path: '/v1/responses', body: { input: 'Hello', ...body } })

test.each([
  ['gpt-5', 'gpt-5-2025-08-07', 'medium', 'current_turn', 'in_memory', 1, false],
  ['gpt-5-mini', 'gpt-5-mini-2025-08-07', 'medium', 'current_turn', 'in_memory', 1, false],
  ['gpt-5.2', 'gpt-5.2-2025-12-11', 'none', 'current_turn', '24h', 0.98, false],
  ['gpt-5.4', 'gpt-5.4-2026-03-05', 'none', 'current_turn', '24h', 0.98, true],
  ['gpt-5.5', 'gpt-5.5-2026-04-23', 'medium', 'current_turn', '24h', 0.98, true],
  ['gpt-5.6', 'gpt-5.6-sol', 'medium', 'all_turns', '24h', 0.98, true],
  ['o4-mini', 'o4-mini-2025-04-16', 'medium', 'current_turn', 'in_memory', 1, false],
])('%s answers as %s, with effort %s', (model, snapshot, effort, context, retention, topP, hasPhase) => {
  const response = respond({ model })
  expect(response.model).toBe(snapshot)
  expect(response.reasoning).toEqual({ context, effort, mode: 'standard', summary: null })
  expect([response.prompt_cache_retention, response.top_p]).toEqual([retention, topP])
  expect(response.output.at(-1).phase).toBe(hasPhase ? 'final_answer' : undefined)
})

test('a model that does not reason has no mode', () => {
  const { reasoning, output } = respond({ model: 'gpt-4.1-nano' })
  expect(reasoning).toEqual({ context: null, effort: null, summary: null })
  expect(Object.keys(output[0])).toEqual(['id', 'type', 'status', 'content', 'role'])
})

test('a request says what its response echoes', () => {
  const reasoning = { context: 'current_turn', effort: 'low', summary: 'auto' }
  const response = respond({ model: 'gpt-5.6', reasoning })
  expect(response.reasoning).toEqual({ ...reasoning, mode: 'standard', summary: 'detailed' })
})

test('a tool is strict unless it says otherwise, and then its objects are closed', () => {
  const parameters = {
    type: 'object',
    properties: { at: { type: 'object', properties: {}, required: [] } },
    required: ['at'],
  }
  const tool = { type: 'function', name: 'f', parameters }
  const { tools } = respond({ model: 'gpt-4o', tools: [tool, { ...tool, name: 'g', description: '', strict: null }] })
  const at = { ...parameters.properties.at, additionalProperties: false }
  const closed = { ...parameters, properties: { at }, additionalProperties: false }
  const echoed = { type: 'function', description: null, output_schema: null }
  expect(tools).toEqual([
    { ...echoed, name: 'f', parameters: closed, strict: true },
    { ...echoed, name: 'g', parameters, strict: false },
  ])
})
