/** The report as JUnit XML. */

import { FINDING_NAMES, type Finding } from '../conduct.ts'
import type { ExpectationResult } from '../expectations.ts'
import { formatFinding } from '../finding-text.ts'
import type { ConductReport } from '../report.ts'
import { escapeXml } from './escape-xml.ts'
import { formatExpectation, shownMisses, shownUncheckedLimits, unusedText } from './parts.ts'

/**
 * One test case for each kind of finding and each expectation, so that a run without mistakes shows what was checked.
 * @param isStrict whether mistakes, and expectations without a verdict, fail the run. They are failures only then: a report
 *   with failures of a run that exits with 0 would contradict it.
 */
export function junitOf(report: ConductReport, isStrict: boolean): string {
  const cases = [
    ...FINDING_NAMES.map((name) => {
      const found = report.findings.filter((finding) => finding.name === name)
      const failures = isStrict ? found.filter(({ level }) => level === 'mistake') : []
      return testCase('conduct', name, [
        ...failures.map(failure),
        ...systemOut(found.filter((one) => !failures.includes(one)).map(textOf)),
      ])
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

function failure(finding: Finding): string {
  const [title = '', ...calls] = formatFinding(finding)
  return `<failure message="${escapeXml(title)}">${escapeXml(calls.join('\n'))}</failure>`
}

function verdictOf(result: ExpectationResult, isStrict: boolean): string {
  const text = escapeXml(formatExpectation(result))
  if (result.verdict === 'PASS') return `<system-out>${text}</system-out>`
  const isFailure = result.verdict === 'FAIL' || isStrict
  return isFailure ? `<failure message="${text}"/>` : `<skipped message="${text}"/>`
}

const systemOut = (texts: readonly string[]): string[] =>
  texts.length === 0 ? [] : [`<system-out>${escapeXml(texts.join('\n'))}</system-out>`]

const textOf = (finding: Finding): string => `${finding.level} ${formatFinding(finding).join('\n')}`
