/** What the page saves: the scenario to its file, and a session as a scenario and as a test. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { live, open, useBrowser } from './console-page.ts'

useBrowser()

const TEXT = '# Keep me.\ndescription: One.\nreplies:\n  - say: one\n'
const editor = (page: Page) => page.getByRole('textbox', { name: 'Scenario as YAML' })
const save = (page: Page) => page.getByRole('button', { name: 'Save to file' })

async function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'saving-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'scenario.yaml')
  writeFileSync(file, TEXT)
  const scenario = { description: 'One.', replies: [{ say: 'one' }] }
  const opened = await open({ scenario, listening: { scenarioFile: file }, path: '/scenario', allowed: /409/ })
  await expect.poll(() => editor(opened.page).textContent()).toContain('# Keep me.')
  return { ...opened, file }
}

test('a text is saved by a key, and a file that has changed meanwhile is not overwritten', async () => {
  const { page, file } = await openFile()
  expect(await save(page).isDisabled()).toBe(true)
  await editor(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('# Mine.')
  await page.keyboard.press('Control+s')
  await page.getByText(`Saved to ${file}.`).waitFor()
  expect(readFileSync(file, 'utf8')).toBe(`${TEXT}# Mine.`)

  await page.keyboard.type(' More.')
  writeFileSync(file, `${TEXT}replise: []\n`)
  await page.getByText("replise: unknown field 'replise'").waitFor()
  await page.getByText('The last good scenario stays active.').waitFor()
  await save(page).click()
  await page.getByText(/^Not saved: .* has changed on disk/).waitFor()
  expect(readFileSync(file, 'utf8')).toBe(`${TEXT}replise: []\n`)

  // The editor undoes what is changed within half a second in one step.
  await page.waitForTimeout(1000)
  await page.getByRole('button', { name: 'Load the file' }).click()
  await page.getByText('1 problem:').waitFor()
  await editor(page).click()
  await page.keyboard.press('Control+z')
  await page.getByText('No problems.').waitFor()
  await save(page).click()
  await expect.poll(() => readFileSync(file, 'utf8')).toBe(`${TEXT}# Mine. More.`)
})

test('a session is copied as a scenario and as a test', async () => {
  const { page } = await open({
    path: '/calls/1',
    before: async ({ ask }) => void (await ask('Hello')),
  })
  await live(page)
  for (const [name, part] of [
    ['scenario', 'user: Hello'],
    ['test', 'toHaveNoUnmatchedCalls'],
  ] as const) {
    await page.getByText('Copy', { exact: true }).click()
    await page.getByRole('button', { name: `Session as ${name}` }).click()
    await page.getByText(`Copied the session as a ${name}.`).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(part)
  }
})
