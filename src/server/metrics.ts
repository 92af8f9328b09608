/**
 * The mock's metrics in the text format of Prometheus, with times in seconds by its convention.
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */

import manifest from '../../package.json' with { type: 'json' }
import type { Histogram } from '../core/journal/histogram.ts'
import type { Engine, Percentiles } from '../engine/index.ts'
import type { ListenOptions } from '../http/index.ts'

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** @param names the names of vLLM, for the metrics that it has too. */
export function formatMetrics(engine: Engine, names: ListenOptions['metricsNames'] = 'mock'): string {
  const metrics = readMetrics(engine)
  return (names === 'vllm' ? renameForVllm(metrics) : metrics).map(format).join('')
}

type Labels = Readonly<Record<string, string | number>>

interface Sample {
  /** The part of a histogram: `_bucket`, `_sum` or `_count`. */
  readonly suffix?: string
  readonly labels: Labels
  readonly value: number
}

interface Metric {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly samples: readonly Sample[]
}

function readMetrics(engine: Engine): readonly Metric[] {
  const { waits, errorMs, eventLoopLagMs, valid } = engine.timing.report()
  const { openStreams, faults, limits, models } = engine.journal.sums
  const { isUsed, problem, latency } = engine.storedLimits
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const counter = (name: string, help: string, samples: readonly Sample[]): Metric => ({
    name,
    type: 'counter',
    help,
    samples,
  })
  const counted = (label: string, counts: Iterable<readonly [string, number]>): Sample[] =>
    [...counts].map(([name, value]) => ({ labels: { [label]: name }, value }))
  const byModel = [...models].map(([model, counts]) => ({ labels: { model }, ...counts }))
  const times = (name: string, help: string, of: 'firstToken' | 'betweenTokens' | 'duration'): Metric =>
    histogram(
      name,
      help,
      byModel.flatMap((one) => bucketsOf(one[of], one.labels)),
    )
  return [
    counter(
      'calls_total',
      'Calls that have ended.',
      engine.journal.callCounts.map(({ count, ...labels }) => ({ labels, value: count })),
    ),
    {
      ...gauge('calls_in_flight', 'Calls that have begun and not ended.', undefined),
      samples: byModel.map(({ labels, open }) => ({ labels, value: open })),
    },
    gauge('open_streams', 'Streams that have begun and not ended.', openStreams),
    counter(
      'tokens_total',
      'Tokens of calls that have ended.',
      byModel.flatMap(({ labels, promptTokens, completionTokens }) => [
        { labels: { direction: 'input', ...labels }, value: promptTokens },
        { labels: { direction: 'output', ...labels }, value: completionTokens },
      ]),
    ),
    counter(
      'answers_total',
      'Answers (2xx) that have ended.',
      byModel.flatMap(({ labels, finished }) =>
        Object.entries(finished).map(([reason, value]) => ({ labels: { finished_reason: reason, ...labels }, value })),
      ),
    ),
    times(
      'time_to_first_token_seconds',
      'Time from the arrival of a call to the first token of its stream.',
      'firstToken',
    ),
    times('time_between_tokens_seconds', 'Time between events with tokens of a stream.', 'betweenTokens'),
    times('call_duration_seconds', 'Time from the arrival of a call to the end of its answer (2xx).', 'duration'),
    counter('faults_total', 'Calls with a fault that have ended.', counted('fault', faults)),
    counter('refusals_total', 'Calls that a limit or budget has refused.', counted('limit', limits)),
    gauge('store_up', '1 if the store of shared limits answers, otherwise 0.', isUsed ? Number(!problem) : undefined),
    histogram(
      'store_latency_seconds',
      'Time until the store of shared limits answered, or failed.',
      isUsed ? bucketsOf(latency, {}) : [],
    ),
    gauge('waits', 'Waits in answers since the start or the last reset.', waits),
    ...percentiles('pacing_error', 'Difference between the due time and the actual end of a wait', errorMs),
    ...percentiles('event_loop_lag', 'Delay of the event loop', eventLoopLagMs),
    gauge('timing_valid', '1 if times measured against the mock can be trusted, otherwise 0.', Number(valid)),
    gauge('build_info', 'The versions of the mock and of Node.', 1, {
      version: manifest.version,
      node: process.versions.node,
    }),
    counter('process_cpu_seconds_total', 'Processor time of the process.', [
      { labels: {}, value: (user + system) / 1_000_000 },
    ]),
    gauge('process_start_time_seconds', 'Start of the process, since 1970.', performance.timeOrigin / 1000),
    gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
    gauge('nodejs_heap_size_used_bytes', 'Used part of the JavaScript heap.', heapUsed),
    gauge('nodejs_heap_size_total_bytes', 'Size of the JavaScript heap.', heapTotal),
    gauge('nodejs_external_memory_bytes', 'Memory of buffers and other objects outside of the heap.', external),
  ]
}

