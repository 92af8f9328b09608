/**
 * The text of a cassette: splits a scenario into its rules and what is around them, so that rules can be added and nothing
 * else changes; and writes rules as YAML.
 *
 *     description: "Recorded"     head: all up to here
 *     replies:
 *       - when: ...               rules, with their dashes in one column
 *     limits: ...                 tail
 */
import { Document, isScalar, isSeq, type Pair, parseDocument, Scalar, visit, type YAMLMap, type YAMLSeq } from 'yaml'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'

/** The fields of a cassette besides its rules. */
export interface CassetteFields extends Pick<ScenarioSource, 'description' | 'unmatched'> {
  readonly ignore?: readonly string[] | undefined
}
export type CassetteRule = NonNullable<ScenarioSource['replies']>[number]

/** The parts of a scenario; joined, they are its text. */
export interface CassetteText {
  /** Everything up to the first rule. */
  readonly head: string
  readonly rules: readonly string[]
  /** Everything after the last rule. */
  readonly tail: string
  /** The column of the dash of each rule. */
  readonly column: number
}

/** @param text a valid scenario. Rules in one line, as in JSON, get a line each. */
export function splitCassette(text: string): CassetteText {
  const document = parseDocument(text, { keepSourceTokens: true })
  const root = document.contents as YAMLMap
  const replies = root.items.find(({ key }) => isScalar(key) && key.value === 'replies')
  const isInLines = root.flow !== true
  root.flow = false
  if (replies !== undefined && isSeq(replies.value) && replies.value.items.length > 0) {
    if (isInLines && replies.value.flow !== true) return splitRules(text, root, replies)
    replies.value.flow = false
    return splitCassette(document.toString({ lineWidth: 0 }))
  }
  if (isInLines && replies === undefined) return startRules(text)
  root.delete('replies')
  return startRules(root.items.length === 0 ? '' : document.toString({ lineWidth: 0 }))
}

/** A cassette that has no rules yet. @param text the other fields of a scenario, in lines. */
const startRules = (text: string): CassetteText => ({
  head: `${endLine(text)}replies:\n`,
  rules: [],
  tail: '',
  column: RULE_COLUMN,
})

/** The column of the dash of a new rule. */
const RULE_COLUMN = 2

/** A text that ends with a line break, unless it is empty. */
const endLine = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** Splits a scenario with rules in lines, before each rule and after the last one. */
function splitRules(text: string, root: YAMLMap, replies: Pair): CassetteText {
  const { items } = replies.value as YAMLSeq<YAMLMap>
  const starts = items.map((item) => startOfLine(text, item.range![0]))
  const nextField = root.items[root.items.indexOf(replies as Pair<never, never>) + 1]?.key
  const end = isScalar(nextField) ? startOfComments(text, startOfLine(text, nextField.range![0])) : text.length
  const beforeFirst = text.slice(starts[0], items[0]!.range![0])
  return {
    head: text.slice(0, starts[0]),
    rules: starts.map((start, index) => endLine(text.slice(start, starts[index + 1] ?? end))),
    tail: text.slice(end),
    column: beforeFirst.indexOf('-'),
  }
}

const startOfLine = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

/** The start of the comments and blank lines right above a line, which belong to it. */
function startOfComments(text: string, line: number): number {
  let start = line
  while (start > 0) {
    const lineAbove = startOfLine(text, start - 1)
    if (!/^(?:#.*)?\r?\n$/.test(text.slice(lineAbove, start))) break
    start = lineAbove
  }
  return start
}

/** The fields of a new cassette as YAML: `description: "Recorded from https://... on 2026-11-21."` */
export function formatFields({ description, ignore, unmatched }: CassetteFields): string {
  const document = new Document({
    description,
    ...(ignore !== undefined && ignore.length > 0 && { ignore }),
    ...(unmatched !== undefined && { unmatched }),
  })
  const first = document.get('description', true)
  if (isScalar(first)) first.type = Scalar.QUOTE_DOUBLE
  return document.toString(YAML_STYLE)
}

// Lines are not folded: a line break in the file is a line break in the text.
const YAML_STYLE = { lineWidth: 0, doubleQuotedAsJSON: true, indentSeq: true } as const

/** A rule as an item of `replies`. @param column that of its dash. */
export function toYaml(rule: CassetteRule, column = RULE_COLUMN): string {
  const document = new Document([rule], { aliasDuplicateObjects: false })
  visit(document, {
    Map(_, node) {
      // Events and vectors come in long lists, so each takes one line.
      const isInList = ['at', 'base64', 'floats'].some((name) => node.has(name))
      if (isInList && node.items.every(({ value }) => isScalar(value))) node.flow = true
    },
    Scalar(role, node) {
      const style = typeof node.value === 'string' ? styleOf(node.value) : undefined
      // Names of fields get quotes only for what an editor does not show.
      const mayQuote = role !== 'key' || style === Scalar.QUOTE_DOUBLE
      if (style !== undefined && mayQuote) node.type = style
    },
  })
  const indent = ' '.repeat(column)
  // `\u200b`; a character beyond U+FFFF has two escapes.
  const escapeUnits = (character: string): string =>
    character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const lines = document.toString(YAML_STYLE).replace(ALL_UNPRINTABLE, escapeUnits).split('\n')
  return lines.map((line) => (line === '' ? '' : indent + line)).join('\n')
}

// Characters that editors or terminals do not show as they are. They are escaped, in double quotes.
const UNPRINTABLE = /[^\n\x20-\x7e\u00a1-\u1fff\u2030-\ud7ff\uf900-\ufefe\uff00-\uffef\u{10000}-\u{1ffff}]/u
const ALL_UNPRINTABLE = new RegExp(UNPRINTABLE, 'gu')

/** The YAML style of a text; undefined where YAML chooses: plain, or in quotes where they are needed. */
function styleOf(text: string): Scalar.Type | undefined {
  if (UNPRINTABLE.test(text)) return Scalar.QUOTE_DOUBLE
  // A block cannot show blanks at its start or at the end of its lines.
  if (text.includes('\n')) return /^[\s]|[ \n]\n|[ ]$/.test(text) ? Scalar.QUOTE_DOUBLE : Scalar.BLOCK_LITERAL
  return /["\\]/.test(text) ? Scalar.QUOTE_SINGLE : undefined
}
