/**
 * Templates: `{{name}}` is replaced by a value. Nothing is evaluated, and inserted text is not expanded again.
 * @example fill('You said {{user}}.', { user: 'Hello' }) // 'You said Hello.'
 */
import { didYouMean } from '../../lib/text/did-you-mean.ts'
import { shorten } from '../../lib/text/wording.ts'
import type { Facts } from '../conditions/facts.ts'

/** Replaced by a vector in a recorded body. */
export const VECTOR_PLACE = '{{vector}}'

/** The placeholders of every reply, named like the conditions of `when`. */
const PLACEHOLDERS = ['user', 'system', 'model', 'toolResult', 'attempt', 'turn'] as const

/** The values of the placeholders for a call. */
export function placeholderValues(facts: Facts): Readonly<Record<string, string | undefined>> {
  const { user, system, model, toolResult, attempt, userMessageCount } = facts
  return { user, system, model, toolResult, attempt: String(attempt), turn: String(userMessageCount) }
}

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g

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

// The texts that may be placeholders by mistake. `{user}` and `{{ color: 'red' }}` are plain text.
/** `{{{user}}}`. From the first brace of a row only: otherwise the time grows with the square of the row. */
const TRIPLE = /(?<!\{)\{{3,}\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}{3,}/g
/** `{{user.name}}` and `{{}}` are wrong placeholders. */
const DOUBLE = /\{\{([^{}]*)\}\}/g
const NAME_LIKE = /^[\w.[\]-]*$/
/** `{{user}`, `{{user` and `{user}}`: a brace is missing. */
const INCOMPLETE = /(?<!\{)\{{1,2}\s*([A-Za-z_][A-Za-z0-9_]*)\b\s*\}{0,2}/g

/** A named group of a pattern: `(?<city>\w+)`. */
const GROUP = /\(\?P?<([A-Za-z_][A-Za-z0-9_]*)>/g

/**
 * Finds placeholders that do not exist, and those with too few or too many braces. What has been judged is removed, so that
 * nothing is reported twice.
 * @example findPlaceholderProblems('{{usr}}', []) // ["expected a placeholder that exists, got {{usr}}. Did you mean 'user'? ..."]
 * @param patterns the rule's own patterns, whose named groups it may use.
 */
export function findPlaceholderProblems(template: string, patterns: readonly string[]): string[] {
  const groups = patterns.flatMap((pattern) => [...pattern.matchAll(GROUP)].map((match) => match[1]!))
  const known = [...PLACEHOLDERS, ...groups]
  const problems = new Set<string>()
  const withoutTriples = template.replace(TRIPLE, (written, name: string) => {
    problems.add(`expected two braces on each side, got ${shorten(written)}. Write {{${shorten(name)}}}.`)
    return ''
  })
  const withoutDoubles = withoutTriples.replace(DOUBLE, (written, between: string) => {
    const content = between.trim()
    const [firstWord] = /^\w*/.exec(content)!
    const mayBeName = NAME_LIKE.test(content) || known.includes(firstWord)
    if (mayBeName && !known.includes(content)) {
      const near = didYouMean(firstWord, known)
      problems.add(
        `expected a placeholder that exists, got ${shorten(written)}.${near} Placeholders: ${known.join(', ')}.`,
      )
    }
    return ''
  })
  for (const [written, name] of withoutDoubles.matchAll(INCOMPLETE)) {
    const isOneSided = written.startsWith('{{') !== written.endsWith('}}')
    if (isOneSided && known.includes(name!))
      problems.add(`expected {{${name}}}, got ${shorten(written.trim())}. A brace is missing.`)
  }
  return [...problems]
}
