/** What the journal tells of an answer: its plan, what of it was really sent and when, and how it ended. */

import { expect, onTestFinished, test } from 'vitest'
import { engineOf } from '../../../src/engine/mock.ts'
import { createMock, type JournalEntry } from '../../../src/index.ts'
import { intercept, listen } from '../../../src/node.ts'
import { call, HELLO } from '../../support/call.ts'
import { type SteppingMock, steppingMock } from '../../support/stepping.ts'
import { IN_PROCESS_URL } from '../../support/transports.ts'

const PACE = { pace: { firstToken: '300ms', perToken: '20ms' } } as const
const body = (more: object = {}): string =>
  JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'One two.' }], ...more })

async function opened(mock: SteppingMock, way: string): Promise<string> {
  if (way === 'msw') {
    const interception = intercept(mock)
    onTestFinished(() => interception.close())
    return IN_PROCESS_URL
  }
  const server = await listen(mock, { port: 0 })
  onTestFinished(() => server.close(0))
  return server.url
}

/** Makes one call, reads it to its end or its break, and gives what the journal says of it. */
async function entryOf(mock: SteppingMock, way: string, more: object, fault?: string): Promise<JournalEntry> {
  const url = await opened(mock, way)
  const headers = { authorization: 'Bearer sk-test', 'content-type': 'application/json' }
  const asked = { method: 'POST', headers: { ...headers, ...(fault && { 'x-mock-fault': fault }) }, body: body(more) }
  await fetch(`${url}/chat/completions`, asked)
    .then((response) => response.text())
    .catch(() => {})
  await expect.poll(() => mock.journal[0]?.outcome).not.toBe('open')
  return mock.journal[0]!
}

const told = ({ timeline = [] }: JournalEntry): string[] =>
  timeline.map((step) => {
    const at = step.atMs === undefined ? 'never' : `at ${step.atMs}`
    if (step.type === 'wait') return `wait ${step.ms} ${at}`
    return step.type === 'send'
      ? `send ${/"content":"([^"]+)"/.exec(step.data!)?.[1] ?? ''} ${at}`
      : `${step.type} ${at}`
  })

test.each(['msw', 'http'])('each step of a stream has the time it was taken (%s)', async (way) => {
  const entry = await entryOf(steppingMock(PACE), way, { stream: true })
  expect(told(entry)).toEqual([
    'wait 300 at 0',
    'head at 300',
    'send  at 300',
    'send One at 300',
    'wait 20 at 300',
    'send  two at 320',
    'wait 20 at 320',
    'send . at 340',
    'send  at 340',
    'send  at 340',
    'end at 340',
  ])
  expect(entry).toMatchObject({ outcome: 'complete', durationMs: 340, headers: { 'openai-version': '2020-10-01' } })
})

test.each(['msw', 'http'])('a whole answer is one text, sent after one wait (%s)', async (way) => {
  const entry = await entryOf(steppingMock(PACE), way, {})
  expect(told(entry)).toEqual(['wait 340 at 0', 'head at 340', 'send One two. at 340', 'end at 340'])
  const [, , sent] = entry.timeline!
  expect(sent).toMatchObject({ bytes: entry.bytes, data: expect.stringContaining('"object":"chat.completion"') })
})

test.each(['msw', 'http'])('the plan leaves out the unsent events of a cut and includes the cut (%s)', async (way) => {
  const entry = await entryOf(steppingMock(PACE), way, { stream: true }, 'cut; after=2')
  expect(told(entry)).toEqual([
    'wait 300 at 0',
    'head at 300',
    'send  at 300',
    'send One at 300',
    'wait 20 at 300',
    'reset at 320',
  ])
  expect(entry.outcome).toBe('cut')
})

test('steps that never happened have no time, and their bytes do not count', async () => {
  const mock = createMock({ description: 'paced', ...PACE }, { clock: 'manual', baseURL: IN_PROCESS_URL })
  using _ = intercept(mock)
  const asked = fetch(`${IN_PROCESS_URL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    body: body({ stream: true }),
  })
  await mock.clock.waiting()
  await mock.clock.advance('300ms')
  const reader = (await asked).body!.getReader()
  await reader.read()
  await reader.cancel()
  await expect.poll(() => mock.journal[0]?.outcome).toBe('client-left')
  const { timeline = [], bytes } = mock.journal[0]!
  const sent = timeline.filter((step) => step.type === 'send' && step.atMs !== undefined)
  const unsent = timeline.filter((step) => step.type === 'send' && step.atMs === undefined)
  expect(sent.length).toBeGreaterThan(0)
  expect(unsent.length).toBeGreaterThan(0)
  expect(bytes).toBe(sent.reduce((sum, step) => sum + (step.type === 'send' ? step.bytes : 0), 0))
})

test('a call without an answer yet has a plan and no times', async () => {
  const mock = steppingMock()
  const exchange = engineOf(mock).begin({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer sk-test' },
    body: body(),
    bodyLimit: 1_000_000,
    transport: 'http',
    now: 0,
  })
  expect(mock.journal[0]).toMatchObject({ outcome: 'open', bytes: 0, durationMs: 0 })
  expect(told(mock.journal[0]!)).toEqual(['head never', 'send One two. never', 'end never'])
  mock.clock.advance(7)
  exchange.end('complete')
  expect(told(mock.journal[0]!)).toEqual(['head at 7', 'send One two. at 7', 'end at 7'])
})

test.each([{}, { 'x-mock-fault': 'split-events' }])('an ended call has the steps of the open one (%j)', (headers) => {
  const mock = createMock({ replies: [{ say: 'Grüße 👋🏽 世界' }], ...PACE })
  const exchange = engineOf(mock).begin(call({ headers, body: { ...HELLO, stream: true } }))
  const stepsOf = ({ timeline = [] }: JournalEntry) => timeline.map(({ atMs: _, ...step }) => step)
  const open = stepsOf(mock.journal[0]!)
  exchange.end('complete')
  expect(open.length).toBeGreaterThan(8)
  expect(stepsOf(mock.journal[0]!)).toEqual(open)
})
