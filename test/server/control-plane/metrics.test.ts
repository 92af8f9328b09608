/** The metrics: histograms that agree with the journal, labels that are bounded, and the names of vLLM. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createMock, type JournalEntry, type ScenarioInput } from '../../../src/index.ts'
import { listen } from '../../../src/node.ts'
import { EMBEDDINGS_PATH, fetchFrom, HELLO, type Served, serve, TEXT } from '../../support/http.ts'
import { histogramsIn, namesIn, type Sample, samplesIn } from '../../support/metrics.ts'

const LISTED: ScenarioInput = {
  description: 'A test.',
  models: { 'one-1': {}, 'many-*': {}, 'hash-1': { endpoint: 'embeddings' } },
  pace: { firstToken: '2ms', perToken: '1ms' },
}
const STREAM = { ...HELLO, model: 'one-1', stream: true }

const metricsOf = async (server: Served): Promise<string> => (await fetchFrom(server, { path: '/_mock/metrics' })).text

/** The labels of the models in the metrics. */
const modelsIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/model="([^"]*)"/g)].map(([, model]) => model!))

/** The sum over all labels. */
const sumOf = (samples: readonly Sample[], name: string): number =>
  samples.filter((sample) => sample.name === `llm_api_mock_${name}`).reduce((sum, { value }) => sum + value, 0)

const add = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const isAnswered = ({ status }: JournalEntry): boolean => status >= 200 && status < 300

/** The times at which the events of a streamed chat with a text were sent. */
const tokenTimes = ({ timeline = [] }: JournalEntry): number[] =>
  timeline.flatMap((step) =>
    step.type === 'send' && step.atMs !== undefined && /^data: .*"content":"[^"]/.test(step.data!) ? [step.atMs] : [],
  )

const CALLS = {
  whole: { body: { ...HELLO, model: 'one-1' } },
  stream: { body: { ...STREAM, model: 'many-2' } },
  broken: { body: STREAM, headers: { 'x-mock-fault': 'cut' } },
  failed: { body: { ...HELLO, model: 'one-1' }, headers: { 'x-mock-fault': '503' } },
  unlisted: { body: { ...HELLO, model: 'nobody' } },
  unread: { key: '' },
  embeddings: { path: EMBEDDINGS_PATH, body: TEXT },
  models: { path: '/v1/models' },
}

test('histograms are cumulative, end with their count, and agree with the journal', async () => {
  const mixes = fc.array(fc.constantFrom(...Object.values(CALLS)), { minLength: 1, maxLength: 12 })
  const property = fc.asyncProperty(mixes, async (calls) => {
    const server = await serve(LISTED)
    await Promise.all(calls.map((call) => fetchFrom(server, call).catch(() => undefined)))
    await vi.waitFor(() => expect(server.mock.calls({ outcome: 'open' })).toEqual([]))
    const text = await metricsOf(server)
    const samples = samplesIn(text)
    for (const { buckets, bounds, count } of histogramsIn(text)) {
      expect(buckets).toEqual(buckets.toSorted((one, other) => one - other))
      expect(bounds).toEqual([...new Set(bounds)].toSorted((one, other) => one - other))
      expect([bounds.at(-1), buckets.at(-1)]).toEqual([Number.POSITIVE_INFINITY, count])
    }
    const answered = server.mock.journal.filter(isAnswered)
    const streams = answered.map(tokenTimes).filter((times) => times.length > 0)
    const expectTimes = (name: string, times: readonly number[]): void => {
      expect(sumOf(samples, `${name}_seconds_count`), name).toBe(times.length)
      expect(sumOf(samples, `${name}_seconds_sum`), name).toBeCloseTo(add(times) / 1000, 6)
    }
    expectTimes(
      'call_duration',
      answered.map(({ durationMs }) => durationMs),
    )
    expectTimes(
      'time_to_first_token',
      streams.map(([first]) => first!),
    )
    expectTimes(
      'time_between_tokens',
      streams.flatMap((times) => times.slice(1).map((time, index) => time - times[index]!)),
    )
    expect(sumOf(samples, 'calls_total')).toBe(calls.length)
    expect(sumOf(samples, 'answers_total')).toBe(answered.length)
    expect([sumOf(samples, 'calls_in_flight'), sumOf(samples, 'open_streams')]).toEqual([0, 0])
    const tokens = server.mock.journal.map(({ usage }) => (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0))
    expect(sumOf(samples, 'tokens_total')).toBe(add(tokens))
    expect([...modelsIn(text)].filter((model) => !['other', ...Object.keys(LISTED.models!)].includes(model))).toEqual(
      [],
    )
  })
  await fc.assert(property, { numRuns: 15 })
})

