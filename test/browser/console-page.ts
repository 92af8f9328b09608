/** Opens the page at /_mock/ of the built package in a browser, and checks at the end that nothing went wrong in it. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import type * as mainEntry from '../../src/index.ts'
import type * as nodeEntry from '../../src/node.ts'
import { launchChromium } from './chromium.ts'

const DIST = resolve(import.meta.dirname, '../../dist')
const { SCREENSHOTS } = process.env

export const KEY = 'sk-test-abcdefghijkl'

let browser: Browser
let createMock: typeof mainEntry.createMock
export let listen: typeof nodeEntry.listen

/** Starts the browser for the tests of a file. */
export function useBrowser(): void {
  beforeAll(async () => {
    if (!existsSync(join(DIST, 'console/main.js')))
      throw new Error('The package is not built. Run `npm run build` first.')
    ;({ createMock } = (await import(join(DIST, 'index.js'))) as typeof mainEntry)
    ;({ listen } = (await import(join(DIST, 'node.js'))) as typeof nodeEntry)
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())
}

export interface Opened {
  readonly page: Page
  readonly mock: mainEntry.Mock
  readonly server: nodeEntry.MockServer
  /** The addresses that the page has loaded so far. */
  readonly loaded: readonly string[]
  /** Sends a call as an app would, and gives its status and text. */
  readonly ask: (content: unknown, how?: AskOptions) => Promise<string>
}

interface AskOptions {
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

interface Choice {
  readonly scenario?: Parameters<typeof createMock>[0]
  readonly options?: Parameters<typeof createMock>[1]
  readonly listening?: nodeEntry.ListenOptions
  readonly colorScheme?: 'light' | 'dark'
  readonly size?: { readonly width: number; readonly height: number }
  /** The path below `/_mock`. */
  readonly path?: string
  /** Problems that the page may write to the browser's log: an answer that is no 2xx is one. */
  readonly allowed?: RegExp
  /** What happens to the mock before the page opens. */
  readonly before?: (opened: Omit<Opened, 'page' | 'loaded'>) => Promise<void>
}

export async function open(choice: Choice = {}): Promise<Opened> {
  const { scenario = 'default', listening = {}, colorScheme = 'light', allowed, path = '/' } = choice
  const mock = createMock(scenario, choice.options)
  const server = await listen(mock, { port: 0, ...listening })
  const context = await browser.newContext({
    colorScheme,
    viewport: choice.size ?? { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  // So that the failure is where something was waited for.
  context.setDefaultTimeout(8000)
  const page = await context.newPage()
  const problems: string[] = []
  const loaded: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && allowed?.test(message.text()) !== true) problems.push(message.text())
  })
  page.on('dialog', (dialog) => problems.push(`opened a dialog: ${dialog.message()}`))
  page.on('request', (request) => {
    loaded.push(request.url())
    if (!request.url().startsWith(`${server.controlUrl}/`) && !request.url().startsWith(`${server.url}/`))
      problems.push(`loaded ${request.url()}`)
  })
  onTestFinished(async () => {
    await context.close()
    await server.close(0)
    expect(problems).toEqual([])
  })
  const ask: Opened['ask'] = async (content, { body = {}, headers = {} } = {}) => {
    const messages = Array.isArray(content) ? content : [{ role: 'user', content }]
    const answer = await fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'echo-1', messages, ...body }),
    })
    return `${answer.status} ${await answer.text().catch(() => 'broken')}`
  }
  await choice.before?.({ mock, server, ask })
  await page.goto(`${server.controlUrl}${path}`)
  return { page, mock, server, loaded, ask }
}

/** Waits until the page follows the mock. */
export const live = (page: Page): Promise<void> => page.getByText('Live', { exact: true }).waitFor()

export const rows = (page: Page) => page.locator('.call-row')
export const row = (page: Page, number: number) => page.locator(`#call-${number}`)
/** The panel of the open call. */
export const panel = (page: Page) => page.getByRole('tabpanel')

/** With SCREENSHOTS=<folder>, leaves a picture there, to be looked at. */
export async function picture(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
}
