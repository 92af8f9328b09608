/**
 * A cassette while it is recorded: one YAML rule for each request, with its answers in the order they came.
 *
 *     - when: { endpoint: chat, request: { model: gpt-4o, messages: [...] } }
 *       answer:
 *         - { status: 429, ... }
 *         - { wait: 412ms, ... }
 */
import { Lexer } from 'yaml'
import type { JsonObject } from '../core/lib/text/json.ts'
import type { ModelEndpoint } from '../core/protocol/request/endpoints.ts'
import { ScenarioError } from '../core/scenario/check/problem.ts'
import { compileIgnore, type Ignore } from '../core/scenario/compile/ignore.ts'
import type { AnswerSource, ScenarioSource } from '../core/scenario/scenario-source.ts'
import { CHARACTERS_PER_TOKEN, parseScenario } from '../core/scenario/yaml/parse-scenario.ts'
import { MAX_BYTES } from '../engine/node.ts'
import {
  type CassetteFields,
  type CassetteRule,
  type CassetteText,
  formatFields,
  splitCassette,
  toYaml,
} from './cassette-text.ts'
import { canonicalJson } from './recorded-exchange.ts'

const MAX_TOKENS = MAX_BYTES / CHARACTERS_PER_TOKEN

/** One rule of a cassette. */
interface Entry {
  rule: CassetteRule
  /** The list in `rule.answer`, once an answer was added: copied for each new one, many would take hours. */
  answers?: AnswerSource[]
  /** The rule as YAML. One that was in the file before stays as it was written until an answer is added. */
  text: string | undefined
}

export class Cassette {
  /** The text of the file around its rules. */
  readonly #around: CassetteText
  readonly #ignore: Ignore | undefined
  readonly #entries: Entry[] = []
  /** The index of the rule for each request. */
  readonly #indexes = new Map<string, number>()
  /** The size of the file; `#takeRoom` adds to it and to the next. */
  #bytes: number
  /** Tokens of YAML, of which a reader takes only so many. */
  #tokens: number
  readonly #maxTokens: number
  /** The reason why the last answer did not fit; undefined if it did. */
  full: string | undefined
  /** The number of answers that were added. */
  answers = 0

  /** @param old the text of a cassette to continue, whose source `fields` are; only new answers change it. */
  constructor(
    fields: CassetteFields & Pick<ScenarioSource, 'replies'>,
    old = formatFields(fields),
    maxTokens = MAX_TOKENS,
  ) {
    this.#maxTokens = maxTokens
    this.#tokens = countTokens(`${old}replies:\n`)
    this.#around = splitCassette(old)
    this.#bytes = Buffer.byteLength(old) + 'replies:\n'.length
    this.#ignore = fields.ignore && compileIgnore(fields.ignore)
    for (const [index, text] of this.#around.rules.entries()) {
      const rule = fields.replies![index]!
      this.#entries.push({ rule, text })
      const recording = recordingIn(rule)
      if (recording !== undefined) this.#indexes.set(this.#nameOf(recording.endpoint, recording.request), index)
    }
  }

  get requests(): number {
    return this.#entries.length
  }

  /**
   * Adds an exchange, from which secrets have been removed.
   * @returns the id of the rule, `replies[2]`, or from its second answer on `replies[2].answer[1]`.
   * @throws when the cassette is full, or when the exchange cannot be written as a scenario.
   */
  add(endpoint: ModelEndpoint, request: unknown, answer: AnswerSource): string {
    const name = this.#nameOf(endpoint, request)
    let rule = { when: { endpoint, request }, answer } as CassetteRule
    try {
      checkRule(rule)
    } catch (error) {
      if (typeof request === 'string') throw error
      // As text, a scenario can hold any JSON.
      rule = { when: { endpoint, request: JSON.stringify(request) }, answer }
      checkRule(rule)
    }
    const index = this.#indexes.get(name)
    if (index !== undefined) return this.#addAnswer(index, answer)
    // As a list, which it is from its second answer on.
    this.#takeRoom({ ...rule, answer: [answer] })
    this.#indexes.set(name, this.#entries.length)
    return this.#push(rule)
  }

  /**
   * Adds a rule of any kind.
   * @returns its id: `replies[2]`.
   * @throws when the cassette is full, or when the rule is not valid.
   */
  addRule(rule: CassetteRule): string {
    checkRule(rule)
    this.#takeRoom(rule)
    return this.#push(rule)
  }

  /** The whole file. */
  toString(): string {
    const { head, tail, column } = this.#around
    if (this.#entries.length === 0) return head.replace(/replies:\n$/, 'replies: []\n') + tail
    for (const entry of this.#entries) entry.text ??= toYaml(entry.rule, column)
    return head + this.#entries.map(({ text }) => text).join('') + tail
  }

  /** Adds an answer to a rule; returns its id. */
  #addAnswer(index: number, answer: AnswerSource): string {
    this.#takeRoom({ answer: [answer] })
    const entry = this.#entries[index]!
    entry.answers ??= [entry.rule.answer!].flat()
    entry.answers.push(answer)
    entry.rule = { ...entry.rule, answer: entry.answers }
    entry.text = undefined
    this.answers++
    return `replies[${index}].answer[${entry.answers.length - 1}]`
  }

  /** Adds a rule; returns its id. */
  #push(rule: CassetteRule): string {
    this.#entries.push({ rule, text: undefined })
    this.answers++
    return `replies[${this.#entries.length - 1}]`
  }

  /** Counts what is about to be added. @throws when the cassette would be too large then. */
  #takeRoom(rule: CassetteRule): void {
    const text = toYaml(rule)
    const bytes = Buffer.byteLength(text)
    const tokens = countTokens(text)
    let limit: string | undefined
    if (this.#bytes + bytes > MAX_BYTES) limit = `${MAX_BYTES / 1e6} MB`
    else if (this.#tokens + tokens > this.#maxTokens) limit = `${this.#maxTokens} tokens of YAML`
    this.full = limit && `the cassette is full (${limit}); continue in another file`
    if (this.full !== undefined) throw new Error(this.full)
    this.#bytes += bytes
    this.#tokens += tokens
  }

  /** The name of a request, the same for requests that replay does not tell apart. */
  #nameOf(endpoint: ModelEndpoint, request: unknown): string {
    const compared = this.#ignore === undefined ? request : this.#ignore(request as string | JsonObject)
    return `${endpoint} ${canonicalJson(compared)}`
  }
}

const countTokens = (text: string): number => [...new Lexer().lex(text)].length

/** The request that a rule recorded; undefined for a rule with other conditions, which may be for other calls too. */
export function recordingIn({
  when,
  answer,
}: CassetteRule): { readonly endpoint: ModelEndpoint; readonly request: string | JsonObject } | undefined {
  const { endpoint, request, ...otherConditions } = when ?? {}
  const isRecorded = answer !== undefined && endpoint !== undefined && request !== undefined
  return isRecorded && Object.keys(otherConditions).length === 0 ? { endpoint, request } : undefined
}

/** @throws when the rule is not valid, or when YAML would change it. */
function checkRule(rule: CassetteRule): void {
  const failure = 'it cannot be written as a scenario'
  try {
    const { replies } = parseScenario(`description: x\nreplies:\n${toYaml(rule)}`, 'cassette', MAX_BYTES)
    if (canonicalJson(replies) === canonicalJson([rule])) return
  } catch (error) {
    if (error instanceof ScenarioError) throw new Error(`${failure}: ${error.problems[0]!.message}`, { cause: error })
  }
  throw new Error(failure)
}
