/** Reads metrics in the text format of Prometheus. */

export interface Sample {
  readonly name: string
  /** `{model="other"}`; '' without labels. */
  readonly labels: string
  readonly value: number
}

export const samplesIn = (text: string): Sample[] =>
  [...text.matchAll(/^([\w:]+)(\{.*\})? (\S+)$/gm)].map(([, name, labels = '', value]) => ({
    name: name!,
    labels,
    value: Number(value),
  }))

/** The names of metrics, as their heads have them. */
export const namesIn = (text: string): string[] => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!)

interface HistogramSamples {
  /** The counts of the buckets, in the order of the text. */
  readonly buckets: readonly number[]
  /** The upper bounds of the buckets, the last of them Infinity. */
  readonly bounds: readonly number[]
  readonly count: number | undefined
}

/** Every histogram, one for each set of labels. */
export function histogramsIn(text: string): HistogramSamples[] {
  const samples = samplesIn(text)
  const counts = samples.filter(({ name }) => name.endsWith('_seconds_count'))
  return counts.map(({ name, labels, value }) => {
    const own = samples
      .filter((sample) => sample.name === name.replace(/count$/, 'bucket'))
      .map((sample) => ({ ...sample, le: /,?le="([^"]+)"/.exec(sample.labels)! }))
      .filter(({ labels: all, le }) => all.replace(le[0], '').replace('{}', '') === labels)
    const bounds = own.map(({ le: [, bound] }) => (bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound)))
    return { buckets: own.map((bucket) => bucket.value), bounds, count: value }
  })
}
