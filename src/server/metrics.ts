/**
 * The mock's metrics in the text format of Prometheus, with times in seconds by its convention.
 *
 *     # HELP llm_api_mock_faults_total Calls with a fault that have ended.
 *     # TYPE llm_api_mock_faults_total counter
 *     llm_api_mock_faults_total{fault="rate-limit"} 3
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */

import manifest from '../../package.json' with { type: 'json' }
import type { Histogram } from '../core/journal/histogram.ts'
import type { Engine, TimingReport } from '../engine/index.ts'
import type { ListenOptions } from '../http/index.ts'

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** @param names `vllm` for the names of vLLM, where it has the metric too. */
export function formatMetrics(engine: Engine, names: ListenOptions['metricsNames'] = 'mock'): string {
  const metrics = [
    ...callMetrics(engine.counts),
    ...storeMetrics(engine.storedLimits),
    ...timingMetrics(engine.timing.report()),
    ...processMetrics(),
  ]
  return (names === 'vllm' ? metrics.flatMap(renameForVllm) : metrics).map(formatMetric).join('')
}

type Labels = Readonly<Record<string, string | number>>
interface Sample {
  readonly labels: Labels
  readonly value: number
  /** In a histogram, the kind of the value. */
  readonly suffix?: '_bucket' | '_sum' | '_count' | undefined
}

interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

const makerOf =
  (type: Metric['type']) =>
  (name: string, help: string, samples: readonly Sample[]): Metric => ({ name, help, type, samples })
const counter = makerOf('counter')
const labelledGauge = makerOf('gauge')
const histogram = makerOf('histogram')
/** A gauge of one value, without labels. Without a measurement it has no sample, which differs from 0. */
const gauge = (name: string, help: string, value: number | undefined): Metric =>
  labelledGauge(name, help, value === undefined ? [] : [{ labels: {}, value }])

function callMetrics({ openStreams, faults, limits, models, ended }: Engine['counts']): Metric[] {
  const calls = ended.map(({ count, ...labels }) => ({ labels, value: count }))
  const byModel = [...models].map(([model, counts]) => ({ model, ...counts }))
  const tokens = byModel.flatMap(({ model, promptTokens, completionTokens }) => [
    { labels: { direction: 'input', model }, value: promptTokens },
    { labels: { direction: 'output', model }, value: completionTokens },
  ])
  const answers = byModel.flatMap(({ model, finished }) =>
    Object.entries(finished).map(([reason, value]) => ({ labels: { finished_reason: reason, model }, value })),
  )
  const times = (measured: 'firstToken' | 'betweenTokens' | 'duration'): Sample[] =>
    byModel.flatMap((counts) => readHistogram(counts[measured], { model: counts.model }))
  const inFlight = byModel.map(({ model, open }) => ({ labels: { model }, value: open }))
  const byFault = [...faults].map(([fault, value]) => ({ labels: { fault }, value }))
  const byLimit = [...limits].map(([limit, value]) => ({ labels: { limit }, value }))
  return [
    counter('calls_total', 'Calls that have ended.', calls),
    labelledGauge('calls_in_flight', 'Calls that have begun and not ended.', inFlight),
    gauge('open_streams', 'Streams that have begun and not ended.', openStreams),
    counter('tokens_total', 'Tokens of calls that have ended.', tokens),
    counter('answers_total', 'Answers (2xx) that have ended.', answers),
    histogram('time_to_first_token_seconds', 'Time from a call to the first token of its stream.', times('firstToken')),
    histogram('time_between_tokens_seconds', 'Time between the tokens of a stream.', times('betweenTokens')),
    histogram('call_duration_seconds', 'Time from a call to the end of its answer (2xx).', times('duration')),
    counter('faults_total', 'Calls with a fault that have ended.', byFault),
    counter('refusals_total', 'Calls that a limit or budget has refused.', byLimit),
  ]
}

function storeMetrics({ isUsed, problem, latency }: Engine['storedLimits']): Metric[] {
  const asked = isUsed ? readHistogram(latency, {}) : []
  return [
    gauge('store_up', '1 if the store of shared limits answers, otherwise 0.', isUsed ? Number(!problem) : undefined),
    histogram('store_latency_seconds', 'Time until the store of shared limits answered, or failed.', asked),
  ]
}

function timingMetrics({ waits, errorMs, eventLoopLagMs, valid }: TimingReport): Metric[] {
  return [
    gauge('waits', 'Waits in answers since the start or the last reset.', waits),
    ...(['p50', 'p99', 'max'] as const).flatMap((part) => {
      const errorHelp = `Difference between the due time and the actual end of a wait: ${part}.`
      return [
        gauge(`pacing_error_${part}_seconds`, errorHelp, toSeconds(errorMs[part])),
        gauge(`event_loop_lag_${part}_seconds`, `Delay of the event loop: ${part}.`, toSeconds(eventLoopLagMs?.[part])),
      ]
    }),
    gauge('timing_valid', '1 if times measured against the mock can be trusted, otherwise 0.', Number(valid)),
  ]
}

