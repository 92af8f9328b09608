/** Formats a call as a scenario rule that matches the call and gives the same answer. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { type AnswerContent, joinBody, parseJson, readAnswer } from '../call/answer.ts'
import { nameOfFault } from '../calls/call-filter.ts'
import { formatYamlText } from './yaml-text.ts'

const MAX_USER_LENGTH = 300
const MAX_NAME_LENGTH = 200
const FINISHES = ['length', 'content_filter']

/** The rule as YAML with its `replies` key, or why there can be none. */
export function formatRule(call: CallDetails): { readonly text: string } | { readonly impossible: string } {
  const { endpoint, reason, method } = call
  if (endpoint !== 'chat' && endpoint !== 'embeddings') {
    return { impossible: 'A rule can match calls to chat and embeddings only.' }
  }
  if (method !== 'POST' || reason.by === 'route' || reason.by === 'key') {
    return { impossible: 'This call was refused before any rule was checked.' }
  }
  const answer = answerOf(call)
  const conditions = [...conditionsOf(call), ...(answer.attempt === undefined ? [] : [`attempt: ${answer.attempt}`])]
  const lines = [...conditions.map((line) => `      ${line}`), ...answer.lines.map((line) => `    ${line}`)]
  return { text: ['replies:', '  - when:', ...lines, ''].join('\n') }
}

function conditionsOf({ endpoint, model, user, toolResult }: CallDetails): string[] {
  const lines = [`endpoint: ${endpoint}`]
  // The journal truncates long names and masks keys with stars; a star matches both.
  if (model !== '') lines.push(`model: ${formatYamlText(model.length < MAX_NAME_LENGTH ? model : `${model}*`)}`)
  if (endpoint === 'embeddings') return lines
  const userPart = selectPart(user)
  if (userPart !== '') lines.push(`user: ${formatYamlText(userPart)}`)
  const resultPart = selectPart(toolResult ?? '')
  if (resultPart !== '') lines.push(`toolResult: ${formatYamlText(resultPart)}`)
  return lines
}

/** A part of the text that works as a condition and is found in the text. */
export function selectPart(text: string): string {
  // Words with stars may be keys that the journal has masked.
  const whole = text.split(/\S*\*{4}\S*/).reduce((longest, part) => (part.length > longest.length ? part : longest), '')
  let part = whole.slice(0, MAX_USER_LENGTH)
  // Text between slashes would be a pattern.
  while (/^\/.+\/[a-z]*$/s.test(part)) part = part.slice(1)
  const lower = text.toLowerCase()
  // Lower-casing depends on context (a final sigma), and the cut may split a surrogate pair.
  while (part !== '' && (!lower.includes(part.toLowerCase()) || /\p{Cs}/u.test(part))) part = part.slice(0, -1)
  return part
}

interface Answer {
  readonly lines: readonly string[]
  /** The attempt that the answer is for; undefined for all. */
  readonly attempt?: number
}

function answerOf(call: CallDetails): Answer {
  const { reason, status, attempt, endpoint } = call
  const fault = reason.by === 'fault' ? nameOfFault(reason.name) : 'status'
  // Limited to this attempt, so that retries are answered as before.
  if (fault !== 'status') return { lines: [`fault: ${formatYamlText(fault)}`], attempt }
  if (status >= 400) return { lines: [`fault: ${status}`], attempt }
  if (endpoint === 'embeddings') {
    return { lines: ['# Embeddings are computed: a rule can only make them fail.', 'fault: server-error'] }
  }
  const body = joinBody(call)
  const content = body === undefined ? undefined : readAnswer(body)
  return { lines: content === undefined ? ['say: Write the answer here.'] : formatAnswer(content) }
}

function formatAnswer({ text = '', refusal, calls, finish = '' }: AnswerContent): string[] {
  if (calls !== undefined) {
    const written = calls.flatMap(({ name, input }) => [
      `  - name: ${formatYamlText(name)}`,
      `    arguments: ${formatArguments(input)}`,
    ])
    return [...noteOn(calls.map(({ input }) => input).join()), 'call:', ...written]
  }
  if (refusal !== undefined) return [...noteOn(refusal), `refuse: ${formatYamlText(withoutPlaceholders(refusal))}`]
  const ending = FINISHES.includes(finish) ? [`finish: ${finish}`] : []
  return [...noteOn(text), `say: ${formatYamlText(withoutPlaceholders(text))}`, ...ending]
}

/** Formats a JSON object as it is, as JSON is YAML; anything else, and names that scenarios refuse, as text. */
function formatArguments(input: string): string {
  const value = parseJson(input)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const isPlain = isObject && /^[\x20-\x7e]*$/.test(input) && !/"(?:__proto__|<<)"/.test(input)
  return isPlain ? withoutPlaceholders(JSON.stringify(value)) : formatYamlText(withoutPlaceholders(input))
}

// A scenario replaces placeholders in double braces and has no escape for them.
const withoutPlaceholders = (text: string): string =>
  text
    .replaceAll(/\{\{(\s*\w+\s*)\}\}/g, '{ {$1} }')
    .replaceAll('{{', '{ {')
    .replaceAll(/\{(\w+)\}\}/g, '{$1} }')
const noteOn = (text: string): string[] =>
  text === withoutPlaceholders(text)
    ? []
    : ['# The answer had double braces, which mark placeholders in a scenario: here they have a space between them.']
