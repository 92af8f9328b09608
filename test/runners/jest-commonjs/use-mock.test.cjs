const { createMock } = require('llm-api-mock')
const { useMock } = require('llm-api-mock/jest')
const { RequestHandler } = require('msw')
const { OpenAI } = require('openai')

const mock = useMock('rate-limited')
const keys = new Set()

/** @param {string} apiKey */
const embed = (apiKey) => new OpenAI({ apiKey }).embeddings.create({ model: 'hash-1', input: 'Hello' })

test.each(['one', 'two'])('each test has its own key and an empty journal: %s', async () => {
  expect(mock).toHaveReceived({ times: 0 })
  await embed(mock.key)
  expect(mock).toHaveReceived({ key: mock.key, times: 1 })
  keys.add(mock.key)
})

test('the keys of tests differ', () => {
  expect(keys.size).toBe(2)
  expect(mock.keyOf('one')).not.toBe(mock.keyOf('two'))
})

test('a matcher that fails says which call came closest', async () => {
  await embed(mock.key)
  expect(() => expect(mock).toHaveReceived({ status: 500 })).toThrow('expected status 500, got 200')
  expect(createMock()).not.toHaveReceived({ status: 500 })
  // @ts-expect-error there is no such condition
  expect(() => expect(mock).toHaveReceived({ usr: 'x' })).toThrow("Did you mean 'user'?")
})

test('the package and the project use one copy of msw', () => {
  expect(mock.handlers[0]).toBeInstanceOf(RequestHandler)
})
