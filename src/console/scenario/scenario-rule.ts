/**
 * Formats a call as a scenario rule that matches the call and gives the same answer, and adds it to a scenario:
 *
 *     replies:
 *       - when:
 *           endpoint: chat
 *           model: echo-1
 *           user: What is the weather in Paris?
 *         say: It is sunny.
 */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { type AnswerContent, joinBody, readAnswer, toldWaitMs } from '../../core/journal/read-answer.ts'
import { isObject, parseJson } from '../../core/lib/text/json.ts'
import { formatDuration } from '../parts/format.ts'

/** The most characters of a text in a condition. */
const MAX_TEXT_LENGTH = 300
/** The journal truncates longer names of models. */
const MAX_NAME_LENGTH = 200
/** A fault can ask for a day at most. */
const MAX_WAIT_MS = 86_400_000
/** The finish reasons that a rule can set. */
const FINISHES = ['length', 'content_filter']

/** A rule of `replies`: its conditions, and `say`, `refuse`, `call` and `finish`, or `fault` and its options; with comments. */
export type CommentedRule = ReturnType<typeof buildRule>
type Fields = Readonly<Record<string, unknown>>

/**
 * Builds the rule that matches a call and gives the same answer, with comments on it.
 * @throws Error for a call that can have no rule; its message is for the user.
 */
export function buildRule(call: CallDetails) {
  const { endpoint, reason, method } = call
  if (!isGeneration(endpoint) && endpoint !== 'embeddings') {
    throw new Error('A rule can match calls to chat, responses and embeddings only.')
  }
  if (method !== 'POST' || reason.by === 'route' || reason.by === 'key') {
    throw new Error('This call was refused before any rule was checked.')
  }
  const { answer, comments = [], attempt } = buildAnswer(call)
  const when: Fields = { ...buildConditions(call), ...(attempt !== undefined && { attempt }) }
  return { rule: { when, ...answer }, comments }
}

/** True for an endpoint that answers with a message. */
const isGeneration = (endpoint: string): boolean => endpoint === 'chat' || endpoint === 'responses'

/** The rule as YAML with its `replies` key. @throws Error as `buildRule` does. */
export const formatRule = (call: CallDetails): string => formatRules([buildRule(call)])

export function formatRules(rules: readonly CommentedRule[]): string {
  const indent = (lines: readonly string[], by: string): string => lines.map((line) => `${by}${line}\n`).join('')
  const items = rules.map(({ rule: { when, ...answer }, comments: notes }) => {
    const comments = notes.map((comment) => `# ${comment}`)
    const body = indent([...comments, ...formatFields(answer)], '    ')
    return `  - when:\n${indent(formatFields(when), '      ')}${body}`
  })
  return `replies:\n${items.join('')}`
}

/** The fields of an object, one a line; JSON is YAML. */
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

function buildConditions({ endpoint, model, user, toolResult = '' }: CallDetails): Fields {
  // The journal truncates long names and masks keys with stars; a star matches both.
  const name = model.length < MAX_NAME_LENGTH ? model : `${model}*`
  const texts = isGeneration(endpoint) ? { user: selectPart(user), toolResult: selectPart(toolResult) } : {}
  const conditions = { endpoint, model: name, ...texts }
  return Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== ''))
}

/** A part of the text that works as a condition and is found in the text. */
export function selectPart(text: string): string {
  // Words with stars may be keys that the journal has masked.
  const unmasked = text.split(/\S*\*{4}\S*/)
  const longest = unmasked.reduce((found, part) => (part.length > found.length ? part : found), '')
  let part = longest.slice(0, MAX_TEXT_LENGTH)
  // Text between slashes would be a pattern.
  while (/^\/.+\/[a-z]*$/s.test(part)) part = part.slice(1)
  const lower = text.toLowerCase()
  // Lower-casing depends on context (a final sigma), and the cut may split a surrogate pair.
  while (part !== '' && (!lower.includes(part.toLowerCase()) || /\p{Cs}/u.test(part))) part = part.slice(0, -1)
  return part
}

interface RuleAnswer {
  readonly answer: Fields
  readonly comments?: readonly string[]
  /** The attempt that the answer is for; undefined for all. */
  readonly attempt?: number
}

