/**
 * Merges the Prometheus metrics of several replicas into one text.
 *
 *     replica 1   # TYPE mock_calls_total counter      replica 2   # TYPE mock_calls_total counter
 *                 mock_calls_total{status="200"} 3                 mock_calls_total{status="200"} 4
 *     merged      # TYPE mock_calls_total counter
 *                 mock_calls_total{status="200"} 7
 *
 * Counts are added up. Of times the largest one is kept, and of validity the smallest: the worst replica decides.
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */

/** `# TYPE mock_calls_total counter` */
const HEAD = /^# (?:HELP|TYPE) (\S+)/
/** `mock_calls_total{status="200"} 3` */
const SAMPLE = /^([a-z0-9_:]+)(\{.*\})? (\S+)$/
const KEEP_LARGEST = /_seconds$/
const KEEP_SMALLEST = /_(?:timing_valid|store_up)$/

export function mergeMetrics(texts: readonly string[]): string {
  /** A metric: its HELP and TYPE lines, and its samples by name and labels. */
  const newMetric = () => ({ heads: new Set<string>(), samples: new Map<string, number>() })
  const metrics = new Map<string, ReturnType<typeof newMetric>>()
  // The metric of the last head. The samples after it belong to it: those of a histogram do not have its name.
  let metric = newMetric()
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const [, metricName] = HEAD.exec(line) ?? []
    if (metricName !== undefined) {
      metric = metrics.get(metricName) ?? newMetric()
      metric.heads.add(line)
      metrics.set(metricName, metric)
      continue
    }
    const [, name, labels = '', text] = SAMPLE.exec(line) ?? []
    if (name === undefined) continue
    const value = Number(text)
    const sample = name + labels
    const earlier = metric.samples.get(sample)
    let merged = value + (earlier ?? 0)
    if (earlier !== undefined && KEEP_LARGEST.test(name)) merged = Math.max(earlier, value)
    if (earlier !== undefined && KEEP_SMALLEST.test(name)) merged = Math.min(earlier, value)
    metric.samples.set(sample, merged)
  }
  const lines = [...metrics.values()].flatMap(({ heads, samples }) => [
    ...heads,
    ...[...samples].map(([sample, value]) => `${sample} ${value}`),
  ])
  return lines.map((line) => `${line}\n`).join('')
}
