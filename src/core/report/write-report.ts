/** Writes the report in each of its forms. */
import type { Use } from '../decide/call/rule-usage.ts'
import { formatStatus } from '../journal/call-text.ts'
import { countOf, escapeControls } from '../lib/text/wording.ts'
import { shownRecordings } from './changed-recordings.ts'
import { type ClientFinding, FINDING_NAMES } from './client-findings.ts'
import type { ClientReport } from './client-report.ts'
import type { ExpectationResult } from './expectations.ts'
import type { ReportForm } from './report-forms.ts'

/** Writes the report without the last line break; '' for an empty report. */
export const writeReport: Readonly<
  Record<ReportForm, (report: ClientReport, isStrict: boolean, recordingFailures?: readonly string[]) => string>
> = {
  pretty: prettyOf,
  json: (report) => escapeControls(JSON.stringify(report)),
  junit: junitOf,
  github: githubOf,
  none: () => '',
}

/** The report as lines for people. */
function prettyOf(report: ClientReport): string {
  const lines = report.findings.flatMap((finding) => {
    const [title, ...calls] = formatFinding(finding)
    return [`${finding.level} ${title}`, ...calls.map((call) => `  ${call}`)]
  })
  lines.push(...shownMisses(report).map((text) => `miss ${escapeControls(text)}`))
  lines.push(...shownRecordings(report).map(escapeControls), ...shownUncheckedLimits(report), ...shownUnused(report))
  if (report.cache !== undefined) {
    const { calls, hits, cachedTokens, cacheWriteTokens } = report.cache
    lines.push(
      `prompt cache: ${hits} of ${calls} calls hit it, ${cachedTokens} cached tokens, ${cacheWriteTokens} written tokens`,
    )
  }
  const good = praise(report)
  if (good !== undefined) lines.push(good)
  for (const result of report.expectations ?? []) lines.push(`${result.verdict} ${formatExpectation(result)}`)
  return lines.join('\n')
}

/**
 * One test case for each kind of finding and each expectation, so that a run without mistakes shows what was checked.
 * @param isStrict true if mistakes, and expectations without a verdict, fail the run. They are failures only then: a report
 *   with failures of a run that exits with 0 would contradict it.
 * @param recordingFailures the reasons why recordings fail the run; undefined if they cannot
 */
function junitOf(report: ClientReport, isStrict: boolean, recordingFailures?: readonly string[]): string {
  const cases = [
    ...FINDING_NAMES.map((name) => {
      const failures: string[] = []
      const others: string[] = []
      for (const finding of report.findings.filter((one) => one.name === name)) {
        const [title = '', ...calls] = formatFinding(finding)
        if (isStrict && finding.level === 'mistake')
          failures.push(`<failure message="${escapeXml(title)}">${escapeXml(calls.join('\n'))}</failure>`)
        else others.push([`${finding.level} ${title}`, ...calls].join('\n'))
      }
      return testCase('conduct', name, [...failures, ...systemOut(others)])
    }),
    ...(report.expectations ?? []).map((result) => {
      const text = escapeXml(formatExpectation(result))
      const isFailure = result.verdict === 'FAIL' || isStrict
      const unmet = isFailure ? `<failure message="${text}"/>` : `<skipped message="${text}"/>`
      const inside = result.verdict === 'PASS' ? `<system-out>${text}</system-out>` : unmet
      return testCase('expect', `${result.name} ${result.expected}`, [inside])
    }),
    ...report.coverage.map((use) => {
      const why = escapeXml(formatUse({ ...use, ruleId: unusedText(use.kind) }))
      return testCase('coverage', use.ruleId, use.count === 0 ? [`<skipped message="${why}"/>`] : [])
    }),
  ]
  if (recordingFailures !== undefined) {
    const details = escapeXml(shownRecordings(report).join('\n'))
    const failures = recordingFailures.map((why) => `<failure message="${escapeXml(why)}">${details}</failure>`)
    cases.push(testCase('cassettes', 'recordings', failures))
  }
  const misses = shownMisses(report).map((text) => `miss ${text}`)
  const notes = [...misses, ...shownRecordings(report), ...shownUncheckedLimits(report)]
  return testSuite('api-mock', '', cases, systemOut(notes))
}

/** A report for JUnit. @param more other attributes, with a space before them. */
export function testSuite(name: string, more: string, cases: readonly string[], output: readonly string[]): string {
  const failed = cases.filter((one) => one.includes('<failure ')).length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${name}" tests="${cases.length}" failures="${failed}" errors="0"${more}>`,
    ...[...cases, ...output].map((one) => `    ${one}`),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')
}

export const testCase = (group: string, name: string, inside: readonly string[]): string =>
  `<testcase classname="${escapeXml(group)}" name="${escapeXml(name)}">${inside.join('')}</testcase>`

export const systemOut = (texts: readonly string[]): string[] =>
  texts.length === 0 ? [] : [`<system-out>${escapeXml(texts.join('\n'))}</system-out>`]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Escapes text for XML, which does not allow control characters. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign]!)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '�')

