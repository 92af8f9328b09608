/**
 * Reads the report file of `api-mock run` or `api-mock hunt`. The file may come from anywhere, so nothing in it is trusted:
 * each part is read by a sample, which has its fields and their types.
 *
 *     sample  { name: '', calls: [0] }
 *     file    { "name": 7, "calls": [3, "x"], "other": true }
 *     read    { name: '7', calls: [3, 0] }
 */
import type { Use } from '../../core/decide/call/rule-usage.ts'
import { isObject, parseJson } from '../../core/lib/text/json.ts'
import type { ClientFinding } from '../../core/report/client-findings.ts'
import type { CacheSum, MissedCall, UncheckedLimits } from '../../core/report/client-report.ts'
import type { ExpectationResult } from '../../core/report/expectations.ts'
import type { DrawnCall } from '../../core/report/run-picture.ts'

/** The sample of a text that may be missing. */
const OPTIONAL = 'none'

const FINDING: ClientFinding = {
  // Any word is taken, because it is shown as text only: a later version may have others.
  name: '' as ClientFinding['name'],
  level: 'mistake',
  text: '',
  calls: [0],
  key: '',
  method: '',
  path: '',
  prompt: '',
  shown: [{ number: 0, atMs: 0, status: 0, reason: '', outcome: '' as 'open', durationMs: 0 }],
}
const EXPECTATION: ExpectationResult = { name: '', expected: '', found: '', verdict: 'INCONCLUSIVE', reason: OPTIONAL }
const MISS: Omit<MissedCall, 'rule'> = { calls: [0], key: '', text: '' }
type ShownUse = Omit<Use, 'line'> & { readonly line?: string | number }
const USE: ShownUse = { kind: 'rule', ruleId: '', count: 0, fault: OPTIONAL, line: OPTIONAL, when: OPTIONAL }
const RUN = { calls: 0, findings: [FINDING], expectations: [EXPECTATION], misses: [MISS], coverage: [USE] }
const CACHE: CacheSum = { calls: 0, hits: 0, cachedTokens: 0, cacheWriteTokens: 0 }

const DRAWN: DrawnCall = {
  ...{ number: 0, at: 0, durationMs: 0, status: 0, outcome: '' as 'open', key: '', caller: '', session: OPTIONAL },
  ...{ request: '', method: '', reason: { by: '' as 'echo', name: '' } },
  levels: [{ kind: '' as 'requests', limit: 1, used: 0, resetMs: 1 }],
}

const HUNT = {
  command: [''],
  scenario: '',
  runs: 0,
  stoppedBy: '',
  /** Sets of faults under which the command failed, with the last lines of its output, and tokens for `--replay`. */
  failures: [{ size: '', faults: [''], error: '', output: [''], tokens: [''], file: '', drawnCalls: [DRAWN] }],
  table: { classes: [''], rows: [{ label: '', cells: [{ outcome: '' }] }] },
  warnings: [''],
}

/** The parts of a report of a run that the page shows. */
export type ShownRun = Readonly<typeof RUN> & {
  readonly kind: 'run'
  readonly uncheckedLimits: UncheckedLimits | null
  readonly cache: CacheSum | null
}

/** The parts of a report of a hunt that the page shows. */
export type ShownHunt = typeof HUNT & { readonly kind: 'hunt' }

interface ReadNotes {
  /** True if a list had more items than are read. */
  isShortened?: boolean
}

/** A report, or the problem with its text. */
type ReadReport = ((ShownRun | ShownHunt) & ReadNotes) | { readonly problem: string }

const EXPECTED = 'Expected the report of api-mock run or hunt with --report json --report-file <file>'

export const readReportFile = (text: string): ReadReport => readReport(parseJson(text))

export function readReport(value: unknown): ReadReport {
  if (!isObject(value)) return { problem: `${EXPECTED}, got a file that is not JSON.` }
  const notes: ReadNotes = {}
  if (Array.isArray(value.failures) && isObject(value.table))
    return { kind: 'hunt', ...readLike(HUNT, value, notes), ...notes }
  if (!Array.isArray(value.findings) || !Array.isArray(value.coverage))
    return { problem: `${EXPECTED}, got other JSON.` }
  const { uncheckedLimits: limits, cache } = value
  return {
    kind: 'run',
    ...readLike(RUN, value, notes),
    uncheckedLimits: isObject(limits) ? readLike({ calls: 0, problem: '' }, limits, notes) : null,
    cache: isObject(cache) ? readLike(CACHE, cache, notes) : null,
    ...notes,
  }
}

/** More would not be read by a person, and would slow the page. */
const MAX_ITEMS = 2000
export const SHORTENED = `Lists in this report have more than ${MAX_ITEMS} items. Only the first ${MAX_ITEMS} are shown.`

/** A value with the fields and types of a sample. A value of another type becomes that of the sample, a list becomes empty. */
function readLike<Sample>(sample: Sample, value: unknown, notes: ReadNotes): Sample
function readLike(sample: unknown, value: unknown, notes: ReadNotes): unknown {
  if (Array.isArray(sample)) {
    const [itemSample] = sample
    const items = Array.isArray(value) ? value : []
    if (items.length > MAX_ITEMS) notes.isShortened = true
    const readable = items.slice(0, MAX_ITEMS).filter((item) => !isObject(itemSample) || isObject(item))
    return readable.map((item) => readLike(itemSample, item, notes))
  }
  if (isObject(sample)) {
    const fields = isObject(value) ? value : {}
    const names = Object.keys(sample).filter((name) => sample[name] !== OPTIONAL || fields[name] !== undefined)
    return Object.fromEntries(names.map((name) => [name, readLike(sample[name], fields[name], notes)]))
  }
  if (typeof value === typeof sample) return value
  return typeof value === 'number' && sample === '' ? String(value) : sample
}
