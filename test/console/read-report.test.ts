/** Reading the report file of a run or a hunt. */
import { expect, test } from 'vitest'
import { readReport } from '../../src/console/report/report-view.tsx'
import type { DrawnCall } from '../../src/core/report/run-picture.ts'
import { writeReport } from '../../src/core/report/write-report.ts'
import { engineOf } from '../../src/engine/mock.ts'
import { buildMockReport } from '../../src/engine/mock-report.ts'
import type { HuntResult } from '../../src/hunt/command/hunt-result.ts'
import { writeHuntReport } from '../../src/hunt/command/write-hunt-report.ts'
import { createMock } from '../../src/index.ts'
import { fetchFrom, serve } from '../support/http.ts'

test('the JSON report of a run is read whole', async () => {
  const server = await serve({ description: 'Small.', limits: { requests: '3 per minute' }, expect: { calls: '<= 3' } })
  for (let count = 0; count < 5; count++) await fetchFrom(server)
  const report = buildMockReport(engineOf(server.mock).view)
  expect(report.findings.length).toBeGreaterThan(0)
  expect(readReport(writeReport.json(report, false))).toEqual({ run: JSON.parse(JSON.stringify(report)) })
  expect(report.expectations).toHaveLength(1)
})

test('a report without calls is read', () => {
  const mock = createMock()
  expect(readReport(JSON.stringify(buildMockReport(engineOf(mock).view)))).toMatchObject({ run: { findings: [] } })
})

test('the JSON report of a hunt is read', () => {
  const drawn: DrawnCall = {
    number: 1,
    at: 0,
    durationMs: 120,
    status: 200,
    outcome: 'cut',
    key: 'sk-****ijkl',
    caller: 'one',
    request: 'a',
    method: 'POST',
    reason: { by: 'fault', name: 'cut (faults[0])' },
    levels: [{ kind: 'requests', limit: 10, used: 1, resetMs: 6000 }],
  }
  const cell = { runs: 1, pruned: {}, findings: [0] }
  const result: HuntResult = {
    runOptions: [],
    command: ['npm', 'test'],
    scenario: 'default',
    runs: 12,
    seconds: 3,
    calls: ['POST chat'],
    pruned: { knownRun: 0, failingSubset: 1, recoveredByRetry: 0, refused: 0, kept: 0 },
    failures: [
      {
        size: '1 fault',
        faults: ['call 1: cut'],
        error: 'exit code 1',
        output: ['x'],
        tokens: ['h1.a'],
        findings: [0],
        file: 'api-mock.hunt/a.yaml',
        drawnCalls: [drawn],
      },
    ],
    table: {
      classes: ['cut'],
      rows: [{ call: 1, id: 'a', label: 'POST chat', cells: [{ ...cell, outcome: 'failed' }] }],
    },
    left: 0,
    warnings: [],
    basis: {},
    coverage: {
      ...{ percent: 100, cells: 1, callsBeyondDepth: 0, tried: 1, kept: 0, pruned: 0, notTried: 0, unnoticed: 0 },
      changedAnswers: { noticed: 0, unnoticed: 0, unclear: 0 },
    },
  }
  const report = readReport(writeHuntReport.json(result, (_, text) => text))
  expect(report).toMatchObject({ hunt: { runs: 12, failures: [{ drawnCalls: [drawn] }], table: result.table } })
})

test.each(['', '<?xml version="1.0"?>', '[]', '{}', '{"findings":1}', '{"failures":[]}', 'null'])(
  'the file %j is no report',
  (text) => {
    expect(readReport(text)).toBeUndefined()
  },
)
