/** Addresses that people try: Azure's, and real paths of the service that the mock does not simulate. */
import OpenAI, { AzureOpenAI, NotFoundError } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callLine } from '../../src/cli/output/log-entries.ts'
import { createMock, type ScenarioInput } from '../../src/index.ts'
import { intercept, listen } from '../../src/node.ts'
import { openAround } from '../support/open-around.ts'
import { IN_PROCESS_URL, transports } from '../support/transports.ts'

const HELLO = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'Hello there!' }] }
const SCENARIO: ScenarioInput = {
  keys: { 'azure-key': {} },
  models: { 'gpt-4o': {}, 'text-embedding-3-small': {} },
}
const AZURE_URL = 'https://example.openai.azure.com'

/** The places that Azure's addresses lead to: a server, and this process with three base URLs. */
const PLACES: readonly (readonly [name: string, baseURL: string | undefined])[] = [
  ['over HTTP', undefined],
  ['in process, below the endpoint', AZURE_URL],
  ['in process, below /openai', `${AZURE_URL}/openai`],
]

describe.each(PLACES)('the client of Azure %s', (_, baseURL) => {
  const mock = createMock(SCENARIO, { baseURL })
  let endpoint = AZURE_URL
  let close: () => unknown

  beforeAll(async () => {
    if (baseURL === undefined) {
      const server = await listen(mock, { port: 0 })
      endpoint = new URL(server.url).origin
      close = () => server.close(0)
    } else {
      const interception = intercept(mock, { onUnhandledRequest: 'error' })
      close = () => interception.close()
    }
  })
  afterAll(() => close())
  beforeEach(() => {
    mock.use(SCENARIO)
    mock.reset()
  })

  const clientOf = (options: object = {}): AzureOpenAI =>
    new AzureOpenAI({ endpoint, apiKey: 'azure-key', apiVersion: '2024-10-21', maxRetries: 0, ...options })

  test('gets chats and embeddings from deployments, with the key in api-key', async () => {
    const { choices, model } = await clientOf().chat.completions.create(HELLO)
    expect([choices[0]?.message.content, model]).toEqual(['Hello there!', 'gpt-4o'])
    const { data } = await clientOf().embeddings.create({ model: 'text-embedding-3-small', input: 'hi' })
    expect(data[0]?.embedding).toHaveLength(1536)
    expect(mock.journal[0]).toMatchObject({
      path: '/v1/chat/completions',
      query: 'api-version=2024-10-21',
      endpoint: 'chat',
      key: 'az****ey',
      model: 'gpt-4o',
    })
  })

  test('gets a stream from a deployment', async () => {
    const stream = await clientOf().chat.completions.create({ ...HELLO, stream: true })
    let text = ''
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
    expect(text).toBe('Hello there!')
  })

  test('gets a 401 for a wrong key and a 404 for a deployment that does not exist', async () => {
    await expect(clientOf({ apiKey: 'other-key' }).chat.completions.create(HELLO)).rejects.toThrow(
      /^401 Incorrect API key/,
    )
    const missing = clientOf({ deployment: 'none' }).embeddings.create({ model: 'x', input: 'hi' })
    await expect(missing).rejects.toBeInstanceOf(NotFoundError)
  })

  test('the deployment names the model only if the body names none', async () => {
    const ask = async (deployment: string, more: object = {}) => {
      const response = await fetch(`${endpoint}/openai/deployments/${deployment}/chat/completions`, {
        method: 'POST',
        headers: { 'api-key': 'azure-key', 'content-type': 'application/json' },
        body: JSON.stringify({ messages: HELLO.messages, ...more }),
      })
      return (await response.json()) as { model?: string; id?: string }
    }
    mock.use('default')
    const [one, other, named] = [await ask('one'), await ask('other'), await ask('one', { model: 'named' })]
    expect([one.model, other.model, named.model]).toEqual(['one', 'other', 'named'])
    expect(new Set([one.id, other.id, named.id]).size).toBe(3)
    expect(mock.journal.map(({ attempt }) => attempt)).toEqual([1, 1, 1])
  })

  test('a session in the address of Azure is a session', async () => {
    if (baseURL?.endsWith('/openai')) return void expect(mock.baseURLOf('t1')).toBe(`${baseURL}/s/t1`)
    const client = new AzureOpenAI({ endpoint: `${endpoint}/s/t1`, apiKey: 'azure-key', apiVersion: '2024-10-21' })
    await client.chat.completions.create(HELLO)
    expect(mock.journal[0]).toMatchObject({ session: 't1', status: 200 })
  })

  test('the version 1 of Azure takes both headers', async () => {
    const baseURL = `${endpoint}/openai/v1`
    for (const headers of [{ 'api-key': 'azure-key' }, { authorization: 'Bearer azure-key' }])
      expect((await fetch(`${baseURL}/models`, { headers })).status).toBe(200)
    expect((await fetch(`${baseURL}/models`)).status).toBe(401)
  })
})

