/**
 * The report as workflow commands of GitHub Actions: mistakes and failed expectations are errors, remarks are
 * warnings, the rest are notices.
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
import { escapeControls } from '../../text/escape-controls.ts'
import { formatFinding } from '../finding-text.ts'
import type { ConductReport } from '../report.ts'
import { formatExpectation, neverUsed, praise, shownMisses } from './parts.ts'

export function githubOf(report: ConductReport): string {
  const lines = report.findings.map((finding) => {
    const type = finding.level === 'mistake' ? 'error' : 'warning'
    return command(type, finding.name, formatFinding(finding).join('\n'))
  })
  for (const text of shownMisses(report)) lines.push(command('warning', 'miss', escapeControls(text)))
  const unused = neverUsed(report)
  if (unused.length > 0) lines.push(command('notice', 'coverage', `never used: ${unused.join(', ')}`))
  const good = praise(report)
  if (good !== undefined) lines.push(command('notice', 'conduct', good))
  for (const result of report.expectations ?? []) {
    const { verdict, name } = result
    lines.push(command(TYPES[verdict], `${name} ${verdict}`, formatExpectation(result)))
  }
  return lines.join('\n')
}

const TYPES = { PASS: 'notice', FAIL: 'error', INCONCLUSIVE: 'warning' } as const

const command = (type: 'error' | 'warning' | 'notice', title: string, text: string): string =>
  `::${type} title=${property(`api-mock ${title}`)}::${message(text)}`

const message = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => message(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
