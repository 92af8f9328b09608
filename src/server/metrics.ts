/**
 * The mock's metrics in the text format of Prometheus, with times in seconds by its convention.
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */

import manifest from '../../package.json' with { type: 'json' }
import type { Histogram } from '../core/journal/histogram.ts'
import type { Engine } from '../engine/index.ts'
import type { ListenOptions } from '../http/index.ts'

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** @param names `vllm` for the names of vLLM, where it has the metric too. */
export function formatMetrics(engine: Engine, names: ListenOptions['metricsNames'] = 'mock'): string {
  const metrics = readMetrics(engine)
  return (names === 'vllm' ? metrics.flatMap(renameForVllm) : metrics).map(formatMetric).join('')
}

type Labels = Readonly<Record<string, string | number>>
/** A value; in a histogram, the suffix says which: `_bucket`, `_sum` or `_count`. */
type Sample = readonly [labels: Labels, value: number, suffix?: string | undefined]

interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

function readMetrics(engine: Engine): readonly Metric[] {
  const { waits, errorMs, eventLoopLagMs, valid } = engine.timing.report()
  const { openStreams, faults, limits, models, ended } = engine.counts
  const { isUsed, problem, latency } = engine.storedLimits
  const memory = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const versions = { version: manifest.version, node: process.versions.node }
  const all: Metric[] = []
  const add =
    (type: Metric['type']) =>
    (name: string, help: string, ...samples: readonly Sample[]): void =>
      void all.push({ name, help, type, samples })
  const [counter, gauges, histogram] = [add('counter'), add('gauge'), add('histogram')]
  // A value that was not measured has no sample, which differs from 0.
  const gauge = (name: string, help: string, value: number | undefined): void =>
    gauges(name, help, ...(value === undefined ? [] : [[{}, value] as const]))
  const counted = (label: string, counts: Iterable<readonly [string, number]>): Sample[] =>
    [...counts].map(([name, count]) => [{ [label]: name }, count])
  const byModel = [...models].map(([model, counts]) => ({ model, ...counts }))
  const times = (which: 'firstToken' | 'betweenTokens' | 'duration'): Sample[] =>
    byModel.flatMap(({ model, [which]: times }) => readHistogram(times, { model }))

  const calls = ended.map(({ count, ...labels }): Sample => [labels, count])
  counter('calls_total', 'Calls that have ended.', ...calls)
  const inFlight = byModel.map(({ model, open }): Sample => [{ model }, open])
  gauges('calls_in_flight', 'Calls that have begun and not ended.', ...inFlight)
  gauge('open_streams', 'Streams that have begun and not ended.', openStreams)
  const tokens = byModel.flatMap(({ model, promptTokens, completionTokens }): Sample[] => [
    [{ direction: 'input', model }, promptTokens],
    [{ direction: 'output', model }, completionTokens],
  ])
  counter('tokens_total', 'Tokens of calls that have ended.', ...tokens)
  const answers = byModel.flatMap(({ model, finished }) =>
    Object.entries(finished).map(([reason, count]): Sample => [{ finished_reason: reason, model }, count]),
  )
  counter('answers_total', 'Answers (2xx) that have ended.', ...answers)
  histogram('time_to_first_token_seconds', 'Time from a call to the first token of its stream.', ...times('firstToken'))
  histogram('time_between_tokens_seconds', 'Time between the tokens of a stream.', ...times('betweenTokens'))
  histogram('call_duration_seconds', 'Time from a call to the end of its answer (2xx).', ...times('duration'))
  counter('faults_total', 'Calls with a fault that have ended.', ...counted('fault', faults))
  counter('refusals_total', 'Calls that a limit or budget has refused.', ...counted('limit', limits))
  gauge('store_up', '1 if the store of shared limits answers, otherwise 0.', isUsed ? Number(!problem) : undefined)
  const asked = isUsed ? readHistogram(latency, {}) : []
  histogram('store_latency_seconds', 'Time until the store of shared limits answered, or failed.', ...asked)
  gauge('waits', 'Waits in answers since the start or the last reset.', waits)
  for (const part of ['p50', 'p99', 'max'] as const) {
    const help = `Difference between the due time and the actual end of a wait: ${part}.`
    gauge(`pacing_error_${part}_seconds`, help, toSeconds(errorMs[part]))
    gauge(`event_loop_lag_${part}_seconds`, `Delay of the event loop: ${part}.`, toSeconds(eventLoopLagMs?.[part]))
  }
  gauge('timing_valid', '1 if times measured against the mock can be trusted, otherwise 0.', Number(valid))
  gauges('build_info', 'The versions of the mock and of Node.', [versions, 1])
  counter('process_cpu_seconds_total', 'Processor time of the process.', [{}, (user + system) / 1_000_000])
  gauge('process_start_time_seconds', 'Start of the process, since 1970.', performance.timeOrigin / 1000)
  gauge('process_resident_memory_bytes', 'Memory of the process.', memory.rss)
  gauge('nodejs_heap_size_used_bytes', 'Used part of the JavaScript heap.', memory.heapUsed)
  gauge('nodejs_heap_size_total_bytes', 'Size of the JavaScript heap.', memory.heapTotal)
  gauge('nodejs_external_memory_bytes', 'Memory of objects outside of the JavaScript heap.', memory.external)
  return all
}

