/**
 * The differences between the answers of two models that a client can notice. A field counts by its type, and a few by
 * their values: those that say how an answer ended.
 *
 * `{ choices: [{ finish_reason: 'stop', message: { content: 'Hi', refusal: null } }] }` before, and
 * `{ choices: [{ finish_reason: 'length', message: { content: '' } }] }` after, have the differences
 * `choices[].finish_reason: "length" instead of "stop"`, `choices[].message.content: an empty text instead of a text` and
 * `choices[].message.refusal: no key instead of null`.
 */
import { isObject, type JsonObject } from '../core/lib/text/json.ts'

/** Fields that differ from answer to answer, and those that only repeat a default of the model. */
const IGNORED =
  /^(?:id|created|created_at|completed_at|model|top_p|reasoning\.(?:context|mode))$|(?:^|\.)(?:id|call_id|encrypted_content|arguments)$/
/** Fields whose values count. Of others, only their type does. */
const VALUES =
  /finish_reason$|^(?:status|incomplete_details\.reason|prompt_cache_retention|service_tier)$|^reasoning\.|\.type$|\.phase$/
/** Fields that say how an answer ended. */
const ENDS = /finish_reason$|^status$/
/** Fields that only repeat that the status of a response is `incomplete`. */
const REPEATS_STATUS = /^(?:incomplete_details|output\[\]\.status)/
/** The numbers of reasoning tokens, of which only counts whether there are any. */
const REASONING = /reasoning_tokens$/

export interface AnswerDifference {
  /** `choices[].logprobs` */
  readonly path: string
  /** `choices[].logprobs: no key instead of null` */
  readonly text: string
}

/** The kinds of value that each field has over all draws: `choices[].finish_reason` has `"stop"`, `usage` has `an object`. */
type Fields = ReadonlyMap<string, Kinds>
/** The kinds of value of one field; undefined if no draw has it. */
type Kinds = ReadonlySet<string> | undefined

/** The differences between the answers of two models to one call, each in several draws. Those of the end come first. */
export function answerDifferences(before: readonly JsonObject[], after: readonly JsonObject[]): AnswerDifference[] {
  const [fieldsBefore, fieldsAfter] = [fieldsOf(before), fieldsOf(after)]
  const isEnd = (path: string): boolean => ENDS.test(path) || REASONING.test(path)
  const paths = [...new Set([...fieldsBefore.keys(), ...fieldsAfter.keys()])]
  const hasOtherStatus = wordsOf(fieldsBefore.get('status')) !== wordsOf(fieldsAfter.get('status'))
  const hasReasoning = [...fieldsAfter.keys()].some((path) => REASONING.test(path))
  const differences: AnswerDifference[] = []
  for (const path of paths.sort((one, other) => Number(isEnd(other)) - Number(isEnd(one)))) {
    const [was, is] = [fieldsBefore.get(path), fieldsAfter.get(path)]
    if (wordsOf(was) === wordsOf(is)) continue
    // If the object around the field is new or gone, that object is the difference.
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')))
    if (parent !== '' && fieldsBefore.has(parent) !== fieldsAfter.has(parent)) continue
    if (hasOtherStatus && REPEATS_STATUS.test(path)) continue
    const isCutByReasoning = hasReasoning && ENDS.test(path) && /length|incomplete/.test(wordsOf(is))
    const why = isCutByReasoning ? ', because reasoning tokens count against the limit of the answer' : ''
    differences.push({ path, text: `${path}: ${describeChange(path, was, is)}${why}` })
  }
  return differences
}

/** `"length" instead of "stop"`; with `sometimes` if all that was before still comes, in other draws. */
function describeChange(path: string, was: Kinds, is: Kinds): string {
  const isKept = was !== undefined && [...was].every((kind) => is?.has(kind) === true)
  if (!isKept) return `${wordsOf(is)} instead of ${wordsOf(was)}`
  const added = [...is!].filter((kind) => !was.has(kind))
  // The items of an output are of several kinds, and a new kind replaces none.
  return `sometimes ${added.join(' or ')} ${path.startsWith('output[]') ? 'besides' : 'instead of'} ${wordsOf(was)}`
}

const wordsOf = (kinds: Kinds): string => (kinds === undefined ? 'no key' : [...kinds].sort().join(' or '))

function fieldsOf(answers: readonly JsonObject[]): Fields {
  const fields = new Map<string, Set<string>>()
  const visit = (value: unknown, path: string): void => {
    if (path !== '' && !IGNORED.test(path)) {
      const kinds = fields.get(path) ?? new Set()
      fields.set(path, kinds.add(kindOf(value, path)))
    }
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`)
    else if (isObject(value))
      for (const [name, inner] of Object.entries(value)) visit(inner, path === '' ? name : `${path}.${name}`)
  }
  for (const answer of answers) visit(answer, '')
  // A model that reasons does not do so on every draw.
  for (const [path, kinds] of fields) if (REASONING.test(path) && kinds.size > 1) kinds.delete('0')
  return fields
}

/** The kind of a value, in words: `null`, `a text`, or the value itself where it counts. */
function kindOf(value: unknown, path: string): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (REASONING.test(path)) return value === 0 ? '0' : 'some'
  if (typeof value === 'object') return 'an object'
  if (VALUES.test(path)) return JSON.stringify(value)
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'a text'
  return `a ${typeof value}`
}
