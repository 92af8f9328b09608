/** Templates: `{{name}}` is replaced by a value. Nothing is evaluated, and inserted text is not expanded again. */
import { didYouMean } from '../../text/did-you-mean.ts'
import type { Facts } from '../conditions/facts.ts'

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g
// `{{user}`, `{{user` and `{user}}`: a brace is missing. `{user}` is plain text.
const INCOMPLETE = /(?<!\{)\{{1,2}\s*([A-Za-z_][A-Za-z0-9_]*)\b\s*\}{0,2}/g
const GROUP = /\(\?P?<([A-Za-z_][A-Za-z0-9_]*)>/g

/** The placeholders of every reply, named like the conditions of `when`. */
const PLACEHOLDERS = ['user', 'system', 'model', 'toolResult', 'attempt', 'turn'] as const

/** The values of the placeholders for a call. */
export function placeholderValues(facts: Facts): Readonly<Record<string, string | undefined>> {
  const { user, system, model, toolResult, attempt, userMessageCount } = facts
  return { user, system, model, toolResult, attempt: String(attempt), turn: String(userMessageCount) }
}

/** Fills in the placeholders; one without a value becomes empty. */
export function fill(template: string, values: Readonly<Record<string, string | undefined>>): string {
  if (!template.includes('{{')) return template
  return template.replace(PLACEHOLDER, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''))
}

/** Fills in every text of a JSON value, but not the names of properties. */
export function fillAll(value: unknown, values: Readonly<Record<string, string | undefined>>): unknown {
  if (typeof value === 'string') return fill(value, values)
  if (Array.isArray(value)) return value.map((item) => fillAll(item, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillAll(item, values)]))
}

/**
 * Finds unknown and unclosed placeholders.
 * @param patterns the rule's own patterns, whose named groups it may use.
 */
export function findPlaceholderProblems(template: string, patterns: readonly string[]): string[] {
  const groups = patterns.flatMap((pattern) => [...pattern.matchAll(GROUP)].map((match) => match[1]!))
  const known = [...PLACEHOLDERS, ...groups]
  const unknown = [...template.matchAll(PLACEHOLDER)].map((match) => match[1]!).filter((name) => !known.includes(name))
  const incomplete = [...template.matchAll(INCOMPLETE)].filter(
    ([written, name]) => known.includes(name!) && written.startsWith('{{') !== written.endsWith('}}'),
  )
  return [
    ...[...new Set(unknown)].map((name) => {
      const near = didYouMean(name, known)
      return `expected a placeholder that exists, got {{${name}}}.${near} Placeholders: ${known.join(', ')}.`
    }),
    ...incomplete.map(([written, name]) => `expected {{${name}}}, got ${written.trim()}. A brace is missing.`),
  ]
}
