/**
 * The report as workflow commands of GitHub Actions: mistakes and failed expectations are errors, remarks are
 * warnings, the rest are notices.
 */
import { escapeControls } from '../lib/text/wording.ts'
import type { ClientReport } from './client-report.ts'
import {
  formatExpectation,
  formatFinding,
  praise,
  shownMisses,
  shownUncheckedLimits,
  shownUnused,
} from './report-text.ts'

export function githubOf(report: ClientReport): string {
  const lines = report.findings.map((finding) => {
    const type = finding.level === 'mistake' ? 'error' : 'warning'
    return workflowCommand(type, finding.name, formatFinding(finding).join('\n'))
  })
  for (const text of shownMisses(report)) lines.push(workflowCommand('warning', 'miss', escapeControls(text)))
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
