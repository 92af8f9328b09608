/** `api-mock run --report html`: what is written into the template of the page, and what the page reads of it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { chooseCalls, formatHtml } from '../../src/cli/output/html-report.ts'
import { findEmbeddedCall } from '../../src/console/report/embedded.ts'
import type { CallDetails } from '../../src/core/journal/call-details.ts'
import type { PageReport } from '../../src/core/report/page-report.ts'
import type { ScenarioSource } from '../../src/core/scenario/scenario-source.ts'
import { engineOf } from '../../src/engine/mock.ts'
import { buildMockReport } from '../../src/engine/mock-report.ts'
import { asking, mockAfter, type PageCall } from '../support/console.ts'
import { command, temporaryFolder } from './command.ts'

vi.setConfig({ testTimeout: 100_000 })

const HTML = '</script><script>alert(1)</script><!-- \u2028 & {{title}} $&'
const NOTHING_FOUND = { findings: [], misses: [] }
const RUN = {
  exitCode: 1,
  command: 'npm test',
  startedAt: '2026-11-23T15:04:05.678Z',
  durationMs: 1234,
  version: '1.2.3',
}
const LIMITS = { maxCalls: 100, maxCharacters: 1_000_000, maxCallCharacters: 100_000 }

async function pageOf(source: Partial<ScenarioSource>, calls: readonly PageCall[], title = 'A run') {
  const template = join(temporaryFolder(), 'report.html')
  writeFileSync(template, '<title>{{title}}</title><script type="application/json">{{report}}</script>')
  const engine = engineOf(mockAfter(source, calls))
  const report = buildMockReport(engine.view)
  const page = await formatHtml(
    { title, summary: '1 call', failures: ['p99 does not meet < 2s'], run: RUN, report },
    engine,
    pathToFileURL(template),
  )
  return { page, report, data: JSON.parse(/json">(.*)<\/script>/s.exec(page)![1]!) as PageReport }
}

/** The numbers of the calls that are chosen of a mock with these calls. */
function numbersChosen(calls: readonly PageCall[], limits: Partial<typeof LIMITS>, report = NOTHING_FOUND) {
  const { calls: exchanges } = engineOf(mockAfter({}, calls)).view
  const { calls: chosen, leftOut } = chooseCalls(exchanges, report as never, 1, { ...LIMITS, ...limits })
  return { numbers: chosen.map((json) => (JSON.parse(json) as CallDetails).number), leftOut }
}

test('the report, the scenario and the calls are inside, and the page finds them', async () => {
  const source = { replies: [{ when: { user: 'weather' }, say: 'Sunny.' }] }
  const { data, report } = await pageOf(source, [asking('The weather?'), asking('Hello')])
  expect(data).toMatchObject({
    title: 'A run',
    summary: '1 call',
    run: RUN,
    failures: ['p99 does not meet < 2s'],
    leftOut: 0,
    scenario: { name: 'test' },
  })
  expect(data.report).toEqual(JSON.parse(JSON.stringify(report)))
  expect(data.scenario.text).toContain('say: Sunny.')
  expect(findEmbeddedCall(data, 2)).toMatchObject({ user: 'Hello', status: 200, body: { model: 'echo-1' } })
  expect(() => findEmbeddedCall(data, 3)).toThrow('This file has no call 3.')
  expect(() => findEmbeddedCall({ ...data, leftOut: 1 }, 3)).toThrow(
    'This file has no call 3. 1 call is left out to limit its size.',
  )
})

test('no text can end the script, begin a comment or be taken for a part of the template', async () => {
  const { page, data } = await pageOf({ description: HTML }, [asking(HTML)], 'Run <of> a & b {{report}}')
  expect(page.match(/<\/?script/g)).toHaveLength(2)
  expect(page).not.toMatch(/<!--|\u2028/)
  expect(page).toContain('<title>Failed: Run &#60;of&#62; a &#38; b {{report}}</title>')
  expect(findEmbeddedCall(data, 1).user).toBe(HTML)
})

test('calls of the report come first, then failed calls, then the newest', () => {
  const calls = [asking('one'), asking('two'), { body: {} }, asking('four'), asking('five')]
  const report = { findings: [], misses: [{ calls: [2], key: '', text: '' }] }
  const chosen = [1, 2, 3, 4, 5].map((maxCalls) => numbersChosen(calls, { maxCalls }, report as never).numbers)
  expect(chosen).toEqual([[2], [2, 3], [2, 3, 5], [2, 3, 4, 5], [1, 2, 3, 4, 5]])
})

test('the calls have a limited size, and those left out are counted', () => {
  const calls = Array.from({ length: 50 }, (_, index) => asking(`${index} ${'x'.repeat(1000)}`))
  const { numbers, leftOut } = numbersChosen(calls, { maxCharacters: 50_000 })
  expect(numbers.length + leftOut).toBe(50)
  expect(numbers.length).toBeGreaterThan(2)
  expect(numbers.length).toBeLessThan(30)
  expect(numbers.at(-1)).toBe(50)
})

test('a long answer loses its end before a large call loses its texts', () => {
  const { calls: exchanges } = engineOf(mockAfter({ replies: [{ say: 'x'.repeat(20_000) }] }, [asking('Hello')])).view
  const { calls } = chooseCalls(exchanges, NOTHING_FOUND, 1, { ...LIMITS, maxCallCharacters: 10_000 })
  const { timeline = [], isWhole, bytes } = JSON.parse(calls[0]!) as CallDetails
  expect([isWhole, timeline[1]]).toEqual([false, expect.objectContaining({ bytes, data: expect.stringMatching(/x$/) })])
})

test('a large call keeps its facts and says what is not in the file', () => {
  const { calls: exchanges } = engineOf(mockAfter({}, [asking('x'.repeat(20_000))])).view
  const { calls } = chooseCalls(exchanges, NOTHING_FOUND, 1, { ...LIMITS, maxCallCharacters: 10_000 })
  const { body, timeline, notes, status } = JSON.parse(calls[0]!) as CallDetails
  expect([body, timeline, status]).toEqual([undefined, undefined, 200])
  expect(notes.at(-1)).toMatch(/^The body and the timeline are not in this file: [\d,]+ characters\.$/)
  expect(calls[0]!.length).toBeLessThan(5000)
})

test('keys and passwords in the scenario are masked', async () => {
  const own = 'my-own-secret-key-of-a-team'
  const { page } = await pageOf(
    { keys: { [own]: {} }, description: `sk-abcdefghijklmnopqrst at redis://me:pass@host` },
    [],
  )
  expect(page).not.toMatch(/my-own-secret|sk-abcdefghijklm|me:pass/)
  expect(page).toContain('redis://me:****@host')
})

test('a page needs a file', async () => {
  const words = ['--', process.execPath, '-e', '0']
  const ofOption = await command(['run', '--report', 'html', ...words])
  const ofVariable = await command(['run', ...words], { env: { API_MOCK_REPORT: 'html' } })
  const problem = 'html needs a file. Add --report-file report.html\nSee api-mock run --help\n'
  expect([ofOption.code, ofOption.stderr]).toEqual([1, `api-mock: --report: ${problem}`])
  expect([ofVariable.code, ofVariable.stderr]).toEqual([1, `api-mock: API_MOCK_REPORT: ${problem}`])
})