test('other addresses do not take the header api-key', async () => {
  await using server = await listen(createMock(), { port: 0 })
  expect((await fetch(`${server.url}/models`, { headers: { 'api-key': 'azure-key' } })).status).toBe(401)
})

describe.each(transports)('over $name', (transport) => {
  const mock = createMock('default', { baseURL: IN_PROCESS_URL })
  const opened = openAround(transport, mock)

  test('legacy completions are a 404 that names the switch of each client, and the journal has the body', async () => {
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: opened.baseUrl, maxRetries: 0 })
    const error: unknown = await client.completions
      .create({ model: 'gpt-3.5-turbo-instruct', prompt: 'Hello!' })
      .catch((one: unknown) => one)
    expect(error).toBeInstanceOf(NotFoundError)
    const { message, code, param } = error as NotFoundError
    expect(message).toMatch(
      /^404 Invalid URL \(POST \/v1\/completions\)\. This mock does not simulate legacy completions\. Use chat/,
    )
    for (const part of ['openai.chat(', 'ChatOpenAI', 'client.chat.completions']) expect(message).toContain(part)
    expect([code, param]).toEqual([null, null])
    const entry = mock.journal.at(-1)!
    expect(entry).toMatchObject({
      endpoint: 'unknown',
      model: 'gpt-3.5-turbo-instruct',
      body: { prompt: 'Hello!' },
      reason: { by: 'route', name: 'not-simulated' },
      notes: [expect.stringContaining('does not simulate legacy completions')],
    })
    expect(callLine(entry, (_, text) => text)).toContain('openai.chat(')
  })

  test('what is not simulated below responses and beside them says what to do instead', async () => {
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: opened.baseUrl, maxRetries: 0 })
    const compact = client.post('/responses/compact', { body: { model: 'gpt-5', input: 'Hello!' } })
    await expect(compact).rejects.toThrow('does not simulate background responses or compaction. Send a response')
    await expect(client.conversations.create({})).rejects.toThrow('Chain responses with previous_response_id instead.')
  })

  test.each([
    ['POST', '/completions', 'legacy completions'],
    ['POST', '/images/generations', 'images'],
    ['POST', '/audio/speech', 'speech and transcription'],
    ['POST', '/moderations', 'moderations'],
    ['GET', '/files', 'files'],
    ['POST', '/batches', 'batches'],
    ['GET', '/fine_tuning/jobs', 'fine-tuning'],
    ['GET', '/assistants/asst_1', 'the Assistants API'],
    ['POST', '/threads/runs', 'the Assistants API'],
    ['GET', '/vector_stores', 'vector stores'],
    ['POST', '/uploads', 'uploads'],
    ['POST', '/realtime/sessions', 'the Realtime API'],
  ])('%s %s is a 404 that says what is not simulated', async (method, path, what) => {
    const response = await fetch(opened.baseUrl + path, { method, headers: { authorization: 'Bearer sk-test' } })
    const { error } = (await response.json()) as { error: { message: string } }
    expect([response.status, Object.keys(error)]).toEqual([404, ['message', 'type', 'param', 'code']])
    expect(error.message).toContain(`Invalid URL (${method} /v1${path}). This mock does not simulate ${what}.`)
  })

  test('a body with a key is masked, and one that is not JSON is not stored', async () => {
    const post = (body: string, contentType = 'application/json') =>
      fetch(`${opened.baseUrl}/images/edits`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk-test', 'content-type': contentType },
        body,
      })
    await post('{"prompt":"my key is sk-abcdefghijklmnopqrstuvwx"}')
    expect(mock.journal.at(-1)?.body).toEqual({ prompt: 'my key is sk-abcde****uvwx' })
    expect((await post('--x', 'multipart/form-data; boundary=x')).status).toBe(404)
    expect(mock.journal.at(-1)?.body).toBeUndefined()
  })
})
