/** A cassette while it is recorded: one YAML rule for each request, with its answers in the order they came. */
import { Document, isScalar, Scalar, visit, type YAMLMap } from 'yaml'
import { isObject, type JsonObject } from '../core/lib/text/json.ts'
import { finish } from '../core/lib/work/steps.ts'
import type { ModelEndpoint } from '../core/protocol/request/endpoints.ts'
import { ScenarioError } from '../core/scenario/check/problems.ts'
import { compileIgnore, type Ignore } from '../core/scenario/compile/ignore.ts'
import type { AnswerSource } from '../core/scenario/compile/recorded-answer.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'
import { parseScenario } from '../core/scenario/yaml/parse-scenario.ts'
import { MAX_BYTES } from '../engine/scenario-files/scenario-file.ts'
import { moveRule, splitCassette } from './split-cassette.ts'

/** The fields of a cassette besides its rules. */
export interface CassetteFields extends Pick<ScenarioSource, 'description' | 'unmatched'> {
  readonly ignore?: readonly string[] | undefined
}
export type Rule = NonNullable<ScenarioSource['replies']>[number]

/** A rule as YAML. Each answer is kept as separate text, so that adding one does not rewrite the others. */
interface RuleText {
  /** The whole rule, while nothing is added. */
  readonly single: string
  /** The rule up to its list of answers, and each answer as an item of that list. */
  readonly start: string
  readonly items: readonly string[]
  readonly answers: number
}

/** A rule that was in the file before. It stays as it was written until an answer is added. */
interface OldRule {
  readonly written: string
  readonly rule: Rule
}

/** Why an answer is not added. */
export const FULL = `the cassette is full (${MAX_BYTES / 1e6} MB); continue in another file`

export class Cassette {
  /** Up to the first rule. */
  readonly #head: string
  /** After the last rule. */
  readonly #tail: string
  /** The column of the dash of a rule. */
  readonly #column: number
  readonly #ignore: Ignore | undefined
  readonly #rules: (RuleText | OldRule)[] = []
  /** The index of the rule for each request. */
  readonly #indexes = new Map<string, number>()
  #bytes: number
  #isFull = false
  #answers = 0

  /** @param old the text of a cassette to continue, whose source `fields` are; only new answers change it. */
  constructor(fields: CassetteFields & Pick<ScenarioSource, 'replies'>, old = formatFields(fields)) {
    const split = splitCassette(old)
    this.#head = split.head
    this.#tail = split.tail
    this.#column = split.column
    this.#bytes = Buffer.byteLength(old) + 'replies:\n'.length
    this.#ignore = fields.ignore && compileIgnore(fields.ignore)
    for (const [index, written] of split.rules.entries()) {
      const rule = fields.replies![index]!
      this.#rules.push({ written, rule })
      const { endpoint, request } = recordingIn(rule) ?? {}
      if (endpoint !== undefined) this.#indexes.set(this.#nameOf(endpoint, request), index)
    }
  }

  /** Whether the last answer did not fit. */
  get isFull(): boolean {
    return this.#isFull
  }

  get requests(): number {
    return this.#rules.length
  }

  /** The number of answers that were added. */
  get answers(): number {
    return this.#answers
  }

  /**
   * Adds an exchange, from which secrets have been removed.
   * @returns the id of the rule, `replies[2]`, or from its second answer on `replies[2].answer[1]`.
   * @throws when the cassette is full, or when the exchange cannot be written as a scenario.
   */
  add(endpoint: ModelEndpoint, request: unknown, answer: AnswerSource): string {
    const name = this.#nameOf(endpoint, request)
    const index = this.#indexes.get(name) ?? this.#rules.length
    const known = this.#rules[index]
    const before = known !== undefined && 'rule' in known ? readOldRule(known) : known
    const added = formatRecording(endpoint, request, answer)
    this.#take(before === undefined ? added.start + added.items[0] : added.items[0]!)
    this.#indexes.set(name, index)
    this.#rules[index] =
      before === undefined
        ? added
        : { ...before, items: [...before.items, ...added.items], answers: before.answers + 1 }
    this.#answers++
    return `replies[${index}]${before === undefined ? '' : `.answer[${before.answers}]`}`
  }

  /**
   * Adds a rule of any kind.
   * @returns its id: `replies[2]`.
   * @throws when the cassette is full, or when the rule is not valid.
   */
  addRule(rule: Rule): string {
    const single = formatRule(rule)
    this.#take(single)
    this.#rules.push({ single, start: single, items: [''], answers: 1 })
    this.#answers++
    return `replies[${this.#rules.length - 1}]`
  }

  #take(text: string): void {
    const bytes = Buffer.byteLength(text)
    this.#isFull = this.#bytes + bytes > MAX_BYTES
    if (this.#isFull) throw new Error(FULL)
    this.#bytes += bytes
  }

  #nameOf(endpoint: ModelEndpoint, request: unknown): string {
    const compared = this.#ignore === undefined ? request : finish(this.#ignore(request as string | JsonObject))
    return `${endpoint} ${canonicalJson(compared)}`
  }

  /** The whole file. */
  toString(): string {
    const rules = this.#rules.map((rule) => ('rule' in rule ? rule.written : moveRule(textOf(rule), this.#column)))
    const head = rules.length === 0 ? this.#head.replace(/replies:\n$/, 'replies: []\n') : this.#head
    return head + rules.join('') + this.#tail
  }
}

