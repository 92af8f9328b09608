/** Stored completions, as the official client sees them. */
import OpenAI, { BadRequestError, NotFoundError } from 'openai'
import { beforeEach, describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { openAround } from '../support/open-around.ts'
import { IN_PROCESS_URL, transports } from '../support/transports.ts'

const ask = (content: string, more: object = {}) => ({
  model: 'echo-1',
  messages: [{ role: 'user' as const, content }],
  store: true,
  ...more,
})

describe.each(transports)('over $name', (transport) => {
  const mock = createMock('default', { baseURL: IN_PROCESS_URL, seed: 7 })
  const opened = openAround(transport, mock)
  beforeEach(() => mock.use('default'))
  const completionsOf = (apiKey = 'sk-test') =>
    new OpenAI({ apiKey, baseURL: opened.baseUrl, maxRetries: 0 }).chat.completions

  test('a stored completion is the answer, with its metadata', async () => {
    const completions = completionsOf()
    const answered = await completions.create(ask('Hello there!', { metadata: { run: '1' } }))
    expect(await completions.retrieve(answered.id)).toEqual({ ...answered, metadata: { run: '1' } })
    const without = await completions.create(ask('Hello again!'))
    expect(await completions.retrieve(without.id)).toEqual({ ...without, metadata: {} })
  })

  test('a stream is stored as the whole completion', async () => {
    const completions = completionsOf()
    let id = ''
    const options = { stream: true as const, stream_options: { include_usage: true } }
    const chunks: OpenAI.ChatCompletionChunk[] = []
    for await (const chunk of await completions.create({ ...ask('Hello there!'), ...options })) chunks.push(chunk)
    id = chunks[0]!.id
    const stored = await completions.retrieve(id)
    expect(stored).toMatchObject({ id, object: 'chat.completion', usage: chunks.at(-1)!.usage })
    expect(stored.choices[0]).toMatchObject({ message: { content: 'Hello there!' }, finish_reason: 'stop' })
  })

  test('an answer without store: true is not stored', async () => {
    const completions = completionsOf()
    for (const store of [undefined, false, null]) {
      const { id } = await completions.create({ ...ask('Hello there!'), store: store as false })
      await expect(completions.retrieve(id)).rejects.toBeInstanceOf(NotFoundError)
    }
    expect((await completions.list()).data).toEqual([])
  })

  test('the list has the oldest first, and the client reads it page by page', async () => {
    const completions = completionsOf()
    const ids: string[] = []
    for (const content of ['one', 'two', 'three', 'four', 'five']) ids.push((await completions.create(ask(content))).id)
    const listed: string[] = []
    for await (const { id } of completions.list({ limit: 2 })) listed.push(id)
    expect(listed).toEqual(ids)
    expect((await completions.list({ order: 'desc', limit: 3, after: ids[4]! })).data.map(({ id }) => id)).toEqual([
      ids[3],
      ids[2],
      ids[1],
    ])
    const page = await (await completions.list({ limit: 2 }).asResponse()).json()
    expect(page).toMatchObject({ object: 'list', first_id: ids[0], last_id: ids[1], has_more: true })
    const end = await (await completions.list({ after: ids[4]! }).asResponse()).json()
    expect(end).toEqual({ object: 'list', data: [], first_id: null, last_id: null, has_more: false })
  })

  test('the list is filtered by model and by metadata', async () => {
    const completions = completionsOf()
    const first = await completions.create(ask('one', { metadata: { run: '1', part: 'a' } }))
    const second = await completions.create(ask('two', { metadata: { run: '1', part: 'b' } }))
    const other = await completions.create(ask('three', { model: 'echo-2' }))
    const idsOf = async (query: OpenAI.ChatCompletionListParams): Promise<string[]> =>
      (await completions.list(query)).data.map(({ id }) => id)
    expect(await idsOf({ model: 'echo-2' })).toEqual([other.id])
    expect(await idsOf({ metadata: { run: '1' } })).toEqual([first.id, second.id])
    expect(await idsOf({ metadata: { run: '1', part: 'b' } })).toEqual([second.id])
    expect(await idsOf({ metadata: { run: '1' }, after: first.id })).toEqual([second.id])
  })

  test('the metadata of a completion can be replaced and removed', async () => {
    const completions = completionsOf()
    const { id } = await completions.create(ask('one', { metadata: { run: '1' } }))
    expect(await completions.update(id, { metadata: { run: '2' } })).toMatchObject({ id, metadata: { run: '2' } })
    expect(await completions.retrieve(id)).toMatchObject({ metadata: { run: '2' } })
    await completions.update(id, { metadata: null })
    expect(await completions.retrieve(id)).toHaveProperty('metadata', {})
    expect(mock.journal.at(-2)).toMatchObject({ method: 'POST', body: { metadata: null }, status: 200 })
    const wrong = completions.update(id, { metadata: 'x' as unknown as null })
    await expect(wrong).rejects.toMatchObject({ status: 400, param: 'metadata', code: 'invalid_type' })
    const missing = completions.update(id, {} as { metadata: null })
    await expect(missing).rejects.toMatchObject({ status: 400, code: 'missing_required_parameter' })
  })

  test('a deleted completion is gone', async () => {
    const completions = completionsOf()
    const { id } = await completions.create(ask('one'))
    expect(await completions.delete(id)).toEqual({ object: 'chat.completion.deleted', id, deleted: true })
    await expect(completions.retrieve(id)).rejects.toMatchObject({
      status: 404,
      message: `404 Chat completion with id '${id}' not found.`,
    })
    await expect(completions.delete(id)).rejects.toBeInstanceOf(NotFoundError)
    await expect(completions.messages.list(id)).rejects.toBeInstanceOf(NotFoundError)
  })

  test('the messages of a completion are those of its request', async () => {
    const completions = completionsOf()
    const parts = [
      { type: 'text' as const, text: 'look' },
      { type: 'image_url' as const, image_url: { url: 'https://example.com/a.png' } },
    ]
    const messages = [
      { role: 'system', content: 'Be brief.', name: 'boss' },
      { role: 'user', content: parts },
    ]
    const { id } = await completions.create(ask('', { messages }))
    const { data } = await completions.messages.list(id)
    expect(data).toEqual([
      { id: `${id}-0`, role: 'system', content: 'Be brief.', refusal: null, name: 'boss', content_parts: null },
      { id: `${id}-1`, role: 'user', content: null, refusal: null, name: null, content_parts: parts },
    ])
    const last = await completions.messages.list(id, { order: 'desc', limit: 1 })
    expect(last.data.map((message) => message.id)).toEqual([`${id}-1`])
  })

  test('each key has its own completions, and so has each session of a key', async () => {
    const { id } = await completionsOf().create(ask('one'))
    await expect(completionsOf('sk-other').retrieve(id)).rejects.toBeInstanceOf(NotFoundError)
    const headers = { 'x-mock-session': 't1' }
    const inSession = await completionsOf().create(ask('one'), { headers })
    await completionsOf().delete(inSession.id, { headers })
    expect((await completionsOf().retrieve(id)).id).toBe(id)
  })

  test('reset forgets them', async () => {
    const { id } = await completionsOf().create(ask('one'))
    mock.reset()
    await expect(completionsOf().retrieve(id)).rejects.toBeInstanceOf(NotFoundError)
  })

  test.each([
    ['limit=0', 'limit', 'integer_below_min_value'],
    ['limit=101', 'limit', 'integer_above_max_value'],
    ['limit=ten', 'limit', 'invalid_type'],
    ['order=up', 'order', 'invalid_value'],
  ])('a list with %s is refused', async (query, param, code) => {
    const asked = completionsOf().list({}, { query: Object.fromEntries([query.split('=')]) })
    await expect(asked).rejects.toBeInstanceOf(BadRequestError)
    await expect(asked).rejects.toMatchObject({ param, code })
  })

  test('a list is refused with more metadata than a completion can have', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'x']))
    const code = 'object_above_max_properties'
    await expect(completionsOf().list({ metadata })).rejects.toMatchObject({ param: 'metadata', code })
  })

  test('a preflight allows every method of a completion', async () => {
    const response = await fetch(`${opened.baseUrl}/chat/completions/chatcmpl-x`, { method: 'OPTIONS' })
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE, OPTIONS')
  })
})
