/**
 * The list of calls, one call, and the frame of the page in a real browser, as the built package serves them.
 *
 *   npm run build && npx vitest run --config test/browser/vitest.config.ts console
 */
import { getResponse } from 'msw'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { KEY, listen, live, open, panel, row, rows, useBrowser } from './console-page.ts'

useBrowser()

const PHONE = { width: 390, height: 844 }
const SLOW = { description: 'A slow one.', pace: { firstToken: '60ms', perToken: '5ms' } } as const
const heading = (page: Page, number: number) => page.getByRole('heading', { name: `Call ${number}`, exact: true })

// The list

test('calls appear as they happen, newest first, with the reason for each answer', async () => {
  const { page, ask } = await open()
  await live(page)
  await ask('Hello there!')
  await ask('Fail, please', { headers: { 'x-mock-fault': 'overloaded' } })
  await expect.poll(() => rows(page).count()).toBe(2)
  expect(await rows(page).nth(0).textContent()).toMatch(
    /^2\d\d:.*503.*Fail, please.*echo-1.*fault overloaded \(header\)/,
  )
  expect(await rows(page).nth(1).textContent()).toMatch(/^1\d\d:.*200.*Hello there!.*echo-1.*echo\d+/)
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
  await page.locator('.ending', { hasText: 'open' }).waitFor()
  leaving.abort()
  await hanging.catch(() => {})
  await page.locator('.ending', { hasText: 'left' }).waitFor()
})

test('columns hide by width, and the prompt always has room', async () => {
  const { page } = await open({ before: async ({ ask }) => void (await ask('Hello')) })
  const titles = () => page.getByRole('columnheader').allTextContents()
  await row(page, 1).waitFor()
  expect(await titles()).toHaveLength(10)
  await row(page, 1).click()
  await expect.poll(titles).toEqual(['Call', 'Status', 'Prompt', 'Matched by', 'Duration'])
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: '← Calls' }).click()
  await expect.poll(titles).toEqual(['Status', 'Prompt', 'Duration'])
  const { width } = (await page.locator('.cell-prompt').boundingBox())!
  expect(width).toBeGreaterThan(180)
})

test('the slowest calls are found by their column or by a filter', async () => {
  const { page } = await open({
    scenario: { description: 'A slow one.', pace: { perToken: '50ms' } },
    before: async ({ ask }) => {
      for (const text of ['one', 'two '.repeat(40), 'three']) await ask(text)
    },
  })
  await row(page, 3).waitFor()
  const numbers = () => page.locator('.call-row .cell-number').allTextContents()
  const header = page.getByRole('columnheader', { name: 'Duration' })
  expect(await header.getAttribute('aria-sort')).toBe('none')
  await header.getByRole('button').press('Enter')
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending')
  await expect.poll(async () => (await numbers())[0]).toBe('2')
  await header.getByRole('button').click()
  await expect.poll(numbers).toEqual(['3', '2', '1'])
  await page.getByLabel('Text').fill('>1900ms')
  await expect.poll(numbers).toEqual(['2'])
})

test('new calls do not move the rows that are being read', async () => {
  const { page, ask } = await open({
    before: async ({ ask }) => {
      for (let call = 1; call <= 60; call++) await ask(`call ${call}`)
    },
  })
  await row(page, 60).waitFor()
  await page.locator('.rows').evaluate((list) => list.scrollTo(0, 700))
  await row(page, 35).waitFor()
  const before = await row(page, 35).boundingBox()
  for (let call = 61; call <= 72; call++) await ask(`call ${call}`)
  const button = page.getByRole('button', { name: '12 new calls' })
  await button.waitFor()
  expect(await row(page, 35).boundingBox()).toEqual(before)
  await button.click()
  await row(page, 72).waitFor()
  await button.waitFor({ state: 'hidden' })
})

test('calls are filtered, and a filter without hits says so and can be cleared', async () => {
  const { page, ask } = await open()
  await live(page)
  await ask('one')
  await ask('two', { headers: { 'x-mock-fault': '429' } })
  await ask('three', { headers: { authorization: 'Bearer sk-other-mnopqrstuv' }, body: { temperature: 9 } })
  await row(page, 3).waitFor()
  const form = page.getByRole('form', { name: 'Calls' })
  const chosen = async (label: string, value: string): Promise<string> => {
    await form.getByLabel(label, { exact: true }).selectOption(value)
    const numbers = await page.locator('.call-row .cell-number').allTextContents()
    await form.getByRole('button', { name: 'Clear filter' }).click()
    await expect.poll(() => rows(page).count()).toBe(3)
    return numbers.join()
  }
  expect(await chosen('Status', '4xx')).toBe('3,2')
  expect(await chosen('Endpoint', 'chat')).toBe('3,2,1')
  expect(await chosen('Key', 'sk-other****stuv')).toBe('3')
  expect(await chosen('Failure', 'rate-limit')).toBe('2')
  await form.getByLabel('Text').fill('nothing has this')
  await page.getByText('No call matches the filter.').waitFor()
  await page.locator('.empty').getByRole('button', { name: 'Clear filter' }).click()
  await expect.poll(() => rows(page).count()).toBe(3)
})

