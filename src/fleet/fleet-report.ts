/** The report on a fleet: the calls that each replica served, merged into one journal, and the conduct of clients in it. */
import type { Use } from '../core/decide/call/rule-usage.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import { buildClientReport, type ClientReport } from '../core/report/client-report.ts'
import { compileScenario } from '../core/scenario/compile/compile.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'
import type { Replica } from './replica.ts'

/** A replica that did not answer, and why. */
interface SilentReplica {
  readonly target: string
  readonly failure: string
}

/** The calls that one replica served. */
export type ReplicaSummary =
  | SilentReplica
  | {
      readonly target: string
      readonly scenario: string
      readonly calls: number
      readonly keys: number
      /** Calls that its journal has dropped: they are missing from the report. */
      readonly dropped: number
      readonly isTimingValid: boolean
    }

export interface FleetReport {
  readonly replicas: readonly ReplicaSummary[]
  /** True if all replicas that answered have the same scenario. */
  readonly isSameScenario: boolean
  readonly splitKeys: readonly SplitKey[]
  readonly conduct: ClientReport
}

/** The report, and what it was made from. */
export interface FleetFindings {
  readonly report: FleetReport
  readonly entries: readonly FleetEntry[]
  readonly metrics: string
}

/** The part of the answer of `GET /_mock/report` that is read here. */
interface ReportAnswer {
  readonly clock: { readonly now: number }
  readonly journal: { readonly dropped: number }
  readonly timing: { readonly valid: boolean; readonly verdict: string }
  readonly conduct: { readonly coverage: readonly Use[] }
}

/** The answers of the control plane of a replica. */
interface Reading extends ReportAnswer {
  readonly target: string
  readonly scenario: { readonly name: string; readonly source: ScenarioSource }
  readonly entries: readonly JournalEntry[]
  readonly metrics: string
}

export async function reportOnFleet(replicas: readonly Replica[]): Promise<FleetFindings> {
  const read = await Promise.all(replicas.map(readReplica))
  const readings = read.filter((one): one is Reading => !('failure' in one))
  const entries = mergeJournals(readings)
  const isSameScenario = new Set(readings.map(({ scenario }) => JSON.stringify(scenario.source))).size <= 1
  const report: FleetReport = {
    replicas: read.map((one) => {
      if ('failure' in one) return one
      const { target, scenario, entries: own, journal, timing } = one
      return {
        target,
        scenario: scenario.name,
        calls: own.length,
        keys: new Set(own.map(({ caller, session = '' }) => `${caller} ${session}`)).size,
        dropped: journal.dropped,
        isTimingValid: timing.valid,
      }
    }),
    isSameScenario,
    splitKeys: findSplitKeys(entries),
    conduct: buildConduct(readings, entries, isSameScenario),
  }
  return { report, entries, metrics: mergeMetrics(readings.map(({ metrics }) => metrics)) }
}

/** The expectations of the scenario are judged over all calls, if all replicas have the same one. */
function buildConduct(
  readings: readonly Reading[],
  entries: readonly FleetEntry[],
  isSameScenario: boolean,
): ClientReport {
  const [{ scenario: own } = {}] = isSameScenario ? readings : []
  const scenario = own && compileScenario(own.source, { name: own.name, compilePattern })
  // The uses of all replicas, added up by rule.
  const uses = new Map<string, Use>()
  for (const use of readings.flatMap(({ conduct }) => conduct.coverage)) {
    const before = uses.get(use.ruleId)
    uses.set(use.ruleId, before === undefined ? use : { ...use, count: before.count + use.count })
  }
  return buildClientReport({
    entries,
    coverage: [...uses.values()],
    expectations: scenario?.source.expect,
    dropped: readings.reduce((sum, { journal }) => sum + journal.dropped, 0),
    timing: readings.find(({ timing }) => !timing.valid)?.timing ?? { valid: true, verdict: 'valid on all replicas' },
    pricesOf: (model) => scenario?.model(model)?.prices,
  })
}