/** Mistakes and failed expectations are errors, remarks are warnings, the rest are notices. */
function githubOf(report: ClientReport): string {
  const lines = report.findings.map((finding) => {
    const type = finding.level === 'mistake' ? 'error' : 'warning'
    return workflowCommand(type, finding.name, formatFinding(finding).join('\n'))
  })
  for (const text of shownMisses(report)) lines.push(workflowCommand('warning', 'miss', escapeControls(text)))
  for (const text of shownRecordings(report)) lines.push(workflowCommand('warning', 'recordings', escapeControls(text)))
  for (const text of shownUncheckedLimits(report)) lines.push(workflowCommand('warning', 'limits', text))
  for (const text of shownUnused(report)) lines.push(workflowCommand('notice', 'coverage', text))
  const good = praise(report)
  if (good !== undefined) lines.push(workflowCommand('notice', 'conduct', good))
  for (const result of report.expectations ?? []) {
    const { verdict, name } = result
    lines.push(workflowCommand(TYPES[verdict], `${name} ${verdict}`, formatExpectation(result)))
  }
  return lines.join('\n')
}

const TYPES = { PASS: 'notice', FAIL: 'error', INCONCLUSIVE: 'warning' } as const

/**
 * A workflow command of GitHub Actions, a line of a log that becomes an annotation: `::error title=api-mock hunt::text`.
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function workflowCommand(type: 'error' | 'warning' | 'notice', title: string, text: string): string {
  const [property, message] = [`api-mock ${title}`, text].map((one) =>
    one.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'),
  )
  return `::${type} title=${property!.replaceAll(':', '%3A').replaceAll(',', '%2C')}::${message}`
}

/* The parts of the report that every text form has. */

/**
 * The finding, and then its calls.
 * @example ["early-retry of POST /v1/chat/completions 'Hi' (key sk****st): #5 came 92 ms after ...", '#4 at 0 ms: 429 limit requests-limit, ended after 2 ms']
 */
export function formatFinding(finding: ClientFinding): readonly string[] {
  const { name, method, path, prompt, key, text, shown, calls } = finding
  const request = [method, path, prompt].filter((part) => part !== '').join(' ')
  const title = `${name} of ${request} (key ${key}): ${text}`
  const lines = shown.map((call) => {
    const end = call.outcome === 'open' ? 'still open' : `${ENDS[call.outcome]} after ${call.durationMs} ms`
    return `#${call.number} at ${call.atMs} ms: ${formatStatus(call.status)} ${call.reason}, ${end}`
  })
  const hidden = calls.length - shown.length
  if (hidden > 0) lines.splice(-1, 0, `... and ${hidden} more`)
  return [title, ...lines].map(escapeControls)
}

const ENDS = { complete: 'ended', cut: 'cut off', 'client-left': 'the client left' } as const

const MAX_SHOWN_MISSES = 20
const MAX_SHOWN_UNUSED = 20

/** The words for a rule or a fault that did nothing, and for a limit that refused nothing: it may have counted calls. */
export const unusedText = (kind: Use['kind']): 'never used' | 'never reached' =>
  kind === 'limit' ? 'never reached' : 'never used'

/** `faults[0] (server-error, line 12, when user 'rain')` */
export function formatUse({ ruleId, fault, line, when }: Use): string {
  const facts = [fault, line && `line ${line}`, when && `when ${when}`].filter((fact) => fact !== undefined)
  return facts.length === 0 ? ruleId : `${ruleId} (${facts.join(', ')})`
}

/** `never used: replies[1] (line 7, when user 'rain')`, several on lines of their own, and `never reached: limits.requests` */
export function shownUnused({ coverage }: Pick<ClientReport, 'coverage'>): string[] {
  const unused = coverage.filter(({ count }) => count === 0)
  return (['never used', 'never reached'] as const).flatMap((text) => {
    const names = unused.filter((use) => unusedText(use.kind) === text).map((use) => escapeControls(formatUse(use)))
    if (names.length < 2) return names.map((name) => `${text}: ${name}`)
    const more = names.length - MAX_SHOWN_UNUSED
    const shown = [...names.slice(0, MAX_SHOWN_UNUSED), ...(more > 0 ? [`and ${more} more`] : [])]
    return [`${text}:${shown.map((name) => `\n  ${name}`).join('')}`]
  })
}

/** `limits were not checked for 4 calls: redis://store:6379 does not answer (timeout)`, or no line. */
export function shownUncheckedLimits({ uncheckedLimits }: ClientReport): string[] {
  if (uncheckedLimits === undefined) return []
  const { calls, problem } = uncheckedLimits
  return [escapeControls(`limits were not checked for ${countOf(calls, 'call')}: ${problem}`)]
}

/** `#3, #4: replies[2] nearly matched: expected request.model 'a', got 'b'` */
export function shownMisses({ misses }: ClientReport): string[] {
  const lines = misses
    .slice(0, MAX_SHOWN_MISSES)
    .map(({ calls, text }) => `${calls.map((number) => `#${number}`).join(', ')}: ${text}`)
  const more = misses.length - lines.length
  return more > 0 ? [...lines, `of ${more} more request${more === 1 ? '' : 's'}`] : lines
}

/** `no mistakes found in 7 calls`; undefined for a report with a mistake, or without calls. */
export function praise({ calls, findings }: ClientReport): string | undefined {
  if (calls === 0 || findings.some(({ level }) => level === 'mistake')) return undefined
  return `no mistakes found in ${calls} call${calls === 1 ? '' : 's'}`
}

/** `p99 < 2s: 1204 ms over 40 answered calls. Too few to tell: expected at least 100 answered calls, got 40.` */
export const formatExpectation = ({ name, expected, found, reason }: ExpectationResult): string =>
  `${name} ${expected}: ${found}${reason === undefined ? '' : `. ${reason}`}`
