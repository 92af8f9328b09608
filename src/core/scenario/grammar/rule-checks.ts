/**
 * What a rule must fulfil beyond its shape: a fault that exists with options that are its own, placeholders that
 * stand for something, patterns that compile.
 *
 * The schema runs these even where the shape is wrong in some other place, so that all problems come at once;
 * so each check takes any value and says nothing of what the shape check already reports.
 */

import { faults } from '../../faults/catalogue.ts'
import { faultNamed, readFault } from '../../faults/read-fault.ts'
import { ENDPOINTS, isModelEndpoint } from '../../request/endpoints.ts'
import { parseDuration } from '../../text/duration.ts'
import { compilePattern } from '../compile/pattern.ts'
import { patternParts } from '../compile/pattern-text.ts'
import { OPTION_NAMES, optionsOf } from './fault-options.ts'

/** A finding below a rule. Its message is whole: nothing needs to be said before it. */
export interface Finding {
  readonly path: readonly (string | number)[]
  readonly message: string
  /** Whether the key itself is wrong, not its value. */
  readonly isKey?: boolean
}

type Rule = Readonly<Record<string, unknown>>

/** Checks a fault and the options beside it with the catalogue's own reader. */
export function checkFault(rule: Rule): Finding[] {
  const { fault } = rule
  if (typeof fault !== 'string' && typeof fault !== 'number') return []
  const reading = readFault(fault)
  if ('problem' in reading) return [{ path: ['fault'], message: reading.problem }]
  const findings: Finding[] = []
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

/** An option without a fault would do nothing, silently. */
export function checkLoneOptions(rule: Rule): Finding[] {
  if (rule.fault !== undefined) return []
  return OPTION_NAMES.filter((name) => rule[name] !== undefined).map((name) => ({
    path: [name],
    message: `found '${name}' without a fault, allowed is '${name}' beside fault: ${ownersOf(name).join(' or ')}.`,
    isKey: true,
  }))
}

/** The faults that have an option of this name. */
export const ownersOf = (option: string): string[] =>
  faults.filter(({ options }) => option in options).map(({ name }) => name)

/** Whether a fault has an option. */
export const takesOption = (fault: string | number, option: string): boolean =>
  option in (faultNamed(fault)?.options ?? {})

/** What a reply rule does: one of these. */
export const SPEECHES = ['say', 'call', 'refuse', 'answer', 'fault'] as const

const isWithoutMessages = (endpoint: unknown): boolean =>
  typeof endpoint === 'string' && isModelEndpoint(endpoint) && !ENDPOINTS[endpoint].hasMessages

/** A reply does one thing, and its words are for chats only. */
export function checkSpeech(rule: Rule): Finding[] {
  const given = SPEECHES.filter((name) => rule[name] !== undefined)
  const [first, second] = given
  if (first === undefined)
    return [{ path: [], message: `found none of ${SPEECHES.join(', ')}, needed is one of them.` }]
  if (second !== undefined) {
    return [{ path: [second], message: `found both ${first} and ${second}, allowed is one of them.`, isKey: true }]
  }
  const findings: Finding[] = []
  if (rule.finish !== undefined && first !== 'say') {
    const message = `found 'finish' beside ${first}, allowed is 'finish' beside say.`
    findings.push({ path: ['finish'], message, isKey: true })
  }
  const { when } = rule
  if (first !== 'fault' && first !== 'answer' && isRule(when) && isWithoutMessages(when.endpoint)) {
    const message = `found '${when.endpoint}' beside ${first}, allowed is 'chat': only chats are answered in words.`
    findings.push({ path: ['when', 'endpoint'], message })
  }
  return findings
}

/** Of two rates for the same window, one would never count. */
export function checkRates(rates: unknown): Finding[] {
  if (!Array.isArray(rates)) return []
  const windows = rates.map((rate) => (isText(rate) ? / per (\w+)$/.exec(rate)?.[1] : undefined))
  return windows.flatMap((window, index) => {
    if (window === undefined || windows.indexOf(window) === index) return []
    return [{ path: [index], message: `found a second rate per ${window}, allowed is one for each window.` }]
  })
}

/** A text that is a pattern must be one that the engine takes. */
export function checkPattern(text: string): Finding[] {
  const parts = patternParts(text)
  if (parts === undefined) return []
  try {
    compilePattern(parts.source, parts.flags)
    return []
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [{ path: [], message: `found the pattern ${shorten(text)} with ${reason}` }]
  }
}

/** A range goes up. */
export function checkRange({ min, max }: Rule): Finding[] {
  const [low, high] = [msOf(min), msOf(max)]
  if (low === undefined || high === undefined || low <= high) return []
  return [{ path: ['max'], message: `found '${max}', allowed is a duration of at least the min, '${min}'.` }]
}

/** A tail begins above its middle, and a median of nothing has none. */
export function checkTail({ median, p99 }: Rule): Finding[] {
  const [middle, high] = [msOf(median), msOf(p99)]
  if (middle === 0) return [{ path: ['median'], message: `found '${median}', allowed is a duration over 0.` }]
  if (middle === undefined || high === undefined || middle <= high) return []
  return [{ path: ['p99'], message: `found '${p99}', allowed is a duration of at least the median, '${median}'.` }]
}

const msOf = (value: unknown): number | undefined => (isText(value) ? parseDuration(value) : undefined)
const isText = (value: unknown): value is string => typeof value === 'string'
const isRule = (value: unknown): value is Rule => typeof value === 'object' && value !== null
const shorten = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59)}…`)
