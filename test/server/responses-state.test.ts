/** Stored responses over HTTP: chains, branches, references, lists and deletes. */
import { beforeEach, expect, test } from 'vitest'
import { errorIn, fetchFrom, type HttpCall, serve } from '../support/http.ts'

const PATH = '/v1/responses'
let server: Awaited<ReturnType<typeof serve>>
beforeEach(async () => {
  server = await serve('default')
})

const send = (body: object, more: HttpCall = {}) =>
  fetchFrom(server, { path: PATH, body: { model: 'echo-1', ...body }, ...more })
const ask = async (body: object, more: HttpCall = {}) => {
  const { status, json, text } = await send(body, more)
  expect(text).not.toContain('"error":{')
  expect(status).toBe(200)
  return json
}
const get = (path: string, more: HttpCall = {}) => fetchFrom(server, { path: `${PATH}/${path}`, ...more })
const textOf = (response: { output: readonly { content: readonly { text: string }[] }[] }): string =>
  response.output.at(-1)!.content[0]!.text
const CALL_TOOL = { type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} } }

test('the tokens of a chain grow by each turn, the frame of the prompt counts once', async () => {
  const one = await ask({ input: 'Hello!' })
  const two = await ask({ input: 'And now?', previous_response_id: one.id })
  const same = await ask({
    input: [{ role: 'user', content: 'Hello!' }, ...one.output, { role: 'user', content: 'And now?' }],
    store: false,
  })
  expect(two.previous_response_id).toBe(one.id)
  expect(two.usage.input_tokens).toBe(same.usage.input_tokens)
  expect(two.usage.input_tokens).toBeGreaterThan(one.usage.total_tokens)
})

test('instructions are not carried over, and those of the call come first', async () => {
  const plain = await ask({ input: 'Hello!' })
  const one = await ask({ input: 'Hello!', instructions: 'Answer as a very polite pirate would.' })
  expect(one.usage.input_tokens).toBeGreaterThan(plain.usage.input_tokens)
  const after = [one, plain].map(({ id }) => ask({ input: 'Go on.', previous_response_id: id }))
  const [afterOne, afterPlain] = await Promise.all(after)
  expect(afterOne.usage.input_tokens).toBe(afterPlain.usage.input_tokens)
  const own = await ask({ input: 'Go on.', previous_response_id: one.id, instructions: 'Be short.' })
  expect(own.usage.input_tokens).toBeGreaterThan(afterOne.usage.input_tokens)
})

test('two answers may go on from the same response', async () => {
  const { id } = await ask({ input: 'One.' })
  const left = await ask({ input: 'Left.', previous_response_id: id })
  const right = await ask({ input: 'Right.', previous_response_id: id })
  expect([textOf(left), textOf(right)]).toEqual(['Left.', 'Right.'])
  expect(right.usage.input_tokens).toBe(left.usage.input_tokens)
})

test('an output may answer a call of the previous response', async () => {
  server = await serve({
    replies: [
      { when: { toolResult: /sunny/ }, say: 'Take sunglasses.' },
      { when: { user: /weather/ }, call: { name: 'get_weather', arguments: {} } },
    ],
  })
  const one = await ask({ input: 'What is the weather?', tools: [CALL_TOOL] })
  const [call] = one.output
  expect(call).toMatchObject({ type: 'function_call', name: 'get_weather' })
  const output = { type: 'function_call_output', call_id: call.call_id, output: 'sunny' }
  const two = await ask({ input: [output], tools: [CALL_TOOL], previous_response_id: one.id })
  expect(textOf(two)).toBe('Take sunglasses.')
})

test('a call of the previous response needs an output, and an output a call of the chain', async () => {
  server = await serve({ replies: [{ when: { turn: 1 }, call: { name: 'get_weather', arguments: {} } }] })
  const one = await ask({ input: 'What is the weather?', tools: [CALL_TOOL] })
  const [{ call_id: callId }] = one.output
  const without = await send({ input: 'Well?', tools: [CALL_TOOL], previous_response_id: one.id })
  expect(errorIn(without).message).toBe(`No tool output found for function call ${callId}.`)
  const input = [{ type: 'function_call_output', call_id: 'call_other', output: 'sunny' }]
  const other = await send({ input, tools: [CALL_TOOL], previous_response_id: one.id })
  expect(errorIn(other).message).toMatch(/^No tool (?:call|output) found for function call/)
})