/** A value that was not measured has no sample, which differs from 0. */
const gauge = (name: string, help: string, value: number | undefined, labels: Labels = {}): Metric => ({
  name,
  type: 'gauge',
  help,
  samples: value === undefined ? [] : [{ labels, value }],
})

const histogram = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  type: 'histogram',
  help,
  samples,
})

const percentiles = (name: string, help: string, values: Percentiles | null): Metric[] =>
  (['p50', 'p99', 'max'] as const).map((part) => {
    const seconds = values === null ? undefined : Math.round(values[part] * 1000) / 1_000_000
    return gauge(`${name}_${part}_seconds`, `${help}: ${part}.`, seconds)
  })

function bucketsOf({ bounds, counts, sum }: Histogram, labels: Labels): Sample[] {
  let count = 0
  const buckets = [...bounds, '+Inf'].map((le, index) => {
    count += counts[index]!
    return { suffix: '_bucket', labels: { ...labels, le }, value: count }
  })
  return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }]
}

/**
 * The metrics of vLLM, each with the own metric that takes its name, and if it needs only some samples of it, their direction.
 * @see https://docs.vllm.ai/en/latest/usage/metrics/
 */
const VLLM_METRICS: readonly (readonly [name: string, own: string, direction?: string])[] = [
  ['num_requests_running', 'calls_in_flight'],
  ['prompt_tokens_total', 'tokens_total', 'input'],
  ['generation_tokens_total', 'tokens_total', 'output'],
  ['request_success_total', 'answers_total'],
  ['time_to_first_token_seconds', 'time_to_first_token_seconds'],
  ['inter_token_latency_seconds', 'time_between_tokens_seconds'],
  ['e2e_request_latency_seconds', 'call_duration_seconds'],
]

function renameForVllm(metrics: readonly Metric[]): readonly Metric[] {
  return metrics.flatMap((metric) => {
    const renamed = VLLM_METRICS.filter(([, own]) => own === metric.name).map(([name, , only]): Metric => {
      const samples = metric.samples
        .filter(({ labels: { direction } }) => direction === only)
        .map(({ labels: { direction, model, ...labels }, ...sample }) => ({
          ...sample,
          labels: { ...labels, model_name: model!, engine: 0 },
        }))
      return { ...metric, name: `vllm:${name}`, samples }
    })
    if (metric.name !== 'calls_in_flight') return renamed.length > 0 ? renamed : [metric]
    // No call waits: one that the scenario makes wait is running.
    const samples = renamed[0]!.samples.map((sample) => ({ ...sample, value: 0 }))
    return [...renamed, { ...metric, name: 'vllm:num_requests_waiting', help: 'Calls that wait to begin.', samples }]
  })
}

function format({ name, type, help, samples }: Metric): string {
  // The names that all Node programs use have no prefix, and those of vLLM have their own.
  const full = /^(?:process|nodejs)_|:/.test(name) ? name : `llm_api_mock_${name}`
  const lines = samples.map(({ suffix = '', labels, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(String(text))}"`)
    return `${full}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
  })
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}`
}

const escapeLabel = (text: string): string => text.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))
