/** Charges, headers, and the refusals of keys and embeddings over HTTP, compared with sections 11.6 to 11.8 of the wire contract. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EMBEDDINGS_PATH, errorIn, fetchFrom, HELLO, type HttpAnswer, type HttpCall, serve } from '../support/http.ts'

const FILE = resolve(import.meta.dirname, '../../../shared/contract.md')
const contract = existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\n## 11.')[1] : undefined

/** Checks that a fact of these tests is one of the contract, where that is beside the checkout. */
function expectInContract(text: string): void {
  if (contract !== undefined) expect(contract).toContain(text)
}

/** A first call, so that its headers show its own charge. The clock stands still. */
const ask = async (call: HttpCall): Promise<HttpAnswer> => fetchFrom(await serve('openai', { clock: 'manual' }), call)
const chat = (more: object): HttpCall => ({ body: { ...HELLO, model: 'gpt-4o-mini', ...more } })
const embeddings = (more: object): HttpCall => ({
  path: EMBEDDINGS_PATH,
  body: { model: 'text-embedding-3-small', input: 'hi', ...more },
})
const charged = ({ headers }: HttpAnswer): number =>
  Number(headers.get('x-ratelimit-limit-tokens')) - Number(headers.get('x-ratelimit-remaining-tokens'))

describe('the charge (11.7)', () => {
  const part = (more: object): HttpCall =>
    chat({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, more] }] })
  const png =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const image = part({ type: 'image_url', image_url: { url: png } })
  const tools = [{ type: 'function', function: { name: 'f', description: 'x'.repeat(999) } }]
  const three = [
    { role: 'system', content: 'é'.repeat(10) },
    { role: 'user', content: '世界'.repeat(5) },
    { role: 'user', content: '😀' },
  ]

  test.each<[string, HttpCall, number, number]>([
    ['18 bytes in a message', chat({ messages: [{ role: 'user', content: 'x'.repeat(18) }] }), 200, 5 + 1 + 1],
    ['20 + 30 + 4 bytes of UTF-8 in three messages', chat({ messages: three }), 200, 14 + 3 + 1],
    ['tools', chat({ messages: three, tools }), 200, 14 + 3 + 1],
    ['a completion cap and n', chat({ messages: three, max_tokens: 1000, n: 2 }), 200, 14 + 3 + 1],
    ['an image', image, 200, 1 + 1 + 1 + 765],
    ['a file', part({ type: 'file', file: { file_id: 'file-1' } }), 200, 1 + 1 + 1 + 765],
    ['a 400', chat({ messages: three, temperature: 3 }), 400, 14 + 3 + 1],
    ['a 400 without messages', chat({ messages: [] }), 400, 1],
    ['embeddings of 27 bytes', embeddings({ input: 'x'.repeat(27) }), 200, 6],
    ['embeddings of token numbers', embeddings({ input: [1, 2, 3] }), 200, 3],
    ['embeddings that are refused', embeddings({ input: 'x'.repeat(27), dimensions: -1 }), 400, 6],
  ])('%s', async (_, call, status, tokens) => {
    const answer = await ask(call)
    expect([answer.status, charged(answer)]).toEqual([status, tokens])
  })

  test('sound is free', async () => {
    const data = Buffer.from('RIFF').toString('base64')
    const { body } = part({ type: 'input_audio', input_audio: { data, format: 'wav' } })
    expect(charged(await ask({ body: { ...(body as object), model: 'gpt-audio-mini' } }))).toBe(3)
  })

  test('each call takes its charge from what is left, so that a client can count by the headers', async () => {
    const server = await serve('openai', { clock: 'manual' })
    const left: number[] = []
    for (const more of [{}, { n: 2 }, { temperature: 3 }, { stream: true, max_tokens: 50 }]) {
      const { headers } = await fetchFrom(server, chat({ messages: three, ...more }))
      left.push(Number(headers.get('x-ratelimit-remaining-tokens')))
    }
    expect(left.slice(1).map((one, index) => left[index]! - one)).toEqual([18, 18, 18])
  })

  test('images are counted in three headers of their own', async () => {
    const images = async (model: string): Promise<(string | null)[]> => {
      const { headers } = await ask({ body: { ...(image.body as object), model } })
      return ['limit', 'remaining', 'reset'].map((what) => headers.get(`x-ratelimit-${what}-input-images`))
    }
    expect(await images('gpt-4o-mini')).toEqual(['50000', '49999', '1ms'])
    expect((await images('gpt-4o')).slice(0, 2)).toEqual(['250000', '249999'])
    expectInContract('(50000, 49999, 1ms; gpt-4o 250000)')
    expect((await ask(chat({}))).headers.has('x-ratelimit-limit-input-images')).toBe(false)
  })
})

