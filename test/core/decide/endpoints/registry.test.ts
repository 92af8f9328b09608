/** What is true of every endpoint. */
import { expect, test } from 'vitest'
import {
  ENDPOINTS,
  type EndpointDescription,
  MODEL_ENDPOINTS,
  pathOf,
} from '../../../../src/core/protocol/request/endpoints.ts'
import { nearestRoute, routeOf } from '../../../../src/core/protocol/request/request-path.ts'
import { mockWith } from '../../../support/core.ts'

const described = Object.entries<EndpointDescription>(ENDPOINTS)

const routes = described.flatMap(([endpoint, { routes, readsBody }]) =>
  routes.map((name) => {
    const [method = '', path = ''] = name.split(' ')
    return { endpoint, name, method, path, readsBody }
  }),
)

test.each(routes)('$name leads to $endpoint', ({ endpoint, name, method, path, readsBody }) => {
  const route = routeOf(method, path.replace(/\{\+?\w+\}/, 'some%2Fname'))
  expect(route).toMatchObject({ endpoint, name, accepts: true, readsBody, parsesBody: method === 'POST' })
  expect(route.parameter).toBe(path.includes('{') ? 'some/name' : undefined)
})

test.each(routes)('the path of $name refuses other methods, and reads no body then', ({ method, path }) => {
  const route = routeOf('PUT', path)
  expect(route).toMatchObject({ accepts: false, readsBody: false, parsesBody: false })
  expect(route.allow!.split(', ')).toContain(method)
})

test.each(described)('%s has fixed paths if it reads a body, because parsed bodies are cached', (_, description) => {
  expect(description.readsBody && description.routes.some((route) => route.includes('{'))).toBe(false)
})

test('a parameter is one segment, and with a plus any number of them', () => {
  expect(routeOf('GET', '/v1/models/meta-llama/Llama-3')).toMatchObject({ parameter: 'meta-llama/Llama-3' })
})

test.each(MODEL_ENDPOINTS)('%s refuses an empty object for its missing model', (name) => {
  const { status, text } = mockWith().answer({ method: 'POST', path: pathOf(name), body: {} })
  expect({ status, message: JSON.parse(text).error.message }).toEqual({
    status: 400,
    message:
      routeOf('POST', pathOf(name)).readsItems === true
        ? "Missing required parameter: 'model'."
        : 'you must provide a model parameter',
  })
})

test("an unknown path has the endpoint 'unknown'", () => {
  expect(routeOf('GET', '/v1/model').endpoint).toBe('unknown')
  expect(routeOf('GET', '/v1/models/').endpoint).toBe('unknown')
  expect(routeOf('POST', '/v1/constructor')).toMatchObject({ endpoint: 'unknown', allow: undefined, accepts: false })
})

test('an unknown path is compared with the paths of every endpoint', () => {
  for (const { name, path } of routes.filter((one) => !one.path.includes('{'))) {
    const first = routes.find((one) => one.path === path)!
    expect(nearestRoute(`${path}x`), name).toBe(first.name)
  }
})

test('the models of a scenario are a list', () => {
  const mock = mockWith({ models: { 'gpt-4o': {}, 'gpt-5': {} } })
  const { object, data } = mock.json({ method: 'GET', path: '/v1/models' })
  expect(object).toBe('list')
  expect(data.map(({ id }: { id: string }) => id)).toEqual(['gpt-4o', 'gpt-5'])
  expect(mock.json({ method: 'GET', path: '/v1/models/gpt-5' })).toEqual(data[1])
})
