/**
 * Rules as the text of a scenario: formats them as YAML, and adds one to the text in the editor.
 *
 *     replies:
 *       - when:
 *           endpoint: chat
 *           model: echo-1
 *           user: What is the weather in Paris?
 *         say: It is sunny.
 */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { buildRule, type CommentedRule } from './scenario-rule.ts'

/** The rule for a call as YAML with its `replies` key. @throws Error as `buildRule` does. */
export const formatRule = (call: CallDetails): string => formatRules([buildRule(call)])

export function formatRules(rules: readonly CommentedRule[]): string {
  const indent = (lines: readonly string[], by: string): string => lines.map((line) => `${by}${line}\n`).join('')
  const items = rules.map(({ rule: { when, ...answer }, comments }) => {
    const notes = comments.map((comment) => `# ${comment}`)
    const body = indent([...notes, ...formatFields(answer)], '    ')
    return `  - when:\n${indent(formatFields(when), '      ')}${body}`
  })
  return `replies:\n${items.join('')}`
}

/** The fields of an object as lines: lists of objects as block lists, any other value as JSON, which is YAML. */
const formatFields = (fields: object): string[] =>
  Object.entries(fields).flatMap(([name, value]) => {
    if (typeof value === 'string') return [`${name}: ${formatYamlText(value)}`]
    if (!Array.isArray(value)) return [`${name}: ${toJson(value)}`]
    const items = value.flatMap((item) =>
      formatFields(item).map((line, index) => `${index === 0 ? '  - ' : '    '}${line}`),
    )
    return [`${name}:`, ...items]
  })

const WORDS = /^[A-Za-z][\w .,!?'-]*$/
// Words that YAML 1.1 or 1.2 read as something other than text.
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i
// JSON does not escape these, but YAML needs it: controls, Unicode line ends and non-characters.
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

/** A text as YAML: plain where that is safe, else in double quotes with escapes. */
export function formatYamlText(text: string): string {
  if (text.length <= 80 && WORDS.test(text) && !RESERVED.test(text) && !text.endsWith(' ')) return text
  return toJson(text)
}

function toJson(value: unknown): string {
  const toEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(UNPRINTABLE, toEscape)
}

/**
 * Adds a rule to a scenario as its first one. The replies have to be a block list: a line for each rule.
 * @param rule a scenario with the rule alone, as `formatRule` writes it.
 * @returns the new text, and the line on which the rule begins.
 * @throws Error if the replies are no block list; its message is for the user.
 */
export function addRule(text: string, rule: string): { readonly text: string; readonly line: number } {
  const joinAround = (ruleLines: readonly string[], before: readonly string[], after: readonly string[] = []) => ({
    text: `${[...before, ...ruleLines, ...after].join('\n')}\n`,
    line: before.length + 1,
  })
  const [, ...ruleLines] = rule.trimEnd().split('\n')
  const trimmed = text.replace(/\n+$/, '')
  const lines = trimmed === '' ? [] : trimmed.split('\n')
  const place = lines.findIndex((line) => /^replies *:/.test(line))
  if (place < 0) return joinAround(ruleLines, [...lines, 'replies:'])
  const repliesLine = lines[place]!
  // `replies:` or `replies: []`, and a comment.
  if (!/^replies *: *(?:#.*|\[ *\] *(?:#.*)?)?$/.test(repliesLine)) {
    throw new Error('Expected `replies` as a list with a line for each rule. Write it so, and add the rule again.')
  }
  const before = [...lines.slice(0, place), repliesLine.replace(/\[ *\]/, '').trimEnd()]
  const after = lines.slice(place + 1)
  // The other rules give the indent. The first one may come after comments, and before the next key of the scenario.
  const firstItem = after.find((line) => /^ *-(?: |$)/.test(line) || /^[^\s#]/.test(line)) ?? ''
  const indent = /^( *)-/.exec(firstItem)?.[1] ?? '  '
  const indented = ruleLines.map((line) => `${indent}${line.replace(/^ {2}/, '')}`)
  return joinAround(indented, before, after)
}
