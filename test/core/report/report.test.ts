/** The conduct report: what it says of a client and of a scenario, in each of its forms. */
import { expect, test } from 'vitest'
import { failuresOf } from '../../../src/core/report/client-report.ts'
import { REPORT_FORMS } from '../../../src/core/report/report-forms.ts'
import { formatFinding, writeReport } from '../../../src/core/report/write-report.ts'
import { engineOf } from '../../../src/engine/mock.ts'
import { buildMockReport } from '../../../src/engine/mock-report.ts'
import { ask, steppingMock } from '../../support/stepping.ts'

/** A client that comes back at once after a 429, to a scenario of which it uses half. */
async function hasty() {
  const mock = steppingMock({
    limits: { requests: '1 per minute' },
    replies: [
      { when: { user: '/<&>"%/' }, say: 'Odd.' },
      { when: { user: 'never' }, say: 'Never.' },
    ],
  })
  for (let time = 0; time < 2; time++) await ask(mock, { user: 'Say <&>"%\u0007, please' })
  await ask(mock, { user: 'Say <&>"%\u0007, please' })
  return buildMockReport(engineOf(mock).view)
}

test('a report lists what the client did wrong and what was never used', async () => {
  const report = await hasty()
  expect(report.calls).toBe(3)
  expect(report.findings.map(({ name, level }) => [name, level])).toEqual([['early-retry', 'mistake']])
  expect(report.coverage.filter(({ count }) => count === 0).map(({ ruleId }) => ruleId)).toEqual(['replies[1]'])
  expect([failuresOf(report, true), failuresOf(report, false)]).toEqual([
    ['1 client mistake (--conduct strict): early-retry'],
    [],
  ])
})

test.each(REPORT_FORMS)('as %s', async (form) => {
  expect(writeReport[form](await hasty(), true)).toMatchSnapshot()
})

test('the report of a client without mistakes and a fully used scenario says so in one line', async () => {
  const mock = steppingMock({ replies: [{ say: 'Yes.' }] })
  await ask(mock)
  const report = buildMockReport(engineOf(mock).view)
  expect(failuresOf(report, true)).toEqual([])
  expect([writeReport.pretty(report, true), writeReport.github(report, true)]).toEqual([
    'no mistakes found in 1 call',
    '::notice title=api-mock conduct::no mistakes found in 1 call',
  ])
  expect(writeReport.junit(report, true)).toContain('failures="0"')
})

test('a report lists each request that had no recorded answer once, with the nearest one', async () => {
  const mock = steppingMock({ replies: [{ when: { request: { model: 'm', messages: [] } }, answer: { body: '{}' } }] })
  await ask(mock, { user: 'Hi <there>' })
  await ask(mock, { user: 'Hi <there>' })
  const report = buildMockReport(engineOf(mock).view)
  const text =
    'replies[0] nearly matched: expected request.model \'m\', got \'echo-1\'; expected request.messages[0] none, got {"role":"user","content":"Hi <there>"}'
  expect(report.misses).toEqual([{ calls: [1, 2], key: 'sk****st', rule: 'replies[0]', text }])
  expect(writeReport.pretty(report, true)).toContain(`miss #1, #2: ${text}`)
  expect(writeReport.github(report, true)).toContain(`::warning title=api-mock miss::#1, #2: ${text}`)
  expect(writeReport.junit(report, true)).toContain('<system-out>miss #1, #2: replies[0] nearly matched: ')
  expect(writeReport.junit(report, true)).toContain('Hi &lt;there&gt;')
})

test('JUnit has failures only where mistakes fail the run', async () => {
  const report = await hasty()
  expect(writeReport.junit(report, true)).toContain('failures="1"')
  const lenient = writeReport.junit(report, false)
  expect(lenient).toContain('failures="0"')
  expect(lenient).toContain('<system-out>mistake early-retry of POST /v1/chat/completions')
})

test('the forms for programs tell the verdicts apart', async () => {
  const mock = steppingMock({ expect: { calls: 1, retries: 5, errors: '< 1%' } })
  await ask(mock)
  const report = buildMockReport(engineOf(mock).view)
  expect(failuresOf(report, false)).toEqual(['retries does not meet 5'])
  expect(failuresOf(report, true)).toEqual(['errors has no verdict (--conduct strict)', 'retries does not meet 5'])
  expect(writeReport.github(report, false).split('\n').slice(1)).toEqual([
    '::notice title=api-mock calls PASS::calls 1: 1 call',
    '::warning title=api-mock errors INCONCLUSIVE::errors < 1%25: 0 of 1 call (0%25). Too few to tell: expected at least 100 calls, got 1.',
    '::error title=api-mock retries FAIL::retries 5: 0 retries',
  ])
  const junit = writeReport.junit(report, false)
  expect(junit).toContain('failures="1"')
  expect(junit).toContain('<testcase classname="expect" name="retries 5"><failure message="retries 5: 0 retries"/>')
  expect(junit).toContain('name="errors &lt; 1%"><skipped message="errors &lt; 1%: 0 of 1 call (0%). Too few')
  expect(writeReport.junit(report, true)).toContain('failures="2"')
})

