/** The comparison of requests with their recordings during replay: in the journal and in the report, over HTTP and in process. */
import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../src/core/journal/entry.ts'
import type { JsonObject } from '../../../src/core/lib/text/json.ts'
import { recordingLines } from '../../../src/core/report/changed-recordings.ts'
import { buildMockReport, engineOf, type SentRequest } from '../../../src/engine/index.ts'
import { createMock, type Mock, type ScenarioInput } from '../../../src/index.ts'
import { matchers } from '../../../src/matchers.ts'
import { intercept } from '../../../src/node.ts'
import { checkRecordings } from '../../../src/record/rot/check-recordings.ts'
import { CHAT_PATH, fetchFrom, serve } from '../../support/http.ts'

expect.extend(matchers)

const RECORDED: JsonObject = { model: 'gpt-5.2', user: 'a', messages: [{ role: 'user', content: 'Weather in Rome?' }] }
const CASSETTE: ScenarioInput = {
  ignore: ['user', 'stop'],
  replies: [{ when: { endpoint: 'chat', request: RECORDED }, answer: { body: '{}' } }],
}

const SENT: Readonly<Record<string, readonly [body: JsonObject, status: number, findings: readonly string[]]>> = {
  'the recorded request': [RECORDED, 200, []],
  'an ignored field': [{ ...RECORDED, user: 'b' }, 200, ["harmless: request.user: 'b' instead of 'a'"]],
  'an ignored field that the service refuses': [
    { ...RECORDED, stop: 'x' },
    200,
    [
      "would be refused: 400 Unsupported parameter: 'stop' is not supported with this model.",
      "harmless: request.stop: 'x' instead of none",
    ],
  ],
  'a new parameter': [{ ...RECORDED, n: 2 }, 404, ['worth a look: request.n: 2 instead of none']],
  'a new field that changes no answer': [
    { ...RECORDED, safety_identifier: 'b' },
    404,
    ["harmless: request.safety_identifier: 'b' instead of none"],
  ],
  'another request': [{ ...RECORDED, model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hi' }] }, 404, []],
}

const findingsOf = ({ recording }: JournalEntry): string[] =>
  (recording?.findings ?? []).map(({ tier, text }) => `${tier}: ${text}`)

/** Sends requests in process. */
async function sendTo(mock: Mock, bodies: readonly JsonObject[]): Promise<void> {
  const interception = intercept(mock)
  const headers = { authorization: 'Bearer sk-test', 'content-type': 'application/json' }
  for (const body of bodies)
    await fetch(`${mock.baseURL}/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) })
  interception.close()
}

test.each(Object.entries(SENT))('%s has its findings in the journal, over HTTP and in process', async (_, sent) => {
  const [body, status, findings] = sent
  const server = await serve(CASSETTE)
  expect((await fetchFrom(server, { body })).status).toBe(status)
  const { json } = await fetchFrom(server, { path: '/_mock/journal' })
  expect(findingsOf(json.entries[0])).toEqual(findings)
  const mock = createMock(CASSETTE)
  await sendTo(mock, [body])
  expect(findingsOf(mock.journal[0]!)).toEqual(findings)
})

test('cassettes check finds the same in the same requests', () => {
  for (const [name, [body, , findings]] of Object.entries(SENT)) {
    if (name === 'another request') continue
    const sent: SentRequest[] = [{ endpoint: 'chat', body }]
    const { recordings } = checkRecordings([{ file: 'a', source: createMock(CASSETTE).scenario.source }], {
      today: new Date('2026-11-23'),
      maxAgeDays: 180,
      sent,
    })
    const ofRequests = recordings[0]!.findings.filter(({ text }) => !text.startsWith('the service now'))
    const texts = ofRequests.map(({ tier, text }) => `${tier}: ${text.replace('; name it under ignore', '')}`)
    expect(texts, name).toEqual(findings)
  }
})

test('the report has one line for each recording and difference, with its calls and what to do', async () => {
  const mock = createMock(CASSETTE)
  const bodies = Object.values(SENT).map(([body]) => body)
  await sendTo(mock, [...bodies, { ...RECORDED, n: 2 }])
  expect(recordingLines(buildMockReport(engineOf(mock).view))).toEqual([
    "recording replies[0], would be refused: 400 Unsupported parameter: 'stop' is not supported with this model (#3). To do: change the request, and record it again",
    'recording replies[0], worth a look: request.n: 2 instead of none (#4, #7). To do: record it again, or name the field under ignore',
    'recording, worth a look: no recording is like this request (#6). To do: record it',
    "recording replies[0], harmless: request.safety_identifier: 'b' instead of none (#5). To do: name it under ignore",
    'recordings: harmless differences in 2 calls, in parts that are ignored',
  ])
})

test('toMatchRecordings passes for harmless differences, and names the others', async () => {
  const mock = createMock(CASSETTE)
  await sendTo(mock, [RECORDED, { ...RECORDED, user: 'b' }])
  expect(mock).toMatchRecordings()
  await sendTo(mock, [{ ...RECORDED, n: 2 }])
  expect(() => expect(mock).toMatchRecordings()).toThrow(
    /^Expected all calls to be as recorded, got 1 difference:\n {2}recording replies\[0\], worth a look: request\.n: 2/,
  )
})

test('a call of a scenario without recordings has none', async () => {
  const server = await serve('default')
  await fetchFrom(server, { path: CHAT_PATH })
  expect(server.mock.journal[0]).not.toHaveProperty('recording')
})

test('a key in a request is masked in its findings', async () => {
  const server = await serve(CASSETTE)
  await fetchFrom(server, { key: 'sk-secret-0123456789', body: { ...RECORDED, user: 'sk-secret-0123456789' } })
  expect(JSON.stringify(server.mock.journal)).not.toContain('secret-0123456789')
})

test('files that record the same request share its findings', () => {
  const { source } = createMock(CASSETTE).scenario
  const cassettes = ['a', 'b'].map((file) => ({ file, source }))
  const sent: SentRequest[] = [{ endpoint: 'chat', body: { ...RECORDED, n: 2 } }]
  const { recordings } = checkRecordings(cassettes, { today: new Date('2026-11-23'), maxAgeDays: 180, sent })
  expect(recordings.map(({ findings }) => findings[0]!.text)).toEqual([
    'request.n: 2 instead of none',
    'request.n: 2 instead of none',
  ])
})
