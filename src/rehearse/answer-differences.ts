/** The differences between two answers that a client can notice: their fields, and the values that say how an answer ended. */
import { isObject, type JsonObject } from '../core/lib/text/json.ts'

/** Fields that differ from answer to answer, and those that only repeat a default of the model. */
const IGNORED =
  /^(?:id|created|created_at|completed_at|model|top_p|reasoning\.(?:context|mode))$|(?:^|\.)(?:id|call_id|encrypted_content|arguments)$/
/** Fields whose values count. Of others, only their type does. */
const VALUES =
  /finish_reason$|^(?:status|incomplete_details\.reason|prompt_cache_retention|service_tier)$|^reasoning\.|\.type$|\.phase$/
const ENDS = /finish_reason$|^status$/
const REASONING = /reasoning_tokens$/

export interface AnswerDifference {
  /** `choices[].logprobs` */
  readonly path: string
  /** `choices[].logprobs: no key instead of null` */
  readonly text: string
}

/** The differences between what the answers of two models hold, each in several draws. */
export function answerDifferences(before: readonly JsonObject[], after: readonly JsonObject[]): AnswerDifference[] {
  const [first, second] = [fieldsOf(before), fieldsOf(after)]
  // The end of the answer comes first.
  const isEnd = (path: string): boolean => ENDS.test(path) || REASONING.test(path)
  const paths = [...new Set([...first.keys(), ...second.keys()])].sort((a, b) => Number(isEnd(b)) - Number(isEnd(a)))
  const shownOf = (path: string): string[] =>
    [first, second].map((fields) => [...(fields.get(path) ?? [])].sort().join(' or '))
  const [statusBefore, statusAfter] = shownOf('status')
  return paths.flatMap((path) => {
    const [was, is] = shownOf(path)
    // A field in a part that is new or gone is said with its part.
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')))
    const isInOne = parent !== '' && first.has(parent) !== second.has(parent)
    // The status tells of an answer that is incomplete.
    const isTold = /^(?:incomplete_details|output\[\]\.status)/.test(path) && statusBefore !== statusAfter
    if (was === is || isInOne || isTold) return []
    const why = ENDS.test(path) ? reasonFor(is, second) : ''
    // A model that reasons does not end each draw in the same way.
    const [before, after] = [first.get(path), second.get(path)]
    const isSometimes = before !== undefined && after !== undefined && [...before].every((one) => after.has(one))
    const now = isSometimes ? `sometimes ${[...after].filter((one) => !before.has(one)).join(' or ')}` : is || 'no key'
    // The items of an output are of several kinds, and a new kind replaces none.
    const than = isSometimes && path.startsWith('output[]') ? 'besides' : 'instead of'
    return [{ path, text: `${path}: ${now} ${than} ${was || 'no key'}${why}` }]
  })
}

/** The reason why an answer ends early. */
const reasonFor = (is: string | undefined, fields: ReadonlyMap<string, unknown>): string =>
  /length|incomplete/.test(is ?? '') && [...fields.keys()].some((path) => REASONING.test(path))
    ? ', because reasoning tokens count against the limit of the answer'
    : ''

/** The fields of answers with what they hold: `choices[].finish_reason` holds `"stop"`, `usage` holds `an object`. */
function fieldsOf(answers: readonly JsonObject[]): Map<string, Set<string>> {
  const fields = new Map<string, Set<string>>()
  const visit = (value: unknown, path: string): void => {
    if (path !== '' && !IGNORED.test(path)) fields.set(path, (fields.get(path) ?? new Set()).add(kindOf(value, path)))
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`)
    else if (isObject(value))
      for (const [name, inner] of Object.entries(value)) visit(inner, path === '' ? name : `${path}.${name}`)
  }
  for (const answer of answers) visit(answer, '')
  // A model that reasons does not do so on every draw.
  for (const [path, kinds] of fields) if (REASONING.test(path) && kinds.size > 1) kinds.delete('0')
  return fields
}

function kindOf(value: unknown, path: string): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (REASONING.test(path)) return value === 0 ? '0' : 'some'
  if (typeof value === 'object') return 'an object'
  if (VALUES.test(path)) return JSON.stringify(value)
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'a text'
  return `a ${typeof value}`
}
