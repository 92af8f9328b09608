/**
 * The page at /_mock/ in a real browser, as the built package serves it.
 *
 *   npm run build && npx vitest run --config test/browser/vitest.config.ts console
 *
 * With SCREENSHOTS=<folder> it leaves pictures there, light and dark, to be looked at.
 */

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { getResponse } from 'msw'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type * as mainEntry from '../../src/index.ts'
import type * as nodeEntry from '../../src/node.ts'
import { launchChromium } from './chromium.ts'

const DIST = resolve(import.meta.dirname, '../../dist')
const KEY = 'sk-test-abcdefghijkl'
const { SCREENSHOTS } = process.env

let browser: Browser
let createMock: typeof mainEntry.createMock
let listen: typeof nodeEntry.listen

beforeAll(async () => {
  if (!existsSync(join(DIST, 'console/main.js')))
    throw new Error('The package is not built. Run `npm run build` first.')
  ;({ createMock } = (await import(join(DIST, 'index.js'))) as typeof mainEntry)
  ;({ listen } = (await import(join(DIST, 'node.js'))) as typeof nodeEntry)
  browser = await launchChromium()
})

afterAll(() => browser?.close())

interface Opened {
  readonly page: Page
  readonly mock: mainEntry.Mock
  readonly server: nodeEntry.MockServer
  /** Sends a call as an app would, and gives its status and text. */
  readonly ask: (content: string, how?: { body?: object; headers?: Record<string, string> }) => Promise<string>
}

interface Choice {
  readonly scenario?: Parameters<typeof createMock>[0]
  readonly listening?: nodeEntry.ListenOptions
  readonly colorScheme?: 'light' | 'dark'
  /** Problems that the page may write to the browser's log: an answer that is no 2xx is one. */
  readonly allowed?: RegExp
}

/** A mock, its page, and at the end a look that nothing went wrong and nothing was loaded from elsewhere. */
async function open({
  scenario = 'default',
  listening = {},
  colorScheme = 'light',
  allowed,
}: Choice = {}): Promise<Opened> {
  const mock = createMock(scenario)
  const server = await listen(mock, { port: 0, ...listening })
  const context = await browser.newContext({
    colorScheme,
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  // So that the failure is where something was waited for.
  context.setDefaultTimeout(8000)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && allowed?.test(message.text()) !== true) problems.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(`${server.controlUrl}/`)) problems.push(`loaded ${request.url()}`)
  })
  onTestFinished(async () => {
    await context.close()
    await server.close(0)
    expect(problems).toEqual([])
  })
  await page.goto(`${server.controlUrl}/`)
  const ask: Opened['ask'] = async (content, { body = {}, headers = {} } = {}) => {
    const answer = await fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content }], ...body }),
    })
    return `${answer.status} ${await answer.text().catch(() => 'broken')}`
  }
  return { page, mock, server, ask }
}

const live = (page: Page): Promise<void> => page.getByText('Live', { exact: true }).waitFor()
const rows = (page: Page) => page.locator('#calls tr:visible')
const call = (page: Page, number: number) => page.getByRole('button', { name: `Call ${number}`, exact: true })
const message = (page: Page) => page.locator('#message')

async function picture(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
}

test('calls appear as they happen, newest first, with the reason for each answer', async () => {
  const { page, ask } = await open()
  await live(page)
  await ask('Hello there!')
  await ask('Fail, please', { headers: { 'x-mock-fault': 'overloaded' } })
  await expect.poll(() => rows(page).count()).toBe(2)
  expect(await rows(page).nth(0).textContent()).toMatch(/^2\d\d:.*503.*Fail, please.*fault overloaded \(header\)/)
  expect(await rows(page).nth(1).textContent()).toMatch(/^1\d\d:.*200.*Hello there!.*echo/)
})

