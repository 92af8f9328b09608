/** Every error of the catalogue is provoked by its own example. */
import { expect, test } from 'vitest'
import { exampleOf } from '../../../../scripts/tables/error-examples.ts'
import { type ErrorName, errorKinds } from '../../../../src/core/protocol/errors/error-catalogue.ts'
import { type ModelEndpoint, pathOf } from '../../../../src/core/protocol/request/endpoints.ts'
import { builtInScenarios } from '../../../../src/generated/built-in.ts'
import { HELLO, mockWith, read } from '../../../support/core.ts'

const BODIES = {
  chat: HELLO,
  embeddings: { model: 'hash-1', input: 'Hello there!' },
  responses: { model: 'echo-1', input: 'Hello there!' },
}
const MODELS = { chat: 'gpt-4o-mini', embeddings: 'text-embedding-3-small', responses: 'gpt-4o-mini' }
const entries = (Object.keys(errorKinds) as ErrorName[]).map((name) => ({ name, ...exampleOf(name) }))

// Examples that are code: a fault, or fields of a request, perhaps of another endpoint, perhaps in a scenario.
const EXAMPLE =
  /^(?:x-mock-fault: (?<fault>.+)|(?:(?<endpoint>embeddings|responses) )?(?<fields>\{".*\})(?:, in the scenario (?<scenario>\w+))?)$/
const examples = entries.filter(({ provoke }) => EXAMPLE.test(provoke))

test.each(examples)('$name is provoked as docs/wire.md says: $provoke', ({ name, provoke }) => {
  const { fault, endpoint = 'chat', fields = '{}', scenario = 'default' } = EXAMPLE.exec(provoke)!.groups!
  const mock = mockWith(builtInScenarios[scenario as 'default'])
  const body = BODIES[endpoint as keyof typeof BODIES]
  const plan = mock.plan({
    path: pathOf(endpoint as ModelEndpoint),
    body: {
      ...body,
      ...(scenario === 'openai' && { model: MODELS[endpoint as keyof typeof MODELS] }),
      ...JSON.parse(fields),
    },
    headers: fault === undefined ? {} : { 'x-mock-fault': fault },
  })
  const { type = 'invalid_request_error', code = null } = errorKinds[name] as { type?: string; code?: string | null }
  const { error } = JSON.parse(read(plan).text)
  expect(error).toMatchObject({ type, code })
  expect(`${error.message} ${error.param}`).not.toMatch(/\{\w+\}|undefined/)
  if (fault === undefined) expect(plan.reason.name).toBe(name)
})

test('most examples are code that is run here', () => {
  expect(examples.length).toBeGreaterThan(35)
})