function buildAnswer(call: CallDetails): RuleAnswer {
  const { fault, reason, status, attempt, endpoint } = call
  // Limited to this attempt, so that retries are answered as before.
  if (fault !== undefined) {
    const { status: written = status, ...options } = call.faultOptions ?? {}
    return { answer: { fault: fault === 'status' ? written : fault, ...options }, attempt }
  }
  if (reason.by === 'limit' && status === 429) return { answer: faultOfLimit(call), attempt }
  if (status >= 400) return { answer: { fault: status }, attempt }
  if (endpoint === 'embeddings') {
    const comments = ['Embeddings are computed: a rule can only make them fail.']
    return { answer: { fault: 'server-error' }, comments }
  }
  const body = joinBody(call)
  const content = body === undefined ? undefined : readAnswer(body)
  return content === undefined ? { answer: { say: 'Write the answer here.' } } : repeatAnswer(content)
}

/** The fault that answers as a limit did, with the wait that the client was told. */
function faultOfLimit(call: CallDetails): Fields {
  const { limit = '' } = call
  const waitMs = toldWaitMs(call)
  const retryAfter = Number.isFinite(waitMs) ? { retryAfter: formatDuration(Math.min(waitMs, MAX_WAIT_MS)) } : {}
  if (limit.startsWith('budget.')) return { fault: 'quota', ...retryAfter }
  return { fault: limit === 'tokens' ? 'rate-limit-tokens' : 'rate-limit', ...retryAfter }
}

const BRACES_COMMENT =
  'The answer had double braces, which mark placeholders in a scenario: here they have a space between them.'

function repeatAnswer({ text = '', refusal, calls, finish = '' }: AnswerContent): RuleAnswer {
  const written = calls?.map(({ input }) => input).join() ?? refusal ?? text
  const comments = written === withoutPlaceholders(written) ? [] : [BRACES_COMMENT]
  if (calls !== undefined) {
    const call = calls.map(({ name, input }) => ({ name, arguments: readArguments(input) }))
    return { answer: { call }, comments }
  }
  if (refusal !== undefined) return { answer: { refuse: withoutPlaceholders(refusal) }, comments }
  return { answer: { say: withoutPlaceholders(text), ...(FINISHES.includes(finish) && { finish }) }, comments }
}

/** A JSON object as it is; anything else, and names that scenarios refuse, as text. */
function readArguments(input: string): string | object {
  const value = parseJson(input)
  const isPlain = isObject(value) && /^[\x20-\x7e]*$/.test(input) && !/"(?:__proto__|<<)"/.test(input)
  return isPlain ? (parseJson(withoutPlaceholders(JSON.stringify(value))) as object) : withoutPlaceholders(input)
}

/** `{{name}}` with spaces between its braces: a scenario replaces placeholders and has no escape for them. */
const withoutPlaceholders = (text: string): string =>
  text
    .replaceAll(/\{\{(\s*\w+\s*)\}\}/g, '{ {$1} }')
    .replaceAll('{{', '{ {')
    .replaceAll(/\{(\w+)\}\}/g, '{$1} }')

/**
 * The text with the rule, and the line on which it begins. The replies have to be a block list.
 * @param rule a scenario with the rule alone, as `formatRule` writes it.
 * @throws Error if they are not one; its message is for the user.
 */
export function addRule(text: string, rule: string): { readonly text: string; readonly line: number } {
  const lines = text.replace(/\n+$/, '').split('\n')
  const ruleLines = rule.trimEnd().split('\n').slice(1)
  const row = lines.findIndex((line) => /^replies *:/.test(line))
  if (row < 0) {
    const before = lines.length === 1 && lines[0] === '' ? [] : lines
    return { text: `${[...before, 'replies:', ...ruleLines].join('\n')}\n`, line: before.length + 2 }
  }
  if (!/^replies *: *(?:#.*|\[ *\] *(?:#.*)?)?$/.test(lines[row]!)) {
    throw new Error('Expected `replies` as a list with a line for each rule. Write it so, and add the rule again.')
  }
  const before = lines.slice(0, row)
  const head = lines[row]!.replace(/\[ *\]/, '').trimEnd()
  const after = lines.slice(row + 1)
  // The rule comes first, with the indent of the other rules.
  const firstItem = after.find((line) => /^ *-(?: |$)/.test(line) || /^[^\s#]/.test(line)) ?? ''
  const indent = /^( *)-/.exec(firstItem)?.[1] ?? '  '
  const indented = ruleLines.map((line) => `${indent}${line.replace(/^ {2}/, '')}`)
  return { text: `${[...before, head, ...indented, ...after].join('\n')}\n`, line: row + 2 }
}