const toSeconds = (ms: number | undefined): number | undefined => ms && Math.round(ms * 1000) / 1_000_000

function readHistogram({ bounds, counts, sum }: Histogram, labels: Labels): Sample[] {
  let count = 0
  const buckets = [...bounds, '+Inf'].map((le, index): Sample => {
    count += counts[index]!
    return [{ ...labels, le }, count, '_bucket']
  })
  return [...buckets, [labels, sum, '_sum'], [labels, count, '_count']]
}

/**
 * The metrics of vLLM, each with the metric of the mock that it renames. `part` selects one direction of that metric; 0 makes
 * all its values 0, because no call waits to begin.
 * @see https://docs.vllm.ai/en/latest/usage/metrics/
 */
const VLLM_METRICS: readonly (readonly [name: string, own: string, part?: string | 0])[] = [
  ['num_requests_running', 'calls_in_flight'],
  ['num_requests_waiting', 'calls_in_flight', 0],
  ['prompt_tokens_total', 'tokens_total', 'input'],
  ['generation_tokens_total', 'tokens_total', 'output'],
  ['request_success_total', 'answers_total'],
  ['time_to_first_token_seconds', 'time_to_first_token_seconds'],
  ['inter_token_latency_seconds', 'time_between_tokens_seconds'],
  ['e2e_request_latency_seconds', 'call_duration_seconds'],
]

function renameForVllm(metric: Metric): readonly Metric[] {
  const renamed = VLLM_METRICS.filter(([, own]) => own === metric.name).map(([name, , part]): Metric => {
    const samples = metric.samples.flatMap(([{ direction, model, ...labels }, value, suffix]): Sample[] => {
      const isPart = direction === undefined || direction === part
      return isPart ? [[{ model_name: model!, engine: 0, ...labels }, part === 0 ? 0 : value, suffix]] : []
    })
    return { ...metric, name: `vllm:${name}`, ...(part === 0 && { help: 'Calls that wait to begin.' }), samples }
  })
  return renamed.length > 0 ? renamed : [metric]
}

function formatMetric({ name, help, type, samples }: Metric): string {
  // The names that all Node programs use have no prefix, and those of vLLM have their own.
  const full = /^(?:process|nodejs)_|:/.test(name) ? name : `llm_api_mock_${name}`
  const lines = samples.map(([labels, value, suffix = '']) => {
    // No name of a scenario has a line feed, which would have to be escaped too.
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${String(text).replace(/[\\"]/g, '\\$&')}"`)
    return `${full}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
  })
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}`
}
