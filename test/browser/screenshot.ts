/**
 * Takes the screenshots of the page: docs/page.png, which README.md shows, and docs/picture.png. Needs the built package and a
 * Chromium.
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

  await fetch(`${server.controlUrl}/reset`, { method: 'POST' })
  await Promise.all([askAgain('Weather in Rome?', ['server-error', 'overloaded']), askAll('Weather in Oslo?')])
  await page.goto(`${server.controlUrl}/picture`)
  await page.locator('.lane').first().waitFor()
  await page.setViewportSize({ width: 1360, height: 690 })
  await page.screenshot({ path: fileURLToPath(new URL('docs/picture.png', root)) })
} finally {
  await browser.close()
  await server.close(0)
}

/** Asks until the answer has no fault, with a wait that doubles. */
async function askAgain(content: string, faults: readonly (string | undefined)[], key = KEY): Promise<void> {
  for (const [tries, fault] of [...faults, undefined].entries()) {
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, 120 * 2 ** tries))
    await ask(content, { stream: true }, fault, key)
  }
}

/** Asks several times at once, beyond the limits, and with a stream that is cut. */
async function askAll(content: string): Promise<void> {
  const key = 'sk-test-worker-mnopqrst'
  await Promise.all(['And Bergen?', 'And Lima?', content].map((one) => ask(one, { stream: true }, undefined, key)))
  await askAgain('What should I pack?', ['cut; after=4'], key)
  for (const one of ['A joke', 'Another joke', 'A third joke']) await ask(one, {}, undefined, key)
}

async function ask(content: string, fields: object = {}, fault?: string, key = KEY): Promise<void> {
  const response = await fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(fault !== undefined && { 'x-mock-fault': fault }),
    },
    body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content }], ...fields }),
  })
  // A cut stream rejects, as it should.
  await response.text().catch(() => {})
}
