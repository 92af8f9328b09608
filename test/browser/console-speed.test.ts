/** How fast the page is, measured and reported: only what no busy machine can change is asserted. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { getResponse } from 'msw'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { live, open, row, rows, useBrowser } from './console-page.ts'

useBrowser()

const CALLS = 10_000
const MAX_GZIPPED = 60_000

test('what the page loads at first is at most 60 kB gzipped', () => {
  const folder = resolve(import.meta.dirname, '../../dist/console')
  const sizes = ['page.html', 'page.css', 'main.js'].map((name) => gzipSync(readFileSync(join(folder, name))).length)
  console.log(`The page: ${sizes.map((size) => `${(size / 1000).toFixed(1)} kB`).join(' + ')} gzipped.`)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_GZIPPED)
})

test('the list stays usable with 10,000 calls', async () => {
  const { page, mock } = await open({ options: { journal: { entries: CALLS } } })
  await live(page)
  // The first load also starts the control plane of the mock.
  await page.reload()
  await live(page)
  const paintMs = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)
  const headers = { authorization: 'Bearer sk-test-abcdefghijkl', 'content-type': 'application/json' }
  for (let batch = 0; batch < CALLS; batch += 500) {
    await Promise.all(
      Array.from({ length: 500 }, (_, index) => {
        const messages = [{ role: 'user', content: `Question ${batch + index} about the weather` }]
        const body = JSON.stringify({ model: 'echo-1', messages })
        return getResponse(
          mock.handlers,
          new Request(`${mock.baseURL}/chat/completions`, { method: 'POST', headers, body }),
        )
      }),
    )
  }
  await page.getByText(/^10,000 calls/).waitFor({ timeout: 60_000 })
  await row(page, CALLS).waitFor()
  // Only what is visible is drawn.
  expect(await rows(page).count()).toBeLessThan(80)

  const scrolling = await measure(page, async () => {
    await page.locator('.rows').evaluate(async (list) => {
      for (let top = 0; top < list.scrollHeight; top += 3000) {
        list.scrollTop = top
        await new Promise(requestAnimationFrame)
      }
    })
  })
  await row(page, 1).waitFor()
  const filtering = await measure(page, async () => {
    await page.getByLabel('Text').pressSequentially('question 99 weather', { delay: 30 })
    await page.getByText(/^[\d,]+ of 10,000 calls/).waitFor()
  })
  const paint = `first paint after ${paintMs.toFixed()} ms`
  console.log(`${paint}; 10,000 calls: scrolling ${scrolling}, filtering ${filtering}`)
}, 180_000)

/** Counts the frames and the long ones while something happens. */
async function measure(page: Page, run: () => Promise<void>): Promise<string> {
  await page.evaluate(() => {
    const frames: number[] = []
    Object.assign(globalThis, { frames })
    let last = performance.now()
    const note = (now: number): void => {
      frames.push(now - last)
      last = now
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })
  await run()
  const frames = await page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames)
  const long = frames.filter((ms) => ms > 50)
  return `${frames.length} frames, ${long.length} over 50 ms, the longest ${Math.max(...frames).toFixed()} ms`
}
