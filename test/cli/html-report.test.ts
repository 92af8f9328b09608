/** `api-mock run --report html`: what is written into the template of the page. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { formatHtml } from '../../src/cli/output/html-report.ts'
import type { ConductReport } from '../../src/core/conduct/report.ts'
import { command, temporaryFolder } from './command.ts'

vi.setConfig({ testTimeout: 100_000 })

test('the report and the title are inside, and no text of a call can end the script', async () => {
  const template = join(temporaryFolder(), 'report.html')
  writeFileSync(template, '<title>{{title}}</title><script type="application/json">{{report}}</script>')
  const misses = [{ calls: [1], key: 'sk****st', text: '</script><script>alert(1)</script> $& {{title}}' }]
  const report: ConductReport = { calls: 1, findings: [], misses, coverage: [] }
  const page = await formatHtml(report, 'Run <of> a & b', pathToFileURL(template))
  expect(page.match(/<\/?script/g)).toHaveLength(2)
  expect(page).toContain('<title>Run &#60;of&#62; a &#38; b</title>')
  const [, json = ''] = /json">(.*)<\/script>/.exec(page) ?? []
  expect(JSON.parse(json)).toEqual(report)
})

test('a page needs a file', async () => {
  const { code, stderr } = await command(['run', '--report', 'html', '--', process.execPath, '-e', '0'])
  expect([code, stderr]).toEqual([
    1,
    'api-mock: --report html needs a file. Add --report-file report.html\nSee api-mock run --help\n',
  ])
})
