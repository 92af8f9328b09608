/**
 * The report on a fleet, for `api-mock fleet`: the journals of all replicas, merged into one, and what clients did wrong.
 *
 *     replica a   #1 at 10 ms, #2 at 90 ms       merged   #1 a#1, #2 b#1, #3 a#2
 *     replica b   #1 at 40 ms
 */
import type { Use } from '../core/decide/call/rule-usage.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import { groupBy } from '../core/report/attempts.ts'
import { buildClientReport, type ClientReport } from '../core/report/client-report.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'
import { mergeMetrics } from './merge-metrics.ts'
import type { Replica } from './replica.ts'

/** A call of a fleet: its `number` and `at` are those of the merged journal. */
export interface FleetEntry extends JournalEntry {
  readonly replica: string
  /** Its number in the journal of the replica. */
  readonly replicaNumber: number
}

/** The part of the answer of `GET /_mock/report` that is read here. */
interface ReportAnswer {
  readonly clock: { readonly now: number }
  readonly journal: { readonly dropped: number }
  readonly timing: { readonly valid: boolean; readonly verdict: string }
  readonly conduct: { readonly coverage: readonly Use[] }
}

/** A replica with the answers of its control plane. */
interface AnsweredReplica extends ReportAnswer {
  readonly target: string
  readonly scenario: { readonly name: string; readonly source: ScenarioSource }
  readonly entries: readonly JournalEntry[]
  readonly metrics: string
}

export type FleetReport = Awaited<ReturnType<typeof reportOnFleet>>['report']

/** The report, with the merged journal and metrics that it was made from. */
export async function reportOnFleet(replicas: readonly Replica[]) {
  const results = await Promise.all(replicas.map(readReplica))
  const answered = results.filter((result): result is AnsweredReplica => !('failure' in result))
  const entries = mergeJournals(answered)
  const isSameScenario = new Set(answered.map(({ scenario }) => JSON.stringify(scenario.source))).size <= 1
  const report = {
    /** A replica that did not answer has the reason. */
    replicas: results.map((result) => {
      if ('failure' in result) return result
      const { target, scenario, entries, journal, timing } = result
      const keys = new Set(entries.map(sessionOf)).size
      const { dropped } = journal
      return { target, scenario: scenario.name, calls: entries.length, keys, dropped, isTimingValid: timing.valid }
    }),
    /** True if all replicas that answered have the same scenario. */
    isSameScenario,
    splitKeys: findSplitKeys(entries),
    conduct: buildConduct(answered, entries, isSameScenario),
  }
  return { report, entries, metrics: mergeMetrics(answered.map(({ metrics }) => metrics)) }
}

/** The answers of a replica, or the reason why there are none. */
async function readReplica(
  replica: Replica,
): Promise<AnsweredReplica | { readonly target: string; readonly failure: string }> {
  const { target } = replica
  try {
    const scenario: AnsweredReplica['scenario'] = JSON.parse(await replica.ask('/scenario'))
    const metrics = await replica.ask('/metrics')
    // The journal after the report: a call that comes between them is at most new, and its time is right.
    const report: ReportAnswer = JSON.parse(await replica.ask('/report'))
    const { entries }: Pick<AnsweredReplica, 'entries'> = JSON.parse(await replica.ask('/journal'))
    return { ...report, target, scenario, entries, metrics }
  } catch (error) {
    return { target, failure: (error as Error).message }
  }
}

/**
 * All calls in the order of their times, numbered from 1. Each replica's clock counts from the start of its process, so
 * the clocks are aligned at the moment when they were read: between machines that is exact to the time of one request.
 */
function mergeJournals(answered: readonly AnsweredReplica[]): FleetEntry[] {
  const latest = Math.max(0, ...answered.map(({ clock }) => clock.now))
  const entries = answered.flatMap(({ target, entries, clock }) =>
    entries.map((entry) => ({
      ...entry,
      at: entry.at - clock.now + latest,
      replica: target,
      replicaNumber: entry.number,
    })),
  )
  return entries.sort((a, b) => a.at - b.at).map((entry, index) => ({ ...entry, number: index + 1 }))
}

/**
 * The keys, or sessions of them, that several replicas have served: their limits and attempts are not counted together. Each
 * has its replicas in the order of their first calls.
 */
function findSplitKeys(entries: readonly FleetEntry[]) {
  const withKey = entries.filter(({ caller }) => caller !== '')
  return groupBy(withKey, sessionOf).flatMap((calls) => {
    const firstCalls = new Map<string, number>()
    for (const { replica, number } of calls) if (!firstCalls.has(replica)) firstCalls.set(replica, number)
    if (firstCalls.size < 2) return []
    const { key, session } = calls[0]!
    const replicas = [...firstCalls].map(([target, since]) => ({ target, since }))
    return [{ key, ...(session !== undefined && { session }), replicas }]
  })
}

/** The key of a call and the session that it names. */
const sessionOf = ({ caller, session = '' }: JournalEntry): string => `${caller} ${session}`

/** The conduct of clients over all calls. The expectations of the scenario count if all replicas have the same one. */
function buildConduct(
  answered: readonly AnsweredReplica[],
  entries: readonly FleetEntry[],
  isSameScenario: boolean,
): ClientReport {
  const invalid = answered.find(({ timing }) => !timing.valid)
  // One use for each rule, with the sum of its counts on all replicas.
  const uses = new Map<string, Use>()
  for (const use of answered.flatMap(({ conduct }) => conduct.coverage))
    uses.set(use.ruleId, { ...use, count: use.count + (uses.get(use.ruleId)?.count ?? 0) })
  return buildClientReport({
    entries,
    coverage: [...uses.values()],
    expectations: isSameScenario ? answered[0]?.scenario?.source.expect : undefined,
    dropped: answered.reduce((sum, { journal }) => sum + journal.dropped, 0),
    timing: invalid?.timing ?? { valid: true, verdict: 'valid on all replicas' },
  })
}
