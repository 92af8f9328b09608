/** Which endpoint, base path and session the address of a call names. */
import { expect, test } from 'vitest'
import { readAddress, readAddressBelow, sessionUrl } from '../../../../src/core/protocol/request/request-path.ts'

const PLAIN = { session: undefined, deployment: undefined, acceptsApiKey: false }
const CHAT = '/v1/chat/completions'

test.each([
  [CHAT, { path: CHAT }],
  ['/api/v1/chat/completions', { path: CHAT }],
  ['/api/proxy/v1/models/a/v1/b', { path: '/v1/models/a/v1/b' }],
  ['/v1/v1/chat/completions', { path: '/v1/v1/chat/completions' }],
  ['/chat/completions', { path: '/chat/completions' }],
  ['/v10/chat/completions', { path: '/v10/chat/completions' }],
  ['/', { path: '/' }],
  ['/s/t1/v1/chat/completions', { path: CHAT, session: 't1' }],
  ['/api/s/t1/v1/chat/completions', { path: CHAT, session: 't1' }],
  ['/s//v1/chat/completions', { path: CHAT, session: '' }],
  ['/s/a%20b/v1/chat/completions', { path: CHAT, session: 'a%20b' }],
  ['/s/t1/chat/completions', { path: '/s/t1/chat/completions' }],
  ['/openai/v1/chat/completions', { path: CHAT, acceptsApiKey: true }],
  ['/s/t1/openai/v1/chat/completions', { path: CHAT, session: 't1', acceptsApiKey: true }],
  ['/openai/s/t1/v1/chat/completions', { path: CHAT, session: 't1', acceptsApiKey: true }],
  ['/openai/deployments/gpt-4o/chat/completions', { path: CHAT, deployment: 'gpt-4o', acceptsApiKey: true }],
  [
    '/openai/deployments/my%20model/embeddings',
    { path: '/v1/embeddings', deployment: 'my model', acceptsApiKey: true },
  ],
  ['/openai/deployments/v1/embeddings', { path: '/v1/embeddings', deployment: 'v1', acceptsApiKey: true }],
  [
    '/s/t1/openai/deployments/m/embeddings',
    { path: '/v1/embeddings', session: 't1', deployment: 'm', acceptsApiKey: true },
  ],
  ['/openai/models', { path: '/v1/models', acceptsApiKey: true }],
])('a server reads the path %s', (pathname, address) => {
  expect(readAddress(pathname)).toEqual({ ...PLAIN, ...address })
})

test('a server also answers below a configured base path', () => {
  expect(readAddress('/llm/chat/completions', '/llm')).toEqual({ ...PLAIN, path: CHAT })
  expect(readAddress('/llm/s/t1/chat/completions', '/llm')).toEqual({ ...PLAIN, path: CHAT, session: 't1' })
  expect(readAddress(CHAT, '/llm')).toEqual({ ...PLAIN, path: CHAT })
  expect(readAddress('/other/chat/completions', '/llm')).toEqual({ ...PLAIN, path: '/other/chat/completions' })
})

test.each([
  ['/v1', CHAT, { path: CHAT }],
  ['/v1', '/s/t1/v1/models', { path: '/v1/models', session: 't1' }],
  ['/api/v1', '/api/s/t1/v1/models', { path: '/v1/models', session: 't1' }],
  ['/api', '/api/models', { path: '/v1/models' }],
  ['/api', '/api/s/t1/models', { path: '/v1/models', session: 't1' }],
  ['', '/models/v1', { path: '/v1/models/v1' }],
  ['', '/v1/models', { path: '/v1/models' }],
  ['/openai/v1', '/openai/s/t1/v1/models', { path: '/v1/models', session: 't1', acceptsApiKey: true }],
  ['/openai', '/openai/deployments/m/embeddings', { path: '/v1/embeddings', deployment: 'm', acceptsApiKey: true }],
  ['', '/s/t1/openai/deployments/m/a', { path: '/v1/a', session: 't1', deployment: 'm', acceptsApiKey: true }],
])('below the base path "%s", %s is an address', (basePath, pathname, address) => {
  expect(readAddressBelow(basePath, pathname)).toEqual({ ...PLAIN, ...address })
})

test.each([
  ['/v1', '/v1'],
  ['/v1', '/api/v1/models'],
  ['/api/v1', '/v1/models'],
  ['/api/v1', '/app/v1/models'],
  ['/v1', '/s/t1/models'],
])('below the base path %s, %s is no address of the API', (basePath, pathname) => {
  expect(readAddressBelow(basePath, pathname)).toBeUndefined()
})

test('the base URL of a session leads to the same paths', () => {
  for (const base of ['/v1', '/api/v1', '/api', '', '/openai', '/openai/v1']) {
    const { pathname } = new URL(sessionUrl(`http://localhost:4010${base}`, 't1'))
    const rest = '/embeddings'
    expect(readAddressBelow(base, pathname + rest)).toMatchObject({ path: '/v1/embeddings', session: 't1' })
  }
})

test('a long path that almost matches is read in linear time', () => {
  const long = `${'/s/openai/deployments'.repeat(20_000)}\n`
  expect(readAddress(long)).toMatchObject({ acceptsApiKey: true })
  expect(readAddress(`/s/${'a/s/'.repeat(100_000)}`).path).toHaveLength(400_003)
})
