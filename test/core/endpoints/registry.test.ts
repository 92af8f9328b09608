/** What is true of every endpoint. */
import { expect, test } from 'vitest'
import {
  ENDPOINT_NAMES,
  ENDPOINTS,
  type EndpointDescription,
  MODEL_ENDPOINTS,
} from '../../../src/core/request/endpoints.ts'
import { nearestRoute, routeOf } from '../../../src/core/request/route.ts'
import { mockWith } from '../../support/core.ts'

const described = Object.entries<EndpointDescription>(ENDPOINTS)

test.each(described)('%s has a route for each of its paths', (name, { method, paths, readsBody }) => {
  for (const path of paths) {
    const route = routeOf(method, path.replace(/\{\w+\}$/, 'some%2Fname'))
    expect(route).toMatchObject({ endpoint: name, allow: method, readsBody })
    expect(route.parameter).toBe(path.endsWith('}') ? 'some/name' : undefined)
  }
})

test.each(described)('%s reads no body when the method is wrong', (_, { method, paths }) => {
  expect(routeOf(method === 'GET' ? 'POST' : 'GET', paths[0]!).readsBody).toBe(false)
})

test.each(described)('%s has fixed paths if it reads a body, because parsed bodies are cached', (_, description) => {
  expect(description.readsBody && description.paths.some((path) => path.includes('{'))).toBe(false)
})

test.each(MODEL_ENDPOINTS)('%s refuses an empty object for its missing model', (name) => {
  const { method, paths } = ENDPOINTS[name]
  const { status, text } = mockWith().answer({ method, path: paths[0], body: {} })
  expect({ status, param: JSON.parse(text).error.message }).toEqual({
    status: 400,
    param: 'you must provide a model parameter',
  })
})

test("an unknown path has the endpoint 'unknown'", () => {
  expect(routeOf('GET', '/v1/model').endpoint).toBe('unknown')
  expect(routeOf('GET', '/v1/models/').endpoint).toBe('unknown')
  expect(routeOf('POST', '/v1/constructor')).toMatchObject({ endpoint: 'unknown', allow: undefined, readsBody: false })
})

test('an unknown path is compared with the paths of every endpoint', () => {
  for (const name of ENDPOINT_NAMES) {
    const { method, paths } = ENDPOINTS[name]
    expect(nearestRoute(`${paths[0]}x`)).toBe(`${method} ${paths[0]}`)
  }
})
