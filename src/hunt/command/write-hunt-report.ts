/**
 * Writes the report of a hunt in each of its forms: for people, as data, for systems that read JUnit, as annotations of
 * GitHub Actions, and as a comment and a badge for a pull request. The form for people is in hunt-report.ts.
 */
import { countOf } from '../../core/lib/text/wording.ts'
import { escapeXml, systemOut, testCase, testSuite, workflowCommand } from '../../core/report/ci-formats.ts'
import type { HuntReportForm } from '../../core/report/report-forms.ts'
import { jsonLine, type Paint } from '../../terminal/text.ts'
import { titleOf } from '../describe-cause.ts'
import { describeShares } from '../search/fault-coverage.ts'
import type { HuntTable, TableCell } from '../search/hunt-table.ts'
import { formatFailure, prettyOf, repeatLines, summaryOf } from './hunt-report.ts'
import type { FoundFailure, HuntResult } from './hunt-result.ts'

/** The report without its last line break; '' for none. */
export const writeHuntReport: Readonly<Record<HuntReportForm, (result: HuntResult, paint: Paint) => string>> = {
  pretty: prettyOf,
  json: (result) => jsonLine(result),
  junit: junitOf,
  github: githubOf,
  markdown: markdownOf,
  badge: badgeOf,
  none: () => '',
}

/** One test case for each call and class of faults, and one for the coverage. */
function junitOf(result: HuntResult): string {
  const { classes, rows } = result.table
  const cases = rows.flatMap(({ call, label, cells }) =>
    cells.map((cell, index) => {
      const name = classes[index]!
      return testCase(`call ${call} (${label})`, name, [outcomeElement(cell, name, result)])
    }),
  )
  const { shortfall } = result
  const tooLow = shortfall === undefined ? [] : [`<failure message="${escapeXml(shortfall)}"/>`]
  cases.push(testCase('coverage', 'fault coverage', tooLow))
  const failures = result.failures.map((failure) => plainFailure(failure, result))
  const output = [...failures, summaryOf(result)].join('\n\n')
  return testSuite('api-mock hunt', ` time="${result.seconds}"`, cases, systemOut([output]))
}

/** The element in a test case of JUnit: a failure, `<skipped/>`, or the output. */
function outcomeElement({ outcome, findings, answers }: TableCell, className: string, result: HuntResult): string {
  if (findings.length > 0) {
    // The findings of a cell and those of a failure are indices into the same list.
    const failures = result.failures.filter((failure) => failure.findings.some((index) => findings.includes(index)))
    const text = failures.map((failure) => plainFailure(failure, result)).join('\n\n')
    return `<failure message="${escapeXml(`${outcome} with ${className}`)}">${escapeXml(text)}</failure>`
  }
  if (outcome === 'pruned' || outcome === 'not tried') return `<skipped message="${outcome}"/>`
  const lines = outcome === 'unnoticed' ? [`unnoticed: ${answers?.unnoticed.join(', ')}`] : []
  return systemOut(lines).join('')
}

function githubOf(result: HuntResult): string {
  return [
    ...result.failures.map((failure) => workflowCommand('error', 'hunt', plainFailure(failure, result))),
    ...(result.shortfall === undefined ? [] : [workflowCommand('error', 'coverage', result.shortfall)]),
    ...result.warnings.map((warning) => workflowCommand('warning', 'hunt', warning)),
    workflowCommand('notice', 'hunt', summaryOf(result)),
  ].join('\n')
}

/** The failure for JUnit and GitHub, with all of the output. */
const plainFailure = (failure: FoundFailure, result: HuntResult): string =>
  [titleOf(failure), ...failure.faults, ...failure.output, ...repeatLines(failure, result)].join('\n')

/** Most calls and causes of a comment, because one of GitHub has at most 65,536 characters. */
const MAX_CALLS = 40
const MAX_CAUSES = 5

