/** Turns the `response` of an aimock fixture into the action of a rule, and its `match` into the conditions. */
import { encodeBase64 } from '../../core/lib/embeddings/float32.ts'
import { goDuration } from '../../core/lib/text/duration.ts'
import { isMissing, isObject, type JsonObject, objectsIn, parseJson } from '../../core/lib/text/json.ts'
import { fill, findPlaceholderProblems } from '../../core/scenario/compile/template.ts'
import { REDACTED } from '../../core/scenario/conditions/request-condition.ts'
import type { CassetteRule } from '../cassette-text.ts'
import { extractVectors } from '../extract-vectors.ts'

/** Fields of a response that the mock makes itself. */
const OWN_FIELDS = ['id', 'created', 'model', 'usage', 'systemFingerprint', 'role', 'provider', 'nativeFinishReason']
const WITHOUT_EQUIVALENT = ['reasoning', 'reasoningSignature', 'redactedThinking', 'webSearches']
/** The reasons that an answer has of itself. */
const USUAL_FINISH = ['stop', 'tool_calls']

/** The action for a chat. @throws when a scenario has no such action. */
export function readResponse(response: JsonObject, note: Note): Omit<CassetteRule, 'when'> {
  for (const name of OWN_FIELDS)
    if (!isMissing(response[name])) note(`response.${name}`, 'left out: the mock makes its own')
  for (const name of WITHOUT_EQUIVALENT)
    if (!isMissing(response[name])) note(`response.${name}`, 'left out: chat completions have no such field')
  if (isObject(response.error)) {
    const { message, type, param = null, code = null } = response.error
    const { status, retryAfter } = response
    return {
      answer: {
        status: Number(status ?? 500),
        ...(typeof retryAfter === 'number' && { retryAfter: goDuration(Math.max(0, retryAfter * 1000)) }),
        body: JSON.stringify({ error: { message, type: type ?? 'server_error', param, code } }),
      },
    }
  }
  const blocks = objectsIn(response.blocks)
  const calls = blocks.length > 0 ? blocks.filter(({ type }) => type === 'toolCall') : objectsIn(response.toolCalls)
  const texts = blocks.filter(({ type }) => type === 'text').map(({ text }) => String(text ?? ''))
  const content = blocks.length > 0 ? (texts.length > 0 ? texts.join('') : undefined) : response.content
  if (calls.length > 0) {
    if (!isMissing(content) && content !== '')
      note(blocks.length > 0 ? 'response.blocks' : 'response.content', 'left out: a rule has a text or calls, not both')
    const call = calls.map(({ name, arguments: given, id }, index) => {
      if (!isMissing(id)) note(`response.toolCalls[${index}].id`, 'left out: the mock draws the ids of calls')
      const parsed = typeof given === 'string' ? parseJson(given) : given
      const text = typeof given === 'string' ? given : JSON.stringify(given ?? {})
      return { name: String(name ?? ''), arguments: isObject(parsed) ? parsed : text }
    })
    return { call }
  }
  if (isMissing(content))
    throw new Error(`no action is like a response of ${Object.keys(response).join(', ') || 'nothing'}`)
  const { finishReason } = response
  const finish = finishReason === 'length' || finishReason === 'content_filter' ? finishReason : undefined
  if (!isMissing(finishReason) && finish === undefined && !USUAL_FINISH.includes(String(finishReason)))
    note('response.finishReason', "left out: expected 'length' or 'content_filter'")
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  if (fill(text, {}) !== text || findPlaceholderProblems(text, []).length > 0)
    throw new Error('its text has {{...}}, which is a placeholder here')
  return { say: isObject(content) ? content : text, ...(finish !== undefined && { finish }) }
}

/** Fields of an embeddings request that make no difference to a fixture. */
export const IGNORED_FIELDS = ['dimensions', 'user']
/** True if one of the fixtures answers with a vector. */
export const hasVectors = (fixtures: readonly unknown[]): boolean =>
  objectsIn(fixtures).some(({ response }) => isObject(response) && Array.isArray(response.embedding))

/**
 * The rules for a fixture with a vector: one for clients that ask for base64, as the official ones do, and one for others.
 * @throws when it has conditions about chats.
 */
export function vectorRules(embedding: readonly unknown[], match: JsonObject, note: Note): CassetteRule[] {
  const { inputText, model, endpoint: _, ...others } = match
  const [other] = Object.keys(others)
  if (other !== undefined) throw new Error(`match.${other} is about chats, but the response is a vector`)
  note('match.inputText', 'matches requests with a single text as input')
  const base64 = encodeBase64(Float32Array.from(embedding.map(Number)))
  const modelName = typeof model === 'string' ? model : undefined
  const bodyOf = (value: unknown): string =>
    JSON.stringify({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: value }],
      model: modelName ?? 'mock',
      usage: { prompt_tokens: 0, total_tokens: 0 },
    })
  // As in a recording, this word matches any text.
  const request = { model: modelName ?? REDACTED, input: `${REDACTED}${inputText ?? ''}${REDACTED}` }
  const ruleOf = (more: object, value: unknown): CassetteRule => {
    const when = { endpoint: 'embeddings', request: { ...request, ...more } } as CassetteRule['when']
    return { when, answer: extractVectors(bodyOf(value)) }
  }
  return [
    ruleOf({ encoding_format: 'base64' }, base64),
    ruleOf({ encoding_format: 'float' }, embedding),
    ruleOf({}, embedding),
  ]
}

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
    if (!Object.hasOwn(CONDITIONS, name)) throw new Error(`no condition is like match.${name}`)
    // Of two conditions on the result of a tool, the one with a text stays.
    const { toolResult = ANY_RESULT } = when
    Object.assign(
      when,
      CONDITIONS[name]!(value, (reason) => note(`match.${name}`, reason)),
    )
    if (toolResult !== ANY_RESULT) when.toolResult = toolResult
  }
  return when as When
}

/** The conditions of a fixture, each as one of a rule. */
const CONDITIONS: Readonly<Record<string, (value: unknown, note: (reason: string) => void) => Partial<When>>> = {
  userMessage: (value) => ({ user: plainText(value) }),
  systemMessage: (value) => readSystem([value].flat()),
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
