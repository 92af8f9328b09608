/** The report as JUnit XML. */

import { FINDING_NAMES } from './client-findings.ts'
import type { ClientReport } from './client-report.ts'
import type { ExpectationResult } from './expectations.ts'
import { formatExpectation, formatFinding, shownMisses, shownUncheckedLimits, unusedText } from './report-text.ts'

/**
 * One test case for each kind of finding and each expectation, so that a run without mistakes shows what was checked.
 * @param isStrict true if mistakes, and expectations without a verdict, fail the run. They are failures only then: a report
 *   with failures of a run that exits with 0 would contradict it.
 */
export function junitOf(report: ClientReport, isStrict: boolean): string {
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
    ...(report.expectations ?? []).map((result) =>
      testCase('expect', `${result.name} ${result.expected}`, [verdictOf(result, isStrict)]),
    ),
    ...report.coverage.map((use) =>
      testCase('coverage', use.ruleId, use.count === 0 ? [`<skipped message="${unusedText(use.kind)}"/>`] : []),
    ),
  ]
  const failed = cases.filter((one) => one.includes('<failure ')).length
  const notes = [...shownMisses(report).map((text) => `miss ${text}`), ...shownUncheckedLimits(report)]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="api-mock" tests="${cases.length}" failures="${failed}" errors="0">`,
    ...cases.map((one) => `    ${one}`),
    ...systemOut(notes).map((one) => `    ${one}`),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')
}

const testCase = (group: string, name: string, inside: readonly string[]): string =>
  `<testcase classname="${group}" name="${escapeXml(name)}">${inside.join('')}</testcase>`

function verdictOf(result: ExpectationResult, isStrict: boolean): string {
  const text = escapeXml(formatExpectation(result))
  if (result.verdict === 'PASS') return `<system-out>${text}</system-out>`
  const isFailure = result.verdict === 'FAIL' || isStrict
  return isFailure ? `<failure message="${text}"/>` : `<skipped message="${text}"/>`
}

const systemOut = (texts: readonly string[]): string[] =>
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
