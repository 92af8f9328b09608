/** The report on a fleet as lines of text. */

import { countOf } from '../../core/lib/text/count-of.ts'
import { writeReport } from '../../core/report/formats/write-report.ts'
import type { FleetReport, ReplicaSummary } from '../../fleet/fleet-report.ts'
import type { FleetEntry, SplitKey } from '../../fleet/merge-journals.ts'
import { StatusCounts } from './status-counts.ts'

const MAX_SPLIT_KEYS = 10

export function fleetLines(
  { replicas, isSameScenario, splitKeys, conduct }: FleetReport,
  entries: readonly FleetEntry[],
): string[] {
  const silent = replicas.filter((one) => 'failure' in one)
  const answered = replicas.length - silent.length
  const lines = [
    `${countOf(replicas.length, 'replica')}, ${answered} answered: ${StatusCounts.of(entries)}`,
    ...replicas.map((replica) => `  ${replicaText(replica, entries)}`),
  ]
  if (silent.length > 0) lines.push('The calls of replicas that did not answer are missing from this report.')
  if (!isSameScenario) lines.push('The replicas have different scenarios: run api-mock fleet apply --scenario again.')
  lines.push(...splitKeyLines(splitKeys))
  const findings = writeReport.pretty(conduct, false)
  return findings === '' ? lines : [...lines, findings]
}

function replicaText(replica: ReplicaSummary, entries: readonly FleetEntry[]): string {
  const { target } = replica
  if ('failure' in replica) return `${target}  ${replica.failure}`
  const { scenario, keys, dropped, isTimingValid } = replica
  const served = StatusCounts.of(entries.filter((entry) => entry.replica === target))
  return [
    `${target}  ${served}, ${countOf(keys, 'key')}, scenario ${scenario}`,
    ...(dropped === 0 ? [] : [`${countOf(dropped, 'earlier call')} dropped from its journal`]),
    ...(isTimingValid ? [] : ['timing not valid: see docs/time.md']),
  ].join(', ')
}

function splitKeyLines(keys: readonly SplitKey[]): string[] {
  if (keys.length === 0) return []
  const shown = keys.slice(0, MAX_SPLIT_KEYS).map(({ key, session, replicas }) => {
    const where = replicas.map(({ target, since }) => `${target} from #${since}`).join(', ')
    return `  ${key}${session === undefined ? '' : ` session ${session}`}: ${where}`
  })
  const more = keys.length - shown.length
  return [
    `Served by several replicas: ${countOf(keys.length, 'key')}. Attempts and sequences of a key are counted on each replica alone; limits too, without limits.shared.`,
    ...shown,
    ...(more === 0 ? [] : [`  and ${more} more`]),
  ]
}
