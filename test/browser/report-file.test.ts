/** The file that `api-mock run --report html` writes, opened from the disk. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from './chromium.ts'
import { picture } from './console-page.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PROGRAM = resolve(import.meta.dirname, '../../dist/cli/main.js')

const HTML = '</script><script>globalThis.harmed = true</script><!-- <img src=x onerror="globalThis.harmed = true">'
const SCENARIO = { description: `Small. ${HTML}`, limits: { requests: '3 per minute' }, expect: { errors: '< 1%' } }
/** What is run: five calls, of which the last two are refused, and one that streams. */
const APP = `
  const ask = (content, more) =>
    fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer ' + process.env.OPENAI_API_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content }], ...more }),
    }).then((answer) => answer.text())
  await ask('The weather in Paris', { stream: true })
  await ask(${JSON.stringify(HTML)})
  for (let count = 0; count < 3; count++) await ask('Hello')
`

let browser: Browser
let folder: string

beforeAll(async () => {
  browser = await launchChromium()
  folder = mkdtempSync(join(tmpdir(), 'report-'))
  writeFileSync(join(folder, 'small.yaml'), JSON.stringify(SCENARIO))
  writeFileSync(join(folder, 'app.mjs'), APP)
  const options = ['--scenario', 'small.yaml', '--report', 'html', '--report-file', 'report.html']
  // The exit code is 1: the expectation is not met.
  await promisify(execFile)(process.execPath, [PROGRAM, 'run', ...options, '--', process.execPath, 'app.mjs'], {
    cwd: folder,
  }).catch(({ code, stderr }) => expect([code, stderr]).toEqual([1, expect.stringContaining('5 calls')]))
})

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Opens the file; at the end of the test nothing went wrong in it, nothing was loaded and nothing ran. */
async function openFile(address = '', size = { width: 1280, height: 800 }): Promise<Page> {
  const context = await browser.newContext({ viewport: size, permissions: ['clipboard-read', 'clipboard-write'] })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => problems.push(message.text()))
  const file = pathToFileURL(join(folder, 'report.html')).href
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== file && !request.url().startsWith('data:'))
      problems.push(`loaded ${request.url()}`)
  })
  onTestFinished(async () => {
    const isHarmed = await page.evaluate(() => 'harmed' in globalThis)
    await context.close()
    expect([problems, isHarmed]).toEqual([[], false])
  })
  await page.goto(file + address)
  await page.getByRole('heading', { name: 'llm-api-mock' }).waitFor()
  return page
}

const hashOf = (page: Page): string => new URL(page.url()).hash
const rows = (page: Page) => page.locator('.call-row')

test('the report shows verdicts and mistakes, and leads to the calls', async () => {
  const page = await openFile()
  await page.getByRole('heading', { name: /^Run with the scenario small\.yaml, seed / }).waitFor()
  await page.getByText('5 calls (3 x 200, 2 x 429)').waitFor()
  await page.getByText('errors does not meet < 1%').waitFor()
  await page.getByText('FAIL', { exact: true }).waitFor()
  await page.getByRole('link', { name: '#5' }).first().click()
  expect(hashOf(page)).toBe('#/calls/5')
  await page
    .getByText(/429 rate_limit_exceeded/)
    .first()
    .waitFor()
  await page.goBack()
  await page.getByText('5 calls (3 x 200, 2 x 429)').waitFor()
})

test('the report has a picture of the run, whose bars open the calls', async () => {
  const page = await openFile()
  await page.getByRole('application', { name: /^5 calls in .*: 3 answered, 2 refused by a limit\./ }).focus()
  await page.keyboard.press('End')
  await page.getByText(/^#5: 429/).waitFor()
  await page.keyboard.press('Enter')
  expect(hashOf(page)).toBe('#/calls/5')
})

test('calls are filtered and opened, with all tabs and copies', async () => {
  const page = await openFile('#/calls')
  await expect.poll(() => rows(page).count()).toBe(5)
  await page.getByLabel('Status').selectOption('429')
  await expect.poll(() => rows(page).count()).toBe(2)
  await page.getByRole('searchbox', { name: 'Text' }).fill('weather')
  await page.getByText('No call matches the filter.').waitFor()
  await page.getByRole('button', { name: 'Clear filter' }).first().click()
  await rows(page).last().click()
  expect(hashOf(page)).toBe('#/calls/1')
  await page.getByRole('tabpanel').getByText('The weather in Paris').first().waitFor()
  for (const tab of ['Timeline', 'Request', 'Response', 'Compare']) {
    await page.getByRole('tab', { name: tab }).click()
    expect(hashOf(page)).toBe(`#/calls/1/${tab.toLowerCase()}`)
  }
  await page.getByText('Next call', { exact: true }).waitFor({ state: 'detached' })
  await page.keyboard.press('c')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('http://127.0.0.1:4010/')
  await page.reload()
  await page.getByRole('heading', { name: 'Call 1' }).waitFor()
})

test('the scenario is read, and views that need a mock are not there', async () => {
  const page = await openFile()
  await page.keyboard.press('s')
  await page.getByRole('region', { name: 'Scenario as YAML' }).getByText('requests: 3 per minute').waitFor()
  expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual([
    'Report',
    'Calls',
    'Scenario',
  ])
  expect(await page.getByRole('button', { name: 'Reset' }).count()).toBe(0)
  await page.keyboard.press('?')
  expect(await page.getByRole('dialog').textContent()).not.toMatch(/try it/i)
})

test.each([
  ['desk', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
])('every view is accessible and fits: %s', async (name, size) => {
  const found: string[] = []
  for (const address of ['', '#/calls', '#/calls/2', '#/calls/5/compare/4', '#/scenario']) {
    const page = await openFile(address, size)
    await page.getByRole('heading', { level: 2 }).first().waitFor({ state: 'attached' })
    await page.evaluate(AXE)
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
    )
    found.push(...violations.map(({ id, nodes }) => `${address}: ${id}: ${nodes[0]?.html.slice(0, 200)}`))
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (overflow > 0) found.push(`${address}: is ${overflow} pixels too wide`)
    await picture(page, `report-${name}${address.replaceAll(/[#/]+/g, '-')}`)
  }
  expect(found).toEqual([])
})
