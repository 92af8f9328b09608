/**
 * Attack: a page of another site opens an EventSource to the stream that the page at `/_mock/` reads, and sees every call
 * as it happens; or it opens so many that nobody else can watch.
 * Defence: the stream is a part of the control plane: no other Origin, no other site, no CORS, and the token beyond
 * loopback. A refused request takes no place among the watchers.
 */
import { expect, test } from 'vitest'
import { errorIn, fetchFrom, serve } from '../support/http.ts'
import { attack } from './attacker.ts'

const path = '/_mock/events'

test.each([
  ['Origin: https://example.com'],
  ['Origin: http://127.0.0.1:1'],
  ['Origin: null'],
  ['Sec-Fetch-Site: cross-site'],
  ['Sec-Fetch-Site: same-site', 'Sec-Fetch-Mode: no-cors'],
])('an EventSource in a page of another site gets nothing (%s)', async (...headers) => {
  const server = await serve()
  const answer = await attack(server, { path, headers: [...headers, 'Accept: text/event-stream'] })
  expect(answer.status).toBe(403)
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  expect(answer.headers['content-type']).toContain('application/json')
  errorIn(answer)
})

test('a page that reconnects again and again takes no slot from allowed watchers', async () => {
  const server = await serve()
  for (let time = 0; time < 30; time++) await attack(server, { path, headers: ['Sec-Fetch-Site: cross-site'] })
  const response = await fetch(`${server.origin}${path}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
  await response.body!.cancel()
})

test('beyond loopback a stream needs the token, which an EventSource cannot send', async () => {
  const server = await serve('default', { listen: { host: '0.0.0.0', token: 'a-token' } })
  expect((await fetchFrom(server, { path, key: '' })).status).toBe(401)
  expect((await fetchFrom(server, { path: `${path}?token=a-token&access_token=a-token`, key: '' })).status).toBe(401)
})
