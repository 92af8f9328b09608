/**
 * Writes the client report in each of its forms: for people, as JSON, for JUnit and for GitHub Actions.
 *
 *   mistake early-retry of POST /v1/chat/completions 'Hi' (key sk****st): #5 came 92 ms after ...
 *     #4 at 0 ms: 429 limit requests-limit, ended after 2 ms
 *   never used: replies[1] (line 7, when user 'rain')
 *   PASS errors < 1%: 0 of 120 calls (0%)
 */
import type { Use } from '../decide/call/rule-usage.ts'
import { formatStatus } from '../journal/call-text.ts'
import { countOf, escapeControls } from '../lib/text/wording.ts'
import { recordingLines } from './changed-recordings.ts'
import { escapeXml, systemOut, testCase, testSuite, workflowCommand } from './ci-formats.ts'
import { type ClientFinding, FINDING_NAMES, type FindingName } from './client-findings.ts'
import type { ClientReport } from './client-report.ts'
import type { ExpectationResult } from './expectations.ts'
import type { ReportForm } from './report-forms.ts'

/**
 * Writes the report without the last line break; '' for an empty report.
 * @param isStrict true if mistakes, and expectations without a verdict, fail the run. In the form junit, they are failures only
 *   then: a report with failures of a run that exits with 0 would contradict it.
 * @param recordingFailures for junit: the reasons why recordings fail the run; undefined if they cannot.
 */
type ReportWriter = (report: ClientReport, isStrict: boolean, recordingFailures?: readonly string[]) => string

export const writeReport: Readonly<Record<ReportForm, ReportWriter>> = {
  pretty: writePretty,
  json: (report) => escapeControls(JSON.stringify(report)),
  junit: writeJunit,
  github: writeGithub,
  none: () => '',
}

/** The report as lines for people. */
function writePretty(report: ClientReport): string {
  const lines = report.findings.flatMap((finding) => {
    const [title, ...calls] = formatFinding(finding)
    return [`${finding.level} ${title}`, ...calls.map((call) => `  ${call}`)]
  })
  lines.push(...missLines(report).map((text) => `miss ${escapeControls(text)}`))
  lines.push(...recordingLines(report).map(escapeControls), ...unusedLines(report))
  if (report.cache !== undefined) {
    const { calls, hits, cachedTokens, cacheWriteTokens } = report.cache
    lines.push(
      `prompt cache: ${hits} of ${calls} calls hit it, ${cachedTokens} cached tokens, ${cacheWriteTokens} written tokens`,
    )
  }
  lines.push(...noMistakesLines(report))
  for (const result of report.expectations ?? []) lines.push(`${result.verdict} ${formatExpectation(result)}`)
  return lines.join('\n')
}

/** One test case for each kind of finding and each expectation, so that a run without mistakes shows what was checked. */
function writeJunit(report: ClientReport, isStrict: boolean, recordingFailures?: readonly string[]): string {
  const { findings, expectations = [], coverage } = report
  const cases = FINDING_NAMES.map((name) => {
    const withName = findings.filter((finding) => finding.name === name)
    return findingCase(name, withName, isStrict)
  })
  for (const result of expectations) {
    const text = escapeXml(formatExpectation(result))
    let element = `<skipped message="${text}"/>`
    if (result.verdict === 'PASS') element = `<system-out>${text}</system-out>`
    else if (result.verdict === 'FAIL' || isStrict) element = `<failure message="${text}"/>`
    cases.push(testCase('expect', `${result.name} ${result.expected}`, [element]))
  }
  for (const use of coverage) {
    const message = escapeXml(withFacts(unusedText(use.kind), use))
    cases.push(testCase('coverage', use.ruleId, use.count === 0 ? [`<skipped message="${message}"/>`] : []))
  }
  if (recordingFailures !== undefined) {
    const details = escapeXml(recordingLines(report).join('\n'))
    const failures = recordingFailures.map((why) => `<failure message="${escapeXml(why)}">${details}</failure>`)
    cases.push(testCase('cassettes', 'recordings', failures))
  }
  const misses = missLines(report).map((text) => `miss ${text}`)
  const notes = [...misses, ...recordingLines(report)]
  return testSuite('api-mock', '', cases, systemOut(notes))
}

