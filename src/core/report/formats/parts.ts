/** Parts of the report that every text form has. */
import type { Use } from '../../decide/call/rule-usage.ts'
import { escapeControls } from '../../lib/text/escape-controls.ts'
import type { ExpectationResult } from '../expectations.ts'
import type { ConductReport } from '../report.ts'
import { uncheckedLimitsText } from '../unchecked-limits.ts'

const MAX_SHOWN_MISSES = 20

/** What to say of a rule or a fault that did nothing, and of a limit that refused nothing: it may have counted calls. */
export const unusedText = (kind: Use['kind']): 'never used' | 'never reached' =>
  kind === 'limit' ? 'never reached' : 'never used'

/** `never used: replies[1], faults[0] (server-error)` and `never reached: limits.requests` */
export function shownUnused({ coverage }: ConductReport): string[] {
  const unused = coverage.filter(({ count }) => count === 0)
  return (['never used', 'never reached'] as const).flatMap((text) => {
    const names = unused
      .filter((use) => unusedText(use.kind) === text)
      .map(({ ruleId, fault }) => (fault === undefined ? ruleId : `${ruleId} (${fault})`))
    return names.length === 0 ? [] : [`${text}: ${names.join(', ')}`]
  })
}

/** What the report says of limits that were not checked, in a list of no or one line. */
export const shownUncheckedLimits = ({ uncheckedLimits }: ConductReport): string[] =>
  uncheckedLimits === undefined ? [] : [escapeControls(uncheckedLimitsText(uncheckedLimits))]

/** `#3, #4: replies[2] nearly matched: expected request.model 'a', got 'b'` */
export function shownMisses({ misses }: ConductReport): string[] {
  const lines = misses
    .slice(0, MAX_SHOWN_MISSES)
    .map(({ calls, text }) => `${calls.map((number) => `#${number}`).join(', ')}: ${text}`)
  const more = misses.length - lines.length
  return more > 0 ? [...lines, `of ${more} more request${more === 1 ? '' : 's'}`] : lines
}

/** `no mistakes found in 7 calls`; undefined for a report with a mistake, or without calls. */
export function praise({ calls, findings }: ConductReport): string | undefined {
  if (calls === 0 || findings.some(({ level }) => level === 'mistake')) return undefined
  return `no mistakes found in ${calls} call${calls === 1 ? '' : 's'}`
}

/** `p99 < 2s: 1204 ms over 40 answered calls. Too few to tell: expected at least 100 answered calls, got 40.` */
export const formatExpectation = ({ name, expected, found, reason }: ExpectationResult): string =>
  `${name} ${expected}: ${found}${reason === undefined ? '' : `. ${reason}`}`
