/** Checks of a fault's schedule beyond its shape: no setting is given twice, and no span of time is empty. */

import { parseDuration } from '../../lib/text/duration.ts'
import { isObject } from '../../lib/text/json.ts'
import { describeGiven } from '../../protocol/errors/check-options.ts'
import { faultNamed, NUMBER_FORMS } from '../../protocol/faults/read-fault.ts'
import type { Problem } from '../check/problem.ts'
import { CALL_COUNT } from '../compile/call-count.ts'
import { withoutCallCount } from './fault-options.ts'
import { checkFault, takesOption } from './rule-checks.ts'

type Rule = Readonly<Record<string, unknown>>

/** Checks a fault and its options where `after` may also be a number of calls. */
export function checkScheduledFault(rule: Rule): Problem[] {
  const { fault, after, ...rest } = withoutCallCount(rule)
  const isName = typeof fault === 'string' || typeof fault === 'number'
  if (after === undefined || !isName || faultNamed(fault) === undefined) return checkFault({ fault, ...rest })
  const isOption = takesOption(fault, 'after')
  if (isOption && !(typeof after === 'string' && /[^\d]/.test(after))) return checkFault({ fault, after, ...rest })
  const other = isOption ? `, or ${NUMBER_FORMS.count} for the option of ${fault}` : ''
  const message = `expected ${CALL_COUNT}${other}, got ${describeGiven(after)}.`
  return [{ path: ['after'], message }, ...checkFault({ fault, ...rest })]
}

export function checkSchedule(rule: Rule): Problem[] {
  return [...checkAttempt(rule), ...checkSpans(rule)]
}

function checkAttempt({ attempt, when }: Rule): Problem[] {
  const isTwice = attempt !== undefined && isObject(when) && 'attempt' in when
  const message = "expected 'attempt' once, got it here and under 'when'. Both mean the same."
  return isTwice ? [{ path: ['attempt'], message, isKey: true }] : []
}

function checkSpans({ between, from, until }: Rule): Problem[] {
  const findings: Problem[] = []
  if (between !== undefined && (from !== undefined || until !== undefined)) {
    const other = from === undefined ? 'until' : 'from'
    const message = `expected either 'between' or 'from' and 'until', got 'between' and '${other}'.`
    findings.push({ path: [other], message, isKey: true })
  }
  for (const [index, text] of [between].flat().entries()) {
    if (typeof text !== 'string') continue
    const [first = '', second = ''] = text.split(' and ')
    if (isAscending(first, second)) continue
    const path = Array.isArray(between) ? ['between', index] : ['between']
    findings.push({ path, message: `expected two times, the second later, such as 10s and 20s, got '${text}'.` })
  }
  if (typeof from === 'string' && typeof until === 'string' && !isAscending(from, until)) {
    findings.push({
      path: ['until'],
      message: `expected a time after 'from' (${from}), got ${until}.`,
    })
  }
  return findings
}

/** Whether the second of two durations is longer; invalid durations are reported by the shape check. */
function isAscending(first: string, second: string): boolean {
  const [from, until] = [parseDuration(first), parseDuration(second)]
  return from === undefined || until === undefined || from < until
}