function findingCase(name: FindingName, findings: readonly ClientFinding[], isStrict: boolean): string {
  const failures: string[] = []
  const remarks: string[] = []
  for (const finding of findings) {
    const [title = '', ...calls] = formatFinding(finding)
    if (isStrict && finding.level === 'mistake')
      failures.push(`<failure message="${escapeXml(title)}">${escapeXml(calls.join('\n'))}</failure>`)
    else remarks.push([`${finding.level} ${title}`, ...calls].join('\n'))
  }
  return testCase('conduct', name, [...failures, ...systemOut(remarks)])
}

/** Mistakes and failed expectations are errors, remarks are warnings, the rest are notices. */
function writeGithub(report: ClientReport): string {
  const lines = report.findings.map((finding) => {
    const type = finding.level === 'mistake' ? 'error' : 'warning'
    return workflowCommand(type, finding.name, formatFinding(finding).join('\n'))
  })
  for (const text of missLines(report)) lines.push(workflowCommand('warning', 'miss', escapeControls(text)))
  for (const text of recordingLines(report)) lines.push(workflowCommand('warning', 'recordings', escapeControls(text)))
  for (const text of unusedLines(report)) lines.push(workflowCommand('notice', 'coverage', text))
  for (const text of noMistakesLines(report)) lines.push(workflowCommand('notice', 'conduct', text))
  for (const result of report.expectations ?? []) {
    const { verdict, name } = result
    lines.push(workflowCommand(VERDICT_TYPES[verdict], `${name} ${verdict}`, formatExpectation(result)))
  }
  return lines.join('\n')
}

const VERDICT_TYPES = { PASS: 'notice', FAIL: 'error', INCONCLUSIVE: 'warning' } as const

// The parts that every form for people has, as lines: none if the report does not have the part

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

/** The most misses, and the most rules of a kind that were not used. */
const MAX_SHOWN = 20

/** The words for a rule or fault that no call used, and for a limit that refused no call but may have counted some. */
const unusedText = (kind: Use['kind']): 'never used' | 'never reached' =>
  kind === 'limit' ? 'never reached' : 'never used'

/** A rule, fault or limit: `faults[0] (server-error, line 12, when user 'rain')`. */
export const formatUse = (use: Use): string => withFacts(use.ruleId, use)

/** A text with the fault, the line and the conditions of a rule after it. */
function withFacts(text: string, { fault, line, when }: Use): string {
  const facts = [fault, line && `line ${line}`, when && `when ${when}`].filter((fact) => fact !== undefined)
  return facts.length === 0 ? text : `${text} (${facts.join(', ')})`
}

/** `never used: replies[1] (line 7, when user 'rain')`, several on lines of their own, and `never reached: limits.requests` */
function unusedLines({ coverage }: ClientReport): string[] {
  const lines: string[] = []
  for (const text of ['never used', 'never reached'] as const) {
    const unused = coverage.filter(({ count, kind }) => count === 0 && unusedText(kind) === text)
    const names = unused.map((use) => escapeControls(formatUse(use)))
    if (names.length === 0) continue
    if (names.length === 1) {
      lines.push(`${text}: ${names[0]}`)
      continue
    }
    const shown = names.slice(0, MAX_SHOWN)
    if (names.length > MAX_SHOWN) shown.push(`and ${names.length - MAX_SHOWN} more`)
    lines.push(`${text}:${shown.map((name) => `\n  ${name}`).join('')}`)
  }
  return lines
}

/** `#3, #4: replies[2] nearly matched: expected request.model 'a', got 'b'` */
function missLines({ misses }: ClientReport): string[] {
  const lines = misses
    .slice(0, MAX_SHOWN)
    .map(({ calls, text }) => `${calls.map((number) => `#${number}`).join(', ')}: ${text}`)
  const more = misses.length - lines.length
  return more > 0 ? [...lines, `of ${countOf(more, 'more request')}`] : lines
}

/** `no mistakes found in 7 calls`; no line for a report with a mistake, or without calls. */
function noMistakesLines({ calls, findings }: ClientReport): string[] {
  if (calls === 0 || findings.some(({ level }) => level === 'mistake')) return []
  return [`no mistakes found in ${countOf(calls, 'call')}`]
}

/** `p99 < 2s: 1204 ms over 40 answered calls. Too few to tell: expected at least 100 answered calls, got 40.` */
export const formatExpectation = ({ name, expected, found, reason }: ExpectationResult): string =>
  `${name} ${expected}: ${found}${reason === undefined ? '' : `. ${reason}`}`