test('the keyboard alone is enough to move between calls, open one, filter and close', async () => {
  const { page, ask } = await open()
  await live(page)
  for (const word of ['one', 'two', 'three']) await ask(word)
  await row(page, 3).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await heading(page, 2).waitFor()
  // With a call open, the next one opens.
  await page.keyboard.press('ArrowDown')
  await heading(page, 1).waitFor()
  await page.keyboard.press('k')
  await heading(page, 2).waitFor()
  await page.getByRole('tab', { selected: true }).waitFor()
  await page.keyboard.press(']')
  await page.getByRole('tab', { name: 'Timeline', selected: true }).waitFor()
  await page.keyboard.press('Escape')
  await heading(page, 2).waitFor({ state: 'hidden' })

  await page.keyboard.press('/')
  await page.keyboard.type('three')
  await page.getByText('1 of 3 calls').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('3 calls', { exact: true }).waitFor()

  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keys.waitFor()
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'hidden' })
  await page.keyboard.press('f')
  await expect.poll(() => page.url()).toMatch(/\/_mock\/faults$/)
  await page.keyboard.press('l')
  await expect.poll(() => page.url()).toMatch(/\/_mock\/calls$/)
})

test('of a flood of calls the page shows what the journal keeps, and how many are missing', async () => {
  const { page, mock } = await open({ options: { journal: { entries: 3 } } })
  await live(page)
  const { handlers, baseURL } = mock
  const request = new Request(`${baseURL}/foo`)
  await Promise.all(Array.from({ length: 600 }, () => getResponse(handlers, request.clone())))
  await row(page, 600).waitFor()
  await page.getByText(/\d calls · [\d,]+ calls not shown/).waitFor()
})

// One call

test('a call has an address, and goes to the next and the previous one', async () => {
  const { page, server } = await open({
    before: async ({ ask }) => {
      for (const word of ['one', 'two', 'three']) await ask(word)
    },
    path: '/calls/2/request',
    allowed: /404 \(Not Found\)/,
  })
  await heading(page, 2).waitFor()
  await page.getByRole('tab', { name: 'Request', selected: true }).waitFor()
  await page.getByRole('button', { name: 'Older call' }).click()
  await heading(page, 1).waitFor()
  expect(page.url()).toBe(`${server.controlUrl}/calls/1/request`)
  await page.getByRole('button', { name: 'Newer call' }).click()
  await heading(page, 2).waitFor()
  await page.goto(`${server.controlUrl}/calls/99`)
  await page.getByText('The journal has no call 99.').waitFor()
})

test('on a phone the call takes the screen, and there is a way back', async () => {
  const { page } = await open({ size: PHONE, before: async ({ ask }) => void (await ask('Hello')) })
  await row(page, 1).click()
  await heading(page, 1).waitFor()
  expect(await row(page, 1).isVisible()).toBe(false)
  const box = (await page.locator('.call').boundingBox())!
  expect([box.x, box.width]).toEqual([0, PHONE.width])
  await page.goBack()
  await row(page, 1).waitFor()
  await row(page, 1).click()
  await page.getByRole('button', { name: '← Calls' }).click()
  await row(page, 1).waitFor()
})

test('the sentence of a call says why it was a 429', async () => {
  const { page } = await open({
    scenario: 'rate-limited',
    before: async ({ ask }) => {
      for (let call = 0; call < 4; call++) await ask('Hello')
    },
    path: '/calls/4',
  })
  await page
    .getByText(/rate_limit_exceeded: requests of key sk-test-\*{4}ijkl, 3 per minute, free again in [\d.]+ s$/)
    .waitFor()
})