const textOf = ({ single, start, items }: RuleText): string => (items.length === 1 ? single : start + items.join(''))

/** What a rule recorded; undefined for a rule with other conditions, which may be for other calls too. */
export function recordingIn({
  when,
  answer,
}: Rule): { readonly endpoint: ModelEndpoint; readonly request: string | JsonObject } | undefined {
  const { endpoint, request, ...others } = when ?? {}
  const isRecording = answer !== undefined && endpoint !== undefined && request !== undefined
  return isRecording && Object.keys(others).length === 0 ? { endpoint, request } : undefined
}

/** A rule that was in the file before, ready for another answer. */
function readOldRule({ written, rule }: OldRule): RuleText {
  const answers = [rule.answer!].flat()
  const [start, items] = splitAnswers({ ...rule, answer: answers })
  return { single: written, start, items: [items], answers: answers.length }
}

/** The text of a rule up to its list of answers, and that list. */
function splitAnswers(rule: Rule): [start: string, items: string] {
  const listed = toYaml(rule)
  // The request is indented deeper, so it cannot contain this line.
  const end = listed.indexOf(ANSWER_LINE) + ANSWER_LINE.length
  return [listed.slice(0, end), listed.slice(end)]
}

/** JSON with sorted keys: equal for equal requests. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  )
}

/** Writes the request as a map if a scenario can hold it, or else as the text of its JSON. */
function formatRecording(endpoint: ModelEndpoint, request: unknown, answer: AnswerSource): RuleText {
  const forms = typeof request === 'string' ? [request] : [request, JSON.stringify(request)]
  let problem: unknown
  for (const form of forms) {
    const when = { endpoint, request: form } as NonNullable<Rule['when']>
    try {
      const single = formatRule({ when, answer })
      const [start, item] = splitAnswers({ when, answer: [answer] })
      return { single, start, items: [item], answers: 1 }
    } catch (error) {
      problem = error
    }
  }
  throw problem
}

/** @throws when the rule is not valid, or when YAML would change it. */
function formatRule(rule: Rule): string {
  const failure = 'it cannot be written as a scenario'
  const single = toYaml(rule)
  try {
    const { replies } = parseScenario(`description: x\nreplies:\n${single}`, 'cassette', MAX_BYTES)
    if (canonicalJson(replies) === canonicalJson([rule])) return single
  } catch (error) {
    if (error instanceof ScenarioError) throw new Error(`${failure}: ${error.problems[0]!.message}`, { cause: error })
  }
  throw new Error(failure)
}

function formatFields({ description, ignore, unmatched }: CassetteFields): string {
  const document = new Document({
    description,
    ...(ignore !== undefined && ignore.length > 0 && { ignore }),
    ...(unmatched !== undefined && { unmatched }),
  })
  const first = document.get('description', true)
  if (isScalar(first)) first.type = Scalar.QUOTE_DOUBLE
  return document.toString(YAML_STYLE)
}

const ANSWER_LINE = '\n    answer:\n'

// Lines are not folded: a line break in the file is a line break in the text.
const YAML_STYLE = { lineWidth: 0, doubleQuotedAsJSON: true, indentSeq: true } as const

/** A rule as an item of `replies`. */
function toYaml(rule: Rule): string {
  const document = new Document([rule], { aliasDuplicateObjects: false })
  visit(document, {
    Map(_, node) {
      if (isOneLine(node)) node.flow = true
    },
    Scalar(key, node) {
      const style = typeof node.value === 'string' ? styleOf(node.value) : undefined
      if (style === Scalar.QUOTE_DOUBLE || (style !== undefined && key !== 'key')) node.type = style
    },
  })
  const lines = document.toString(YAML_STYLE).split('\n')
  return lines.map((line) => (line === '' ? '' : `  ${escaped(line)}`)).join('\n')
}

/** Events and vectors come in long lists, so each takes one line. */
const isOneLine = (node: YAMLMap): boolean => ['at', 'base64', 'floats'].some((name) => node.has(name) && isPlain(node))
const isPlain = (node: YAMLMap): boolean => node.items.every(({ value }) => isScalar(value))

// Characters that editors or terminals do not show as they are. They are escaped, in double quotes.
const UNPRINTABLE = /[^\n\x20-\x7e\u00a1-\u1fff\u2030-\ud7ff\uf900-\ufefe\uff00-\uffef\u{10000}-\u{1ffff}]/u
const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
const escaped = (line: string): string =>
  line.replace(new RegExp(UNPRINTABLE, 'gu'), (character) => character.split('').map(escapeUnit).join(''))

function styleOf(text: string): Scalar.Type | undefined {
  if (UNPRINTABLE.test(text)) return Scalar.QUOTE_DOUBLE
  if (text.includes('\n')) return /^[\s]|[ \n]\n|[ ]$/.test(text) ? Scalar.QUOTE_DOUBLE : Scalar.BLOCK_LITERAL
  // For other texts, YAML chooses: plain, or in quotes where they are needed.
  return /["\\]/.test(text) ? Scalar.QUOTE_SINGLE : undefined
}
