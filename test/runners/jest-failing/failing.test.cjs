const { useMock } = require('llm-api-mock/jest')
const { OpenAI } = require('openai')

const mock = useMock({ replies: [{ when: { user: 'weather' }, say: 'Sunny.' }] })
const ask = () =>
  new OpenAI({ apiKey: mock.key, maxRetries: 0 }).chat.completions.create({
    model: 'echo-1',
    messages: [{ role: 'user', content: 'weather' }],
  })

test('an assertion fails', async () => {
  const { choices } = await ask()
  expect(choices[0].message.content).toBe('Rainy.')
})

test('the client throws', async () => {
  mock.inject('server-error')
  await ask()
})

describe('with a hook', () => {
  afterEach(() => {
    throw new Error('The hook throws.')
  })
  test('the hook throws', ask)
})

test('nothing fails', ask)

test('a fault is injected for nothing', () => mock.inject('hang'))
