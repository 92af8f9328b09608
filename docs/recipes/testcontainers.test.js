// Testcontainers (npm install -D testcontainers): the image, started by the tests themselves.
// REGISTRY is where you have pushed the image that `npm run build:image` builds.
// Not run here, because no container engine is available: test/image runs the image.
import { after, before, test } from 'node:test'
import OpenAI from 'openai'
import { GenericContainer, Wait } from 'testcontainers'

let container
before(async () => {
  container = await new GenericContainer('REGISTRY/llm-api-mock:0.1.0')
    .withExposedPorts(4010)
    .withEnvironment({ API_MOCK_SCENARIO: 'flaky', API_MOCK_TOKEN: 'token-of-the-tests' })
    .withWaitStrategy(Wait.forHttp('/health', 4010))
    .start()
})
after(() => container.stop())

test('the app recovers from errors', async () => {
  const baseURL = `http://${container.getHost()}:${container.getMappedPort(4010)}/v1`
  const client = new OpenAI({ apiKey: 'sk-test', baseURL })
  await client.models.list()
})
