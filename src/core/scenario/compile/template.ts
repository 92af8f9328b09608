/** Templates: `{{name}}` is replaced by a plain value. Nothing is evaluated, and what is put in is never read again. */
import { didYouMean } from '../../text/did-you-mean.ts'

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g
const GROUP = /\(\?P?<([A-Za-z_][A-Za-z0-9_]*)>/g

/** The placeholders every reply may use, and what they stand for. */
const PLACEHOLDERS = {
  user: 'the last user message',
  system: 'the system or developer text',
  model: 'the model asked for',
  toolResult: "the last message, where it is a tool's result",
  attempt: 'how often this key has sent this very request',
  turn: 'the number of user messages so far',
} as const

/** `template` with its placeholders filled in; one that has no value becomes empty. */
export function fill(template: string, values: Readonly<Record<string, string | undefined>>): string {
  if (!template.includes('{{')) return template
  return template.replace(PLACEHOLDER, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''))
}

/** A JSON value with every text in it filled in. Names of properties stay as they are. */
export function fillAll(value: unknown, values: Readonly<Record<string, string | undefined>>): unknown {
  if (typeof value === 'string') return fill(value, values)
  if (Array.isArray(value)) return value.map((item) => fillAll(item, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillAll(item, values)]))
}

/** What is wrong with the placeholders of some templates, given the patterns whose named groups they may use. */
export function placeholdersOf(templates: readonly string[], patterns: readonly string[]): string[] {
  const groups = patterns.flatMap((pattern) => [...pattern.matchAll(GROUP)].map((match) => match[1]!))
  const known = [...Object.keys(PLACEHOLDERS), ...groups]
  const unknown = templates
    .flatMap((template) => [...template.matchAll(PLACEHOLDER)].map((match) => match[1]!))
    .filter((name) => !known.includes(name))
  return [...new Set(unknown)].map(
    (name) =>
      `found {{${name}}}, allowed is one of ${known.map((one) => `{{${one}}}`).join(', ')}.${didYouMean(name, known)}`,
  )
}
