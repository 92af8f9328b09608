/** A call as a rule for a scenario: it matches the call, and answers as the call was answered. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { bodyOf, type Said, saidIn } from '../calls/answer.ts'
import { nameOfFault } from '../calls/call-filter.ts'
import { yamlText } from './yaml-text.ts'

const MAX_USER_LENGTH = 300
const MAX_NAME_LENGTH = 200
const FINISHES = ['length', 'content_filter']

/** The rule as YAML, to stand under (or in place of) the `replies` of a scenario; or why there can be none. */
export function ruleOf(call: CallDetails): { readonly text: string } | { readonly impossible: string } {
  const { endpoint, reason, method } = call
  if (endpoint !== 'chat' && endpoint !== 'embeddings') {
    return { impossible: 'A rule can match calls to chat and embeddings only.' }
  }
  if (method !== 'POST' || reason.by === 'route' || reason.by === 'key') {
    return { impossible: 'This call was refused at the door, before any rule is asked.' }
  }
  const answer = answerOf(call)
  const conditions = [...conditionsOf(call), ...(answer.attempt === undefined ? [] : [`attempt: ${answer.attempt}`])]
  const lines = [...conditions.map((line) => `      ${line}`), ...answer.lines.map((line) => `    ${line}`)]
  return { text: ['replies:', '  - when:', ...lines, ''].join('\n') }
}

function conditionsOf({ endpoint, model, user, toolResult }: CallDetails): string[] {
  const lines = [`endpoint: ${endpoint}`]
  // The journal shortens long names; what of a key is hidden with stars, a star matches.
  if (model !== '') lines.push(`model: ${yamlText(model.length < MAX_NAME_LENGTH ? model : `${model}*`)}`)
  if (endpoint === 'embeddings') return lines
  const userPart = partOf(user)
  if (userPart !== '') lines.push(`user: ${yamlText(userPart)}`)
  const resultPart = partOf(toolResult ?? '')
  if (resultPart !== '') lines.push(`toolResult: ${yamlText(resultPart)}`)
  return lines
}

/** A part of a text that a condition takes as it stands, and finds again in it. */
export function partOf(text: string): string {
  // Words with stars in them may be keys that the journal has shortened: they stood otherwise in the call.
  const whole = text.split(/\S*\*{4}\S*/).reduce((longest, part) => (part.length > longest.length ? part : longest), '')
  let part = whole.slice(0, MAX_USER_LENGTH)
  // Between slashes it would be a pattern.
  while (/^\/.+\/[a-z]*$/s.test(part)) part = part.slice(1)
  const lower = text.toLowerCase()
  // Small letters depend on what follows (a final sigma), and a cut may tear a character.
  while (part !== '' && (!lower.includes(part.toLowerCase()) || /\p{Cs}/u.test(part))) part = part.slice(0, -1)
  return part
}

interface Answer {
  readonly lines: readonly string[]
  /** The one attempt that it is for; undefined for all. */
  readonly attempt?: number
}

function answerOf(call: CallDetails): Answer {
  const { reason, status, attempt, endpoint } = call
  const fault = reason.by === 'fault' ? nameOfFault(reason.name) : 'status'
  // A retry is to be answered as retries are, so a fault is for this attempt only.
  if (fault !== 'status') return { lines: [`fault: ${yamlText(fault)}`], attempt }
  if (status >= 400) return { lines: [`fault: ${status}`], attempt }
  if (endpoint === 'embeddings') {
    return { lines: ['# Embeddings are computed; all that a rule can do is make them fail.', 'fault: server-error'] }
  }
  const body = bodyOf(call)
  const said = body === undefined ? undefined : saidIn(body)
  return { lines: said === undefined ? ['say: Write the answer here.'] : linesOf(said) }
}

function linesOf({ text = '', refusal, calls, finish = '' }: Said): string[] {
  if (calls !== undefined) {
    const written = calls.flatMap(({ name, input }) => [
      `  - name: ${yamlText(name)}`,
      `    arguments: ${argumentsOf(input)}`,
    ])
    return [...noteOn(calls.map(({ input }) => input).join()), 'call:', ...written]
  }
  if (refusal !== undefined) return [...noteOn(refusal), `refuse: ${yamlText(withoutPlaceholders(refusal))}`]
  const ending = FINISHES.includes(finish) ? [`finish: ${finish}`] : []
  return [...noteOn(text), `say: ${yamlText(withoutPlaceholders(text))}`, ...ending]
}

/** An object as it was written, which is YAML too; anything else, and what scenarios refuse as names, as a text. */
function argumentsOf(input: string): string {
  try {
    const value: unknown = JSON.parse(input)
    const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value) && /^[\x20-\x7e]*$/.test(input)
    if (isPlain && !/"(?:__proto__|<<)"/.test(input)) return withoutPlaceholders(JSON.stringify(value))
  } catch {
    // No JSON: said as it is.
  }
  return yamlText(withoutPlaceholders(input))
}

// A scenario fills in what stands between double braces, and has no way to say such braces themselves.
const withoutPlaceholders = (text: string): string => text.replaceAll('{{', '{ {')
const noteOn = (text: string): string[] =>
  text.includes('{{') ? ['# The answer had "{{", which is a placeholder in a scenario: it is "{ {" here.'] : []