test('a streamed call is shown as conversation, waterfall, request and response', async () => {
  const { page } = await open({
    scenario: SLOW,
    before: async ({ ask }) => void (await ask('one two three', { body: { stream: true } })),
    path: '/calls/1',
  })
  await panel(page).getByText('answer', { exact: true }).waitFor()
  expect(await panel(page).locator('.message-text').allTextContents()).toEqual(['one two three', 'one two three'])
  await page.getByRole('tab', { name: 'Timeline' }).click()
  const phases = page.getByRole('table', { name: 'Phases of the answer, planned and actual' })
  expect(await phases.locator('tbody th').allTextContents()).toEqual([
    'Wait',
    expect.stringMatching(/^Tokens \d+\/s$/),
    ...(await phases.locator('tbody th').allTextContents()).slice(2),
  ])
  expect(await phases.locator('tbody tr').first().textContent()).toMatch(/^Wait60 ms\d+ ms$/)
  expect(await page.getByRole('table', { name: 'Steps' }).textContent()).toMatch(
    /head 200.*"one".*" two".*finish: stop.*end$/s,
  )
  await page.getByRole('tab', { name: 'Response' }).click()
  await panel(page).getByText('finish: stop').click()
  await panel(page).getByText('"finish_reason"').waitFor()
  await page.getByRole('tab', { name: 'Request' }).click()
  expect(await panel(page).textContent()).toContain('"one two three"')
  await panel(page).getByLabel('Raw').check()
  expect(await panel(page).locator('pre').textContent()).toContain('"messages": [')
})

test('a call is compared with the previous attempt', async () => {
  const { page } = await open({
    before: async ({ ask }) => {
      await ask('Hello', { headers: { 'x-mock-fault': 'server-error' } })
      await ask('Between')
      await ask('Hello')
    },
    path: '/calls/3/compare',
  })
  await panel(page).getByRole('columnheader', { name: 'Call 1' }).waitFor()
  expect(
    await panel(page)
      .getByRole('row', { name: /^Status/ })
      .textContent(),
  ).toBe('Status500200')
  await panel(page)
    .getByRole('row', { name: /^Request body the same/ })
    .waitFor()
  expect(await panel(page).getByRole('option').allTextContents()).toEqual([
    'call 2: 200 Between',
    'call 1 (same request): 500 Hello',
  ])
  await panel(page).getByLabel('Compare with').selectOption('2')
  await panel(page).getByText('messages[0].content').waitFor()
})

test('a partial answer says what is missing at its end, and a missing one why there is none', async () => {
  const { page, server } = await open({
    before: async ({ ask }) => {
      await ask('one two three', { body: { stream: true }, headers: { 'x-mock-fault': 'cut; after=3' } })
      await ask('Hello', { headers: { 'x-mock-fault': 'bad-gateway' } })
    },
    path: '/calls/1',
  })
  await panel(page).getByText('The mock cut the answer off here.').waitFor()
  await page.goto(`${server.controlUrl}/calls/2/conversation`)
  await panel(page).getByText('The answer is an error: see the tab Response.').waitFor()
})

test('the rest of a long list and of a long text is shown on demand', async () => {
  const list = Array.from({ length: 150 }, (_, index) => `item ${index}`)
  const { page } = await open({
    before: async ({ ask }) =>
      void (await ask([{ role: 'user', content: [{ type: 'text', list, long: 'x'.repeat(3000) }] }])),
    path: '/calls/1',
  })
  await panel(page).getByRole('button', { name: 'Show all 3,000 characters' }).click()
  await panel(page).getByText('x'.repeat(3000)).waitFor()
  await panel(page).getByText('150 items').click()
  await panel(page).getByRole('button', { name: 'Show more: 50 left' }).click()
  await panel(page).getByText('"item 149"').waitFor()
  expect(await panel(page).getByRole('button').count()).toBe(0)
})

test('the details of an open call are updated when it ends', async () => {
  const { page, ask } = await open({ scenario: { description: 'A slow one.', pace: { firstToken: '800ms' } } })
  await live(page)
  const asked = ask('one')
  await row(page, 1).click()
  await page.getByText('not finished yet').waitFor()
  await asked
  await page.getByText('not finished yet').waitFor({ state: 'hidden' })
  await panel(page).getByText('answer', { exact: true }).waitFor()
})