test('rules see the turns of the chain', async () => {
  server = await serve({
    replies: [{ when: { turn: 2, earlierUser: /name is Ada/ }, say: 'You are Ada.' }, { say: 'Hello.' }],
  })
  const one = await ask({ input: 'My name is Ada.' })
  expect(textOf(await ask({ input: 'Who am I?' }))).toBe('Hello.')
  expect(textOf(await ask({ input: 'Who am I?', previous_response_id: one.id }))).toBe('You are Ada.')
})

test('a response can be read as it was sent until it is deleted, also one that was streamed', async () => {
  const sent = await send({ input: 'Hello!' })
  const { id } = sent.json
  expect((await get(id)).text).toBe(sent.text)
  const { text: events } = await send({ input: 'Hello!', stream: true })
  const completed = JSON.parse(/^data: (.*"type":"response.completed".*)$/m.exec(events)![1]!).response
  expect((await get(completed.id)).json).toMatchObject({ ...completed, billing: { payer: 'developer' } })
  const deleted = await get(id, { method: 'DELETE' })
  expect(deleted.json).toEqual({ id, object: 'response.deleted', deleted: true })
  for (const answer of [await get(id), await get(id, { method: 'DELETE' }), await get(`${id}/input_items`)]) {
    expect(answer.status).toBe(404)
    expect(errorIn(answer)).toEqual({
      message: `Response with id '${id}' not found.`,
      type: 'invalid_request_error',
      param: null,
      code: null,
    })
  }
})

test('a response without store, or of another key or session, is not found', async () => {
  const unstored = await ask({ input: 'Hello!', store: false })
  expect((await get(unstored.id)).status).toBe(404)
  const { id } = await ask({ input: 'Hello!' })
  for (const more of [{ key: 'sk-other' }, { headers: { 'x-mock-session': 't1' } }]) {
    expect((await get(id, more)).status).toBe(404)
    const answer = await send({ input: 'And?', previous_response_id: id }, more)
    expect(answer.status).toBe(400)
    expect(errorIn(answer)).toEqual({
      message: `Previous response with id '${id}' not found.`,
      type: 'invalid_request_error',
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    })
  }
})

test('a chain without one of its responses names the missing one', async () => {
  const one = await ask({ input: 'One.' })
  const two = await ask({ input: 'Two.', previous_response_id: one.id })
  await get(one.id, { method: 'DELETE' })
  const three = await send({ input: 'Three.', previous_response_id: two.id })
  expect(errorIn(three).message).toBe(`Previous response with id '${one.id}' not found.`)
})

test('an error does not repeat the key of a call', async () => {
  const answer = await send({ input: 'x', previous_response_id: 'resp_sk-secret-key' }, { key: 'sk-secret-key' })
  expect(answer.text).not.toContain('sk-secret-key')
})

test('a reference stands for the stored item', async () => {
  const one = await ask({ input: 'Hello!' })
  const later = [{ role: 'user', content: 'And now?' }]
  const [{ id }] = one.output
  const referring = await ask({
    input: [{ role: 'user', content: 'Hello!' }, { type: 'item_reference', id }, ...later],
  })
  const written = await ask({ input: [{ role: 'user', content: 'Hello!' }, ...one.output, ...later] })
  expect(referring.usage).toEqual(written.usage)
  // A response that was asked with references has what they stood for.
  const next = await ask({ input: 'Go on.', previous_response_id: referring.id })
  const same = await ask({ input: 'Go on.', previous_response_id: written.id })
  expect(next.usage).toEqual(same.usage)
})

