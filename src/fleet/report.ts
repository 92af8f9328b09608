/** The report on a fleet: what each replica served, and the conduct of clients over all of them. */

import type { Use } from '../core/decide/call/rule-usage.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import { buildClientReport, type ClientReport } from '../core/report/client-report.ts'
import { compileScenario } from '../core/scenario/compile/compile.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'
import { type FleetEntry, findSplitKeys, mergeJournals, type SplitKey } from './merge-journals.ts'
import { mergeMetrics } from './merge-metrics.ts'
import type { Replica } from './replica.ts'

/** What one replica served; of one that did not answer, only why. */
export type ReplicaSummary =
  | { readonly target: string; readonly failure: string }
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
  /** Whether all replicas that answered have the same scenario. */
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

/** What the control plane of a replica says. */
interface Reading {
  readonly target: string
  readonly scenario: string
  readonly source: ScenarioSource
  readonly entries: readonly JournalEntry[]
  readonly now: number
  readonly dropped: number
  readonly timing: Timing
  readonly coverage: readonly Use[]
  readonly metrics: string
}

export async function reportOnFleet(replicas: readonly Replica[]): Promise<FleetFindings> {
  const read = await Promise.all(replicas.map(readReplica))
  const readings = read.filter((one): one is Reading => !('failure' in one))
  const entries = mergeJournals(readings)
  const report: FleetReport = {
    replicas: read.map((one) => ('failure' in one ? one : summaryOf(one))),
    isSameScenario: hasSameScenario(readings),
    splitKeys: findSplitKeys(entries),
    conduct: buildConduct(readings, entries),
  }
  return { report, entries, metrics: mergeMetrics(readings.map(({ metrics }) => metrics)) }
}

const hasSameScenario = (readings: readonly Reading[]): boolean =>
  new Set(readings.map(({ source }) => JSON.stringify(source))).size <= 1

/** What the scenario expects is judged over all calls, if all replicas have the same one. */
function buildConduct(readings: readonly Reading[], entries: readonly FleetEntry[]): ClientReport {
  const [first] = readings
  const scenario =
    first !== undefined && hasSameScenario(readings)
      ? compileScenario(first.source, { name: first.scenario, compilePattern })
      : undefined
  return buildClientReport({
    entries,
    coverage: addUses(readings.map(({ coverage }) => coverage)),
    expectations: scenario?.source.expect,
    dropped: readings.reduce((sum, { dropped }) => sum + dropped, 0),
    timing: readings.find(({ timing }) => !timing.valid)?.timing ?? { valid: true, verdict: 'valid on all replicas' },
    pricesOf: (model) => scenario?.model(model)?.prices,
  })
}

interface Timing {
  readonly valid: boolean
  readonly verdict: string
}

/** What `GET /_mock/report` answers, as far as it is read here. */
interface ReportAnswer {
  readonly clock: { readonly now: number }
  readonly journal: { readonly dropped: number }
  readonly timing: Timing
  readonly conduct: { readonly coverage: readonly Use[] }
}

async function readReplica(replica: Replica): Promise<Reading | { readonly target: string; readonly failure: string }> {
  const { target } = replica
  try {
    const { name, source } = await replica.getJson<{ readonly name: string; readonly source: ScenarioSource }>(
      '/scenario',
    )
    const metrics = await replica.get('/metrics')
    // The journal after the report: a call that comes between is at most new, and its time is right.
    const { clock, journal, timing, conduct } = await replica.getJson<ReportAnswer>('/report')
    const { entries } = await replica.getJson<{ readonly entries: readonly JournalEntry[] }>('/journal')
    return {
      target,
      scenario: name,
      source,
      entries,
      now: clock.now,
      dropped: journal.dropped,
      timing,
      coverage: conduct.coverage,
      metrics,
    }
  } catch (error) {
    return { target, failure: (error as Error).message }
  }
}

const summaryOf = ({ target, scenario, entries, dropped, timing }: Reading): ReplicaSummary => ({
  target,
  scenario,
  calls: entries.length,
  keys: new Set(entries.map(({ caller, session = '' }) => `${caller} ${session}`)).size,
  dropped,
  isTimingValid: timing.valid,
})

/** The uses of all replicas, added up by rule. */
function addUses(coverages: readonly (readonly Use[])[]): Use[] {
  const sums = new Map<string, Use>()
  for (const use of coverages.flat()) {
    const before = sums.get(use.ruleId)
    sums.set(use.ruleId, before === undefined ? use : { ...use, count: before.count + use.count })
  }
  return [...sums.values()]
}
