/** Writes the report of a hunt in each of its forms; here those for a pull request: a comment, and a badge. */
import { countOf } from '../../core/lib/text/wording.ts'
import { escapeXml } from '../../core/report/ci-formats.ts'
import type { HuntReportForm } from '../../core/report/report-forms.ts'
import { jsonLine, type Paint } from '../../terminal/text.ts'
import { describeCoverage } from '../search/fault-coverage.ts'
import type { TableCell } from '../search/hunt-table.ts'
import { formatFailure, githubOf, type HuntResult, junitOf, prettyOf, summaryOf } from './hunt-report.ts'

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

/** Most calls and causes of a comment, because one of GitHub has at most 65,536 characters. */
const MAX_CALLS = 40
const MAX_CAUSES = 5
const SIGNS: Readonly<Partial<Record<TableCell['outcome'], string>>> = {
  failed: '❌ failed',
  'failed in a pair': '❌ in a pair',
  flaky: '⚠️ flaky',
  unnoticed: '⚠️ unnoticed',
}

/** A comment in Markdown. Its first line is the same each time, so that a script finds the comment to replace. */
function markdownOf(result: HuntResult): string {
  const { failures, coverage, warnings, shortfall } = result
  const { classes, rows } = result.table
  // As HTML, because a call may have any text, also such that means something in Markdown.
  const safe = (text: string): string => escapeXml(text).replaceAll('|', '&#124;')
  const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const table = [
    lineOf(['call', ...classes]),
    lineOf(['---', ...classes.map(() => '---')]),
    ...rows
      .slice(0, MAX_CALLS)
      .map(({ call, label, cells }) =>
        lineOf([`${call} <code>${safe(label)}</code>`, ...cells.map(({ outcome }) => SIGNS[outcome] ?? outcome)]),
      ),
  ]
  const more = (left: number, noun: string): string[] => (left > 0 ? ['', `And ${countOf(left, `more ${noun}`)}.`] : [])
  const causes = failures.slice(0, MAX_CAUSES).flatMap((failure) => {
    const [title = '', ...lines] = formatFailure(failure, result, noColors).split('\n')
    return ['', `<details><summary>${safe(title)}</summary>`, `<pre>${safe(lines.join('\n'))}</pre>`, '</details>']
  })
  const verdict = failures.length === 0 ? 'nothing fails' : countOf(failures.length, 'cause')
  return [
    '<!-- api-mock hunt -->',
    `### Fault coverage ${coverage.percent} %, ${verdict}`,
    '',
    `${describeCoverage(coverage).replace(/^.*?: /, '')}.`,
    ...(shortfall === undefined ? [] : ['', `❌ ${shortfall}`]),
    '',
    ...table,
    ...more(rows.length - MAX_CALLS, 'call'),
    ...causes,
    ...more(failures.length - MAX_CAUSES, 'cause'),
    ...warnings.flatMap((warning) => ['', safe(warning)]),
    '',
    `<sub>${safe(summaryOf(result)).replaceAll('\n', '<br>')}</sub>`,
  ].join('\n')
}

const noColors: Paint = (_, text) => text

const LABEL = 'fault coverage'
/** Colours of a badge, by the least coverage in percent. */
const COLORS = [
  { from: 90, color: '#2e7d32' },
  { from: 70, color: '#8a6d00' },
  { from: 0, color: '#b3541e' },
]
/** Widths in pixels: of the label with its padding, of a letter of the value, and of the padding on both sides. */
const LABEL_WIDTH = 94
const LETTER_WIDTH = 7
const PADDING = 12

/** A badge as SVG: `fault coverage 91.6 %`. */
function badgeOf({ coverage: { percent }, failures, shortfall }: HuntResult): string {
  const value = `${percent} %${failures.length > 0 ? `, ${countOf(failures.length, 'cause')}` : ''}`
  const isBad = failures.length > 0 || shortfall !== undefined
  const color = isBad ? '#c0392b' : COLORS.find(({ from }) => percent >= from)!.color
  const width = LABEL_WIDTH + value.length * LETTER_WIDTH + PADDING
  const text = (content: string, from: number, to: number): string =>
    `<text x="${(from + to) / 2}" y="14" textLength="${to - from - PADDING}">${content}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${LABEL}: ${value}">`,
    `<title>${LABEL}: ${value}</title>`,
    `<clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${width}" height="20" fill="#444"/><rect x="${LABEL_WIDTH}" width="${width - LABEL_WIDTH}" height="20" fill="${color}"/></g>`,
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    text(LABEL, 0, LABEL_WIDTH) + text(value, LABEL_WIDTH, width),
    '</g></svg>',
  ].join('')
}