test('a finding shows its first four calls and the last one', async () => {
  const mock = steppingMock({ faults: [{ fault: 'server-error' }] })
  for (let time = 0; time < 13; time++) {
    await ask(mock)
    mock.clock.advance(1000 * 2 ** time)
  }
  const [finding] = buildMockReport(engineOf(mock).view).findings
  expect(finding?.calls).toHaveLength(13)
  expect(formatFinding(finding!)).toEqual([
    "unbounded-retries of POST /v1/chat/completions 'Hello!' (key sk****st): #1 was retried 12 times: expected at most 10 retries.",
    '#1 at 0 ms: 500 fault server-error (faults[0]), ended after 0 ms',
    '#2 at 1000 ms: 500 fault server-error (faults[0]), ended after 0 ms',
    '#3 at 3000 ms: 500 fault server-error (faults[0]), ended after 0 ms',
    '#4 at 7000 ms: 500 fault server-error (faults[0]), ended after 0 ms',
    '... and 8 more',
    '#13 at 4095000 ms: 500 fault server-error (faults[0]), ended after 0 ms',
  ])
})

test('a fault that was never used is named', () => {
  const mock = steppingMock({
    faults: [
      { fault: 'server-error', attempt: 9 },
      { fault: 418, attempt: 9 },
    ],
  })
  const report = buildMockReport(engineOf(mock).view)
  expect(writeReport.pretty(report, true)).toBe(
    'never used:\n  faults[0] (server-error, when attempt 9)\n  faults[1] (418, when attempt 9)',
  )
})

test('the conditions of a rule that was never used show keys masked', () => {
  const mock = steppingMock({
    keys: { 'sk-*': {} },
    replies: [{ when: { key: ['sk-abcdefghijklmnop', 'sk-*'], user: 'my key is sk-abcdefghijklmnop' }, say: 'x' }],
  })
  const report = buildMockReport(engineOf(mock).view)
  expect(writeReport.pretty(report, true)).toBe(
    "never used: replies[0] (when key 'sk-abcde****mnop' or 'sk-*', user 'my key is sk-abcde****mnop')",
  )
})

test('a limit that refused nothing was never reached, because it counted the calls all the same', async () => {
  const mock = steppingMock({ limits: { requests: '9 per minute' }, replies: [{ when: { user: 'x' }, say: 'X.' }] })
  await ask(mock, { user: 'Hi' })
  const report = buildMockReport(engineOf(mock).view)
  expect(writeReport.pretty(report, true).split('\n')).toEqual([
    "never used: replies[0] (when user 'x')",
    'never reached: limits.requests',
    'no mistakes found in 1 call',
  ])
  expect(writeReport.github(report, true)).toContain("coverage::never used: replies[0] (when user 'x')\n")
  expect(writeReport.github(report, true)).toContain('coverage::never reached: limits.requests\n')
  expect(writeReport.junit(report, true)).toContain('name="limits.requests"><skipped message="never reached"/>')
})

test('a report shows at most 20 misses as text', async () => {
  const mock = steppingMock({ unmatched: 'refuse', replies: [{ when: { user: '/^never$/' }, say: 'No.' }] })
  for (let index = 0; index < 22; index++) await ask(mock, { user: `Question ${index}` })
  const report = buildMockReport(engineOf(mock).view)
  expect(report.misses).toHaveLength(22)
  const lines = writeReport
    .pretty(report, true)
    .split('\n')
    .filter((line) => line.startsWith('miss '))
  expect(lines).toHaveLength(21)
  expect(lines.at(-1)).toBe('miss of 2 more requests')
})

test('the report sums what the prompt cache did, and says nothing of it where it did nothing', async () => {
  const mock = steppingMock({ replies: [{ say: 'Yes.' }], cache: 'prefixes' })
  await ask(mock, { user: 'Hello!' })
  expect('cache' in buildMockReport(engineOf(mock).view)).toBe(false)
  for (let time = 0; time < 3; time++) await ask(mock, { user: 'word '.repeat(1300) })
  const report = buildMockReport(engineOf(mock).view)
  expect(report.cache).toEqual({ calls: 3, hits: 2, cachedTokens: 2560, cacheWriteTokens: 1280 })
  const lines = writeReport.pretty(report, true).split('\n')
  expect(lines.slice(-2)).toEqual([
    'prompt cache: 2 of 3 calls hit it, 2560 cached tokens, 1280 written tokens',
    'no mistakes found in 4 calls',
  ])
})

test('the text of a scenario is escaped in the formats for programs', async () => {
  const mock = steppingMock({ keys: { 'sk-<&>"\n::error::x': { fault: 'quota' }, 'sk-*': {} } })
  await ask(mock)
  const report = buildMockReport(engineOf(mock).view)
  const lines = writeReport.github(report, true).split('\n')
  expect(lines.map((line) => line.slice(0, 8))).toEqual(['::notice', '::notice'])
  expect(writeReport.junit(report, true)).not.toMatch(/name="[^"]*[<>][^"]*"/)
})

test('faults of a state are covered like others', async () => {
  const mock = steppingMock({ states: { down: { faults: [{ fault: 'overloaded' }, { fault: 'quota' }] } } })
  await ask(mock)
  expect(mock.usage.map(({ ruleId, count }) => [ruleId, count])).toEqual([
    ['states.down.faults[0]', 1],
    ['states.down.faults[1]', 0],
  ])
})
