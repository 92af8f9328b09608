/** Opens the page of a mock in Chromium, as the built package serves it, and watches for problems. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type * as mainEntry from '../../src/index.ts'
import type * as nodeEntry from '../../src/node.ts'

const DIST = resolve(import.meta.dirname, '../../dist')
export const KEY = 'sk-test-abcdefghijkl'

export interface OpenedPage {
  readonly page: Page
  readonly mock: mainEntry.Mock
  readonly server: nodeEntry.MockServer
  /** The paths that the page has loaded so far. */
  readonly loaded: readonly string[]
  /** Sends a call as an app would, and gives its status and text. */
  readonly ask: (content: string, headers?: Record<string, string>) => Promise<string>
}

interface Choice {
  readonly scenario?: Parameters<typeof mainEntry.createMock>[0]
  /** Below `/_mock/`. */
  readonly path?: string
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly colorScheme?: 'light' | 'dark'
  /** Problems that the page may write to the browser's log: an answer that is no 2xx is one. */
  readonly allowed?: RegExp
}

/** At the end of the test, nothing went wrong, and nothing was loaded from elsewhere. */
export async function openPage(
  browser: Browser,
  {
    scenario = 'default',
    path = '',
    viewport = { width: 1280, height: 800 },
    colorScheme = 'light',
    allowed,
  }: Choice = {},
): Promise<OpenedPage> {
  if (!existsSync(join(DIST, 'console/main.js'))) throw new Error('Failed to find dist. Run `npm run build` first.')
  const { createMock } = (await import(join(DIST, 'index.js'))) as typeof mainEntry
  const { listen } = (await import(join(DIST, 'node.js'))) as typeof nodeEntry
  const mock = createMock(scenario)
  const server = await listen(mock, { port: 0 })
  const permissions = ['clipboard-read', 'clipboard-write']
  const context = await browser.newContext({ colorScheme, viewport, permissions })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const problems: string[] = []
  const loaded: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && allowed?.test(message.text()) !== true) problems.push(message.text())
  })
  const { origin } = new URL(server.url)
  page.on('request', (request) => {
    const url = new URL(request.url())
    loaded.push(url.pathname)
    if (url.origin !== origin) problems.push(`loaded ${url}`)
  })
  onTestFinished(async () => {
    await context.close()
    await server.close(0)
    expect(problems).toEqual([])
  })
  await page.goto(`${server.controlUrl}/${path}`)
  await page.getByText('Live', { exact: true }).waitFor()
  const ask: OpenedPage['ask'] = async (content, headers = {}) => {
    const answer = await fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content }] }),
    })
    return `${answer.status} ${await answer.text().catch(() => 'broken')}`
  }
  return { page, mock, server, loaded, ask }
}
