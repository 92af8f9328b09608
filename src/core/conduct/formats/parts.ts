/** Parts of the report that every text form has. */
import type { ExpectationResult } from '../expectations.ts'
import type { ConductReport } from '../report.ts'

const MAX_SHOWN_MISSES = 20

/** The rules, faults and limits that were never used: `replies[1]`, `faults[0] (server-error)`. */
export const neverUsed = ({ coverage }: ConductReport): readonly string[] =>
  coverage
    .filter(({ count }) => count === 0)
    .map(({ ruleId, fault }) => (fault === undefined ? ruleId : `${ruleId} (${fault})`))

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
