/**
 * The mock's metrics in the text format of Prometheus, with times in seconds by its convention.
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
import type { Engine, Percentiles } from '../engine/index.ts'

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function formatMetrics(engine: Engine): string {
  const { waits, errorMs, eventLoopLagMs, valid } = engine.timing.report()
  const calls = engine.journal.callCounts.map(({ endpoint, status, outcome, count }): Sample => {
    const labels = Object.entries({ endpoint, status, outcome }).map(([name, value]) => `${name}="${value}"`)
    return [`{${labels.join(',')}}`, count]
  })
  const { open, promptTokens, completionTokens, faults, limits } = engine.journal.sums
  const { isUsed, problem } = engine.storedLimits
  const { rss, heapUsed } = process.memoryUsage()
  const labelled = (label: string, counts: Iterable<readonly [string, number]>): Sample[] =>
    [...counts].map(([name, count]) => [`{${label}="${name}"}`, count])
  const tokens: [string, number][] = [
    ['input', promptTokens],
    ['output', completionTokens],
  ]
  return [
    metric('calls_total', 'counter', 'Calls that have ended.', calls),
    gauge('calls_in_flight', 'Calls that have begun and not ended.', open),
    metric('tokens_total', 'counter', 'Tokens of calls that have ended.', labelled('direction', tokens)),
    metric('faults_total', 'counter', 'Calls with a fault that have ended.', labelled('fault', faults)),
    metric('refusals_total', 'counter', 'Calls that a limit or budget has refused.', labelled('limit', limits)),
    gauge('store_up', '1 if the store of shared limits answers, otherwise 0.', isUsed ? Number(!problem) : undefined),
    gauge('resident_memory_bytes', 'Memory of the process.', rss),
    gauge('heap_used_bytes', 'Used part of the JavaScript heap.', heapUsed),
    gauge('waits', 'Waits in answers since the start or the last reset.', waits),
    ...percentiles('pacing_error', 'Difference between the due time and the actual end of a wait', errorMs),
    ...percentiles('event_loop_lag', 'Delay of the event loop', eventLoopLagMs),
    gauge('timing_valid', '1 if times measured against the mock can be trusted, otherwise 0.', Number(valid)),
  ].join('')
}

type Sample = readonly [labels: string, value: number]

function metric(name: string, type: 'counter' | 'gauge', help: string, samples: readonly Sample[]): string {
  const full = `llm_api_mock_${name}`
  const lines = samples.map(([labels, value]) => `${full}${labels} ${value}\n`)
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}`
}

/** A value that was not measured has no sample, which differs from 0. */
const gauge = (name: string, help: string, value: number | undefined): string =>
  metric(name, 'gauge', help, value === undefined ? [] : [['', value]])

const percentiles = (name: string, help: string, values: Percentiles | null): string[] =>
  (['p50', 'p99', 'max'] as const).map((part) => {
    const seconds = values === null ? undefined : Math.round(values[part] * 1000) / 1_000_000
    return gauge(`${name}_${part}_seconds`, `${help}: ${part}.`, seconds)
  })