test('a hanging call is shown while it hangs, and then that the client left', async () => {
  const { page, server } = await open()
  await live(page)
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${KEY}`, 'x-mock-fault': 'hang' }
  const hanging = fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers,
    body: '{}',
    signal: leaving.signal,
  })
  await page.getByText('in progress').waitFor()
  leaving.abort()
  await hanging.catch(() => {})
  await page.getByText('client left').waitFor()
})

test('the keyboard alone is enough to move between calls, open one, filter and close', async () => {
  const { page, ask } = await open()
  await live(page)
  for (const word of ['one', 'two', 'three']) await ask(word)
  await call(page, 3).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Call 2' }).waitFor()
  // One open, the next opens as one gets to it.
  await page.keyboard.press('ArrowDown')
  await page.getByRole('heading', { name: 'Call 1' }).waitFor()
  await page.keyboard.press('k')
  await page.getByRole('heading', { name: 'Call 2' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await page.getByRole('heading', { name: 'Call 2' }).count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('2')

  await page.keyboard.press('/')
  await page.keyboard.type('three')
  await expect.poll(() => rows(page).count()).toBe(1)
  expect(await page.locator('#count').textContent()).toBe('1 of 3')
  await page.keyboard.press('Escape')
  await expect.poll(() => rows(page).count()).toBe(3)

  await page.keyboard.press('?')
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor({ state: 'hidden' })
})

test('calls are filtered by status, endpoint, key and reason for failure', async () => {
  const { page, ask } = await open()
  await live(page)
  await ask('one')
  await ask('two', { headers: { 'x-mock-fault': '429' } })
  await ask('three', { headers: { authorization: 'Bearer sk-other-mnopqrstuv' }, body: { temperature: 9 } })
  await call(page, 3).waitFor()
  const chosen = async (label: string, value: string): Promise<string> => {
    await page.getByRole('form', { name: 'Calls' }).getByLabel(label, { exact: true }).selectOption(value)
    const numbers = await rows(page).locator('th').allTextContents()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => rows(page).count()).toBe(3)
    return numbers.join()
  }
  expect(await chosen('Status', '4xx')).toBe('3,2')
  expect(await chosen('Status', '200')).toBe('1')
  expect(await chosen('Endpoint', 'chat')).toBe('3,2,1')
  expect(await chosen('Key', 'sk-other****stuv')).toBe('3')
  expect(await chosen('Failure', 'rate-limit')).toBe('2')
  expect(await chosen('Failure', 'invalid request')).toBe('3')
})

test('an opened call shows its timeline, request and answer', async () => {
  const scenario = { description: 'A slow one.', pace: { firstToken: '60ms', perToken: '5ms' } } as const
  const { page, ask } = await open({ scenario })
  await live(page)
  await ask('one two three', { body: { stream: true } })
  await call(page, 1).click()
  const panel = page.getByRole('tabpanel')
  await panel.getByText('complete after').waitFor()
  const steps = panel.getByRole('region', { name: 'Steps of the answer' })
  expect(await steps.textContent()).toMatch(/\d+ ms60 mshead 200.*"one".*" two".*finish: stop.*\[DONE\].*end$/s)
  expect(await panel.getByRole('region', { name: 'Body of the request' }).textContent()).toContain('"one two three"')
  expect(await panel.locator('blockquote').textContent()).toBe('one two three')
})

test('the details of an open call are updated when it ends', async () => {
  const { page, ask } = await open({ scenario: { description: 'A slow one.', pace: { firstToken: '800ms' } } })
  await live(page)
  const asked = ask('one')
  await call(page, 1).click()
  await page.getByText('not finished yet').waitFor()
  await asked
  await page.getByText('complete after').waitFor()
})

test('the next calls fail with the chosen fault of the catalogue and its options', async () => {
  const { page, ask, mock } = await open()
  await live(page)
  await page.keyboard.press('f')
  await page.getByLabel('Fault', { exact: true }).selectOption('rate-limit')
  await page.getByLabel('retryAfter').fill('7s')
  await page.getByLabel('Times').fill('2')
  await page.getByRole('button', { name: 'Inject' }).click()
  await expect.poll(() => message(page).textContent()).toBe('The next 2 calls will get rate-limit.')
  await page.getByText('rate-limit × 2').waitFor()
  expect(await ask('one')).toMatch(/^429 .*try again in 7s/)
  await page.getByText('rate-limit × 1').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('rate-limit × 1').waitFor({ state: 'hidden' })
  expect(mock.injected).toEqual([])
  expect(await ask('two')).toMatch(/^200/)
})

test('a fault for one key and endpoint does not affect others; a wrong option is explained', async () => {
  const { page, ask } = await open({ allowed: /400 \(Bad Request\)/ })
  await live(page)
  await page.getByLabel('Fault', { exact: true }).selectOption('cut')
  await page.getByLabel('after').fill('many')
  await page.getByRole('button', { name: 'Inject' }).click()
  await expect
    .poll(() => message(page).textContent())
    .toContain("option 'after': expected a whole number from 0, got 'many'")
  await page.getByLabel('Fault', { exact: true }).selectOption('overloaded')
  const form = page.locator('#fault-form')
  await form.getByLabel('Endpoint').selectOption('chat')
  await form.getByLabel('Key').fill('sk-somebody-else')
  await page.getByRole('button', { name: 'Inject' }).click()
  await page.getByText('overloaded × 1').waitFor()
  expect(await ask('one')).toMatch(/^200/)
  expect(await ask('one', { headers: { authorization: 'Bearer sk-somebody-else' } })).toMatch(/^503/)
})

test('a scenario is switched and edited; a text with problems leaves it active', async () => {
  const { page, ask, mock } = await open({ allowed: /400 \(Bad Request\)/ })
  await live(page)
  await page.keyboard.press('s')
  await page.getByLabel('Built-in scenario').selectOption('outage')
  await page.getByRole('button', { name: 'Switch' }).click()
  await expect.poll(() => page.locator('#scenario-name').textContent()).toBe('outage')
  const text = page.getByLabel('Current scenario as YAML')
  await expect.poll(() => text.inputValue()).toContain('description: Every call is a 500.')
  expect(await ask('one')).toMatch(/^500/)

  await text.fill('# Mine.\ndescription: Mine.\nreplies:\n  - sya: Hello\n')
  await page.getByText('changed, not applied').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('the previous scenario stays active').waitFor()
  expect(mock.scenario.name).toBe('outage')
  await page.getByRole('button', { name: 'Go to line 4, column 5' }).click()
  expect(await text.evaluate((field: HTMLTextAreaElement) => field.selectionStart)).toBe(40)
  await page.keyboard.type('say')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => message(page).textContent()).toBe('The scenario is applied.')
  expect(await text.inputValue()).toBe('# Mine.\ndescription: Mine.\nreplies:\n  - say: Hello\n')
  expect(await ask('one')).toMatch(/^200 .*"Hello"/)
})

test('parts of a scenario that can never apply are listed with their line and column', async () => {
  const { page } = await open()
  await live(page)
  await page.keyboard.press('s')
  await page.getByLabel('Current scenario as YAML').fill('description: Mine.\nreplies:\n  - say: a\n  - say: b\n')
  await page.keyboard.press('Control+Enter')
  await page.getByText('A warning: the scenario is applied').waitFor()
  await page.getByRole('button', { name: 'Go to line 4, column 5' }).waitFor()
})

test('unsaved edits stay when another client applies a scenario', async () => {
  const { page, mock } = await open()
  await live(page)
  await page.keyboard.press('s')
  const text = page.getByLabel('Current scenario as YAML')
  await expect.poll(() => text.inputValue()).toContain('Accepts any key')
  await text.fill('description: Half a th')
  mock.use('outage')
  await expect.poll(() => page.locator('#scenario-name').textContent()).toBe('outage')
  expect(await text.inputValue()).toBe('description: Half a th')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect.poll(() => text.inputValue()).toContain('Every call is a 500.')
})

test('the page shows the current state, follows its changes and can switch it', async () => {
  const { page, ask, mock } = await open({ scenario: 'incident' })
  await live(page)
  await page.getByLabel('State').selectOption('down')
  await expect.poll(() => mock.state).toBe('down')
  expect(await ask('one')).toMatch(/^503/)
  mock.enter('degraded')
  await expect.poll(() => page.getByLabel('State').inputValue()).toBe('degraded')
})

test('each key has a gauge for each limit', async () => {
  const { page, ask } = await open({ scenario: 'rate-limited' })
  await live(page)
  await ask('one')
  await ask('two')
  await page.keyboard.press('l')
  const gauge = page.getByRole('meter', { name: 'requests of sk-test-****ijkl: 2 of 3 used' })
  await gauge.waitFor()
  await ask('three')
  await page.getByRole('meter', { name: '3 of 3 used' }).waitFor()
})

test('a call can be copied as a curl command and as a rule', async () => {
  const { page, ask, server } = await open({ scenario: { description: 'A test.', replies: [{ say: 'Sunny.' }] } })
  await live(page)
  await ask('What is the weather?')
  await call(page, 1).click()
  await page.getByRole('heading', { name: 'Call 1' }).waitFor()
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  await page.keyboard.press('c')
  await page.getByText('Copied as curl.').waitFor()
  expect(await copied()).toMatch(new RegExp(`^curl '${server.url}/chat/completions'.*Bearer \\$OPENAI_API_KEY`, 's'))
  await page.getByRole('button', { name: 'Copy as rule' }).click()
  await page.getByText('Copied as a rule').waitFor()
  expect(await copied()).toContain('      user: What is the weather?\n    say: Sunny.\n')
})

test('without a clipboard, the page shows the text to copy by hand', async () => {
  const { page, ask } = await open()
  await live(page)
  await ask('one')
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
  })
  await call(page, 1).click()
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  expect(await page.getByLabel('Copy this').getByRole('textbox').inputValue()).toMatch(/^curl /)
})

test('texts of a call are shown as text, never as HTML', async () => {
  const evil = '<img src=x onerror="document.title=1"><script>document.title=1</script>'
  const { page, ask, mock } = await open({ scenario: { description: evil, keys: { '*': {}, [evil]: {} } } })
  await live(page)
  await ask(evil, { headers: { authorization: `Bearer ${evil} too` }, body: { model: evil, [evil]: evil } })
  await call(page, 1).click()
  await page.getByRole('heading', { name: 'Call 1' }).waitFor()
  await page.getByRole('tabpanel').locator('blockquote').getByText('onerror').waitFor()
  await page.keyboard.press('s')
  expect(await page.locator('img, body script').count()).toBe(0)
  expect(await page.title()).toBe('in code · llm-api-mock')
  expect(mock.journal).toHaveLength(1)
})

test('beyond loopback, the page asks for the token or takes it from the link', async () => {
  const listening = { host: '0.0.0.0', token: 'a-token-of-some-length' }
  const { page, ask, server } = await open({ listening, allowed: /401 \(Unauthorized\)/ })
  const field = page.getByLabel('needs the token')
  await field.fill('wrong')
  await page.keyboard.press('Enter')
  await field.waitFor()
  await field.fill('a-token-of-some-length')
  await page.getByRole('button', { name: 'Use token' }).click()
  await live(page)
  await ask('one')
  await call(page, 1).waitFor()

  await page.evaluate(() => sessionStorage.clear())
  await page.goto('about:blank')
  await page.goto(`${server.controlUrl}/#token=a-token-of-some-length`)
  await live(page)
  expect(page.url()).toBe(`${server.controlUrl}/`)
})

