/**
 * Writes the report of a rehearsal in each of its forms. For people it looks like this:
 *
 *     gpt-6-luna in place of gpt-4o: 1 of 2 calls would be refused
 *       400 Unsupported parameter: 'max_tokens' is not supported with this model. ...
 *         param: max_tokens, code: unsupported_parameter
 *         mend: send max_completion_tokens instead of max_tokens
 *         call: #1 /v1/chat/completions 'Hello'
 *       changes silently:
 *         choices[].finish_reason: "length" instead of "stop" (1 call)
 */

import type { CallUsage } from '../core/journal/entry.ts'
import { countOf, escapeControls } from '../core/lib/text/wording.ts'
import { escapeXml, systemOut, testCase, testSuite, workflowCommand } from '../core/report/ci-formats.ts'
import type { ReportForm } from '../core/report/report-forms.ts'
import { formatUsd } from '../core/report/usage-sums.ts'
import { errorLine } from '../play/index.ts'
import { alignColumns, jsonLine, type Paint } from '../terminal/text.ts'
import type { CallRefusal, RehearsalReport, RehearsedCall, TargetReport } from './rehearsal-report.ts'
import { RETIRE } from './rehearsed-scenarios.ts'

/** The report without its last line break; '' for none. */
export const writeRehearsal: Readonly<Record<ReportForm, (report: RehearsalReport, paint: Paint) => string>> = {
  pretty: prettyOf,
  json: (report) => jsonLine(report),
  junit: junitOf,
  github: githubOf,
  none: () => '',
}

/** A part of each target, and a table of all if there are several. */
function prettyOf({ refusedToday, targets, note }: RehearsalReport, paint: Paint): string {
  const today = heading(paint('yellow', 'The service refuses this already today:'), refusedToday.flatMap(refusalLines))
  const parts = targets.map((target) => [
    paint(target.isBroken ? 'red' : 'green', titleOf(target)),
    ...detailLines(target).map((line) => `  ${line}`),
  ])
  const table = targets.length > 1 ? tableOf(targets, refusedToday) : []
  return [today, ...parts, table, note === undefined ? [] : [note]]
    .flatMap((lines) => (lines.length === 0 ? [] : lines.join('\n')))
    .join('\n\n')
}

/** `gpt-6-luna in place of gpt-4o: 2 of 3 calls would be refused, and the app fails` */
export function titleOf({ to, from, calls, refusals, failure }: TargetReport): string {
  const models = from.join(', ')
  if (to === RETIRE) {
    const end = failure === undefined ? 'the app survives it' : 'the app fails'
    return `Without ${models}: ${countOf(calls.length, 'call')} would be refused, and ${end}`
  }
  if (models === to) return `The app asks for ${to} already`
  const refused = countRefused(refusals)
  const subject = refused === 0 ? 'no call' : `${refused} of ${countOf(calls.length, 'call')}`
  const end = failure === undefined ? '' : ', and the app fails'
  return `${to} in place of ${models}: ${subject} would be refused${end}`
}

const countRefused = (refusals: readonly CallRefusal[]): number => new Set(refusals.flatMap(({ calls }) => calls)).size

function detailLines({ refusals, changes, model, usage, failure, output, fallbacks = {} }: TargetReport): string[] {
  const changed = changes.map(({ text, calls }) => `${text} (${countOf(calls.length, 'call')})`)
  const answered = Object.entries(fallbacks).map(([name, count]) => `${name} (${countOf(count, 'call')})`)
  const lines = [
    ...refusals.flatMap(refusalLines),
    ...heading('changes silently:', changed),
    ...heading('the model:', model),
  ]
  if (usage !== undefined) {
    const { calls, before, after } = usage
    lines.push(`tokens of ${countOf(calls, 'call')}: ${usageText(before)} before, ${usageText(after)} after`)
  }
  if (answered.length > 0) lines.push(`answered in its place: ${answered.join(', ')}`)
  if (failure === undefined) return lines
  lines.push(`the app fails: ${failure.replace(/^It/, 'it')}`, ...errorLine(output).map((line) => `  | ${line}`))
  if (output.length > 1) lines.push(`  make the changes above first; --report json has its last ${output.length} lines`)
  return lines
}

const refusalLines = ({ status, message, param, code, mend, calls }: CallRefusal): string[] => [
  `${status} ${escapeControls(message)}`,
  `  param: ${param ?? 'null'}, code: ${code ?? 'null'}`,
  `  mend: ${mend}`,
  `  ${escapeControls(callsLine(calls))}`,
]

