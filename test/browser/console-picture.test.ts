/** The picture of a run on the page: read and zoomed with the pointer and with the keyboard. */
import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { live, type Opened, open, useBrowser } from './console-page.ts'

useBrowser()

/** Two calls that are answered, and between them one with a fault and its retry. */
async function fill({ ask }: Omit<Opened, 'page' | 'loaded'>): Promise<void> {
  await ask('one', { body: { stream: true } })
  await ask('two', { headers: { 'x-mock-fault': 'server-error' } })
  await new Promise((resolve) => setTimeout(resolve, 150))
  await ask('two')
  await ask('three', { headers: { 'x-mock-session': 'chat-1' } })
}
const SCENARIO = { limits: { requests: '4 per second' }, pace: { firstToken: '60ms' } } as const

test('the arrow keys move between calls, Enter opens one, and the way back is the picture', async () => {
  const { page } = await open({ scenario: SCENARIO, before: fill, path: '/picture' })
  await live(page)
  const chart = page.getByRole('application', { name: /^4 calls in .*: 3 answered, 1 with a fault\./ })
  await chart.focus()
  const popup = page.locator('.lane-popup')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  expect(await popup.innerText()).toMatch(/#2: 500 fault server-error.*retried by #3 after \d+ ms/s)
  for (let zooms = 0; zooms < 4; zooms++) await page.keyboard.press('+')
  expect(await popup.innerText()).toContain('#2: 500')
  await page.keyboard.press('End')
  expect(await popup.innerText()).toContain('#4: 200')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/calls\/4$/)
  await page.goBack()
  await chart.waitFor()
  expect(await page.locator('.lane-title').allInnerTexts()).toEqual([
    'sk-test-****ijkl',
    'sk-test-****ijkl, session chat-1',
  ])
  await page.getByText('The picture in words').click()
  await page.getByText(/3 calls \(2 answered, 1 with a fault\), 1 retry after at most/).waitFor()
  await page.getByText('limit of 4 requests').first().waitFor()
})

test('Ctrl and the wheel zoom in, a point at a bar shows its call, and a click opens it', async () => {
  const { page } = await open({ scenario: SCENARIO, before: fill, path: '/picture' })
  await live(page)
  const lane = page.locator('.lane svg').first()
  const { x, y, width } = (await lane.boundingBox())!
  const times = () => page.locator('.picture-axis text').allTextContents()
  const whole = await times()
  const wholeRun = page.getByRole('button', { name: 'Whole run' })
  expect(await wholeRun.isDisabled()).toBe(true)
  await page.mouse.move(x + width / 4, y + 5)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -100)
  await page.keyboard.up('Control')
  await expect.poll(() => wholeRun.isDisabled()).toBe(false)
  expect(await times()).not.toEqual(whole)
  expect(page.url()).toMatch(/\/picture$/)
  await wholeRun.click()
  expect(await times()).toEqual(whole)
  await page.mouse.move(x + 20, y + 10)
  await page.getByText(/^#1: 200/).waitFor()
  await page.mouse.click(x + 20, y + 10)
  await page.waitForURL(/\/calls\/1$/)
})

test('2,000 calls are a picture of a few elements', async () => {
  const { page, mock } = await open({ options: { journal: { entries: 2000 } } })
  await live(page)
  const ask = (call: number, user: number) => {
    const headers = { authorization: `Bearer sk-test-user-${user}-abcd${user}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: `Question ${call}` }] })
    return getResponse(
      mock.handlers,
      new Request(`${mock.baseURL}/chat/completions`, { method: 'POST', headers, body }),
    )
  }
  for (let call = 0; call < 2000; call += 40)
    await Promise.all(Array.from({ length: 40 }, (_, index) => ask(call + index, index)))
  await page.getByText(/^2,000 calls/).waitFor({ timeout: 30_000 })
  const ms = await page.evaluate(async () => {
    const startedAt = performance.now()
    for (const link of document.querySelectorAll<HTMLElement>('.views a'))
      if (link.textContent === 'Picture') link.click()
    while (document.querySelector('.lane path') === null) await new Promise(requestAnimationFrame)
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    return performance.now() - startedAt
  })
  console.log(`The picture of 2,000 calls is drawn after ${ms.toFixed()} ms.`)
  expect(await page.locator('.lane').count()).toBe(24)
  await page.getByText('17 other keys and sessions', { exact: true }).waitFor()
  expect(await page.locator('.picture *').count()).toBeLessThan(600)
})