describe('headers (11.8)', () => {
  const EDGE = {
    'strict-transport-security': 'max-age=31536000; includeSubDomains; preload',
    'x-content-type-options': 'nosniff',
    'access-control-expose-headers': 'X-Request-ID',
    'cf-cache-status': 'DYNAMIC',
    server: 'cloudflare',
  }
  const calls: readonly [string, HttpCall][] = [
    ['a chat', chat({})],
    ['a stream', chat({ stream: true })],
    ['embeddings', embeddings({})],
    ['a 400', chat({ temperature: 3 })],
    ['a 404', chat({ model: 'x' })],
    ['a 401', { ...chat({}), key: '' }],
    ['the models', { path: '/v1/models', method: 'GET' }],
  ]

  test.each(calls)('%s has those of the edge', async (_, call) => {
    const { headers } = await ask(call)
    for (const [name, value] of Object.entries(EDGE)) {
      expect(headers.get(name), name).toBe(value)
      expectInContract(`${name} \`${value}\``)
    }
    expect(headers.get('cf-ray')).toMatch(/^[0-9a-f]{16}-[A-Z]{3}$/)
    expect(headers.get('alt-svc')).toBe('h3=":443"; ma=86400')
    expect(headers.has('x-should-retry')).toBe(false)
  })

  test.each(calls.filter(([name]) => name !== 'a 404' && name !== 'a 401'))(
    '%s has those of the service, and the content type without a charset if it is JSON',
    async (_, call) => {
      const { headers } = await ask(call)
      expect(headers.get('content-type')).toMatch(/^application\/json$|^text\/event-stream; charset=utf-8$/)
      expect(headers.get('openai-project')).toMatch(/^proj_[0-9A-Za-z]{24}$/)
      expect(headers.get('x-openai-proxy-wasm')).toBe('v0.1')
      expect(headers.get('x-envoy-upstream-service-time')).toBe(headers.get('openai-processing-ms'))
    },
  )

  test.each(calls.filter(([name]) => name === 'a 404' || name === 'a 401'))(
    '%s has a charset and no header of limits',
    async (_, call) => {
      const { headers } = await ask(call)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect([...headers.keys()].filter((name) => /^x-ratelimit-|^openai-/.test(name))).toEqual([])
    },
  )

  test('a call that came through TLS is not told to stay there, since browsers would refuse http to this host', async () => {
    const { headers } = await ask({ ...chat({}), headers: { 'x-forwarded-proto': 'https' } })
    expect(headers.has('strict-transport-security')).toBe(false)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('the same call has the same headers', async () => {
    const rayOf = async (key: string): Promise<string | null> => (await ask({ key, ...chat({}) })).headers.get('cf-ray')
    expect(await rayOf('sk-a')).toBe(await rayOf('sk-a'))
    expect(await rayOf('sk-a')).not.toBe(await rayOf('sk-b'))
  })
})

describe('the mask of a wrong key (11.6)', () => {
  const masks: readonly [string, string][] = [
    ['invalid-key', 'invalid-key'],
    ['sk-fake-key', 'sk-fake-key'],
    ['sk-', 'sk-'],
    ['123456789012', '123456789012'],
    ['sk-abcdefghijkl', 'sk-abcde***ijkl'],
    ['sk-abcdefghijklm', 'sk-abcde****jklm'],
    ['sk-abcdefghijklmn', 'sk-abcde*****klmn'],
    [`sk-abcde${'x'.repeat(23)}wxyz`, `sk-abcde${'*'.repeat(23)}wxyz`],
    [`sk-abcde${'x'.repeat(152)}wxyz`, `sk-abcde${'*'.repeat(152)}wxyz`],
  ]
  test.each(masks)('%s is shown as %s, and the journal shows less', async (key, mask) => {
    const own = await serve({ description: 'One key.', keys: { 'sk-known': {} } })
    const { message, code } = errorIn(await fetchFrom(own, { key, ...chat({}) }))
    expect(message).toBe(
      `Incorrect API key provided: ${mask}. You can find your API key at https://platform.openai.com/account/api-keys.`,
    )
    expect(code).toBe('invalid_api_key')
    if (key.length >= 5) expect(JSON.stringify(own.mock.journal)).not.toContain(key)
  })
})

describe('refusals of embeddings (11.6)', () => {
  const long = ' word'.repeat(8193)
  test.each<[string, object, string, string | null]>([
    ['a long string', { input: long }, "Invalid 'input': maximum context length is 8192 tokens.", null],
    [
      'the second of an array',
      { input: ['a', long] },
      "Invalid 'input[1]': maximum input length is 8192 tokens.",
      null,
    ],
    [
      'over 300,000 tokens',
      { input: Array(38).fill(Array(8000).fill(1)) },
      "Invalid 'input': maximum request size is 300000 tokens per request.",
      'max_tokens_per_request',
    ],
    [
      'dimensions before encoding_format',
      { dimensions: -1, encoding_format: 'bogus' },
      "-1 is less than the minimum of 1 - 'dimensions'",
      null,
    ],
  ])('%s', async (name, more, message, code) => {
    const answer = await ask(embeddings(more))
    expect(answer.status).toBe(400)
    expect(errorIn(answer)).toEqual({ message, type: 'invalid_request_error', param: null, code })
    if (name !== 'over 300,000 tokens' && !name.startsWith('dimensions')) expectInContract(`\`${message}\``)
  })

  test('ada-002 answers as text-embedding-ada-002-v2, in the body and in openai-model', async () => {
    const { headers, text } = await ask(embeddings({ model: 'text-embedding-ada-002' }))
    expect([JSON.parse(text).model, headers.get('openai-model')]).toEqual(Array(2).fill('text-embedding-ada-002-v2'))
    expectInContract('`text-embedding-ada-002-v2`')
  })
})
