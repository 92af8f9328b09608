/** Turns the `match` of an aimock fixture into the conditions of a rule. */
import { isMissing, type JsonObject } from '../../core/lib/text/json.ts'
import type { CassetteRule } from '../cassette-text.ts'

type When = NonNullable<CassetteRule['when']>

/** Notes something that is left out or different. @param field its path in the fixture. */
export type Note = (field: string, reason: string) => void

/** A text that any tool result matches. */
export const ANY_RESULT = '/^/'
/** Above this, the number of orders in which texts can follow one another is too large for a pattern. */
const MAX_ORDERED_TEXTS = 3

/** @throws when the fixture would match other calls than in aimock. */
export function readMatch(match: JsonObject, note: Note): When {
  const when: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(match)) {
    if (isMissing(value)) continue
    // Of two conditions on the result of a tool, the one with a text stays.
    const { toolResult = ANY_RESULT } = when
    Object.assign(
      when,
      readCondition(name, value, (reason) => note(`match.${name}`, reason)),
    )
    if (toolResult !== ANY_RESULT) when.toolResult = toolResult
  }
  return when as When
}

function readCondition(name: string, value: unknown, note: (reason: string) => void): Partial<When> {
  switch (name) {
    case 'userMessage':
      return { user: plainText(value) }
    case 'systemMessage':
      return readSystem([value].flat())
    case 'toolName':
      return { tool: String(value) }
    case 'toolResultContains':
      return { toolResult: plainText(value) }
    case 'toolCallId':
      note(
        `left out: the mock draws the ids of calls, so the rule matches the results of all tools, not only of ${value}`,
      )
      return { toolResult: ANY_RESULT }
    case 'hasToolResult':
      if (value === true) return { toolResult: ANY_RESULT }
      note('left out: a rule that calls a tool never matches right after a result, but one with a text does')
      return {}
    case 'model':
      // aimock takes a dated name of the model too.
      return { model: [String(value), `${value}-*`] }
    case 'endpoint':
      if (value === 'chat') return { endpoint: 'chat' }
      if (value === 'embedding') return { endpoint: 'embeddings' }
      throw new Error(`this mock has no endpoint for ${value}`)
    case 'responseFormat':
      note(`left out: no condition is about response_format, so the rule matches without '${value}' too`)
      return {}
    case 'turnIndex': {
      const turn = Number(value) + 1
      note(`became turn ${turn}: it counts the messages of the user, not the answers`)
      return { turn }
    }
    default:
      throw new Error(`no condition is like match.${name}`)
  }
}

function readSystem(texts: readonly unknown[]): Partial<When> {
  if (texts.length === 0) return {}
  if (texts.length === 1) return { system: plainText(texts[0]) }
  if (texts.length > MAX_ORDERED_TEXTS)
    throw new Error(`match.systemMessage has ${texts.length} texts, expected at most ${MAX_ORDERED_TEXTS}`)
  const orders = permutations(texts.map((text) => escapePattern(String(text))))
  return { system: `/${orders.map((order) => order.join('.*')).join('|')}/s` }
}

const permutations = <Item>(items: readonly Item[]): Item[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))

/** A text as a condition; one between slashes would be a pattern. */
function plainText(value: unknown): string {
  const text = String(value)
  return /^\/.+\/[a-z]*$/s.test(text) || text === '' ? `/${escapePattern(text) || '^'}/` : text
}

const escapePattern = (text: string): string =>
  text
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
