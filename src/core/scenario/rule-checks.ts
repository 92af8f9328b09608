/**
 * What a rule must fulfil beyond its shape: a fault that exists with options that are its own, placeholders that
 * stand for something, patterns that compile.
 *
 * The schema runs these even where the shape is wrong in some other place, so that all problems come at once;
 * so each check takes any value and says nothing of what the shape check already reports.
 */
import { faultNamed, faults, readFault } from '../faults/catalogue.ts'
import { OPTION_NAMES, optionsOf } from './fault-options.ts'
import { compilePattern } from './pattern.ts'
import { patternParts } from './pattern-text.ts'
import { placeholdersOf } from './template.ts'

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

/** A reply speaks or fails, and it speaks in chats only. */
export function checkSpeech({ say, fault, when }: Rule): Finding[] {
  if (say === undefined && fault === undefined)
    return [{ path: [], message: 'found neither say nor fault, needed is one of them.' }]
  if (say === undefined) return []
  if (fault !== undefined)
    return [{ path: ['fault'], message: 'found both say and fault, allowed is one of them.', isKey: true }]
  if (!isRule(when) || when.endpoint !== 'embeddings') return []
  const message = "found 'embeddings' beside say, allowed is 'chat': only chats are answered in words."
  return [{ path: ['when', 'endpoint'], message }]
}

/** Every placeholder stands for a plain value of the call or a named group of the rule's own patterns. */
export function checkPlaceholders({ say, when }: Rule): Finding[] {
  const { user, system, toolResult } = isRule(when) ? when : {}
  const patterns = [user, system, toolResult].flat().filter(isText)
  const findings: Finding[] = []
  for (const [index, template] of [say].flat().entries()) {
    if (!isText(template)) continue
    const path = Array.isArray(say) ? ['say', index] : ['say']
    for (const message of placeholdersOf([template], patterns)) findings.push({ path, message })
  }
  return findings
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

const isText = (value: unknown): value is string => typeof value === 'string'
const isRule = (value: unknown): value is Rule => typeof value === 'object' && value !== null
const shorten = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59)}…`)
