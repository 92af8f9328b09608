/** A reply rule with `items` says what hosted tools did, which the mock does not simulate. */
import { expect, test } from 'vitest'
import { fetchFrom, serve } from '../support/http.ts'

const SEARCH = { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'weather Paris' } }
const SCENARIO = {
  description: 'A search that finds the weather.',
  validation: 'strict',
  replies: [{ when: { user: '/weather/' }, say: 'It is sunny.', items: [SEARCH] }],
} as const
const REQUEST = {
  model: 'gpt-5',
  input: 'What is the weather?',
  tools: [{ type: 'web_search', search_context_size: 'low' }],
}
const RESPONSES = '/v1/responses'

test('the items stand before the text, with ids, and the hosted tool is echoed as it was declared', async () => {
  const { status, json } = await fetchFrom(await serve(SCENARIO), { path: RESPONSES, body: REQUEST })
  expect(status).toBe(200)
  expect(json.output[0]).toEqual({ id: expect.stringMatching(/^ws_[0-9a-f]{50}$/), ...SEARCH })
  expect(json.output[1]).toMatchObject({ type: 'message', content: [{ text: 'It is sunny.' }] })
  expect(json.tools).toEqual(REQUEST.tools)
})

test('a stream adds them in progress, and says that they are done', async () => {
  const { text } = await fetchFrom(await serve(SCENARIO), { path: RESPONSES, body: { ...REQUEST, stream: true } })
  const events = text.match(/^data: .*$/gm)!.map((line) => JSON.parse(line.slice(6)))
  const about = events.filter(({ output_index: index }) => index === 0)
  expect(about.map(({ type, item }) => [type, item.status])).toEqual([
    ['response.output_item.added', 'in_progress'],
    ['response.output_item.done', 'completed'],
  ])
  expect(events.at(-1).response.output).toHaveLength(2)
  expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index))
})

test('their items may be sent back in the next turn', async () => {
  const server = await serve(SCENARIO)
  const first = await fetchFrom(server, { path: RESPONSES, body: REQUEST })
  const input = [
    { role: 'user', content: 'What is the weather?' },
    ...first.json.output,
    { role: 'user', content: 'And the weather tomorrow?' },
  ]
  expect((await fetchFrom(server, { path: RESPONSES, body: { ...REQUEST, input } })).status).toBe(200)
})

test('the rule allows no field that the mock does not simulate', async () => {
  const { json } = await fetchFrom(await serve(SCENARIO), { path: RESPONSES, body: { ...REQUEST, background: true } })
  expect(json.error).toMatchObject({ code: 'mock_not_simulated', param: 'background' })
})

test('a chat gets the text of the rule without them', async () => {
  const body = { model: 'gpt-5', messages: [{ role: 'user', content: 'What is the weather?' }] }
  const { json } = await fetchFrom(await serve(SCENARIO), { body })
  expect(json.choices[0].message).toEqual({
    role: 'assistant',
    content: 'It is sunny.',
    refusal: null,
    annotations: [],
  })
})

test('a request that no such rule answers is refused for its hosted tool', async () => {
  const { json } = await fetchFrom(await serve(SCENARIO), { path: RESPONSES, body: { ...REQUEST, input: 'Hi' } })
  expect(json.error).toMatchObject({ code: 'mock_not_simulated', param: 'tools[0].type' })
})
