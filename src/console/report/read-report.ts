/** Reads the report file of `api-mock run` or `api-mock hunt`. The file may come from anywhere, so every part is checked. */
import type { Use } from '../../core/decide/call/rule-usage.ts'
import type { CacheSum } from '../../core/report/cache-sum.ts'
import type { Finding, ShownCall } from '../../core/report/conduct.ts'
import type { ExpectationResult } from '../../core/report/expectations.ts'
import type { MissedCall } from '../../core/report/misses.ts'
import type { UncheckedLimits } from '../../core/report/unchecked-limits.ts'
import { isObject, type JsonFields, parseJson } from '../call/read-answer.ts'

export interface ShownRun {
  readonly kind: 'run'
  readonly calls: number
  readonly findings: readonly ClientFinding[]
  readonly expectations: readonly ExpectationResult[]
  readonly misses: readonly Omit<MissedCall, 'rule'>[]
  readonly coverage: readonly Use[]
  readonly uncheckedLimits: UncheckedLimits | null
  readonly cache: CacheSum | null
}

/** A set of faults under which the command failed. */
export interface ShownFailure {
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

export interface ShownHunt {
  readonly kind: 'hunt'
  readonly command: string
  readonly scenario: string
  readonly runs: number
  readonly stoppedBy: string
  readonly failures: readonly ShownFailure[]
  readonly classes: readonly string[]
  /** A call, and what each class of faults did to it: `survived`. */
  readonly rows: readonly { readonly label: string; readonly outcomes: readonly string[] }[]
  readonly warnings: readonly string[]
}

/** A report, or the problem with its text. `isShortened` is true if a list had more items than are read. */
type ReadReport = ((ShownRun | ShownHunt) & { readonly isShortened?: boolean }) | { readonly problem: string }

const EXPECTED = 'Expected the report of api-mock run or hunt with --report json --report-file <file>'

export const readReportFile = (text: string): ReadReport => readReport(parseJson(text))

export function readReport(value: unknown): ReadReport {
  if (!isObject(value)) return { problem: `${EXPECTED}, got a file that is not JSON.` }
  const note = hasLongList(value) ? { isShortened: true } : {}
  if (Array.isArray(value.findings) && Array.isArray(value.coverage)) return { kind: 'run', ...readRun(value), ...note }
  if (Array.isArray(value.failures) && isObject(value.table)) return { kind: 'hunt', ...readHunt(value), ...note }
  return { problem: `${EXPECTED}, got other JSON.` }
}

/** More would not be read by a person, and would slow the page. */
const MAX_ITEMS = 2000
export const SHORTENED = `Lists in this report have more than ${MAX_ITEMS} items. Only the first ${MAX_ITEMS} are shown.`

function hasLongList(report: JsonFields): boolean {
  const left: unknown[] = [report]
  while (left.length > 0) {
    const value = left.pop()
    if (Array.isArray(value) && value.length > MAX_ITEMS) return true
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) left.push(part)
  }
  return false
}

// Values of a wrong type become empty ones. Words are shown as text only, so that a later version may have others.
type Read<Value> = (value: unknown) => Value

const toNumber = (value: unknown): number => (typeof value === 'number' ? value : 0)
const toText = <Word extends string>(value: unknown): Word =>
  (typeof value === 'string' || typeof value === 'number' ? String(value) : '') as Word
const toWord =
  <Word extends string>(first: Word, ...others: Word[]): Read<Word> =>
  (value) =>
    others.find((word) => word === value) ?? first
const toList =
  <Item>(read: Read<Item>): Read<Item[]> =>
  (value) =>
    Array.isArray(value) ? value.slice(0, MAX_ITEMS).map(read) : []
/** The fields of an object; fields that read as undefined are left out. */
const toFields =
  <Fields>(readers: { [Name in keyof Fields]-?: Read<Fields[Name] | undefined> }): Read<Fields> =>
  (value) =>
    Object.fromEntries(
      Object.entries<Read<unknown>>(readers).flatMap(([name, read]) => {
        const field = read(isObject(value) ? value[name] : undefined)
        return field === undefined ? [] : [[name, field]]
      }),
    ) as Fields
const toObjects =
  <Fields>(readers: Parameters<typeof toFields<Fields>>[0]): Read<Fields[]> =>
  (value) =>
    toList(toFields<Fields>(readers))(Array.isArray(value) ? value.filter(isObject) : [])
const orNull =
  <Value>(read: Read<Value>): Read<Value | null> =>
  (value) =>
    isObject(value) ? read(value) : null
const optionalText = (value: unknown): string | undefined => (value === undefined ? undefined : toText(value))

const readRun = toFields<Omit<ShownRun, 'kind'>>({
  calls: toNumber,
  findings: toObjects<Finding>({
    name: toText,
    level: toWord('mistake', 'remark'),
    text: toText,
    calls: toList(toNumber),
    key: toText,
    method: toText,
    path: toText,
    prompt: toText,
    shown: toObjects<ShownCall>({
      number: toNumber,
      atMs: toNumber,
      status: toNumber,
      reason: toText,
      outcome: toText,
      durationMs: toNumber,
    }),
  }),
  expectations: toObjects<ExpectationResult>({
    name: toText,
    expected: toText,
    found: toText,
    verdict: toWord('INCONCLUSIVE', 'PASS', 'FAIL'),
    reason: optionalText,
  }),
  misses: toObjects<Omit<MissedCall, 'rule'>>({ calls: toList(toNumber), key: toText, text: toText }),
  coverage: toObjects<Use>({
    kind: toWord('rule', 'fault', 'limit'),
    ruleId: toText,
    count: toNumber,
    fault: optionalText,
  }),
  uncheckedLimits: orNull(toFields<UncheckedLimits>({ calls: toNumber, problem: toText })),
  cache: orNull(
    toFields<CacheSum>({ calls: toNumber, hits: toNumber, cachedTokens: toNumber, cacheWriteTokens: toNumber }),
  ),
})

function readHunt({ command, table, failures, ...report }: JsonFields): Omit<ShownHunt, 'kind'> {
  const texts = toList(toText)
  const { classes, rows } = isObject(table) ? table : {}
  const outcomes = toObjects<{ outcome: string }>({ outcome: toText })
  return {
    command: texts(command).join(' '),
    ...toFields<Pick<ShownHunt, 'scenario' | 'runs' | 'stoppedBy' | 'warnings'>>({
      scenario: toText,
      runs: toNumber,
      stoppedBy: toText,
      warnings: texts,
    })(report),
    failures: toObjects<ShownFailure & { file: string; otherFiles: string[] }>({
      size: toText,
      faults: texts,
      error: toText,
      output: texts,
      tokens: texts,
      file: toText,
      otherFiles: texts,
      files: texts,
    })(failures).map(({ file, otherFiles, ...failure }) => ({
      ...failure,
      files: [file, ...otherFiles].filter(Boolean),
    })),
    classes: texts(classes),
    rows: toObjects<{ label: string; cells: { outcome: string }[] }>({ label: toText, cells: outcomes })(rows).map(
      ({ label, cells }) => ({ label, outcomes: cells.map(({ outcome }) => outcome) }),
    ),
  }
}
