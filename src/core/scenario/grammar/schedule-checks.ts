/** What the schedule of a fault must fulfil beyond its shape: nothing said twice, and no span of time that is empty. */
import { parseDuration } from '../../text/duration.ts'
import type { Finding } from './rule-checks.ts'

type Rule = Readonly<Record<string, unknown>>

export function checkSchedule(rule: Rule): Finding[] {
  return [...checkAttempt(rule), ...checkSpans(rule)]
}

function checkAttempt({ attempt, when }: Rule): Finding[] {
  const isTwice = attempt !== undefined && typeof when === 'object' && when !== null && 'attempt' in when
  const message = "found 'attempt' here and under 'when', allowed is one of them: they mean the same."
  return isTwice ? [{ path: ['attempt'], message, isKey: true }] : []
}

function checkSpans({ between, from, until }: Rule): Finding[] {
  const findings: Finding[] = []
  if (between !== undefined && (from !== undefined || until !== undefined)) {
    const other = from === undefined ? 'until' : 'from'
    const message = `found 'between' and '${other}', allowed is either between or from and until.`
    findings.push({ path: [other], message, isKey: true })
  }
  for (const [index, text] of [between].flat().entries()) {
    if (typeof text !== 'string') continue
    const [first = '', second = ''] = text.split(' and ')
    if (isAscending(first, second)) continue
    const path = Array.isArray(between) ? ['between', index] : ['between']
    findings.push({ path, message: `found '${text}', allowed is a time and a later one.` })
  }
  if (typeof from === 'string' && typeof until === 'string' && !isAscending(from, until)) {
    findings.push({
      path: ['until'],
      message: `found until ${until} and from ${from}, allowed is an until after from.`,
    })
  }
  return findings
}

/** Whether the second of two durations is longer; what is no duration is reported by the shape. */
function isAscending(first: string, second: string): boolean {
  const [from, until] = [parseDuration(first), parseDuration(second)]
  return from === undefined || until === undefined || from < until
}
