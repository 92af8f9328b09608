/** A cassette while it is recorded: one YAML rule for each request, with its answers in the order they came. */
import { Document, isScalar, Scalar, visit, type YAMLMap } from 'yaml'
import type { ModelEndpoint } from '../core/request/endpoints.ts'
import type { AnswerSource } from '../core/scenario/compile/recorded-answer.ts'
import { ScenarioError } from '../core/scenario/diagnostics/problems.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'
import { parseScenario } from '../core/scenario/yaml/parse-scenario.ts'
import { isObject } from '../core/text/json.ts'
import { MAX_BYTES } from '../scenario-files/scenario-file.ts'

type Rule = NonNullable<ScenarioSource['replies']>[number]

/** A rule as YAML. Each answer is kept as separate text, so that adding one does not rewrite the others. */
interface RuleText {
  /** The whole rule, while it has one answer. */
  readonly single: string
  /** The rule up to its list of answers, and each answer as an item of that list. */
  readonly head: string
  readonly items: readonly string[]
}

export class Cassette {
  readonly #header: string
  readonly #rules: RuleText[] = []
  /** The index of the rule for each request. */
  readonly #indexes = new Map<string, number>()
  #bytes: number
  #answers = 0

  /** @param description the description of the scenario. */
  constructor(description: string) {
    this.#header = `description: ${JSON.stringify(description)}\n`
    this.#bytes = Buffer.byteLength(this.#header) + 'replies:\n'.length
  }

  get requests(): number {
    return this.#rules.length
  }

  get answers(): number {
    return this.#answers
  }

  /**
   * Adds an exchange, from which secrets have been removed.
   * @returns the id of the rule, `replies[2]`, or from its second answer on `replies[2].answer[1]`.
   * @throws when the cassette is full, or when the exchange cannot be written as a scenario.
   */
  add(endpoint: ModelEndpoint, request: unknown, answer: AnswerSource): string {
    const name = `${endpoint} ${canonicalJson(request)}`
    const index = this.#indexes.get(name) ?? this.#rules.length
    const before = this.#rules[index]
    const added = formatRule(endpoint, request, answer)
    const bytes = Buffer.byteLength(before === undefined ? added.head + added.items[0] : added.items[0]!)
    if (this.#bytes + bytes > MAX_BYTES)
      throw new Error(`the cassette is full (${MAX_BYTES / 1e6} MB); continue in another file`)
    this.#bytes += bytes
    this.#indexes.set(name, index)
    this.#rules[index] = before === undefined ? added : { ...before, items: [...before.items, ...added.items] }
    this.#answers++
    return `replies[${index}]${before === undefined ? '' : `.answer[${before.items.length}]`}`
  }

  /** The whole file. */
  toString(): string {
    const rules = this.#rules
      .map(({ single, head, items }) => (items.length === 1 ? single : head + items.join('')))
      .join('')
    return `${this.#header}replies:${rules === '' ? ' []' : ''}\n${rules}`
  }
}

/** JSON with sorted keys: equal for equal requests. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  )
}

/** Writes the request as a map if a scenario can hold it, or else as the text of its JSON. */
function formatRule(endpoint: ModelEndpoint, request: unknown, answer: AnswerSource): RuleText {
  const forms = typeof request === 'string' ? [request] : [request, JSON.stringify(request)]
  let problem: unknown
  for (const form of forms) {
    const when = { endpoint, request: form } as NonNullable<Rule['when']>
    const single = toYaml({ when, answer })
    try {
      const { replies } = parseScenario(`description: x\nreplies:\n${single}`, 'cassette', MAX_BYTES)
      if (JSON.stringify(replies) !== JSON.stringify([{ when, answer }])) continue
      const listed = toYaml({ when, answer: [answer] })
      // The request is indented deeper, so it cannot contain this line.
      const end = listed.indexOf(ANSWER_LINE) + ANSWER_LINE.length
      return { single, head: listed.slice(0, end), items: [listed.slice(end)] }
    } catch (error) {
      problem = error
    }
  }
  const reason = problem instanceof ScenarioError ? `: ${problem.problems[0]!.message}` : ''
  throw new Error(`it cannot be written as a scenario${reason}`)
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
