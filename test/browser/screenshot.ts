/**
 * Takes the screenshot of the page that README.md shows, docs/page.png. Needs the built package and a Chromium.
 *
 *   npm run build && npm run browser:install && npx tsx test/browser/screenshot.ts
 */
import { fileURLToPath } from 'node:url'
import type * as mainEntry from '../../src/index.ts'
import type * as nodeEntry from '../../src/node.ts'
import { launchChromium } from './chromium.ts'

const root = new URL('../../', import.meta.url)
const KEY = 'sk-test-abcdefghijkl'

const scenario: mainEntry.ScenarioInput = {
  description: 'A weather assistant with a small account.',
  replies: [
    { when: { user: /weather in (?<city>\w+)/i }, say: 'It is 21 degrees and sunny in {{city}}.' },
    { when: { user: /pack/ }, say: 'Take a light jacket: the evening is cool.' },
  ],
  limits: { requests: '5 per minute', tokens: '2000 per minute' },
  pace: { firstToken: '120ms', perToken: '8ms' },
}

const load = async <Entry>(path: string): Promise<Entry> => (await import(new URL(path, root).href)) as Entry
const { createMock } = await load<typeof mainEntry>('dist/index.js')
const { listen } = await load<typeof nodeEntry>('dist/node.js')

const server = await listen(createMock(scenario), { port: 0 })
const browser = await launchChromium()
try {
  const page = await browser.newPage({ viewport: { width: 1360, height: 760 }, colorScheme: 'light' })
  // The first call loads a token table, which would be most of its duration.
  await ask('Hello')
  await fetch(`${server.controlUrl}/reset`, { method: 'POST' })
  await page.goto(`${server.controlUrl}/`)
  await ask('Weather in Oslo?', { stream: true })
  await ask('What should I pack?')
  await ask('Tell me a joke')
  await ask('Weather in Rome?', { stream: true }, 'server-error')
  await ask('Weather in Rome?', { stream: true }, 'cut; after=4')
  await ask('Weather in Rome?', { stream: true })
  await ask('Weather in Lima?')
  await page.getByRole('row').nth(3).click()
  await page.waitForTimeout(500)
  await page.screenshot({ path: fileURLToPath(new URL('docs/page.png', root)) })
} finally {
  await browser.close()
  await server.close(0)
}

async function ask(content: string, fields: object = {}, fault?: string): Promise<void> {
  const response = await fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      ...(fault !== undefined && { 'x-mock-fault': fault }),
    },
    body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content }], ...fields }),
  })
  // A cut stream rejects, as it should.
  await response.text().catch(() => {})
}