async function readReplica(replica: Replica): Promise<Reading | SilentReplica> {
  const { target } = replica
  try {
    const scenario = await replica.getJson<Reading['scenario']>('/scenario')
    const metrics = await replica.get('/metrics')
    // The journal after the report: a call that comes between is at most new, and its time is right.
    const report = await replica.getJson<ReportAnswer>('/report')
    const { entries } = await replica.getJson<Pick<Reading, 'entries'>>('/journal')
    return { ...report, target, scenario, entries, metrics }
  } catch (error) {
    return { target, failure: (error as Error).message }
  }
}

const SAMPLE = /^([a-z0-9_:]+)(\{.*\})? (\S+)$/
/** Metrics of which the worst replica counts; everything else is added up. */
const WORST = { max: /_seconds$/, min: /_(?:timing_valid|store_up)$/ } as const

/** Merges metrics in the text format of Prometheus: counts are added up; of times and their validity the worst counts. */
export function mergeMetrics(texts: readonly string[]): string {
  const metrics = new Map<string, { readonly heads: Set<string>; readonly values: Map<string, number> }>()
  // The samples of a histogram have other names than their metric, so they are those of the head before them.
  let { heads, values } = { heads: new Set<string>(), values: new Map<string, number>() }
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const [, metric] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? []
    if (metric !== undefined) {
      ;({ heads, values } = metrics.get(metric) ?? { heads: new Set(), values: new Map() })
      metrics.set(metric, { heads: heads.add(line), values })
    }
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? []
    if (name === undefined) continue
    const sample = name + labels
    const before = values.get(sample)
    values.set(sample, before === undefined ? Number(value) : combine(name, before, Number(value)))
  }
  return [...metrics.values()]
    .flatMap(({ heads, values }) => [...heads, ...[...values].map(([sample, value]) => `${sample} ${value}`)])
    .map((line) => `${line}\n`)
    .join('')
}

function combine(name: string, one: number, other: number): number {
  if (WORST.max.test(name)) return Math.max(one, other)
  return WORST.min.test(name) ? Math.min(one, other) : one + other
}

/** A call of a fleet: its `number` and `at` are those of the merged journal. */
export interface FleetEntry extends JournalEntry {
  readonly replica: string
  /** Its number in the journal of the replica. */
  readonly replicaNumber: number
}

/**
 * All calls, numbered from 1. Clocks count from the start of their process, so they are aligned by the time at which they
 * were read; between machines that is exact to the time of one request.
 */
function mergeJournals(readings: readonly Reading[]): FleetEntry[] {
  const latest = Math.max(0, ...readings.map(({ clock }) => clock.now))
  return readings
    .flatMap(({ target, entries, clock: { now } }) =>
      entries.map((entry) => ({
        ...entry,
        at: entry.at - now + latest,
        replica: target,
        replicaNumber: entry.number,
      })),
    )
    .sort((a, b) => a.at - b.at)
    .map((entry, index) => ({ ...entry, number: index + 1 }))
}

/** A key, or a session of it, that several replicas have served. Its limits and attempts are not counted together. */
export interface SplitKey {
  /** The masked key. */
  readonly key: string
  readonly session?: string
  /** The replicas in the order of their first calls, each with the number of that call. */
  readonly replicas: readonly { readonly target: string; readonly since: number }[]
}

function findSplitKeys(entries: readonly FleetEntry[]): SplitKey[] {
  const byKey = new Map<string, { readonly entry: FleetEntry; readonly since: Map<string, number> }>()
  for (const entry of entries) {
    const { caller, session = '', replica, number } = entry
    if (caller === '') continue
    const name = `${caller} ${session}`
    const known = byKey.get(name) ?? { entry, since: new Map<string, number>() }
    if (!known.since.has(replica)) known.since.set(replica, number)
    byKey.set(name, known)
  }
  return [...byKey.values()]
    .filter(({ since }) => since.size > 1)
    .map(({ entry: { key, session }, since }) => ({
      key,
      ...(session !== undefined && { session }),
      replicas: [...since].map(([target, number]) => ({ target, since: number })),
    }))
}
