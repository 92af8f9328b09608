/**
 * Checks of rules beyond their shape: the fault exists and has these options, patterns compile, ranges go up.
 *
 * The schema runs these even if the shape is wrong elsewhere, so that all problems are reported at once. So each check
 * takes any value and ignores what the shape check reports.
 */

import { parseDuration } from '../../lib/text/duration.ts'
import { isObject } from '../../lib/text/json.ts'
import { faults } from '../../protocol/faults/fault-catalogue.ts'
import { faultNamed, readFault } from '../../protocol/faults/read-fault.ts'
import { ENDPOINTS, isModelEndpoint } from '../../protocol/request/endpoints.ts'
import type { Problem } from '../check/problem.ts'
import { parseCallCount } from '../compile/call-count.ts'
import { compilePattern } from '../compile/pattern.ts'
import { patternParts } from '../compile/pattern-text.ts'
import { OPTION_NAMES, optionsOf } from './fault-options.ts'

type Rule = Readonly<Record<string, unknown>>

/** Checks a fault and its options with the reader of the catalogue. */
export function checkFault(rule: Rule): Problem[] {
  const { fault } = rule
  if (typeof fault !== 'string' && typeof fault !== 'number') return []
  const reading = readFault(fault)
  if ('problem' in reading) return [{ path: ['fault'], message: reading.problem }]
  const findings: Problem[] = []
  for (const name of OPTION_NAMES) {
    const value = rule[name]
    if (typeof value !== 'string' && typeof value !== 'number') continue
    const withOption = readFault(fault, { [name]: value })
    if ('problem' in withOption) {
      findings.push({ path: [name], message: withOption.problem, isKey: !takesOption(fault, name) })
    }
  }
  if (findings.length > 0) return findings
  const together = readFault(fault, optionsOf(rule))
  return 'problem' in together ? [{ path: ['fault'], message: together.problem }] : []
}

/** An option without a fault would have no effect. */
export function checkLoneOptions(rule: Rule): Problem[] {
  if (rule.fault !== undefined) return []
  return OPTION_NAMES.filter((name) => rule[name] !== undefined).map((name) => ({
    path: [name],
    message:
      name === 'after' && parseCallCount(rule.after) !== undefined
        ? "expected 'after' beside a fault, got no fault."
        : `expected '${name}' beside a fault that has this option (${ownersOf(name).join(', ')}), got no fault.`,
    isKey: true,
  }))
}

/** The faults that have an option of this name. */
export const ownersOf = (option: string): string[] =>
  faults.filter(({ options }) => option in options).map(({ name }) => name)

/** Whether a fault has an option. */
export const takesOption = (fault: string | number, option: string): boolean =>
  option in (faultNamed(fault)?.options ?? {})

/** The fields of which a reply rule has exactly one. */
export const REPLY_FIELDS = ['say', 'call', 'refuse', 'answer', 'fault'] as const

const isWithoutMessages = (endpoint: unknown): boolean =>
  typeof endpoint === 'string' && isModelEndpoint(endpoint) && !ENDPOINTS[endpoint].hasMessages

/** A reply has one answer, and only chats are answered with text. */
export function checkReply(rule: Rule): Problem[] {
  const given = REPLY_FIELDS.filter((name) => rule[name] !== undefined)
  const [first, second] = given
  if (first === undefined)
    return [{ path: [], message: `expected one of ${REPLY_FIELDS.join(', ')}, got none of them. Add one.` }]
  if (second !== undefined) {
    return [
      {
        path: [second],
        message: `expected one of ${REPLY_FIELDS.join(', ')}, got ${given.join(' and ')}. Keep one, and remove the others.`,
        isKey: true,
      },
    ]
  }
  const findings: Problem[] = []
  if (rule.finish !== undefined && first !== 'say') {
    const message = `expected 'finish' beside say, got it beside ${first}.`
    findings.push({ path: ['finish'], message, isKey: true })
  }
  const { when } = rule
  if (first !== 'fault' && first !== 'answer' && isObject(when) && isWithoutMessages(when.endpoint)) {
    const message = `expected 'chat' beside ${first}, got '${when.endpoint}'. Only chats are answered with text.`
    findings.push({ path: ['when', 'endpoint'], message })
  }
  return findings
}

/** Of two rates for the same window, one would have no effect. */
export function checkRates(rates: unknown): Problem[] {
  if (!Array.isArray(rates)) return []
  const windows = rates.map((rate) => (typeof rate === 'string' ? / per (\w+)$/.exec(rate)?.[1] : undefined))
  return windows.flatMap((window, index) => {
    if (window === undefined || windows.indexOf(window) === index) return []
    return [{ path: [index], message: `expected one rate for each window, got a second rate per ${window}.` }]
  })
}

/** A text that is written as a pattern must compile. */
export function checkPattern(text: unknown): Problem[] {
  if (typeof text !== 'string') return []
  const parts = patternParts(text)
  if (parts === undefined) return []
  try {
    compilePattern(parts.source, parts.flags)
    return []
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [{ path: [], message: `the pattern ${shorten(text)} is invalid: ${reason}` }]
  }
}

/** A range goes up. */
export function checkRange({ min, max }: Rule): Problem[] {
  const [low, high] = [parseDuration(min), parseDuration(max)]
  if (low === undefined || high === undefined || low <= high) return []
  return [{ path: ['max'], message: `expected a duration of at least min ('${min}'), got '${max}'.` }]
}

/** p99 is not below the median, and the median is above 0. */
export function checkTail({ median, p99 }: Rule): Problem[] {
  const [middle, high] = [parseDuration(median), parseDuration(p99)]
  if (middle === 0) return [{ path: ['median'], message: `expected a duration above 0, got '${median}'.` }]
  if (middle === undefined || high === undefined || middle <= high) return []
  return [{ path: ['p99'], message: `expected a duration of at least median ('${median}'), got '${p99}'.` }]
}

const shorten = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59)}…`)
