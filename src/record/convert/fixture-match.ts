/**
 * Turns the `match` of an aimock fixture into the conditions of a rule.
 *
 *     { "userMessage": "hi", "turnIndex": 0 }     ->     { user: hi, turn: 1 }
 */
import { isMissing, type JsonObject } from '../../core/lib/text/json.ts'
import type { CassetteRule } from '../cassette-text.ts'

type When = NonNullable<CassetteRule['when']>

/** Notes something that is left out or different. @param field its path in the fixture. */
export type Note = (field: string, reason: string) => void

/** A text that any tool result matches. */
export const ANY_RESULT = '/^/'

/** @throws when the fixture would match other calls than in aimock. */
export function readMatch(match: JsonObject, note: Note): When {
  let when: When = {}
  for (const [name, value] of Object.entries(match)) {
    if (isMissing(value)) continue
    if (!Object.hasOwn(CONDITIONS, name)) throw new Error(`no condition is like match.${name}`)
    const { toolResult } = when
    when = { ...when, ...CONDITIONS[name]!(value, (reason) => note(`match.${name}`, reason)) }
    // Of two conditions on the result of a tool, the one with a text stays.
    if (toolResult !== undefined && toolResult !== ANY_RESULT) when = { ...when, toolResult }
  }
  return when
}

/** The fields of `match`, each as a condition of a rule. */
const CONDITIONS: Readonly<Record<string, (value: unknown, note: (reason: string) => void) => Partial<When>>> = {
  userMessage: (value) => ({ user: plainText(value) }),
  systemMessage(value, note) {
    const texts = [value].flat()
    if (texts.length < 2) return texts.length === 0 ? {} : { system: plainText(texts[0]) }
    note('matches its texts only in this order')
    return { system: `/${texts.map(escapePattern).join('.*')}/s` }
  },
  toolName: (value) => ({ tool: String(value) }),
  toolResultContains: (value) => ({ toolResult: plainText(value) }),
  toolCallId(value, note) {
    note(
      `left out: the mock draws the ids of calls, so the rule matches the results of all tools, not only of ${value}`,
    )
    return { toolResult: ANY_RESULT }
  },
  hasToolResult(value, note) {
    if (value === true) return { toolResult: ANY_RESULT }
    note('left out: a rule that calls a tool never matches right after a result, but one with a text does')
    return {}
  },
  // aimock takes a dated name of the model too.
  model: (value) => ({ model: [String(value), `${value}-*`] }),
  endpoint(value) {
    if (value === 'chat') return { endpoint: 'chat' }
    if (value === 'embedding') return { endpoint: 'embeddings' }
    throw new Error(`this mock has no endpoint for ${value}`)
  },
  responseFormat(value, note) {
    note(`left out: no condition is about response_format, so the rule matches without '${value}' too`)
    return {}
  },
  turnIndex(value, note) {
    const turn = Number(value) + 1
    note(`became turn ${turn}: it counts the messages of the user, not the answers`)
    return { turn }
  },
}

/** A text as a condition. One between slashes would be read as a pattern, and an empty one matches every text. */
function plainText(value: unknown): string {
  const text = String(value)
  if (text === '') return '/^/'
  const isLikePattern = /^\/.+\/[a-z]*$/s.test(text)
  return isLikePattern ? `/${escapePattern(text)}/` : text
}

/** A text as a pattern that matches it. */
const escapePattern = (text: unknown): string =>
  String(text)
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