test('a model is a label as the scenario lists it; those that it does not list are other', async () => {
  const server = await serve(LISTED)
  for (const model of ['one-1', 'many-1', 'many-2', 'nobody']) await fetchFrom(server, { body: { ...HELLO, model } })
  const counts = samplesIn(await metricsOf(server)).filter(({ name }) => name.endsWith('call_duration_seconds_count'))
  expect(counts.map(({ labels, value }) => [labels, value])).toEqual([
    ['{model="other"}', 0],
    ['{model="one-1"}', 1],
    ['{model="many-*"}', 2],
  ])
})

test('at most a hundred models have labels of their own, whatever scenarios are applied', async () => {
  const names = Array.from({ length: 150 }, (_, number) => `model-${number}`)
  const models = Object.fromEntries(names.map((name) => [name, {}]))
  const server = await serve({ description: 'A test.', models })
  for (const model of names) await fetchFrom(server, { body: { ...HELLO, model } })
  const text = await metricsOf(server)
  expect(modelsIn(text).size).toBe(101)
  expect(text).toContain('llm_api_mock_call_duration_seconds_count{model="other"} 50\n')
})

test('a label with quotes and backslashes is escaped', async () => {
  const model = 'a "b" \\ c'
  const server = await serve({ description: 'A test.', models: { [model]: {} } })
  await fetchFrom(server, { body: { ...HELLO, model } })
  expect(await metricsOf(server)).toContain('calls_in_flight{model="a \\"b\\" \\\\ c"} 0\n')
})

