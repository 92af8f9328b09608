/** A cassette in the making: a rule for each request, with its answers in the order they came, as YAML. */
import { Document, isScalar, Scalar, visit, type YAMLMap } from 'yaml'
import type { ModelEndpoint } from '../core/request/endpoints.ts'
import type { AnswerSource } from '../core/scenario/compile/recorded-answer.ts'
import { ScenarioError } from '../core/scenario/diagnostics/problems.ts'
import type { ScenarioSource } from '../core/scenario/grammar/schema.ts'
import { parseScenario } from '../core/scenario/yaml/parse-scenario.ts'
import { isObject } from '../core/text/json.ts'
import { MAX_BYTES } from '../scenario-files/scenario-file.ts'

type Rule = NonNullable<ScenarioSource['replies']>[number]

/** A rule as text. The answers are kept apart, so that one more of them costs no more than the first. */
interface Written {
  /** The whole rule, while it has one answer. */
  readonly single: string
  /** The rule up to its answers, and each answer as an item of a list. */
  readonly head: string
  readonly items: readonly string[]
}

export class Cassette {
  readonly #header: string
  readonly #rules: Written[] = []
  /** Where the rule of a request stands. */
  readonly #places = new Map<string, number>()
  #bytes: number
  #answers = 0

  /** @param description the sentence that the scenario begins with. */
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
   * Takes in an exchange that has no secrets any more.
   * @returns the place of its answer: `replies[2]`, or `replies[2].answer[1]` from the second answer on.
   * @throws when there is no room left, or no way to write it.
   */
  add(endpoint: ModelEndpoint, request: unknown, answer: AnswerSource): string {
    const name = `${endpoint} ${canonical(request)}`
    const place = this.#places.get(name) ?? this.#rules.length
    const before = this.#rules[place]
    const written = write(endpoint, request, answer)
    const bytes = Buffer.byteLength(before === undefined ? written.head + written.items[0] : written.items[0]!)
    if (this.#bytes + bytes > MAX_BYTES)
      throw new Error(`the cassette is full (${MAX_BYTES / 1e6} MB): go on in another file`)
    this.#bytes += bytes
    this.#places.set(name, place)
    this.#rules[place] = before === undefined ? written : { ...before, items: [...before.items, ...written.items] }
    this.#answers++
    return `replies[${place}]${before === undefined ? '' : `.answer[${before.items.length}]`}`
  }

  /** The whole file. */
  toString(): string {
    const rules = this.#rules
      .map(({ single, head, items }) => (items.length === 1 ? single : head + items.join('')))
      .join('')
    return `${this.#header}replies:${rules === '' ? ' []' : ''}\n${rules}`
  }
}

/** The same for the same request, whatever the order of its keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  )
}

/** What YAML or the bounds of a scenario can't take as a map is written as the text of its JSON. */
function write(endpoint: ModelEndpoint, request: unknown, answer: AnswerSource): Written {
  const forms = typeof request === 'string' ? [request] : [request, JSON.stringify(request)]
  let problem: unknown
  for (const form of forms) {
    const when = { endpoint, request: form } as NonNullable<Rule['when']>
    const single = ruleText({ when, answer })
    try {
      const { replies } = parseScenario(`description: x\nreplies:\n${single}`, 'cassette', MAX_BYTES)
      if (JSON.stringify(replies) !== JSON.stringify([{ when, answer }])) continue
      const listed = ruleText({ when, answer: [answer] })
      // Nothing in the request is written as far to the left.
      const end = listed.indexOf(ANSWERS) + ANSWERS.length
      return { single, head: listed.slice(0, end), items: [listed.slice(end)] }
    } catch (error) {
      problem = error
    }
  }
  const reason = problem instanceof ScenarioError ? `: ${problem.problems[0]!.message}` : ''
  throw new Error(`it can't be written as a scenario${reason}`)
}

const ANSWERS = '\n    answer:\n'

// Nothing is folded: a line break in the file is one in the text.
const YAML_STYLE = { lineWidth: 0, doubleQuotedAsJSON: true, indentSeq: true } as const

/** A rule as an item of `replies`. */
function ruleText(rule: Rule): string {
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

/** Events and vectors are long lists: each is a line. */
const isOneLine = (node: YAMLMap): boolean => ['at', 'base64', 'floats'].some((name) => node.has(name) && isPlain(node))
const isPlain = (node: YAMLMap): boolean => node.items.every(({ value }) => isScalar(value))

// What an editor or a terminal would not show as it is, is written as an escape, in double quotes.
const UNPRINTABLE = /[^\n\x20-\x7e\u00a1-\u1fff\u2030-\ud7ff\uf900-\ufefe\uff00-\uffef\u{10000}-\u{1ffff}]/u
const escaped = (line: string): string => line.replace(new RegExp(UNPRINTABLE, 'gu'), escapeOf)
const escapeOf = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')

function styleOf(text: string): Scalar.Type | undefined {
  if (UNPRINTABLE.test(text)) return Scalar.QUOTE_DOUBLE
  if (text.includes('\n')) return /^[\s]|[ \n]\n|[ ]$/.test(text) ? Scalar.QUOTE_DOUBLE : Scalar.BLOCK_LITERAL
  // Elsewhere YAML's own choice is good: as it stands, or in quotes where it must.
  return /["\\]/.test(text) ? Scalar.QUOTE_SINGLE : undefined
}
