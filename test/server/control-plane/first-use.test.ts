/** The control plane costs nothing until it is asked for: Express is loaded at its first call. */
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { fetchFrom, serve, stillAnswers } from '../../support/http.ts'

const { cache } = createRequire(import.meta.url)
const isExpressLoaded = (): boolean =>
  Object.keys(cache).some((file) => /[/\\]node_modules[/\\]express[/\\]/.test(file))

test('Express is loaded on the first call to the control plane, not before', async () => {
  const server = await serve()
  await stillAnswers(server)
  expect((await fetchFrom(server, { path: '/v1/foo' })).status).toBe(404)
  expect(isExpressLoaded()).toBe(false)
  expect((await fetchFrom(server, { path: '/_mock/health' })).status).toBe(200)
  expect(isExpressLoaded()).toBe(true)
})

test('calls that arrive while Express is being loaded are all answered', async () => {
  const server = await serve()
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetchFrom(server, { path: '/_mock/health' })))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
})
