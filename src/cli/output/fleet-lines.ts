/** The report on a fleet as lines of text. */

import { countOf } from '../../core/lib/text/wording.ts'
import { writeReport } from '../../core/report/write-report.ts'
import type { FleetEntry, FleetReport } from '../../fleet/index.ts'
import { StatusCounts } from './status-counts.ts'

const MAX_SPLIT_KEYS = 10

export function fleetLines(
  { replicas, isSameScenario, splitKeys, conduct }: FleetReport,
  entries: readonly FleetEntry[],
): string[] {
  const answered = replicas.filter((one) => !('failure' in one)).length
  const lines = [`${countOf(replicas.length, 'replica')}, ${answered} answered: ${StatusCounts.of(entries)}`]
  for (const replica of replicas) {
    const { target } = replica
    if ('failure' in replica) {
      lines.push(`  ${target}  ${replica.failure}`)
      continue
    }
    const { scenario, keys, dropped, isTimingValid } = replica
    const served = StatusCounts.of(entries.filter((entry) => entry.replica === target))
    const parts = [`  ${target}  ${served}, ${countOf(keys, 'key')}, scenario ${scenario}`]
    if (dropped > 0) parts.push(`${countOf(dropped, 'earlier call')} dropped from its journal`)
    if (!isTimingValid) parts.push('timing not valid: see docs/time.md')
    lines.push(parts.join(', '))
  }
  if (answered < replicas.length) lines.push('The calls of replicas that did not answer are missing from this report.')
  if (!isSameScenario) lines.push('The replicas have different scenarios: run api-mock fleet apply --scenario again.')
  if (splitKeys.length > 0)
    lines.push(
      `Served by several replicas: ${countOf(splitKeys.length, 'key')}. Attempts and sequences of a key are counted on each replica alone; limits too, without limits.shared.`,
    )
  for (const { key, session, replicas: all } of splitKeys.slice(0, MAX_SPLIT_KEYS)) {
    const where = all.map(({ target, since }) => `${target} from #${since}`).join(', ')
    lines.push(`  ${key}${session === undefined ? '' : ` session ${session}`}: ${where}`)
  }
  if (splitKeys.length > MAX_SPLIT_KEYS) lines.push(`  and ${splitKeys.length - MAX_SPLIT_KEYS} more`)
  const findings = writeReport.pretty(conduct, false)
  return findings === '' ? lines : [...lines, findings]
}
