/**
 * Attack: `__proto__`, `constructor` and `prototype` as names, in bodies, scenarios, queries, options and schemas, to put
 * something into every object of the process, or to pass for a key, a model or a fault that is there.
 * Defence: names are looked up as own ones or in maps, objects from outside are read and never merged, and scenarios have
 * no `__proto__`.
 */
import { afterEach, expect, test } from 'vitest'
import { fetchFrom, HELLO, type HttpAnswer, type Served, serve, stillAnswers } from '../support/http.ts'

afterEach(() => {
  expect({}).not.toHaveProperty('polluted')
  expect({}).not.toHaveProperty('say')
  expect(Object.keys(Object.prototype)).toEqual([])
})

const put = (server: Served, body: unknown): Promise<HttpAnswer> =>
  fetchFrom(server, { path: '/_mock/scenario', method: 'PUT', body })

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']
const SLY = '{"polluted":true,"role":"user","model":"echo-1","content":"hi"}'
const withField = (name: string, value: string): string => `${JSON.stringify(HELLO).slice(0, -1)},"${name}":${value}}`

test.each(NAMES)('%s in a body is an ordinary name', async (key) => {
  const server = await serve()
  const bodies = [
    withField(key, SLY),
    `{"${key}":${SLY}}`,
    withField('metadata', `{"${key}":"x"}`),
    withField('logit_bias', `{"${key}":1}`),
    `{"model":"${key}","messages":[{"role":"user","content":"hi","${key}":${SLY}}]}`,
    `{"model":"echo-1","messages":[{"${key}":${SLY}}]}`,
  ]
  for (const body of bodies) expect([200, 400]).toContain((await fetchFrom(server, { body })).status)
  await stillAnswers(server)
})

test('in a schema it is an ordinary property', async () => {
  const server = await serve()
  const schema =
    '{"type":"object","properties":{"__proto__":{"type":"object","properties":{"polluted":{"const":true}},"required":["polluted"]}},"required":["__proto__"]}'
  const format = `{"type":"json_schema","json_schema":{"name":"a","schema":${schema}}}`
  const { json } = await fetchFrom(server, { body: withField('response_format', format) })
  expect(json.choices[0].message.content).toContain('"__proto__"')
})

test.each([
  'description: x\n__proto__: { polluted: true }\n',
  '{"description":"x","__proto__":{"polluted":true}}',
  '{"description":"x","constructor":{"prototype":{"polluted":true}}}',
  'description: x\nkeys: { __proto__: {} }\n',
  'description: x\nmodels: { __proto__: { polluted: true } }\n',
  'description: x\nreplies: [{ __proto__: { say: hi } }]\n',
  'description: x\nreplies: [{ say: hi, when: { __proto__: { user: x } } }]\n',
  '{"scenario":"flaky","__proto__":{"polluted":true}}',
])('prototype keys in a scenario pollute nothing: %j', async (text) => {
  const server = await serve()
  const answer = await put(server, text)
  expect([200, 400]).toContain(answer.status)
  expect({}).not.toHaveProperty('polluted')
  expect({}).not.toHaveProperty('say')
  server.mock.use('default')
  await stillAnswers(server)
})

test.each(NAMES)('%s is not accepted as a key, model, scenario, fault, option or filter', async (name) => {
  const server = await serve({ description: 'x', keys: { 'sk-test': {} }, models: { 'echo-1': {} } })
  expect((await fetchFrom(server, { key: name })).status).toBe(401)
  expect((await fetchFrom(server, { body: { ...HELLO, model: name } })).status).toBe(404)
  expect((await fetchFrom(server, { path: `/v1/models/${name}` })).status).toBe(404)
  expect((await put(server, { scenario: name })).status).toBe(404)
  expect((await fetchFrom(server, { headers: { 'x-mock-fault': name } })).status).toBe(400)
  expect((await fetchFrom(server, { headers: { 'x-mock-fault': `cut; ${name}=1` } })).status).toBe(400)
  const options = `{"fault":"cut","${name}":{"polluted":true}}`
  expect((await fetchFrom(server, { path: '/_mock/faults', body: options })).status).toBe(400)
  for (const query of [`${name}=1`, `${name}[polluted]=1`, `status=${name}`]) {
    expect((await fetchFrom(server, { path: `/_mock/journal?${query}` })).status).toBe(400)
  }
})
