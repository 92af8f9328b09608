/** Reads the report file of `api-mock run` or `api-mock hunt`. The file may come from anywhere, so every part is checked. */
import type { Use } from '../../core/decide/call/rule-usage.ts'
import type { JsonObject } from '../../core/lib/text/json.ts'
import type { ClientFinding, ShownCall } from '../../core/report/client-findings.ts'
import type { CacheSum, MissedCall, UncheckedLimits } from '../../core/report/client-report.ts'
import type { ExpectationResult } from '../../core/report/expectations.ts'
import type { MissedCall } from '../../core/report/misses.ts'
import type { UncheckedLimits } from '../../core/report/unchecked-limits.ts'
import { parseJson } from '../call/read-answer.ts'

export interface RunReport {
  readonly kind: 'run'
  readonly calls: number
  readonly findings: readonly ClientFinding[]
  readonly expectations: readonly ExpectationResult[]
  readonly misses: readonly MissedCall[]
  readonly coverage: readonly Use[]
  readonly uncheckedLimits: UncheckedLimits | null
  readonly cache: CacheSum | null
}

/** A set of faults under which the command failed. */
export interface HuntFailure {
  readonly size: string
  readonly faults: readonly string[]
  readonly error: string
  /** The last lines of the output of the command. */
  readonly output: readonly string[]
  /** For `--replay`. */
  readonly tokens: readonly string[]
  /** The scenarios that repeat it. */
  readonly files: readonly string[]
}

export interface HuntTableRow {
  readonly label: string
  /** What became of the call under each class: `survived`. */
  readonly outcomes: readonly string[]
}

export interface HuntReport {
  readonly kind: 'hunt'
  readonly command: string
  readonly scenario: string
  readonly runs: number
  readonly stoppedBy: string
  readonly failures: readonly HuntFailure[]
  readonly classes: readonly string[]
  readonly rows: readonly HuntTableRow[]
  readonly warnings: readonly string[]
}

const EXPECTED = 'Expected the report of api-mock run or hunt with --report json --report-file <file>'

/** The report, or what is wrong with the text. */
export const readReportFile = (text: string): ReadReport => readReport(parseJson(text))

/** `isShortened`: whether a list had more items than are read. */
export type ReadReport = ((RunReport | HuntReport) & { readonly isShortened?: boolean }) | { readonly problem: string }

export function readReport(value: unknown): ReadReport {
  if (!isObject(value)) return { problem: `${EXPECTED}, got a file that is not JSON.` }
  const note = hasLongList(value) ? { isShortened: true } : {}
  if (Array.isArray(value.findings) && Array.isArray(value.coverage)) return { ...readRun(value), ...note }
  if (Array.isArray(value.failures) && isObject(value.table)) return { ...readHunt(value), ...note }
  return { problem: `${EXPECTED}, got other JSON.` }
}

function readRun({ calls, findings, expectations, misses, coverage, uncheckedLimits, cache }: JsonObject): RunReport {
  return {
    kind: 'run',
    calls: toNumber(calls),
    findings: objects(findings).map(readFinding),
    expectations: objects(expectations).map(({ name, expected, found, verdict, reason }) => ({
      name: toText(name),
      expected: toText(expected),
      found: toText(found),
      verdict: verdict === 'PASS' || verdict === 'FAIL' ? verdict : 'INCONCLUSIVE',
      ...(reason !== undefined && { reason: toText(reason) }),
    })),
    misses: objects(misses).map(({ calls: numbers, key, text }) => ({
      calls: list(numbers).map(toNumber),
      key: toText(key),
      text: toText(text),
    })),
    coverage: objects(coverage).map(({ kind, ruleId, count, fault }) => ({
      kind: kind === 'fault' || kind === 'limit' ? kind : 'rule',
      ruleId: toText(ruleId),
      count: toNumber(count),
      ...(fault !== undefined && { fault: toText(fault) }),
    })),
    uncheckedLimits: isObject(uncheckedLimits)
      ? { calls: toNumber(uncheckedLimits.calls), problem: toText(uncheckedLimits.problem) }
      : null,
    cache: isObject(cache) ? readCache(cache) : null,
  }
}

const readFinding = ({ name, level, text, calls, key, method, path, prompt, shown }: JsonObject): ClientFinding => ({
  // Shown as text only, so that a later version may have others.
  name: toText(name) as ClientFinding['name'],
  level: level === 'remark' ? 'remark' : 'mistake',
  text: toText(text),
  calls: list(calls).map(toNumber),
  key: toText(key),
  method: toText(method),
  path: toText(path),
  prompt: toText(prompt),
  shown: objects(shown).map(({ number, atMs, status, reason, outcome, durationMs }) => ({
    number: toNumber(number),
    atMs: toNumber(atMs),
    status: toNumber(status),
    reason: toText(reason),
    outcome: toText(outcome) as ShownCall['outcome'],
    durationMs: toNumber(durationMs),
  })),
})

const readCache = ({ calls, hits, cachedTokens, cacheWriteTokens }: JsonObject): CacheSum => ({
  calls: toNumber(calls),
  hits: toNumber(hits),
  cachedTokens: toNumber(cachedTokens),
  cacheWriteTokens: toNumber(cacheWriteTokens),
})

function readHunt({ command, scenario, runs, stoppedBy, failures, table, warnings }: JsonObject): HuntReport {
  const { classes, rows } = isObject(table) ? table : {}
  return {
    kind: 'hunt',
    command: list(command).map(toText).join(' '),
    scenario: toText(scenario),
    runs: toNumber(runs),
    stoppedBy: toText(stoppedBy),
    failures: objects(failures).map(({ size, faults, error, output, tokens, file, otherFiles }) => ({
      size: toText(size),
      faults: list(faults).map(toText),
      error: toText(error),
      output: list(output).map(toText),
      tokens: list(tokens).map(toText),
      files: [file, ...list(otherFiles)].map(toText).filter((name) => name !== ''),
    })),
    classes: list(classes).map(toText),
    rows: objects(rows).map(({ label, cells }) => ({
      label: toText(label),
      outcomes: objects(cells).map(({ outcome }) => toText(outcome)),
    })),
    warnings: list(warnings).map(toText),
  }
}

/** More would not be read by a person, and would slow the page. */
const MAX_ITEMS = 2000
export const SHORTENED = `Lists in this report have more than ${MAX_ITEMS} items. Only the first ${MAX_ITEMS} are shown.`

function hasLongList(report: JsonObject): boolean {
  const left: unknown[] = [report]
  while (left.length > 0) {
    const value = left.pop()
    if (Array.isArray(value) && value.length > MAX_ITEMS) return true
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) left.push(part)
  }
  return false
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [])
const objects = (value: unknown): readonly JsonObject[] => list(value).filter(isObject)
const toNumber = (value: unknown): number => (typeof value === 'number' ? value : 0)
const toText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
