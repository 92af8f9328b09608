/** Changes and reports over several replicas: here they are servers of this process. */
import { expect, onTestFinished, test } from 'vitest'
import { readTargets } from '../../src/cli/args/command-options.ts'
import { fleetLines } from '../../src/cli/commands/fleet.ts'
import { readFleet } from '../../src/cli/commands/watch-fleet.ts'
import { reportOnFleet } from '../../src/fleet/fleet-report.ts'
import { mergeMetrics } from '../../src/fleet/merge-metrics.ts'
import { applyChanges, type Change, Replica } from '../../src/fleet/replica.ts'
import { resolveTargets } from '../../src/fleet/resolve-targets.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { listen, type MockServer } from '../../src/node.ts'

async function startReplica(mock: Mock): Promise<{ replica: Replica; server: MockServer; mock: Mock }> {
  const server = await listen(mock, { port: 0 })
  onTestFinished(() => server.close(0))
  return { replica: new Replica(new URL(server.url).origin), server, mock }
}

const embed = (server: MockServer, key: string): Promise<Response> =>
  fetch(`${server.url}/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'hash-1', input: 'hi' }),
  })

async function respond(server: MockServer, more: object = {}) {
  const response = await fetch(`${server.url}/responses`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-a', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'echo-1', input: 'hi', ...more }),
  })
  return { status: response.status, body: await response.json() }
}

const FLAKY: Change = { name: 'scenario flaky', method: 'PUT', path: '/scenario', body: '{"scenario":"flaky"}' }
const NO_STATE: Change = { name: 'state down', method: 'PUT', path: '/state', body: '{"state":"down"}' }

test('a change reaches all replicas', async () => {
  const fleet = [await startReplica(createMock()), await startReplica(createMock())]
  const applied = await applyChanges(
    fleet.map(({ replica }) => replica),
    [FLAKY],
  )
  expect(applied.map(({ done }) => done)).toEqual([['scenario flaky'], ['scenario flaky']])
  expect(fleet.map(({ mock }) => mock.scenario.name)).toEqual(['flaky', 'flaky'])
})

test('when one replica does not answer, no replica is changed', async () => {
  const { replica, mock } = await startReplica(createMock())
  const stopped = await startReplica(createMock())
  await stopped.server.close(0)
  const applied = await applyChanges([replica, stopped.replica], [FLAKY])
  expect(applied).toEqual([
    { target: replica.target, done: [] },
    { target: stopped.replica.target, done: [], failure: 'no answer (connection refused)' },
  ])
  expect(mock.scenario.name).toBe('default')
})

test('a change that one replica refuses is reported with its reason, and later ones are not tried', async () => {
  const { replica } = await startReplica(createMock())
  const [applied] = await applyChanges([replica], [NO_STATE, FLAKY])
  expect(applied).toMatchObject({ done: [], failure: expect.stringMatching(/^state down: 400: .*has no states/) })
})

test('the report merges calls in the order of their arrival, and names keys that several replicas served', async () => {
  // Clocks are aligned to within the time of a request, so the calls are seconds apart.
  const { clock } = createMock('default', { clock: 'manual' })
  const [one, other] = [
    await startReplica(createMock('rate-limited', { clock })),
    await startReplica(createMock('rate-limited', { clock })),
  ]
  await embed(one.server, 'sk-a')
  await clock.advance('5s')
  await embed(other.server, 'sk-b')
  await clock.advance('5s')
  await embed(other.server, 'sk-a')
  const { report, entries, metrics } = await reportOnFleet([one.replica, other.replica])
  expect(entries.map(({ number, replica, replicaNumber }) => [number, replica, replicaNumber])).toEqual([
    [1, one.replica.target, 1],
    [2, other.replica.target, 1],
    [3, other.replica.target, 2],
  ])
  expect(report).toMatchObject({ isSameScenario: true, conduct: { calls: 3 } })
  expect(report.splitKeys).toMatchObject([{ replicas: [{ since: 1 }, { since: 3 }] }])
  expect(metrics).toContain('llm_api_mock_calls_total{endpoint="embeddings",status="200",outcome="complete"} 3\n')
  const lines = fleetLines(report, entries).join('\n')
  expect(lines).toContain('2 replicas, 2 answered: 3 calls (3 x 200)')
  expect(lines).toContain('Served by several replicas: 1 key.')
})

test('the report says which replicas do not answer, and that scenarios differ', async () => {
  const [one, other, stopped] = [
    await startReplica(createMock()),
    await startReplica(createMock('flaky')),
    await startReplica(createMock()),
  ]
  await stopped.server.close(0)
  const { report, entries } = await reportOnFleet([one.replica, other.replica, stopped.replica])
  const lines = fleetLines(report, entries)
  expect(lines[0]).toBe('3 replicas, 2 answered: no calls')
  expect(lines).toContain(`  ${stopped.replica.target}  no answer (connection refused)`)
  expect(lines.join('\n')).toContain('The replicas have different scenarios')
})

test('merged metrics add counts, and take the worst of times and of their validity', () => {
  const text = (calls: number, seconds: number, valid: number): string =>
    [
      '# HELP llm_api_mock_calls_total Calls.',
      '# TYPE llm_api_mock_calls_total counter',
      `llm_api_mock_calls_total{status="200"} ${calls}`,
      '# TYPE llm_api_mock_pacing_error_p99_seconds gauge',
      `llm_api_mock_pacing_error_p99_seconds ${seconds}`,
      '# TYPE llm_api_mock_timing_valid gauge',
      `llm_api_mock_timing_valid ${valid}`,
      '',
    ].join('\n')
  expect(mergeMetrics([text(3, 0.25, 1), text(4, 0.5, 0)])).toBe(text(7, 0.5, 0))
})

test('merged metrics add the buckets, sums and counts of histograms by label, also those of vLLM', () => {
  const series = (labels: string, [low, all, sum]: readonly number[]): string =>
    [
      `vllm:e2e_request_latency_seconds_bucket{${labels},le="0.5"} ${low}`,
      `vllm:e2e_request_latency_seconds_bucket{${labels},le="+Inf"} ${all}`,
      `vllm:e2e_request_latency_seconds_sum{${labels}} ${sum}`,
      `vllm:e2e_request_latency_seconds_count{${labels}} ${all}`,
      '',
    ].join('\n')
  const head = '# HELP vllm:e2e_request_latency_seconds Times.\n# TYPE vllm:e2e_request_latency_seconds histogram\n'
  const [one, other] = ['model_name="one"', 'model_name="other"']
  const first = head + series(one, [1, 2, 1.5])
  const second = head + series(other, [4, 4, 0.25]) + series(one, [2, 5, 3.5])
  expect(mergeMetrics([first, second])).toBe(head + series(one, [3, 7, 5]) + series(other, [4, 4, 0.25]))
})

test('a target without a scheme and a port has the port 4010', () => {
  expect(readTargets('127.0.0.1, mock-1, [::1], mock-2:80, http://mock-3')).toEqual([
    'http://127.0.0.1:4010',
    'http://mock-1:4010',
    'http://[::1]:4010',
    'http://mock-2',
    'http://mock-3',
  ])
})

test('targets are addresses with or without scheme, each of them once', () => {
  expect(readTargets('10.0.0.7:4010, http://mock-1:4010/_mock/')).toEqual([
    'http://10.0.0.7:4010',
    'http://mock-1:4010',
  ])
  expect(() => readTargets('a:1,http://a:1')).toThrow('--targets: http://a:1 is there twice.')
  expect(() => readTargets(' , ')).toThrow('expected addresses with commas between them')
  expect(() => readTargets('http://a b')).toThrow("expected an address such as http://10.0.0.7:4010, got 'http://a b'")
})

test('a target of dns: stands for all addresses of a name, and a name without an address is an error', async () => {
  expect(readTargets('dns:localhost:4010')).toEqual(['dns:localhost:4010'])
  expect(await resolveTargets(['dns:localhost:4010', 'http://127.0.0.1:4010'])).toContain('http://127.0.0.1:4010')
  expect(await resolveTargets(['dns:127.0.0.1:80'])).toEqual(['http://127.0.0.1'])
  await expect(resolveTargets(['dns:no-such-name.invalid:4010'])).rejects.toThrow(
    /^Failed to look up 'no-such-name.invalid' of dns:no-such-name.invalid:4010: /,
  )
  for (const wrong of ['dns:mock', 'dns::4010', 'dns:mock:99999', 'dns:http://mock:1'])
    expect(() => readTargets(wrong)).toThrow('expected a name and a port such as dns:llm-api-mock-replicas:4010')
})

test('watching shows each replica and their sum, also when one is away or a name has no address', async () => {
  const [one, other] = [await startReplica(createMock('rate-limited')), await startReplica(createMock())]
  for (let call = 0; call < 4; call++) await embed(one.server, 'sk-a')
  await other.server.close(0)
  const [head, first, second, sum] = await readFleet([one.replica.target, other.replica.target], undefined)
  expect(head).toMatch(/^ +calls +in flight +errors +429 +MB$/)
  expect(first).toMatch(/^http:\S+ +4 +0 +1 +1 +[1-9]\d+$/)
  expect(second).toMatch(/ - +no answer \(connection refused\)$/)
  expect(sum).toMatch(/^2 in all +4 +0 +1 +1 +[1-9]\d+ +1 away$/)
  expect(await readFleet(['dns:no-such-name.invalid:4010'], undefined)).toEqual([
    expect.stringContaining("Failed to look up 'no-such-name.invalid'"),
  ])
})

test.each(['mock', 'vllm'] as const)('watching counts the calls in flight by the names of %s', async (metricsNames) => {
  const mock = createMock({ faults: [{ fault: 'hang' }] })
  const server = await listen(mock, { port: 0, metricsNames })
  onTestFinished(() => server.close(0))
  void embed(server, 'sk-a').catch(() => {})
  await expect.poll(() => mock.calls({ outcome: 'open' }).length).toBe(1)
  const [, first] = await readFleet([new URL(server.url).origin], undefined)
  expect(first).toMatch(/^http:\S+ +0 +1 +0 +0 +[1-9]\d+$/)
})

test('a stored response is known to the replica that answered; input that is whole is answered by any', async () => {
  const [one, other] = [await startReplica(createMock()), await startReplica(createMock())]
  const { body: first } = await respond(one.server)
  const headers = { authorization: 'Bearer sk-a' }
  const elsewhere = await fetch(`${other.server.url}/responses/${first.id}`, { headers })
  expect(elsewhere.status).toBe(404)
  expect((await elsewhere.json()).error.message).toBe(`Response with id '${first.id}' not found.`)
  const next = { previous_response_id: first.id }
  expect(await respond(other.server, next)).toMatchObject({
    status: 400,
    body: {
      error: { message: `Previous response with id '${first.id}' not found.`, code: 'previous_response_not_found' },
    },
  })
  expect((await respond(one.server, next)).body.usage.input_tokens).toBeGreaterThan(first.usage.input_tokens)
  const whole = {
    store: false,
    input: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hi' },
      { role: 'user', content: 'and?' },
    ],
  }
  expect((await respond(other.server, whole)).body).toEqual((await respond(one.server, whole)).body)
  const { report } = await reportOnFleet([one.replica, other.replica])
  expect(report.replicas).toMatchObject([{ calls: 3 }, { calls: 3 }])
})
