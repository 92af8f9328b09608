/** Splits the text of a scenario into its rules and what is around them, so that rules can be added and nothing else changes. */
import { isScalar, isSeq, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'

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
  if (
    pair !== undefined &&
    isSeq(pair.value) &&
    pair.value.items.length > 0 &&
    pair.value.flow !== true &&
    root.flow !== true
  )
    return splitRules(text, root, pair)
  if (pair === undefined && root.flow !== true)
    return { head: `${endLine(text)}replies:\n`, rules: [], tail: '', column: 2 }
  root.flow = false
  if (pair !== undefined && isSeq(pair.value) && pair.value.items.length > 0) {
    pair.value.flow = false
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