test('a stream that hangs is open, and one that its client leaves is aborted with the tokens that were sent', async () => {
  const server = await serve({ ...LISTED, pace: { firstToken: '5ms', perToken: '1h' } })
  const leaving = new AbortController()
  const answer = await fetch(`${server.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    body: JSON.stringify(STREAM),
    signal: leaving.signal,
  })
  await answer.body!.getReader().read()
  const open = await metricsOf(server)
  expect(open).toContain('llm_api_mock_open_streams 1\n')
  expect(open).toContain('llm_api_mock_calls_in_flight{model="one-1"} 1\n')
  leaving.abort()
  await vi.waitFor(async () => expect(await metricsOf(server)).toContain('llm_api_mock_open_streams 0\n'))
  const after = await metricsOf(server)
  expect(after).toContain('llm_api_mock_answers_total{finished_reason="abort",model="one-1"} 1\n')
  expect(after).toContain('llm_api_mock_time_to_first_token_seconds_count{model="one-1"} 1\n')
  expect(after).toContain('llm_api_mock_time_between_tokens_seconds_count{model="one-1"} 0\n')
})

test('an answer that ends at its most tokens has finished by length', async () => {
  const server = await serve(LISTED)
  for (const stream of [true, false]) await fetchFrom(server, { body: { ...STREAM, stream, max_tokens: 1 } })
  expect(await metricsOf(server)).toContain('llm_api_mock_answers_total{finished_reason="length",model="one-1"} 2\n')
})

test('with the names of vLLM, its metrics have the same values and its labels', async () => {
  const server = await serve(LISTED, { listen: { metricsNames: 'vllm' } })
  await fetchFrom(server, { body: STREAM })
  const text = await metricsOf(server)
  const [{ usage }] = server.mock.journal as [JournalEntry]
  const labels = 'model_name="one-1",engine="0"'
  for (const sample of [
    `num_requests_running{${labels}} 0`,
    `num_requests_waiting{${labels}} 0`,
    `prompt_tokens_total{${labels}} ${usage!.promptTokens}`,
    `generation_tokens_total{${labels}} ${usage!.completionTokens}`,
    `request_success_total{${labels},finished_reason="stop"} 1`,
    `time_to_first_token_seconds_count{${labels}} 1`,
    `inter_token_latency_seconds_bucket{${labels},le="+Inf"} 2`,
    `e2e_request_latency_seconds_count{${labels}} 1`,
  ])
    expect(text).toContain(`vllm:${sample}\n`)
  // The metrics that vLLM does not have keep their names.
  expect(text).toContain('llm_api_mock_calls_total{endpoint="chat",status="200",outcome="complete"} 1\n')
  expect(text).not.toContain('llm_api_mock_tokens_total')
})

test('names of metrics that do not exist are refused', async () => {
  await expect(listen(createMock(), { port: 0, metricsNames: 'vlm' as 'vllm' })).rejects.toThrow(
    "listen: expected metricsNames to be 'mock' or 'vllm', got 'vlm'. Did you mean 'vllm'?",
  )
})

const DOCS = resolve(import.meta.dirname, '../../../docs')

test('the tables of docs/deploy.md have every metric, under both names', async () => {
  const page = readFileSync(resolve(DOCS, 'deploy.md'), 'utf8')
  const named = new Set([...page.matchAll(/`((?:llm_api_mock|process|nodejs|vllm)[_:]\w+)/g)].map(([, name]) => name!))
  const both = await Promise.all(
    (['mock', 'vllm'] as const).map((metricsNames) => serve({ description: 'x' }, { listen: { metricsNames } })),
  )
  const names = new Set((await Promise.all(both.map(metricsOf))).flatMap(namesIn))
  expect([...named].toSorted()).toEqual([...names].toSorted())
})

test('the dashboard has the fields that Grafana imports, and every metric in it exists', async () => {
  const dashboard = JSON.parse(readFileSync(resolve(DOCS, 'deploy/grafana-dashboard.json'), 'utf8'))
  expect(dashboard).toMatchObject({ uid: expect.any(String), title: 'llm-api-mock', schemaVersion: expect.any(Number) })
  expect(dashboard.id).toBeNull()
  expect(dashboard.__inputs).toMatchObject([{ name: 'DS_PROMETHEUS', type: 'datasource', pluginId: 'prometheus' }])
  const panels: {
    id: number
    title: string
    type: string
    gridPos: object
    datasource: object
    targets: { refId: string; expr: string }[]
  }[] = dashboard.panels
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  for (const { title, type, gridPos, datasource, targets } of panels) {
    expect(title).not.toBe('')
    expect(['timeseries', 'stat', 'heatmap', 'table']).toContain(type)
    expect(datasource).toEqual({ type: 'prometheus', uid: '${DS_PROMETHEUS}' })
    expect(gridPos).toEqual({
      x: expect.any(Number),
      y: expect.any(Number),
      w: expect.any(Number),
      h: expect.any(Number),
    })
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
  }
  const names = namesIn(await metricsOf(await serve()))
  const used = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => [...expr.matchAll(/\b(?:llm_api_mock|process|nodejs)_\w+/g)].map(([name]) => name)),
  )
  expect(used.length).toBeGreaterThan(10)
  const exists = (name: string): boolean =>
    [name, name.replace(/_(?:bucket|sum|count)$/, '')].some((one) => names.includes(one))
  expect(used.filter((name) => !exists(name))).toEqual([])
})
