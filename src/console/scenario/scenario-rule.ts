/**
 * Builds the scenario rule that matches a call and gives the same answer. A chat with the answer "It is sunny." gives
 *
 *     { when: { endpoint: 'chat', model: 'echo-1', user: 'What is the weather in Paris?' }, say: 'It is sunny.' }
 */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { type AnswerContent, joinBody, readAnswer, retryAfterMs } from '../../core/journal/read-answer.ts'
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
 * Builds the rule for a call, with comments on it.
 * @throws Error for a call that can have no rule; its message is for the user.
 */
export function buildRule(call: CallDetails) {
  const { endpoint, reason, method, model, user, toolResult = '' } = call
  if (!isGeneration(endpoint) && endpoint !== 'embeddings') {
    throw new Error('A rule can match calls to chat, responses and embeddings only.')
  }
  if (method !== 'POST' || reason.by === 'route' || reason.by === 'key') {
    throw new Error('This call was refused before any rule was checked.')
  }
  // The journal truncates long names and masks keys with stars; a star matches both.
  const name = model.length < MAX_NAME_LENGTH ? model : `${model}*`
  const texts = isGeneration(endpoint) ? { user: selectPart(user), toolResult: selectPart(toolResult) } : {}
  const { answer, comments = [], attempt } = buildAnswer(call)
  const conditions = Object.entries({ endpoint, model: name, ...texts, attempt })
  const when: Fields = Object.fromEntries(conditions.filter(([, value]) => value !== '' && value !== undefined))
  return { rule: { when, ...answer }, comments }
}

/** True for an endpoint that answers with a message. */
const isGeneration = (endpoint: string): boolean => endpoint === 'chat' || endpoint === 'responses'

/** A part of the text that works as a condition and is found in the text. */
export function selectPart(text: string): string {
  // Words with stars may be keys that the journal has masked.
  const unmasked = text.split(/\S*\*{4}\S*/)
  const longest = unmasked.reduce((best, part) => (part.length > best.length ? part : best), '')
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
  // Failures are limited to this attempt, so that retries are answered as before.
  if (fault !== undefined) {
    // The fault `status` is written as its status: `fault: 503`.
    const { status: ownStatus = status, ...options } = call.faultOptions ?? {}
    return { answer: { fault: fault === 'status' ? ownStatus : fault, ...options }, attempt }
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
  const waitMs = retryAfterMs(call)
  const retryAfter = waitMs === undefined ? {} : { retryAfter: formatDuration(Math.min(waitMs, MAX_WAIT_MS)) }
  if (limit.startsWith('budget.')) return { fault: 'quota', ...retryAfter }
  return { fault: limit === 'tokens' ? 'rate-limit-tokens' : 'rate-limit', ...retryAfter }
}

const BRACES_COMMENT =
  'The answer had double braces, which mark placeholders in a scenario: here they have a space between them.'

function repeatAnswer({ text = '', refusal, calls, finish = '' }: AnswerContent): RuleAnswer {
  const answered = calls === undefined ? (refusal ?? text) : calls.map(({ input }) => input).join()
  const comments = answered === withoutPlaceholders(answered) ? [] : [BRACES_COMMENT]
  if (calls !== undefined) {
    const call = calls.map(({ name, input }) => ({ name, arguments: readArguments(input) }))
    return { answer: { call }, comments }
  }
  if (refusal !== undefined) return { answer: { refuse: withoutPlaceholders(refusal) }, comments }
  return { answer: { say: withoutPlaceholders(text), ...(FINISHES.includes(finish) && { finish }) }, comments }
}

/** The arguments of a tool call as an object where a scenario can have it, else as text. */
function readArguments(input: string): string | object {
  const value = parseJson(input)
  const hasRefusedName = /"(?:__proto__|<<)"/.test(input)
  const isPlain = isObject(value) && /^[\x20-\x7e]*$/.test(input) && !hasRefusedName
  return isPlain ? (parseJson(withoutPlaceholders(JSON.stringify(value))) as object) : withoutPlaceholders(input)
}

/** `{{name}}` with spaces between its braces: a scenario replaces placeholders and has no escape for them. */
const withoutPlaceholders = (text: string): string =>
  text
    .replaceAll(/\{\{(\s*\w+\s*)\}\}/g, '{ {$1} }')
    .replaceAll('{{', '{ {')
    .replaceAll(/\{(\w+)\}\}/g, '{$1} }')
