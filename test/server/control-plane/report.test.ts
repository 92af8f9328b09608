/** What the mock says of its own timing: as JSON, and for Prometheus. */
import { expect, test, vi } from 'vitest'
import { ManualClock } from '../../../src/engine/clock/manual-clock.ts'
import { createMock } from '../../../src/index.ts'
import { intercept } from '../../../src/node.ts'
import { EMBEDDINGS_PATH, fetchFrom, HELLO, type Served, serve, TEXT } from '../../support/http.ts'

const REPORT = '/_mock/report'
const METRICS = '/_mock/metrics'
const paced = { description: 'A test.', pace: { firstToken: '1s', perToken: '20ms' } } as const
const spread = { p50: expect.any(Number), p99: expect.any(Number), max: expect.any(Number) }

/** A streamed greeting of three tokens, from the first to the last. */
async function streamed(server: Served, clock: ManualClock): Promise<void> {
  const answer = fetchFrom(server, { body: { ...HELLO, stream: true } })
  await clock.waiting()
  await clock.advance('2s')
  await answer
}

/** The samples of the metrics, by name and labels. */
async function samples(server: Served): Promise<Record<string, string>> {
  const { text } = await fetchFrom(server, { path: METRICS })
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  )
}

test('the report has every wait, how far from its due time it ended, and the lag of the event loop', async () => {
  const clock = new ManualClock()
  const server = await serve(paced, { clock })
  expect((await fetchFrom(server, { path: REPORT })).json).toEqual({
    clock: { now: 0, speed: 1 },
    journal: { dropped: 0, withoutPayload: 0 },
    timing: {
      waits: 0,
      errorMs: { p50: 0, p99: 0, max: 0 },
      eventLoopLagMs: null,
      valid: true,
      verdict: 'nothing measured: no answer has waited yet',
    },
    conduct: { calls: 0, findings: [], misses: [], coverage: [] },
  })
  await streamed(server, clock)
  expect((await fetchFrom(server, { path: REPORT })).json.timing).toEqual({
    waits: 3,
    errorMs: { p50: 0, p99: 0, max: 0 },
    eventLoopLagMs: spread,
    valid: expect.any(Boolean),
    verdict: expect.stringMatching(/^results (?:in)?valid/),
  })
})

test('late answers make the results invalid, until a reset', async () => {
  const clock = new ManualClock()
  const server = await serve(paced, { clock })
  const real = clock.wake.bind(clock)
  clock.wake = (time, run) => {
    let cancel = real(time, () => {
      cancel = real(time + 500, run)
    })
    return () => cancel()
  }
  await streamed(server, clock)
  const { timing } = (await fetchFrom(server, { path: REPORT })).json
  expect(timing).toMatchObject({ waits: 3, errorMs: { max: 500 }, valid: false })
  expect(timing.verdict).toMatch(/^results invalid: the p99 of the pacing error is 500 ms, above 10 ms/)
  expect(await samples(server)).toMatchObject({ llm_api_mock_timing_valid: '0' })
  await fetchFrom(server, { path: '/_mock/reset', method: 'POST' })
  expect((await fetchFrom(server, { path: REPORT })).json.timing).toMatchObject({ waits: 0, errorMs: { max: 0 } })
})

test('the mock returns the same report in process', async () => {
  const mock = createMock(paced, { clock: 'manual' })
  using _ = intercept(mock)
  const answer = fetch('https://api.openai.com/v1/embeddings', {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    body: JSON.stringify(TEXT),
  })
  await mock.clock.waiting()
  await mock.clock.advance('1s')
  expect((await answer).status).toBe(200)
  expect(mock.timing.report()).toMatchObject({ waits: 1, errorMs: { max: 0 }, eventLoopLagMs: null, valid: true })
})

test('metrics count calls by endpoint, status and outcome, never by a value that callers choose', async () => {
  const server = await serve()
  for (const key of ['sk-a', 'sk-b', 'sk-c']) await fetchFrom(server, { key })
  await fetchFrom(server, { path: EMBEDDINGS_PATH, body: TEXT, headers: { 'x-mock-fault': '418' } })
  for (const path of ['/v1/one', '/v1/two']) await fetchFrom(server, { path })
  await fetchFrom(server, { headers: { 'x-mock-fault': 'cut' } }).catch(() => undefined)
  const counted = Object.entries(await samples(server)).filter(([name]) => name.startsWith('llm_api_mock_calls_total'))
  expect(Object.fromEntries(counted)).toEqual({
    'llm_api_mock_calls_total{endpoint="chat",status="200",outcome="complete"}': '3',
    'llm_api_mock_calls_total{endpoint="chat",status="200",outcome="cut"}': '1',
    'llm_api_mock_calls_total{endpoint="embeddings",status="418",outcome="complete"}': '1',
    'llm_api_mock_calls_total{endpoint="unknown",status="404",outcome="complete"}': '2',
  })
})

test('metrics are Prometheus text: each sample has a help and a type, and unmeasured values have no sample', async () => {
  const clock = new ManualClock()
  const server = await serve(paced, { clock })
  const { headers, text } = await fetchFrom(server, { path: METRICS })
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(text.endsWith('\n')).toBe(true)
  expect(text).not.toMatch(/nan$/im)
  expect(Object.keys(await samples(server))).not.toContain('llm_api_mock_event_loop_lag_p99_seconds')

  await streamed(server, clock)
  const after = await samples(server)
  expect(after).toMatchObject({ llm_api_mock_waits: '3', llm_api_mock_pacing_error_p99_seconds: '0' })
  expect(after.llm_api_mock_event_loop_lag_p99_seconds).toMatch(/^\d/)
  const { text: later } = await fetchFrom(server, { path: METRICS })
  for (const name of Object.keys(after)) {
    const bare = name.replace(/\{.*/, '').replace(/(_seconds)_(?:bucket|sum|count)$/, '$1')
    expect(later).toContain(`# HELP ${bare} `)
    expect(later).toContain(`# TYPE ${bare} `)
  }
})

test.each([REPORT, METRICS])('%s is read, and nothing else', async (path) => {
  const server = await serve()
  const answer = await fetchFrom(server, { path, method: 'DELETE' })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('GET')
})

test('metrics have calls in flight, tokens, faults and refusals, and no store without shared limits', async () => {
  const server = await serve({ description: 'A test.', limits: { requests: '2 per day' } })
  await fetchFrom(server)
  await fetchFrom(server, { headers: { 'x-mock-fault': 'rate-limit' } })
  for (const _ of [1, 2]) await fetchFrom(server)
  const hanging = new AbortController()
  void fetch(`${server.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-other', 'content-type': 'application/json', 'x-mock-fault': 'hang' },
    body: JSON.stringify(HELLO),
    signal: hanging.signal,
  }).catch(() => {})
  await vi.waitFor(async () =>
    expect(await samples(server)).toMatchObject({ 'llm_api_mock_calls_in_flight{model="other"}': '1' }),
  )
  hanging.abort()
  const all = await samples(server)
  expect(all).toMatchObject({
    'llm_api_mock_faults_total{fault="rate-limit"}': '1',
    'llm_api_mock_tokens_total{direction="input",model="other"}': expect.stringMatching(/^[1-9]/),
    'llm_api_mock_tokens_total{direction="output",model="other"}': expect.stringMatching(/^[1-9]/),
    'llm_api_mock_refusals_total{limit="requests"}': expect.stringMatching(/^[12]$/),
    nodejs_heap_size_used_bytes: expect.stringMatching(/^\d+$/),
  })
  expect(Object.keys(all)).not.toContain('llm_api_mock_store_up')
})
