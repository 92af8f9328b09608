/** Nothing that a call, a scenario or a report file says becomes markup or runs as script on the page. */
import { expect, test } from 'vitest'
import { live, open, panel, useBrowser } from './console-page.ts'

useBrowser()

// Each would set a global if it were markup, or load an image from elsewhere, which the test refuses.
const EVIL = [
  '<img src=x onerror="globalThis.hacked=1">',
  '<script>globalThis.hacked=1</script>',
  '<svg onload="globalThis.hacked=1">',
  '"><iframe srcdoc="<script>parent.hacked=1</script>">',
  '[a](javascript:globalThis.hacked=1) ![b](https://evil.example/x.png)',
  "';globalThis.hacked=1;//",
  '</textarea></style></title><img src=x onerror=globalThis.hacked=1>',
].join(' ')

const SCENARIO = {
  description: EVIL,
  keys: { '*': {}, [`sk-${EVIL}`]: {} },
  models: { '*': {}, [EVIL]: {} },
  replies: [
    { when: { user: 'tool' }, call: [{ name: 'evil_tool', arguments: { [EVIL]: EVIL } }] },
    { when: { user: EVIL }, say: EVIL },
  ],
} as const

const TABS = ['conversation', 'timeline', 'request', 'response', 'compare']
const VIEWS = ['faults', 'scenario', 'try', 'now', 'report']

test('HTML, script and markdown of calls and scenarios are shown as text', async () => {
  const { page, mock, server } = await open({
    scenario: SCENARIO,
    before: async ({ ask, mock }) => {
      const body = { model: EVIL, user: EVIL, [EVIL]: EVIL }
      const headers = { 'x-mock-session': 'one' }
      await ask(EVIL, { body, headers })
      await ask(EVIL, { body: { ...body, stream: true } })
      const tool_calls = [
        { id: EVIL, type: 'function', function: { name: EVIL, arguments: JSON.stringify({ [EVIL]: EVIL }) } },
      ]
      const image = { type: 'image_url', image_url: { url: 'javascript:globalThis.hacked=1', detail: EVIL } }
      const file = { type: 'file', file: { filename: EVIL, file_data: EVIL } }
      const messages = [
        { role: 'user', name: EVIL, content: [{ type: 'text', text: EVIL }, image, file, { type: EVIL }] },
        { role: 'assistant', content: null, tool_calls },
        { role: 'tool', tool_call_id: EVIL, content: EVIL },
        { role: EVIL, content: EVIL },
      ]
      await ask(messages, { body: { tools: [{ type: 'function', function: { name: EVIL } }] } })
      await ask('tool', { body: { tools: [{ type: 'function', function: { name: 'evil_tool', parameters: {} } }] } })
      await ask('key', { headers: { authorization: `Bearer ${EVIL}` } })
      mock.inject('server-error', { key: EVIL })
    },
  })
  await live(page)
  const count = mock.journal.length
  expect(count).toBe(5)
  for (let number = 1; number <= count; number++) {
    for (const tab of TABS) {
      await page.goto(`${server.controlUrl}/calls/${number}/${tab}`)
      await panel(page).waitFor()
    }
  }
  for (const view of VIEWS) {
    await page.goto(`${server.controlUrl}/${view}`)
    await live(page)
  }
  await page.goto(`${server.controlUrl}/calls/${encodeURIComponent(EVIL)}/${encodeURIComponent(EVIL)}`)
  await live(page)
  // Time for what would load or run later.
  await page.waitForTimeout(200)
  expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
  await page.goto(`${server.controlUrl}/calls/2/conversation`)
  await panel(page).getByText('globalThis.hacked').first().waitFor()
  expect(await page.locator('img, iframe, body script, main svg').count()).toBe(0)
}, 120_000)

test('a report file is shown as text', async () => {
  const { page } = await open({ path: '/report' })
  await live(page)
  const call = {
    number: 1,
    method: EVIL,
    path: EVIL,
    prompt: EVIL,
    status: 200,
    at: 0,
    reason: { by: EVIL, name: EVIL },
  }
  const finding = {
    name: EVIL,
    level: 'mistake',
    summary: EVIL,
    message: EVIL,
    prompt: EVIL,
    path: EVIL,
    calls: [call],
  }
  const report = {
    findings: [finding],
    coverage: [{ kind: EVIL, id: EVIL, name: EVIL, count: 0 }],
    expectations: [{ name: EVIL, expected: EVIL, found: EVIL, verdict: EVIL }],
    misses: [{ ...call, nearest: EVIL, differences: [EVIL] }],
    cache: null,
    calls: 1,
  }
  const failure = { size: EVIL, faults: [EVIL], error: EVIL, output: [EVIL], tokens: [EVIL], file: EVIL }
  const hunt = {
    command: EVIL,
    scenario: EVIL,
    failures: [failure],
    table: { classes: [EVIL], rows: [{ label: EVIL, outcomes: [EVIL] }] },
    warnings: [EVIL],
  }
  for (const content of [report, hunt]) {
    const buffer = Buffer.from(JSON.stringify(content))
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: `${EVIL.slice(0, 40)}.json`, mimeType: 'application/json', buffer })
    await page.getByText('globalThis.hacked').first().waitFor()
    await page.waitForTimeout(200)
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    expect(await page.locator('img, iframe, body script, main svg').count()).toBe(0)
  }
})