/** A comment in Markdown. Its first line is the same each time, so that a script finds the comment to replace. */
function markdownOf(result: HuntResult): string {
  const { table, failures, coverage, warnings, shortfall } = result
  const verdict = failures.length === 0 ? 'nothing fails' : countOf(failures.length, 'cause')
  const causes = failures.slice(0, MAX_CAUSES).flatMap((failure) => {
    const [title = '', ...lines] = formatFailure(failure, result, (_, text) => text).split('\n')
    return ['', `<details><summary>${safe(title)}</summary>`, `<pre>${safe(lines.join('\n'))}</pre>`, '</details>']
  })
  return [
    '<!-- api-mock hunt -->',
    `### Fault coverage ${coverage.percent} %, ${verdict}`,
    '',
    `${describeShares(coverage)}.`,
    ...(shortfall === undefined ? [] : ['', `❌ ${shortfall}`]),
    '',
    ...markdownTable(table),
    ...moreLine(table.rows.length - MAX_CALLS, 'call'),
    ...causes,
    ...moreLine(failures.length - MAX_CAUSES, 'cause'),
    ...warnings.flatMap((warning) => ['', safe(warning)]),
    '',
    `<sub>${safe(summaryOf(result)).replaceAll('\n', '<br>')}</sub>`,
  ].join('\n')
}

/** The outcomes that a reader must not miss. Others are shown by their names. */
const SIGNS: Readonly<Partial<Record<TableCell['outcome'], string>>> = {
  failed: '❌ failed',
  'failed in a pair': '❌ in a pair',
  flaky: '⚠️ flaky',
  unnoticed: '⚠️ unnoticed',
}

/** A row for each call and a column for each class. */
function markdownTable({ classes, rows }: HuntTable): string[] {
  const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rowLines = rows.slice(0, MAX_CALLS).map(({ call, label, cells }) => {
    const outcomes = cells.map(({ outcome }) => SIGNS[outcome] ?? outcome)
    return lineOf([`${call} <code>${safe(label)}</code>`, ...outcomes])
  })
  return [lineOf(['call', ...classes]), lineOf(['---', ...classes.map(() => '---')]), ...rowLines]
}

const moreLine = (left: number, noun: string): string[] =>
  left > 0 ? ['', `And ${countOf(left, `more ${noun}`)}.`] : []

/** A text as HTML, because a call may have any text, also such that means something in Markdown. */
const safe = (text: string): string => escapeXml(text).replaceAll('|', '&#124;')

/** The text on the left of the badge. */
const BADGE_LABEL = 'fault coverage'
/** Widths in pixels: of the label with its padding, of a letter of the value, and of the padding on both sides. */
const LABEL_WIDTH = 94
const LETTER_WIDTH = 7
const PADDING = 12

/** The badge of a hunt for a README, as SVG: `fault coverage | 91.6 %`, red when something fails, else green. */
function badgeOf({ coverage: { percent }, failures, shortfall }: HuntResult): string {
  const value = `${percent} %${failures.length > 0 ? `, ${countOf(failures.length, 'cause')}` : ''}`
  const color = failures.length > 0 || shortfall !== undefined ? '#c0392b' : '#2e7d32'
  const width = LABEL_WIDTH + value.length * LETTER_WIDTH + PADDING
  const centredText = (content: string, from: number, to: number): string =>
    `<text x="${(from + to) / 2}" y="14" textLength="${to - from - PADDING}">${content}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${BADGE_LABEL}: ${value}">`,
    `<title>${BADGE_LABEL}: ${value}</title>`,
    `<clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${width}" height="20" fill="#444"/><rect x="${LABEL_WIDTH}" width="${width - LABEL_WIDTH}" height="20" fill="${color}"/></g>`,
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    centredText(BADGE_LABEL, 0, LABEL_WIDTH) + centredText(value, LABEL_WIDTH, width),
    '</g></svg>',
  ].join('')
}
