/** The report of a hunt in each of its forms. */

import { workflowCommand } from '../../core/report/github-report.ts'
import { escapeXml } from '../../core/report/junit-report.ts'
import type { ReportForm } from '../../core/report/report-forms.ts'
import type { Paint } from '../../terminal/colors.ts'
import { jsonLine } from '../../terminal/text.ts'
import type { FoundFailure, HuntResult } from '../hunt-result.ts'
import { listFiles, prettyHunt, repeatLines, summaryOf } from './hunt-pretty.ts'

/** The report without its last line break; '' for none. */
export const writeHuntReport: Readonly<Record<ReportForm, (result: HuntResult, paint: Paint) => string>> = {
  pretty: prettyHunt,
  json: (result) => jsonLine(result),
  junit: junitOf,
  github: githubOf,
  none: () => '',
}

export const titleOf = ({ size, error }: FoundFailure): string => `FAILS with ${size}: ${error}`

const textOf = (
  { faults, output, file, otherFiles = [] }: FoundFailure,
  { runOptions }: Pick<HuntResult, 'runOptions'>,
): string => {
  const more = runOptions.length === 0 ? '' : `, and api-mock run ${runOptions.join(' ')}`
  const files = file === undefined ? [] : [`Reproduce it with the scenario ${listFiles([file, ...otherFiles])}${more}`]
  return [...faults, ...output, ...files].join('\n')
}

/** One test case for each call and class of faults. */
function junitOf(result: HuntResult): string {
  const { classes, rows } = result.table
  const failuresWith = (places: readonly number[]): string =>
    result.failures
      .filter(({ findings }) => findings.some((place) => places.includes(place)))
      .map((failure) => [titleOf(failure), textOf(failure, result), ...repeatLines(failure, result)].join('\n'))
      .join('\n\n')
  const cases = rows.flatMap(({ call, label, cells }) =>
    cells.map(({ outcome, findings }, index) => {
      const name = escapeXml(classes[index]!)
      const inside =
        outcome === 'failed' || outcome === 'flaky'
          ? `<failure message="${escapeXml(`${outcome} with ${name}`)}">${escapeXml(failuresWith(findings))}</failure>`
          : outcome === 'survived'
            ? ''
            : `<skipped message="${outcome}"/>`
      return `<testcase classname="${escapeXml(`call ${call} (${label})`)}" name="${name}">${inside}</testcase>`
    }),
  )
  const failed = cases.filter((one) => one.includes('<failure ')).length
  const found = result.failures.map((failure) => `${titleOf(failure)}\n${textOf(failure, result)}`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="api-mock hunt" tests="${cases.length}" failures="${failed}" errors="0" time="${result.seconds}">`,
    ...cases.map((one) => `    ${one}`),
    `    <system-out>${escapeXml([...found, summaryOf(result)].join('\n\n'))}</system-out>`,
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')
}

function githubOf(result: HuntResult): string {
  return [
    ...result.failures.map((failure) =>
      workflowCommand('error', 'hunt', `${titleOf(failure)}\n${textOf(failure, result)}`),
    ),
    ...result.warnings.map((warning) => workflowCommand('warning', 'hunt', warning)),
    workflowCommand('notice', 'hunt', summaryOf(result)),
  ].join('\n')
}
