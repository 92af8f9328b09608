/**
 * `api-mock fleet`: changes all replicas behind a load balancer, or reports on them. `watch` is in watch-fleet.ts.
 *
 *     http://10.0.0.7:4010  done: reset, scenario flaky
 *     http://10.0.0.8:4010  done: reset, scenario flaky
 *     Applied to all 2 replicas.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { isObject, type JsonObject, parseJson } from '../../core/lib/text/json.ts'
import { countOf, shorten } from '../../core/lib/text/wording.ts'
import { failuresOf } from '../../core/report/client-report.ts'
import { writeReport } from '../../core/report/write-report.ts'
import { readInjection } from '../../engine/index.ts'
import { isFile, loadScenario } from '../../engine/node.ts'
import {
  applyChanges,
  type Change,
  type FleetEntry,
  type FleetReport,
  Replica,
  reportOnFleet,
  resolveTargets,
} from '../../fleet/index.ts'
import { checkWritable } from '../../terminal/output-file.ts'
import { outputReports, pairReports } from '../../terminal/report-targets.ts'
import { jsonLine, print, printError } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import type { FleetSettings } from '../args/command-options.ts'
import { StatusCounts } from '../output/status-counts.ts'

/** Returns 0 when every replica did what it was asked and no expectation of the scenario failed, otherwise 1. */
export async function fleet(action: string, settings: FleetSettings): Promise<number> {
  const token = settings.token || process.env.API_MOCK_TOKEN || undefined
  if (action === 'watch') return (await import('./watch-fleet.ts')).watchFleet(settings.targets, token)
  const replicas = (await resolveTargets(settings.targets)).map((target) => new Replica(target, token))
  return action === 'apply' ? applyTo(replicas, settings) : reportOn(replicas, settings)
}

async function applyTo(replicas: readonly Replica[], settings: FleetSettings): Promise<number> {
  const changes = await readChanges(settings)
  if (changes.length === 0) {
    throw new UsageError('Nothing to apply. Choose --scenario, --state, --fault, --clear-faults or --reset.')
  }
  const applied = await applyChanges(replicas, changes)
  for (const { target, done, failure } of applied) {
    const parts: string[] = []
    if (done.length > 0) parts.push(`done: ${done.join(', ')}`)
    if (failure !== undefined) parts.push(`FAILED: ${failure}`)
    print(`${target}  ${parts.join('; ') || 'not changed'}`)
  }
  const failed = applied.filter(({ failure }) => failure !== undefined).map(({ target }) => target)
  const total = countOf(applied.length, 'replica')
  if (failed.length === 0) {
    print(`Applied to ${applied.length === 1 ? total : `all ${total}`}.`)
    return 0
  }
  const isUntouched = applied.every(({ done }) => done.length === 0)
  const advice = isUntouched
    ? 'Nothing was changed on any replica.'
    : 'The replicas differ now. Run the same command again.'
  print(`${failed.length} of ${total} failed: ${failed.join(', ')}. ${advice}`)
  return 1
}

/**
 * The changes that the options ask for, in the order in which they are made.
 * @throws when the scenario or a fault is not valid, before any replica is changed.
 */
async function readChanges(settings: FleetSettings): Promise<Change[]> {
  const { scenario, state, fault: faults, reset, 'clear-faults': clearFaults } = settings
  const changes: Change[] = []
  if (reset) changes.push({ name: 'reset', method: 'POST', path: '/reset' })
  if (scenario !== undefined) {
    await loadScenario(scenario)
    const body = isFile(scenario) ? await readFile(scenario, 'utf8') : JSON.stringify({ scenario })
    changes.push({ name: `scenario ${scenario}`, method: 'PUT', path: '/scenario', body })
  }
  if (clearFaults) changes.push({ name: 'clear faults', method: 'DELETE', path: '/faults' })
  if (state !== undefined)
    changes.push({ name: `state ${state}`, method: 'PUT', path: '/state', body: JSON.stringify({ state }) })
  for (const text of faults) {
    const injection = readFaultOption(text)
    changes.push({ name: `fault ${injection.fault}`, method: 'POST', path: '/faults', body: JSON.stringify(injection) })
  }
  return changes
}

/** Reads a value of --fault: a name, or with options as JSON: `{"fault":"rate-limit","times":2}`. */
function readFaultOption(text: string): JsonObject {
  const given = text.startsWith('{') ? parseJson(text) : { fault: text }
  const { fault, ...options } = isObject(given) ? given : {}
  if (!isObject(given) || (typeof fault !== 'string' && typeof fault !== 'number')) {
    throw new UsageError(
      `--fault: expected the name of a fault or JSON such as {"fault":"rate-limit","times":2}, got '${shorten(text)}'. No replica was changed.`,
    )
  }
  try {
    // Only checks it: the replicas read it again, at their own time.
    readInjection(fault, options, 0)
  } catch (error) {
    const { message } = error as Error
    throw new UsageError(`--fault: ${message}${message.endsWith('.') ? '' : '.'} No replica was changed.`)
  }
  return given
}

async function reportOn(replicas: readonly Replica[], settings: FleetSettings): Promise<number> {
  const isStrict = settings.conduct === 'strict'
  const { 'journal-file': journalFile, 'metrics-file': metricsFile } = settings
  const targets = pairReports(settings.report, settings['report-file'])
  if (journalFile !== undefined) checkWritable(journalFile, 'the journal')
  if (metricsFile !== undefined) checkWritable(metricsFile, 'the metrics')
  const { report, entries, metrics } = await reportOnFleet(replicas)
  const isWritten = await outputReports(targets, (form) => {
    if (form === 'pretty') return fleetLines(report, entries).join('\n')
    return form === 'json' ? jsonLine(report) : writeReport[form](report.conduct, isStrict)
  })
  if (journalFile !== undefined)
    await writeFile(journalFile, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  if (metricsFile !== undefined) await writeFile(metricsFile, metrics)
  const failures = failuresOf(report.conduct, isStrict)
  // Not to stdout, where the report may be JSON.
  if (failures.length > 0) printError(`api-mock: failed: ${failures.join(', ')}`)
  const isComplete = report.replicas.every((replica) => !('failure' in replica))
  return failures.length === 0 && isComplete && isWritten ? 0 : 1
}

const MAX_SPLIT_KEYS = 10

/** The report for people: a line for each replica, what differs between them, and the findings. */
export function fleetLines(
  { replicas, isSameScenario, splitKeys, conduct }: FleetReport,
  entries: readonly FleetEntry[],
): string[] {
  const answered = replicas.filter((replica) => !('failure' in replica)).length
  const lines = [`${countOf(replicas.length, 'replica')}, ${answered} answered: ${new StatusCounts(entries)}`]
  for (const replica of replicas) {
    const { target } = replica
    if ('failure' in replica) {
      lines.push(`  ${target}  ${replica.failure}`)
      continue
    }
    const { scenario, keys, dropped, isTimingValid } = replica
    const served = new StatusCounts(entries.filter((entry) => entry.replica === target))
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
  for (const { key, session, replicas: servers } of splitKeys.slice(0, MAX_SPLIT_KEYS)) {
    const where = servers.map(({ target, since }) => `${target} from #${since}`).join(', ')
    lines.push(`  ${key}${session === undefined ? '' : ` session ${session}`}: ${where}`)
  }
  if (splitKeys.length > MAX_SPLIT_KEYS) lines.push(`  and ${splitKeys.length - MAX_SPLIT_KEYS} more`)
  const findings = writeReport.pretty(conduct, false)
  return findings === '' ? lines : [...lines, findings]
}