test('the page says that the mock has stopped, and reconnects when it is back', async () => {
  const { page, server, mock } = await open({ allowed: /ERR_|Failed to load/ })
  await live(page)
  await server.close(0)
  await page.getByText('Not connected').waitFor()
  await using _ = await listen(mock, { port: server.port })
  await live(page)
})

test('a reset also clears the calls on the page', async () => {
  const { page, ask, mock } = await open()
  await live(page)
  await ask('one')
  await call(page, 1).click()
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByText('No calls yet.').waitFor()
  expect(mock.journal).toEqual([])
})

test('of a flood of calls the page shows a part, and how many are missing', async () => {
  const { page, mock } = await open()
  await live(page)
  const { handlers, baseURL } = mock
  const request = new Request(`${baseURL}/foo`)
  await Promise.all(Array.from({ length: 3000 }, () => getResponse(handlers, request.clone())))
  await page.getByText(/[\d,]+ calls came too fast to be shown\./).waitFor()
  await call(page, 3000).waitFor()
  expect(await rows(page).count()).toBeLessThan(3000)
})

test.each(['light', 'dark'] as const)(
  'every field has a label, and the focus can be seen (%s)',
  async (colorScheme) => {
    const scenario = {
      description: 'A weather desk with a shaky network.',
      limits: { requests: '8 per minute', tokens: '4000 per minute' },
      pace: { firstToken: '150ms', perToken: '20ms' },
      states: { healthy: {}, down: {} },
      replies: [{ when: { user: 'weather' }, say: 'It is sunny in Paris, with a light breeze from the west.' }],
    } as const
    const { page, ask, mock } = await open({ scenario, colorScheme, allowed: /400 \(Bad Request\)/ })
    await live(page)
    mock.inject('overloaded', { times: 2, key: 'sk-nobody' })
    await ask('What is the weather in Paris?', { body: { stream: true } })
    await ask('one', { headers: { 'x-mock-fault': 'server-error' } })
    await ask('two', { body: { temperature: 9 } })
    await ask('cut', { headers: { 'x-mock-fault': 'cut; after=2' }, body: { stream: true, temprature: 1 } })
    await call(page, 1).click()
    await page.getByRole('heading', { name: 'Call 1' }).waitFor()
    await picture(page, `${colorScheme}-call`)
    const nameless = await page.evaluate(() => {
      const fields = document.querySelectorAll<HTMLInputElement>('input, select, textarea')
      const buttons = document.querySelectorAll<HTMLButtonElement>('button, summary, th')
      const isNamed = (one: HTMLElement) => (one.ariaLabel ?? one.textContent ?? '').trim() !== ''
      return [
        ...Array.from(fields).filter(
          (one) => (one.labels?.length ?? 0) === 0 && one.getAttribute('aria-labelledby') === null,
        ),
        ...Array.from(buttons).filter((one) => !isNamed(one)),
      ].map((one) => one.outerHTML)
    })
    expect(nameless).toEqual([])

    const seen = new Set<string>()
    for (let press = 0; press < 40; press++) {
      await page.keyboard.press('Tab')
      const focus = await page.evaluate(() => {
        const one = document.activeElement as HTMLElement
        const { outlineStyle, outlineWidth } = getComputedStyle(one)
        return {
          name: `${one.tagName} ${one.id || one.ariaLabel || one.textContent}`,
          outline: `${outlineStyle} ${outlineWidth}`,
        }
      })
      if (focus.name.startsWith('BODY')) continue
      expect(focus.outline, focus.name).toBe('solid 2px')
      seen.add(focus.name)
    }
    expect(seen.size).toBeGreaterThan(15)

    await page.getByRole('tab', { name: 'Scenario' }).click()
    await page.getByLabel('Current scenario as YAML').fill('description: Mine.\nsead: 7\n')
    await page.keyboard.press('Control+Enter')
    await page.getByText('stays active').waitFor()
    await picture(page, `${colorScheme}-scenario`)
    await page.getByRole('tab', { name: 'Scenario' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('meter').first().waitFor()
    await picture(page, `${colorScheme}-limits`)
    await page.setViewportSize({ width: 420, height: 900 })
    await picture(page, `${colorScheme}-narrow`)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  },
)
