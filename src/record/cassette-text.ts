/**
 * The text of a cassette: writes rules as YAML, and splits a scenario into its rules and what is around them, so that rules
 * can be added and nothing else changes.
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
  const pair = root.items.find(({ key }) => isScalar(key) && key.value === 'replies')
  const rules = pair !== undefined && isSeq(pair.value) && pair.value.items.length > 0 ? pair.value : undefined
  const isBlock = root.flow !== true
  if (rules !== undefined && isBlock && rules.flow !== true) return splitRules(text, root, pair!)
  if (pair === undefined && isBlock) return { head: `${endLine(text)}replies:\n`, rules: [], tail: '', column: 2 }
  root.flow = false
  if (rules !== undefined) {
    rules.flow = false
    return splitCassette(document.toString({ lineWidth: 0 }))
  }
  root.delete('replies')
  const rest = root.items.length === 0 ? '' : endLine(document.toString({ lineWidth: 0 }))
  return { head: `${rest}replies:\n`, rules: [], tail: '', column: 2 }
}

const endLine = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

function splitRules(text: string, root: YAMLMap, pair: Pair): CassetteText {
  const { items } = pair.value as YAMLSeq<YAMLMap>
  const starts = items.map((item) => lineStart(text, item.range![0]))
  const next = root.items[root.items.indexOf(pair as Pair<never, never>) + 1]
  const end =
    next === undefined || !isScalar(next.key) ? text.length : beforeComments(text, lineStart(text, next.key.range![0]))
  const first = text.slice(starts[0], items[0]!.range![0])
  return {
    head: text.slice(0, starts[0]),
    rules: starts.map((start, index) => endLine(text.slice(start, starts[index + 1] ?? end))),
    tail: text.slice(end),
    column: first.indexOf('-'),
  }
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

/** The beginning of the comments right before a line, which belong to what is on it. */
function beforeComments(text: string, start: number): number {
  let from = start
  while (from > 0) {
    const before = lineStart(text, from - 1)
    if (!/^(?:#.*)?\r?\n$/.test(text.slice(before, from))) return from
    from = before
  }
  return from
}

/** A rule as it is written at column 2, moved to another column. */
export function moveRule(rule: string, column: number): string {
  if (column === 2) return rule
  const move = (line: string): string =>
    line === '' ? '' : column < 2 ? line.slice(2 - column) : ' '.repeat(column - 2) + line
  return rule.split('\n').map(move).join('\n')
}

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

/** A rule as an item of `replies`, at column 2. */
export function toYaml(rule: CassetteRule): string {
  const document = new Document([rule], { aliasDuplicateObjects: false })
  visit(document, {
    Map(_, node) {
      // Events and vectors come in long lists, so each takes one line.
      const isInList = ['at', 'base64', 'floats'].some((name) => node.has(name))
      if (isInList && node.items.every(({ value }) => isScalar(value))) node.flow = true
    },
    Scalar(key, node) {
      const style = typeof node.value === 'string' ? styleOf(node.value) : undefined
      if (style === Scalar.QUOTE_DOUBLE || (style !== undefined && key !== 'key')) node.type = style
    },
  })
  const escapeAll = (character: string): string => character.split('').map(escapeUnit).join('')
  const lines = document.toString(YAML_STYLE).split('\n')
  return lines.map((line) => (line === '' ? '' : `  ${line.replace(ALL_UNPRINTABLE, escapeAll)}`)).join('\n')
}

// Characters that editors or terminals do not show as they are. They are escaped, in double quotes.
const UNPRINTABLE = /[^\n\x20-\x7e\u00a1-\u1fff\u2030-\ud7ff\uf900-\ufefe\uff00-\uffef\u{10000}-\u{1ffff}]/u
const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
const ALL_UNPRINTABLE = new RegExp(UNPRINTABLE, 'gu')

function styleOf(text: string): Scalar.Type | undefined {
  if (UNPRINTABLE.test(text)) return Scalar.QUOTE_DOUBLE
  if (text.includes('\n')) return /^[\s]|[ \n]\n|[ ]$/.test(text) ? Scalar.QUOTE_DOUBLE : Scalar.BLOCK_LITERAL
  // For other texts, YAML chooses: plain, or in quotes where they are needed.
  return /["\\]/.test(text) ? Scalar.QUOTE_SINGLE : undefined
}
