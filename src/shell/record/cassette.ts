/** A cassette in the making: a rule for each request, with its answers in the order they came, as YAML. */
import { Document, isScalar, Scalar, visit, type YAMLMap } from 'yaml'
import { isObject } from '../../core/conversation.ts'
import { ScenarioError } from '../../core/scenario/problems.ts'
import type { AnswerSource } from '../../core/scenario/recorded.ts'
import type { ScenarioSource } from '../../core/scenario/schema.ts'
import { MAX_BYTES } from '../load-scenario.ts'
import { parseScenario } from '../parse-scenario.ts'

type Rule = NonNullable<ScenarioSource['replies']>[number]
type Endpoint = 'chat' | 'embeddings'

/** A rule and its text. */
interface Written {
  readonly endpoint: Endpoint
  /** A body without secrets; text where it is no JSON object. */
  readonly request: unknown
  readonly answers: readonly AnswerSource[]
  readonly text: string
}

export class Cassette {
  readonly #header: string
  readonly #rules: Written[] = []
  /** Where the rule of a request stands. */
  readonly #places = new Map<string, number>()
  #length: number
  #answers = 0

  /** @param description the sentence that the scenario begins with. */
  constructor(description: string) {
    this.#header = `description: ${JSON.stringify(description)}\n`
    this.#length = this.#header.length
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
  add(endpoint: Endpoint, request: unknown, answer: AnswerSource): string {
    const name = `${endpoint} ${canonical(request)}`
    const place = this.#places.get(name) ?? this.#rules.length
    const before = this.#rules[place]
    const written = write(endpoint, request, [...(before?.answers ?? []), answer])
    const length = this.#length - (before?.text.length ?? 0) + written.text.length
    // In bytes a text may have three times its length.
    if (length > MAX_BYTES && Buffer.byteLength(written.text) + this.#length > MAX_BYTES)
      throw new Error(`the cassette is full (${MAX_BYTES / 1e6} MB): go on in another file`)
    this.#places.set(name, place)
    this.#rules[place] = written
    this.#length = length
    this.#answers++
    return `replies[${place}]${before === undefined ? '' : `.answer[${written.answers.length - 1}]`}`
  }

  /** The whole file. */
  toString(): string {
    const rules = this.#rules.map(({ text }) => text).join('')
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
function write(endpoint: Endpoint, request: unknown, answers: readonly AnswerSource[]): Written {
  const answer = answers.length === 1 ? answers[0]! : [...answers]
  const forms = typeof request === 'string' ? [request] : [request, JSON.stringify(request)]
  let problem: unknown
  for (const form of forms) {
    const rule = { when: { endpoint, request: form }, answer } as Rule
    const text = ruleText(rule)
    try {
      const { replies } = parseScenario(`description: x\nreplies:\n${text}`, 'cassette', MAX_BYTES)
      if (JSON.stringify(replies) === JSON.stringify([rule])) return { endpoint, request, answers, text }
    } catch (error) {
      problem = error
    }
  }
  const reason = problem instanceof ScenarioError ? `: ${problem.problems[0]!.message}` : ''
  throw new Error(`it can't be written as a scenario${reason}`)
}

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