/** Most calls of a refusal that are named. */
const MAX_CALLS = 5

/** `calls: #1 /v1/responses 'Hello', #2 /v1/responses 'Bye'`, and after the fifth ` and 3 more`. */
function callsLine(calls: readonly RehearsedCall[]): string {
  const shown = calls.slice(0, MAX_CALLS).map(callText).join(', ')
  const more = calls.length > MAX_CALLS ? ` and ${calls.length - MAX_CALLS} more` : ''
  return `${calls.length === 1 ? 'call' : 'calls'}: ${shown}${more}`
}

const callText = ({ number, label, session }: RehearsedCall): string =>
  `#${number} ${label}${session === undefined ? '' : ` (session ${session})`}`

/** A title with its lines indented; nothing without lines. */
const heading = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]

/** `120 + 45 ($0.0012)`: of the prompts and of the answers. */
const usageText = ({ promptTokens, completionTokens, usd }: CallUsage): string =>
  `${promptTokens} + ${completionTokens}${usd === undefined ? '' : ` (${formatUsd(usd)})`}`

/** A row for today's models, and one for each target. */
function tableOf(targets: readonly TargetReport[], refusedToday: readonly CallRefusal[]): string[] {
  const { from, calls } = targets[0]!
  // Tokens are of the calls that a target can answer, so those of today are taken where most can be compared.
  const [most] = targets.flatMap(({ usage }) => usage ?? []).sort((one, other) => other.calls - one.calls)
  const tokens = most === undefined ? '-' : usageText(most.before)
  return alignColumns([
    ['model', 'refused', 'silent changes', 'tokens', 'app'],
    [`${from.join(', ')} (today)`, `${countRefused(refusedToday)} of ${calls.length}`, '-', tokens, 'passes'],
    ...targets.map(({ to, calls, refusals, changes, usage, failure }) => [
      to,
      `${countRefused(refusals)} of ${calls.length}`,
      String(changes.length),
      usage === undefined ? '-' : usageText(usage.after),
      failure === undefined ? 'passes' : 'fails',
    ]),
  ])
}

/** The reasons why a rehearsal fails, each as a clause. */
export const breakagesOf = ({ targets }: RehearsalReport): string[] =>
  targets
    .filter(({ isBroken }) => isBroken)
    .flatMap((target) => [
      titleOf(target),
      ...target.refusals.map(({ message, mend }) => `${target.to}: ${message} Mend: ${mend}`),
    ])

/** One test case for each call that is replaced, and one for the app. */
function junitOf({ targets }: RehearsalReport): string {
  const cases = targets.flatMap(({ to, calls, refusals, failure, output }) => {
    const ofCalls = calls.map((call) => {
      const lines = refusals.filter((refusal) => refusal.calls.includes(call)).flatMap(refusalLines)
      // Every call of a model that is gone is refused, which is no failure if the app survives it.
      const hasFailed = to !== RETIRE && lines.length > 0
      return testCase(to, callText(call), hasFailed ? [failureOf(lines[0]!, lines)] : [])
    })
    return [...ofCalls, testCase(to, 'the app', failure === undefined ? [] : [failureOf(failure, output)])]
  })
  const texts = targets.map((target) => [titleOf(target), ...detailLines(target)].join('\n'))
  return testSuite('api-mock rehearse', '', cases, systemOut(texts))
}

const failureOf = (message: string, lines: readonly string[]): string =>
  `<failure message="${escapeXml(message)}">${escapeXml(lines.join('\n'))}</failure>`

/** An error for each refusal, and a warning for each silent change. */
function githubOf({ targets }: RehearsalReport): string {
  const lines = targets.flatMap((target) => {
    const { to, isBroken, refusals, failure, output, changes } = target
    const command = (level: 'error' | 'warning' | 'notice', text: string): string =>
      workflowCommand(level, `rehearse ${to}`, text)
    return [
      ...refusals.map((refusal) => command(isBroken ? 'error' : 'notice', refusalLines(refusal).join('\n'))),
      ...(failure === undefined ? [] : [command('error', [failure, ...output].join('\n'))]),
      ...changes.map(({ text, calls }) => command('warning', `${text}\n${callsLine(calls)}`)),
      command('notice', titleOf(target)),
    ]
  })
  return lines.join('\n')
}
