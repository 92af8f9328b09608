/** What is refused before an endpoint is asked. */
import { expect, test } from 'vitest'
import { mockWith } from '../../../support/core.ts'

test('a path that the service has and the mock does not simulate is refused with its advice', () => {
  const mock = mockWith()
  const create = { method: 'POST', path: '/v1/files', body: {} }
  const advice =
    'This mock does not simulate files. Your own msw handlers can answer it, with --handlers or in your setupServer.'
  expect(mock.plan(create)).toMatchObject({ reason: { by: 'route', name: 'not-simulated' }, notes: [advice] })
  const { status, text } = mock.answer(create)
  expect(status).toBe(404)
  expect(JSON.parse(text).error.message).toBe(`Invalid URL (POST /v1/files). ${advice}`)
})

test('an unknown path gets no advice', () => {
  const plan = mockWith().plan({ path: '/v1/nonsense' })
  expect(plan).toMatchObject({ reason: { by: 'route', name: 'unknown-url' }, notes: [] })
})

test('a CORS preflight allows every page, the methods of the path, and the headers that it asks for', () => {
  const preflight = (headers: Readonly<Record<string, string>>) =>
    mockWith().answer({ method: 'OPTIONS', key: '', headers, body: '' })
  expect(preflight({ 'access-control-request-headers': 'x-mock-fault' })).toEqual({
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, GET, OPTIONS',
      'access-control-allow-headers': 'x-mock-fault',
      'access-control-allow-private-network': 'true',
      'access-control-max-age': '86400',
      vary: 'Origin, Access-Control-Request-Headers',
    },
    text: '',
  })
  expect(preflight({}).headers['access-control-allow-headers']).toBe('authorization, content-type')
})
