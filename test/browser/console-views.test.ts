/** Every view of the page at three sizes, light and dark: no accessibility violation, nothing cut off, nothing loaded from elsewhere. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { live, type Opened, open, panel, picture, row, useBrowser } from './console-page.ts'

useBrowser()

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The text in the editor has the focus, and the editor scrolls with its cursor. */
const EDITOR_SCROLLER = /^scrollable-region-focusable: .*class="cm-scroller"/

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 1920, height: 1080 },
]

const SCENARIO = {
  description: 'A weather assistant with a shaky network.',
  limits: { requests: '6 per minute', tokens: '4000 per minute' },
  pace: { firstToken: '30ms', perToken: '2ms' },
  states: { healthy: {}, down: {} },
  replies: [{ when: { user: 'weather' }, say: 'It is sunny in Paris, with a light breeze from the west.' }],
} as const

async function fill({ ask, mock }: Omit<Opened, 'page' | 'loaded'>): Promise<void> {
  mock.inject('overloaded', { times: 2, key: 'sk-nobody' })
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
  await ask([{ role: 'user', content: [{ type: 'text', text: 'The weather here?' }, picture] }], {
    body: { stream: true },
  })
  await ask('one', { headers: { 'x-mock-fault': 'server-error' } })
  await ask('two', { body: { temperature: 9 } })
  await ask('cut', { headers: { 'x-mock-fault': 'cut; after=2' }, body: { stream: true, temprature: 1 } })
  for (let call = 0; call < 6; call++) await ask('The weather in Paris, please, for a longer walk along the river?')
}

/** The addresses, and what is there once the view is ready. */
const VIEWS: readonly (readonly [path: string, isReady: (page: Page) => Promise<void>])[] = [
  ['/', (page) => row(page, 10).waitFor()],
  ...['conversation', 'timeline', 'request', 'response', 'compare/9'].map(
    (tab) => [`/calls/1/${tab}`, (page: Page) => panel(page).waitFor()] as const,
  ),
  ['/calls/10', (page) => page.getByText(/6 per minute, free again in/).waitFor()],
  ['/picture', (page) => page.locator('.lane').first().waitFor()],
  ['/faults', (page) => page.getByText('overloaded').first().waitFor()],
  ['/scenario', (page) => page.getByText('shaky network').first().waitFor()],
  ['/try', live],
  ['/now', (page) => page.getByRole('meter').first().waitFor()],
  ['/report', live],
]

const cases = SIZES.flatMap((size) =>
  (['light', 'dark'] as const).map((scheme) => [`${size.width}x${size.height}`, scheme, size] as const),
)

test.each(cases)(
  'every view is accessible and fits at %s, %s',
  async (name, colorScheme, size) => {
    const { page, server } = await open({ scenario: SCENARIO, before: fill, colorScheme, size, path: '/' })
    const found: string[] = []
    for (const [path, isReady] of VIEWS) {
      await page.goto(`${server.controlUrl}${path}`)
      await live(page)
      await isReady(page)
      await picture(page, `${colorScheme}-${name}${path.replaceAll('/', '-')}`)
      found.push(...(await findViolations(page)).map((violation) => `${path}: ${violation}`))
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (overflow > 0) found.push(`${path}: is ${overflow} pixels too wide`)
    }
    expect(found).toEqual([])
  },
  120_000,
)

test('dialogs, menus, messages and the empty list are accessible', async () => {
  const { page } = await open()
  await live(page)
  const found = await findViolations(page)
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  found.push(...(await findViolations(page)))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Reset' }).click()
  found.push(...(await findViolations(page)))
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await page.getByText('The mock is reset.').waitFor()
  found.push(...(await findViolations(page)))
  expect(found).toEqual([])
})

test('nothing moves for those who want reduced motion', async () => {
  const { page } = await open()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await live(page)
  const moving = await page.evaluate(() =>
    Array.from(document.querySelectorAll('*'))
      .filter((element) => {
        const { transitionDuration, animationName } = getComputedStyle(element)
        return transitionDuration !== '0s' || animationName !== 'none'
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 100)),
  )
  expect(moving).toEqual([])
})

async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  return violations
    .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`))
    .filter((violation) => !EDITOR_SCROLLER.test(violation))
}
