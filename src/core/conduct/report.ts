/** The conduct report: what a client did wrong, which calls no rule matched and which parts of the scenario were never used, as data and as text. */
import type { JournalEntry } from '../journal/entry.ts'
import type { Use } from '../journal/rule-usage.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { type CacheSum, cacheText, sumCache } from './cache-sum.ts'
import { FINDING_NAMES, type Finding, findConduct } from './conduct.ts'
import { findMisses, type MissedCall } from './misses.ts'

export interface ConductReport {
  /** How many calls were checked. */
  readonly calls: number
  readonly findings: readonly Finding[]
  /** The calls that were refused because nothing was recorded for them, or because no rule matches. */
  readonly misses: readonly MissedCall[]
  /** Every reply rule, fault and limit of the scenario, with how often it was used. */
  readonly coverage: readonly Use[]
  /** Left out if the prompt cache was in play for no call. */
  readonly cache?: CacheSum
}

export function reportOf(entries: readonly JournalEntry[], coverage: readonly Use[]): ConductReport {
  const cache = sumCache(entries)
  return {
    calls: entries.length,
    findings: findConduct(entries),
    misses: findMisses(entries),
    coverage,
    ...(cache !== undefined && { cache }),
  }
}

/** Whether there is a finding that is always wrong. */
export const hasMistakes = ({ findings }: ConductReport): boolean => findings.some(({ level }) => level === 'mistake')

/** What to say of a report that does not cover all calls; undefined for one that does. */
export function describeGap(dropped: number, covered: number, isStrict: boolean): string | undefined {
  if (dropped === 0) return undefined
  const calls = `${dropped} earlier ${dropped === 1 ? 'call was' : 'calls were'}`
  const gap = `the report covers the last ${covered} calls; ${calls} dropped from the journal`
  return isStrict ? `${gap}, so --conduct strict fails. Run fewer tests at a time.` : `${gap}.`
}

export const REPORT_FORMS = ['pretty', 'json', 'junit', 'github', 'none'] as const
export type ReportForm = (typeof REPORT_FORMS)[number]

/** The report as lines of text, without the last line break; '' for an empty report. */
export const writeReport: Readonly<Record<ReportForm, (report: ConductReport) => string>> = {
  pretty: (report) => linesOf(report).join('\n'),
  json: (report) => escapeControls(JSON.stringify(report)),
  junit: junitOf,
  github: githubOf,
  none: () => '',
}

/** The rules, faults and limits that were never used: `replies[1]`, `faults[0] (server-error)`. */
const neverUsed = ({ coverage }: ConductReport): readonly string[] =>
  coverage
    .filter(({ count }) => count === 0)
    .map(({ ruleId, fault }) => (fault === undefined ? ruleId : `${ruleId} (${fault})`))

function linesOf(report: ConductReport): string[] {
  const lines = report.findings.map(
    ({ level, name, key, text }) => `${level} ${name} (key ${key}): ${escapeControls(text)}`,
  )
  lines.push(...shownMisses(report).map((text) => `miss ${escapeControls(text)}`))
  const unused = neverUsed(report)
  if (unused.length > 0) lines.push(`never used: ${unused.join(', ')}`)
  if (report.cache !== undefined) lines.push(cacheText(report.cache))
  return lines
}

const MAX_SHOWN_MISSES = 20

/** `#3, #4: replies[2] nearly matched: expected request.model 'a', got 'b'` */
function shownMisses({ misses }: ConductReport): string[] {
  const lines = misses
    .slice(0, MAX_SHOWN_MISSES)
    .map(({ calls, text }) => `${calls.map((number) => `#${number}`).join(', ')}: ${text}`)
  const more = misses.length - lines.length
  return more > 0 ? [...lines, `of ${more} more request${more === 1 ? '' : 's'}`] : lines
}

/** One test case for each kind of finding, so that a run without mistakes shows what was checked. Mistakes are failures. */
function junitOf(report: ConductReport): string {
  const cases = FINDING_NAMES.map((name) => {
    const found = report.findings.filter((finding) => finding.name === name)
    const failures = found.filter(({ level }) => level === 'mistake')
    const remarks = found.filter(({ level }) => level === 'remark')
    const inside = [
      ...failures.map(({ text }) => `<failure message="${escapeXml(text)}"/>`),
      ...(remarks.length === 0
        ? []
        : [`<system-out>${escapeXml(remarks.map(({ text }) => text).join('\n'))}</system-out>`]),
    ]
    return `    <testcase classname="conduct" name="${name}">${inside.join('')}</testcase>`
  })
  const misses = shownMisses(report).map((text) => escapeXml(`miss ${text}`))
  const used = report.coverage.map(({ ruleId, count }) => {
    const skipped = count === 0 ? '<skipped message="never used"/>' : ''
    return `    <testcase classname="coverage" name="${escapeXml(ruleId)}">${skipped}</testcase>`
  })
  const failures = new Set(report.findings.filter(({ level }) => level === 'mistake').map(({ name }) => name)).size
  const tests = cases.length + used.length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="api-mock" tests="${tests}" failures="${failures}" errors="0">`,
    ...cases,
    ...used,
    ...(misses.length === 0 ? [] : [`    <system-out>${misses.join('\n')}</system-out>`]),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Escapes text for XML, which does not allow control characters. */
const escapeXml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign]!)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '�')

/**
 * Workflow commands of GitHub Actions: mistakes are errors, remarks are warnings, unused rules are a notice.
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
function githubOf(report: ConductReport): string {
  const lines = report.findings.map(({ level, name, text }) => {
    const command = level === 'mistake' ? 'error' : 'warning'
    return `::${command} title=${property(`api-mock ${name}`)}::${message(escapeControls(text))}`
  })
  for (const text of shownMisses(report)) lines.push(`::warning title=api-mock miss::${message(escapeControls(text))}`)
  const unused = neverUsed(report)
  if (unused.length > 0) lines.push(`::notice title=api-mock coverage::${message(`never used: ${unused.join(', ')}`)}`)
  return lines.join('\n')
}

const message = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => message(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