test('a call is copied as curl, Python, TypeScript, rule and test', async () => {
  const { page, server } = await open({
    scenario: { description: 'A test.', replies: [{ say: 'Sunny.' }] },
    before: async ({ ask }) => void (await ask('What is the weather?')),
    path: '/calls/1',
  })
  await heading(page, 1).waitFor()
  await panel(page).waitFor()
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  await page.keyboard.press('c')
  await page.getByText('Copied as curl.').waitFor()
  expect(await copied()).toMatch(
    new RegExp(`^curl '${server.url}/chat/completions'.*Bearer \\$\\{OPENAI_API_KEY:-sk-test\\}`, 's'),
  )
  const copy = async (label: string): Promise<string> => {
    await page.getByText('Copy', { exact: true }).click()
    await page.getByRole('button', { name: new RegExp(`^${label}`) }).click()
    await page
      .getByText(`Copied as ${label === 'Rule' ? 'a rule for a scenario' : label === 'Test' ? 'a test' : label}.`)
      .waitFor()
    return copied()
  }
  expect(await copy('Python')).toContain('client.chat.completions.create(')
  expect(await copy('TypeScript')).toContain("import OpenAI from 'openai'")
  expect(await copy('Rule')).toContain('      user: What is the weather?\n    say: Sunny.\n')
  expect(await copy('Test')).toContain("import { useMock } from 'llm-api-mock/vitest'")
})

test('without a clipboard, the page shows the text to copy by hand', async () => {
  const { page } = await open({ before: async ({ ask }) => void (await ask('one')), path: '/calls/1' })
  await panel(page).waitFor()
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
  })
  await page.keyboard.press('c')
  expect(await page.getByRole('dialog').getByRole('textbox').inputValue()).toMatch(/^curl /)
})

// The frame

test('the divider moves with the mouse and with the keyboard, and its place is remembered', async () => {
  const { page } = await open({ before: async ({ ask }) => void (await ask('one')), path: '/calls/1' })
  const divider = page.getByRole('separator', { name: 'Width of the list' })
  await divider.focus()
  const start = Number(await divider.getAttribute('aria-valuenow'))
  await page.keyboard.press('ArrowLeft')
  expect(Number(await divider.getAttribute('aria-valuenow'))).toBe(start - 2)
  await page.keyboard.press('Home')
  expect(await divider.getAttribute('aria-valuenow')).toBe('20')
  await page.keyboard.press('End')
  expect(await divider.getAttribute('aria-valuenow')).toBe('80')
  const box = (await divider.boundingBox())!
  await page.mouse.move(box.x + 4, 300)
  await page.mouse.down()
  await page.mouse.move(400, 300, { steps: 4 })
  await page.mouse.up()
  const moved = Number(await divider.getAttribute('aria-valuenow'))
  expect(Math.abs(moved - (100 * 400) / 1280)).toBeLessThan(2)
  await page.reload()
  expect(Number(await divider.getAttribute('aria-valuenow'))).toBe(moved)
})

test('a reset asks first, and then also clears the calls on the page', async () => {
  const { page, mock } = await open({ before: async ({ ask }) => void (await ask('one')) })
  await row(page, 1).waitFor()
  const dialog = page.getByRole('dialog', { name: 'Reset the mock?' })
  await page.getByRole('button', { name: 'Reset' }).click()
  await dialog.getByText('1 call').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(mock.journal).toHaveLength(1)
  await page.getByRole('button', { name: 'Reset' }).click()
  await dialog.getByRole('button', { name: 'Reset' }).click()
  await row(page, 1).waitFor({ state: 'hidden' })
  expect(mock.journal).toEqual([])
  // Messages leave, unlike the scenario.
  await page.getByText('The mock is reset.').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('The mock is reset.').waitFor({ state: 'hidden' })
})

test('the page shows the current state, follows its changes and can switch it', async () => {
  const { page, ask, mock } = await open({ scenario: 'incident' })
  await live(page)
  const state = page.getByRole('banner').getByLabel('State')
  await state.selectOption('down')
  await expect.poll(() => mock.state).toBe('down')
  expect(await ask('one')).toMatch(/^503/)
  mock.enter('degraded')
  await expect.poll(() => state.inputValue()).toBe('degraded')
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
  await row(page, 1).waitFor()

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

test('the focus can be seen wherever Tab goes', async () => {
  const { page } = await open({ before: async ({ ask }) => void (await ask('one')), path: '/calls/1/request' })
  await panel(page).waitFor()
  const seen = new Set<string>()
  for (let press = 0; press < 30; press++) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate(() => {
      const one = document.activeElement as HTMLElement
      const shown = one.id === 'call-rows' ? (one.querySelector('.current') ?? one) : one
      const { outlineStyle, outlineWidth } = getComputedStyle(shown)
      return { name: `${one.tagName} ${one.ariaLabel || one.textContent}`, outline: `${outlineStyle} ${outlineWidth}` }
    })
    if (focus.name.startsWith('BODY')) continue
    expect(focus.outline, focus.name).toBe('solid 2px')
    seen.add(focus.name)
  }
  expect(seen.size).toBeGreaterThan(15)
})