test('a reference to an item that is not stored is a 404', async () => {
  const one = await ask({ input: 'Hello!', store: false })
  for (const id of [one.output[0].id, 'msg_1']) {
    const answer = await send({ input: [{ type: 'item_reference', id }] })
    expect(answer.status).toBe(404)
    expect(errorIn(answer)).toMatchObject({ param: 'input', code: null })
    expect(errorIn(answer).message).toBe(
      `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
    )
  }
})

test('an item of the chain that is sent again is refused', async () => {
  const one = await ask({ input: 'Hello!' })
  const answer = await send({ input: [...one.output, { role: 'user', content: 'x' }], previous_response_id: one.id })
  expect(errorIn(answer).message).toBe(
    `Duplicate item found with id ${one.output[0].id}. Remove duplicate items from your input and try again.`,
  )
})

test('the input of a chain is listed, the latest item first', async () => {
  const one = await ask({ input: 'One.' })
  const two = await ask({ input: 'Two.', previous_response_id: one.id })
  const { json } = await get(`${two.id}/input_items`)
  const texts = json.data.map(({ content }: { content: { text: string }[] }) => content[0]!.text)
  expect(texts).toEqual(['Two.', 'One.', 'One.'])
  expect(json).toMatchObject({ object: 'list', first_id: json.data[0].id, last_id: json.data[2].id, has_more: false })
  const [asked] = json.data
  expect(asked).toEqual({
    type: 'message',
    id: expect.stringMatching(/^msg_[0-9a-f]{50}$/),
    status: 'completed',
    role: 'user',
    content: [{ type: 'input_text', text: 'Two.' }],
  })
  expect(asked.id.slice('msg_'.length, 20)).toBe(two.id.slice('resp_'.length, 21))
})

test('a message whose type is null is listed as a message, and can be sent back', async () => {
  const one = await ask({ input: [{ type: null, id: null, role: 'user', content: 'One.' }] })
  const { data } = (await get(`${one.id}/input_items`)).json
  expect(data).toEqual([
    {
      type: 'message',
      id: expect.stringMatching(/^msg_[0-9a-f]{50}$/),
      status: 'completed',
      role: 'user',
      content: [{ type: 'input_text', text: 'One.' }],
    },
  ])
  await ask({ input: [...data, ...one.output, { role: 'user', content: 'Two.' }] })
})

test('the text of an assistant is listed with all its keys', async () => {
  const parts = [{ type: 'output_text', text: 'Two.' }]
  const { id } = await ask({
    input: [
      { role: 'assistant', content: parts },
      { role: 'user', content: 'x' },
    ],
  })
  const { data } = (await get(`${id}/input_items?order=asc`)).json
  expect(data[0].content).toEqual([{ type: 'output_text', annotations: [], logprobs: [], text: 'Two.' }])
})

test('a list is read page by page', async () => {
  const input = Array.from({ length: 25 }, (_, index) => ({ role: 'user', content: `Message ${index}.` }))
  const { id } = await ask({ input })
  const page = async (query: string) => (await get(`${id}/input_items${query}`)).json
  const first = await page('')
  expect(first.data).toHaveLength(20)
  expect(first.has_more).toBe(true)
  const rest = await page(`?after=${first.last_id}`)
  expect(rest.data).toHaveLength(5)
  expect(rest.data.at(-1).content[0].text).toBe('Message 0.')
  const ascending = await page('?order=asc&limit=100')
  expect(ascending.data.toReversed()).toEqual([...first.data, ...rest.data])
  expect(errorIn(await get(`${id}/input_items?limit=101`)).message).toMatch(/^Invalid 'limit'/)
  expect((await get(`${id}/input_items?after=msg_1`)).status).toBe(404)
})

test('a stored response is not replayed as a stream', async () => {
  const { id } = await ask({ input: 'Hello!' })
  const answer = await get(`${id}?stream=true`)
  expect(answer.status).toBe(400)
  expect(errorIn(answer)).toMatchObject({ param: 'stream', code: 'mock_not_simulated' })
})

test('the tokens of an input are counted as those of its response, also of a chain', async () => {
  const count = async (body: object) =>
    (await fetchFrom(server, { path: `${PATH}/input_tokens`, body: { model: 'gpt-4o', ...body } })).json
  const tools = [{ ...CALL_TOOL, description: 'Looks up the weather.' }]
  const body = { model: 'gpt-4o', input: 'Hello there!', instructions: 'Be nice.', tools }
  const one = await ask(body)
  expect(await count(body)).toEqual({ object: 'response.input_tokens', input_tokens: one.usage.input_tokens })
  const next = { model: 'gpt-4o', input: 'And?', previous_response_id: one.id }
  expect((await count(next)).input_tokens).toBe((await ask(next)).usage.input_tokens)
})

test('counting tokens takes one request and no tokens from the limits', async () => {
  server = await serve({ limits: { requests: '2 per minute', tokens: '1000 per minute' } })
  const count = () => fetchFrom(server, { path: `${PATH}/input_tokens`, body: { model: 'echo-1', input: 'Hello!' } })
  const { headers } = await count()
  expect(headers.get('x-ratelimit-remaining-requests')).toBe('1')
  expect(headers.get('x-ratelimit-remaining-tokens')).toBe('1000')
  await count()
  expect((await count()).status).toBe(429)
})

test('paths with more segments, other methods and Azure addresses are told apart', async () => {
  const { id } = await ask({ input: 'Hello!' })
  expect((await get(`${id}/cancel`, { method: 'POST', body: {} })).status).toBe(404)
  expect((await get('compact', { method: 'POST', body: {} })).status).toBe(404)
  for (const [method, path, allow] of [
    ['PUT', id, 'GET, DELETE'],
    ['DELETE', `${id}/input_items`, 'GET'],
    ['GET', 'input_tokens', 'POST'],
  ] as const) {
    const answer = await get(path, { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe(allow)
  }
  const headers = { 'api-key': 'sk-test' }
  for (const base of ['/openai/v1/responses', '/openai/responses']) {
    const answer = await fetchFrom(server, { path: `${base}/${id}?api-version=preview`, key: '', headers })
    expect(answer.json.id).toBe(id)
  }
})

test('a reset forgets the responses', async () => {
  const { id } = await ask({ input: 'Hello!' })
  server.mock.reset()
  expect((await get(id)).status).toBe(404)
})

test('an item with nothing but an id is a reference', async () => {
  const { output } = await ask({ input: 'Hello!' })
  const next = { role: 'user', content: 'And now?' }
  const [bare, typed] = await Promise.all([
    ask({ input: [{ id: output[0].id }, next] }),
    ask({ input: [{ type: 'item_reference', id: output[0].id }, next] }),
  ])
  expect(bare.usage.input_tokens).toBe(typed.usage.input_tokens)
  const unknown = await send({ input: [{ id: 'msg_1' }, next] })
  expect(errorIn(unknown).message).toMatch(/^Item with id 'msg_1' not found/)
})

test('an item that the client named is found by its id while its response is stored', async () => {
  const { id } = await ask({ input: [{ role: 'user', content: 'Hello!', id: 'msg_mine' }] })
  const reference = { input: [{ type: 'item_reference', id: 'msg_mine' }] }
  expect(textOf(await ask(reference))).toBe('Hello!')
  expect((await send(reference, { headers: { authorization: 'Bearer sk-other' } })).status).toBe(404)
  await fetchFrom(server, { method: 'DELETE', path: `${PATH}/${id}` })
  expect((await send(reference)).status).toBe(404)
})

test('a later part of the events of a stored response is refused as not mocked', async () => {
  const { id } = await ask({ input: 'Hello!' })
  const { status, json } = await get(`${id}?starting_after=3`)
  expect([status, json.error.code, json.error.param]).toEqual([400, 'mock_not_simulated', 'starting_after'])
})

test('a whole answer of a reasoning model without text can be sent back', async () => {
  server = await serve({ models: { thinks: { reasoning: true } } })
  const { output } = await ask({ model: 'thinks', input: '' })
  expect(output).toEqual([])
  await ask({ model: 'thinks', input: [{ role: 'user', content: '' }, ...output, { role: 'user', content: 'Hello!' }] })
})

test('an image without an address and a file id is refused', async () => {
  const answer = await send({ input: [{ role: 'user', content: [{ type: 'input_image' }] }] })
  expect(errorIn(answer)).toMatchObject({
    message: "Missing required parameter: 'input[0].content[0].image_url'.",
    param: 'input[0].content[0].image_url',
  })
})