function processMetrics(): Metric[] {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const cpuSeconds = (user + system) / 1_000_000
  const versions = { version: manifest.version, node: process.versions.node }
  return [
    labelledGauge('build_info', 'The versions of the mock and of Node.', [{ labels: versions, value: 1 }]),
    counter('process_cpu_seconds_total', 'Processor time of the process.', [{ labels: {}, value: cpuSeconds }]),
    gauge('process_start_time_seconds', 'Start of the process, since 1970.', performance.timeOrigin / 1000),
    gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
    gauge('nodejs_heap_size_used_bytes', 'Used part of the JavaScript heap.', heapUsed),
    gauge('nodejs_heap_size_total_bytes', 'Size of the JavaScript heap.', heapTotal),
    gauge('nodejs_external_memory_bytes', 'Memory of objects outside of the JavaScript heap.', external),
  ]
}

const toSeconds = (ms: number | undefined): number | undefined => ms && Math.round(ms * 1000) / 1_000_000

/** The samples of a histogram: buckets that each count all shorter times too, then sum and count. */
function readHistogram({ bounds, counts, sum }: Histogram, labels: Labels): Sample[] {
  let count = 0
  const buckets = [...bounds, '+Inf'].map((le, index): Sample => {
    count += counts[index]!
    return { labels: { ...labels, le }, value: count, suffix: '_bucket' }
  })
  return [...buckets, { labels, value: sum, suffix: '_sum' }, { labels, value: count, suffix: '_count' }]
}

/**
 * The metric of vLLM that is always 0: in the mock, no call waits to begin. It needs a sample for each model all the same, so
 * it takes the samples of `calls_in_flight`, and `renameForVllm` sets their values to 0.
 */
const WAITING = 'num_requests_waiting'

/**
 * The metrics of vLLM, each with the metric of the mock that it renames, and for tokens with the direction that it counts.
 * @see https://docs.vllm.ai/en/latest/usage/metrics/
 */
const VLLM_METRICS: readonly { readonly vllm: string; readonly own: string; readonly counted?: string }[] = [
  { vllm: 'num_requests_running', own: 'calls_in_flight' },
  { vllm: WAITING, own: 'calls_in_flight' },
  { vllm: 'prompt_tokens_total', own: 'tokens_total', counted: 'input' },
  { vllm: 'generation_tokens_total', own: 'tokens_total', counted: 'output' },
  { vllm: 'request_success_total', own: 'answers_total' },
  { vllm: 'time_to_first_token_seconds', own: 'time_to_first_token_seconds' },
  { vllm: 'inter_token_latency_seconds', own: 'time_between_tokens_seconds' },
  { vllm: 'e2e_request_latency_seconds', own: 'call_duration_seconds' },
]

/**
 * The metrics of vLLM that a metric of the mock stands for; the metric itself if there are none.
 *
 *     tokens_total{direction="input",model="m"} 9, tokens_total{direction="output",model="m"} 4
 *     ->  vllm:prompt_tokens_total{model_name="m",engine="0"} 9
 *         vllm:generation_tokens_total{model_name="m",engine="0"} 4
 */
function renameForVllm(metric: Metric): readonly Metric[] {
  const renamed = VLLM_METRICS.filter(({ own }) => own === metric.name).map(({ vllm, counted }): Metric => {
    const isWaiting = vllm === WAITING
    const samples = metric.samples.flatMap(({ labels: { direction, model, ...labels }, value, suffix }): Sample[] => {
      if (direction !== undefined && direction !== counted) return []
      return [{ labels: { model_name: model!, engine: 0, ...labels }, value: isWaiting ? 0 : value, suffix }]
    })
    return { ...metric, name: `vllm:${vllm}`, ...(isWaiting && { help: 'Calls that wait to begin.' }), samples }
  })
  return renamed.length > 0 ? renamed : [metric]
}

function formatMetric({ name, help, type, samples }: Metric): string {
  // The names that all Node programs use have no prefix, and those of vLLM have their own.
  const full = /^(?:process|nodejs)_|:/.test(name) ? name : `llm_api_mock_${name}`
  const lines = samples.map(({ labels, value, suffix = '' }) => {
    // No name of a scenario has a line feed, which would have to be escaped too.
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${String(text).replace(/[\\"]/g, '\\$&')}"`)
    return `${full}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
  })
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}`
}
