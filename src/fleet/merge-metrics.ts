/** Merges the metrics of several replicas, in the text format of Prometheus. */

const SAMPLE = /^([a-z0-9_]+)(\{.*\})? (\S+)$/
/** Of these the worst replica counts; everything else is added up. */
const WORST = { max: /_seconds$/, min: /_timing_valid$/ } as const

/** One text with the counts of all replicas added up, and of times and their validity the worst. */
export function mergeMetrics(texts: readonly string[]): string {
  const heads = new Map<string, string[]>()
  const samples = new Map<string, Map<string, number>>()
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const [, head] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? []
    if (head !== undefined) addHead(heads, head, line)
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? []
    if (name === undefined) continue
    const values = samples.get(name) ?? new Map<string, number>()
    const before = values.get(labels)
    values.set(labels, before === undefined ? Number(value) : combine(name, before, Number(value)))
    samples.set(name, values)
  }
  return [...heads]
    .flatMap(([name, lines]) => [
      ...lines,
      ...[...(samples.get(name) ?? [])].map(([labels, value]) => `${name}${labels} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join('')
}

function addHead(heads: Map<string, string[]>, name: string, line: string): void {
  const lines = heads.get(name) ?? []
  if (!lines.includes(line)) lines.push(line)
  heads.set(name, lines)
}

function combine(name: string, one: number, other: number): number {
  if (WORST.max.test(name)) return Math.max(one, other)
  return WORST.min.test(name) ? Math.min(one, other) : one + other
}
