/**
 * The views of faults, of the scenario, to try a call, of what happens now, and of a report, in a real browser.
 *
 *   npm run build && npx vitest run --config test/browser/vitest.config.ts panels
 *
 * With SCREENSHOTS=<folder> it leaves pictures there.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { live, open, picture, useBrowser } from './console-page.ts'

useBrowser()

async function openLive(...choice: Parameters<typeof open>) {
  const opened = await open(...choice)
  await live(opened.page)
  return opened
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const pending = (page: Page) => page.getByRole('list', { name: 'Pending faults' }).getByRole('listitem')
const editor = (page: Page) => page.getByRole('textbox', { name: 'Scenario as YAML' })

// Faults

test('a fault is found, injected and used up, and the pending list empties', async () => {
  const { page, ask } = await openLive({ path: '/faults' })
  await page.getByRole('searchbox', { name: 'Find a fault' }).fill('too many requests')
  await page
    .getByRole('link', { name: /rate-limit/ })
    .first()
    .click()
  expect(new URL(page.url()).pathname).toBe('/_mock/faults/rate-limit')
  await page.getByLabel('retryAfter').fill('3s')
  await page.getByLabel('How many calls').fill('2')
  await button(page, 'Inject').click()
  await expect
    .poll(() => pending(page).allTextContents())
    .toEqual([expect.stringMatching(/rate-limit retryAfter 3s the next 2 calls/)])
  expect(await ask('Hello')).toMatch(/^429/)
  await expect.poll(() => pending(page).first().textContent()).toContain('the next call')
  expect(await ask('Hello')).toMatch(/^429/)
  await page.getByText('No fault is pending.').waitFor()
  expect(await ask('Hello')).toMatch(/^200/)
})

test('one pending fault is cancelled, and the other stays', async () => {
  const { page, mock } = await openLive({ path: '/faults' })
  mock.inject('overloaded')
  mock.inject('server-error')
  await page.getByRole('button', { name: /^Cancel overloaded/ }).click()
  await expect.poll(() => mock.injected).toEqual([{ fault: 'server-error', remaining: 1 }])
  await expect.poll(() => pending(page).count()).toBe(1)
})

test('a fault that no word matches is offered a way back to the list', async () => {
  const { page } = await openLive({ path: '/faults' })
  await page.getByRole('searchbox', { name: 'Find a fault' }).fill('nothing like this')
  await button(page, 'Show all').click()
  await page.getByRole('link', { name: /rate-limit-tokens/ }).waitFor()
})

test('the next call like an open one is failed from its menu', async () => {
  const { page, ask, server } = await openLive()
  await ask('Hello')
  await page.goto(`${server.controlUrl}/calls/1`)
  await page.getByText('Next call', { exact: true }).click()
  await button(page, 'Fail the next call like this x').click()
  await page.getByText(/Calls like/).waitFor()
  await button(page, 'Inject').click()
  await page.getByText(/server-error: the next call to chat with model echo-1/).waitFor()
  expect(await ask('Hello')).toMatch(/^500/)
})

// The scenario

test('the editor loads with its view, completes, marks problems, and applies the text', async () => {
  const { page, loaded, ask } = await openLive({ scenario: 'rate-limited' })
  expect(loaded.filter((path) => path.includes('/chunks/'))).toEqual([])
  await page.keyboard.press('s')
  await editor(page).click()
  expect(loaded.filter((path) => path.includes('/chunks/'))).not.toEqual([])
  await page.keyboard.press('Control+End')
  await page.keyboard.type('repl')
  await page.getByRole('option', { name: 'replies' }).waitFor()
  // CodeMirror accepts no completion in the first 75 ms, so that nobody accepts one by accident.
  await page.waitForTimeout(150)
  await page.keyboard.press('Enter')
  await page.keyboard.type('\n- sya: Changed!')
  await button(page, 'Go to 5:3').waitFor()
  await page.getByText("Did you mean 'say'?").first().waitFor()
  expect(await button(page, 'Apply').isDisabled()).toBe(true)
  await button(page, 'Go to 5:3').click()
  await page.keyboard.press('Delete')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Delete')
  await page.keyboard.type('say')
  await page.getByText('No problems.').waitFor()
  await page.getByRole('tab', { name: 'Changes' }).click()
  await page.getByLabel('Changes to the active scenario').getByText('Changed!').waitFor()
  await button(page, 'Apply').click()
  await page.getByText('The text in the editor is the active scenario.').waitFor()
  expect(await ask('Hello')).toContain('Changed!')
  await button(page, 'Undo').click()
  await expect.poll(() => ask('Hello')).not.toContain('Changed!')
})

test('fast typing loses no character', async () => {
  const { page } = await openLive({ path: '/scenario' })
  await editor(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('description: The quick brown fox jumps over the lazy dog.')
  await expect.poll(() => editor(page).textContent()).toContain('The quick brown fox jumps over the lazy dog.')
})

test('keys that are typed in the editor are no shortcuts', async () => {
  const { page } = await openLive({ path: '/scenario' })
  await editor(page).click()
  await page.keyboard.type('lftn?')
  expect(new URL(page.url()).pathname).toBe('/_mock/scenario')
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('a built-in scenario is looked at and applied', async () => {
  const { page, mock } = await openLive({ path: '/scenario/built-in' })
  await page.getByRole('link', { name: /outage/ }).click()
  await page.getByText('fault: server-error').waitFor()
  await page.getByRole('region', { name: 'outage' }).getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => mock.scenario.name).toBe('outage')
})

test('a rule from a call is added to the text, and answers the call once it is applied', async () => {
  const { page, ask, server } = await openLive({ scenario: 'rate-limited' })
  await ask('What is the weather?')
  await page.goto(`${server.controlUrl}/calls/1`)
  await page.getByRole('heading', { name: 'Call 1' }).waitFor()
  await page.getByText('Next call', { exact: true }).waitFor()
  await page.keyboard.press('a')
  await expect.poll(() => editor(page).textContent()).toContain('user: What is the weather?')
  await page.getByText('No problems.').waitFor()
  await button(page, 'Apply').click()
  await page.getByText('The scenario is applied.').waitFor()
  expect(await ask('What is the weather?')).toMatch(/^200/)
})

// Try it

test('a call is tried from the empty list, and its answer and its code are shown', async () => {
  const { page, mock } = await openLive()
  await page.getByLabel('Message').fill('Tell me a joke')
  await button(page, 'Send').click()
  await expect.poll(() => mock.journal.at(-1)?.outcome).toBe('complete')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Try it' }).click()
  await expect.poll(() => page.locator('blockquote').textContent()).toContain('Tell me a joke')
  await page.getByText('Call 1: 200: the last message, echoed').waitFor()
  await page.getByText(/^first byte after [\d.]+ m?s, ended after [\d.]+ m?s$/).waitFor()
  for (const [tab, code] of [
    ['curl', 'curl -N'],
    ['Python', 'from openai import OpenAI'],
    ['TypeScript', "import OpenAI from 'openai'"],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await button(page, 'Copy').click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain(code)
    expect(copied).toContain('Tell me a joke')
  }
})

test('an error and a broken stream are shown as such', async () => {
  const { page, mock } = await openLive({ path: '/try', allowed: /429|ERR_/ })
  mock.inject('rate-limit')
  await button(page, 'Send').click()
  await expect.poll(() => page.locator('blockquote').textContent()).toContain('Rate limit')
  mock.inject('cut', { after: 2 })
  await button(page, 'Send').click()
  await page.getByText('The connection broke').waitFor()
})

test('a call with a system prompt, tools and headers is tried, and the body can be edited as JSON', async () => {
  const { page, mock } = await openLive({ path: '/try', allowed: /400/ })
  await page.getByText('System prompt, tools, schema, headers').click()
  await page.getByLabel('System prompt').fill('Be brief.')
  await page.getByLabel('Tools, as JSON').fill('[{"name": "get_weather"')
  await page.getByText('Tools: expected JSON.').waitFor()
  await page.getByLabel('Tools, as JSON').fill('[{"name": "get_weather"}]')
  await page.getByLabel('Headers').fill('x-mock-session: one')
  await page.getByLabel('Endpoint').selectOption('responses')
  await button(page, 'Send').click()
  await page.getByText(/^Call 1: 200: /).waitFor()
  expect(mock.journal[0]).toMatchObject({
    session: 'one',
    body: { instructions: 'Be brief.', tools: [{ type: 'function', name: 'get_weather' }] },
  })
  await page.getByLabel('JSON', { exact: true }).check()
  await page.getByLabel('Body').fill('{"model":')
  await button(page, 'Send').click()
  await page.getByText(/^Call 2: 400/).waitFor()
})

// Now

test('limits, the state and client mistakes are shown as they change', async () => {
  const { page, ask, mock } = await openLive({
    path: '/now',
    scenario: {
      description: 'Small.',
      limits: { requests: '3 per minute' },
      states: { up: { lasts: '50 calls', next: 'down' }, down: {} },
    },
  })
  for (let count = 0; count < 5; count++) await ask('Hello')
  await page.getByText(/none left, free again in/).waitFor()
  await page.getByText('early-retry').waitFor()
  await page.getByText(/Next: down after 45 more calls/).waitFor()
  await button(page, 'down').click()
  await expect.poll(() => mock.state).toBe('down')
  await expect.poll(() => button(page, 'down').getAttribute('aria-pressed')).toBe('true')
})

// Reports

const HTML = '<img src=x onerror="globalThis.harmed = true"><script>globalThis.harmed = true</script>'

test('a report of a run is read, and nothing in it runs', async () => {
  const { page } = await openLive({ path: '/report' })
  const report = {
    calls: 3,
    findings: [
      {
        name: HTML,
        level: 'mistake',
        text: HTML,
        calls: [1],
        key: HTML,
        method: 'POST',
        path: HTML,
        prompt: HTML,
        shown: [],
      },
    ],
    misses: [{ calls: [2], key: '', text: HTML }],
    coverage: [{ kind: 'rule', ruleId: HTML, count: 0 }],
  }
  const buffer = Buffer.from(JSON.stringify(report))
  await page
    .getByLabel(/Open the file/)
    .setInputFiles({ name: `${HTML.slice(0, 20)}.json`, mimeType: 'application/json', buffer })
  await page.getByText('3 calls checked.').waitFor()
  await page.getByText('0 of 1 were used or reached.').waitFor()
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(await page.evaluate(() => 'harmed' in globalThis)).toBe(false)
})

test('a report of a hunt is read', async () => {
  const { page } = await openLive({ path: '/report' })
  const report = {
    command: ['npm', 'test'],
    scenario: 'default',
    runs: 41,
    failures: [{ size: '1 fault', faults: [`call 1: cut ${HTML}`], error: HTML, output: [HTML], tokens: ['t1'] }],
    table: { classes: ['cut'], rows: [{ label: HTML, cells: [{ outcome: 'failed' }] }] },
    warnings: [HTML],
  }
  const buffer = Buffer.from(JSON.stringify(report))
  await page.getByLabel(/Open the file/).setInputFiles({ name: 'hunt.json', mimeType: 'application/json', buffer })
  await page.getByText('41 runs under faults').waitFor()
  await button(page, 'Copy replay command').click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npx api-mock hunt --replay t1 -- npm test')
  expect(await page.evaluate(() => 'harmed' in globalThis)).toBe(false)
})

test('a report with parts of a wrong type is refused, and the next one is shown', async () => {
  const { page } = await openLive({ path: '/report' })
  const open = (name: string, report: object) =>
    page
      .getByLabel(/Open the file/)
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(report)) })
  await open('broken.json', { calls: 1, findings: [7, null], misses: [], coverage: [{}] })
  await page.getByText('This file is broken.').waitFor()
  await open('whole.json', { calls: 3, findings: [], misses: [], coverage: [] })
  await page.getByText('3 calls checked.').waitFor()
})

test('another file is refused with what is expected', async () => {
  const { page } = await openLive({ path: '/report' })
  const buffer = Buffer.from('<testsuites/>')
  await page.getByLabel(/Open the file/).setInputFiles({ name: 'junit.xml', mimeType: 'text/xml', buffer })
  await page.getByText(/junit\.xml: Expected the report of api-mock run or hunt/).waitFor()
})

test.each([
  ['desk', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
  ['wide', { width: 1920, height: 1080 }],
] as const)(
  'nothing is wider than the screen: %s',
  async (name, viewport) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, ask, mock } = await openLive({ scenario: 'rate-limited', size: viewport, colorScheme })
      for (let count = 0; count < 5; count++) await ask('Hello')
      mock.inject('rate-limit', { times: 2, retryAfter: '3s', endpoint: 'chat' })
      for (const path of ['faults', 'faults/cut/3', 'scenario', 'scenario/built-in/openai', 'try', 'now', 'report']) {
        await page.goto(new URL(`/_mock/${path}`, page.url()).href)
        await live(page)
        await page.locator('h2, h3').first().waitFor({ state: 'attached' })
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect([path, overflow]).toEqual([path, 0])
        await picture(page, `${path.replaceAll('/', '-')}-${name}-${colorScheme}`)
      }
    }
  },
  120_000,
)
