/** The metrics under the eyes of promtool, of Debian's package `prometheus`. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { fetchFrom, HELLO, serve } from '../support/http.ts'

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

test.skipIf(!hasPromtool).each(['mock', 'vllm'] as const)(
  'promtool finds nothing wrong with the metrics by the names of %s (skipped without promtool)',
  async (metricsNames) => {
    const scenario = { description: 'A test.', models: { 'echo-1': {} }, limits: { requests: '3 per day' } } as const
    const server = await serve(scenario, { listen: { metricsNames } })
    await fetchFrom(server, { headers: { 'x-mock-fault': 'cut' } }).catch(() => undefined)
    for (const stream of [false, true, false]) await fetchFrom(server, { body: { ...HELLO, stream } })
    const { text } = await fetchFrom(server, { path: '/_mock/metrics' })
    // The names of vLLM have a colon, which promtool keeps for recording rules.
    const input = text.replaceAll('vllm:', 'vllm_')
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })
    expect([status, stdout, stderr]).toEqual([0, '', ''])
  },
)
