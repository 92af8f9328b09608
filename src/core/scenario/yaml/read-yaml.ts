/**
 * Reads YAML (JSON is YAML) as a plain value, with the position of each part.
 *
 * The text may come over the network, so its tokens, its depth (the composer recurses) and its aliases are limited before
 * any value is built. YAML features that scenarios do not need are refused by name: several documents, directives, tags,
 * merge keys, and keys that are not text.
 */
import { Composer, type CST, type Document, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, Parser } from 'yaml'
import type { Problem } from '../check/problem.ts'
import { explainErrors, findMisreadPatterns, findUnclosed } from './syntax-errors.ts'

const MAX_ERRORS = 100
const MAX_DEPTH = 40
const MAX_ALIASES = 200

type Path = Problem['path']

/** A problem at a place of the text. */
export type LocatedProblem = Problem & { readonly offset: number }

export interface YamlReading {
  /** Undefined if the text has no value, or none can be built. */
  readonly value: unknown
  readonly problems: readonly LocatedProblem[]
  /** The start of a value or of its key; for a path that does not exist, of the nearest part around it. */
  readonly offsetOf: (path: Path, isKey?: boolean) => number
  /** Line and column of an offset, counted from 1. */
  readonly positionOf: (offset: number) => { readonly line: number; readonly column: number }
}

/** Keys that are refused everywhere, each with its problem. */
export const RESERVED: Readonly<Record<string, string>> = {
  ['__proto__']: 'expected another name: JavaScript reserves this one.',
  '<<': 'expected no merge key. Write the settings out, or use *name for a whole value.',
}

/** The offsets of a value and of its key, by path. */
type Positions = Map<string, { readonly value: number; readonly key: number }>

/**
 * Reads one document. Never throws; the limits bound its time.
 * @param maxTokens how many tokens it may have; a million take about two seconds.
 */
export function readYaml(text: string, maxTokens = 100_000): YamlReading {
  const lines = new LineCounter()
  const problems: LocatedProblem[] = []
  const positions: Positions = new Map()
  const document = compose(text, lines, maxTokens, problems)
  return {
    value: document && buildValue(document, text, positions, problems),
    problems,
    offsetOf: (path, isKey = false) => {
      for (let length = path.length; length >= 0; length--) {
        const position = positions.get(JSON.stringify(path.slice(0, length)))
        if (position !== undefined) return isKey && length === path.length ? position.key : position.value
      }
      return 0
    },
    positionOf: (offset) => {
      const { line, col } = lines.linePos(Math.min(offset, text.length))
      return { line, column: col }
    },
  }
}

/** Undefined for a text that is refused or has syntax errors, which are added to the problems. */
function compose(
  text: string,
  lines: LineCounter,
  maxTokens: number,
  problems: LocatedProblem[],
): Document.Parsed | undefined {
  const refuse = (offset: number, message: string): undefined => void problems.push({ path: [], offset, message })
  const parser = new Parser(lines.addNewLine)
  const tokens: CST.Token[] = []
  let lexemes = 0
  let broken = 0
  lines.addNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
    if (++lexemes > maxTokens) return refuse(0, `expected at most ${maxTokens} tokens, got more.`)
    for (const token of parser.next(lexeme)) {
      tokens.push(token)
      if (token.type === 'error') broken++
    }
    // A text with this many errors is not YAML. More errors would not help.
    if (broken >= MAX_ERRORS) break
  }
  if (broken < MAX_ERRORS) tokens.push(...parser.end())

  const directive = tokens.find(({ type }) => type === 'directive')
  if (directive !== undefined)
    return refuse(directive.offset, 'expected YAML without directives, got a line that begins with %. Remove it.')
  const documents = tokens.filter(({ type }) => type === 'document')
  if (documents.length > 1) {
    const message = `expected one document, got ${documents.length}, separated by ---. Put each scenario in its own file.`
    return refuse(documents[1]!.offset, message)
  }
  const deep = findTooDeep(tokens)
  if (deep !== undefined)
    return refuse(deep.offset, `expected at most ${MAX_DEPTH} levels of lists and maps, got more.`)

  const composer = new Composer({ schema: 'core', merge: false, uniqueKeys: false, logLevel: 'silent' })
  const [document] = [...composer.compose(tokens, true, text.length)]
  const found = [...document!.errors, ...document!.warnings]
  if (found.length === 0) return document as Document.Parsed
  // These two explain other errors that they cause.
  const causes = [findMisreadPatterns(tokens, text, found), findUnclosed(tokens)]
  const explained =
    causes.find(({ length }) => length > 0) ?? explainErrors(found, (offset) => lines.linePos(offset).line)
  for (const { offset, message } of explained.slice(0, MAX_ERRORS)) refuse(offset, message)
  return undefined
}

/** The first token below the deepest allowed level, found level by level, without recursion. */
function findTooDeep(tokens: readonly CST.Token[]): CST.Token | undefined {
  let level: readonly CST.Token[] = tokens
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return level[0]
    level = level.flatMap((token) => {
      if (token.type === 'document') return token.value ?? []
      if (!('items' in token)) return []
      return token.items.flatMap(({ key, value }) => [key ?? [], value ?? []].flat())
    })
  }
  return undefined
}

/** Builds the plain value; undefined if there is none. Notes positions, and problems with YAML that scenarios can't use. */
function buildValue(document: Document, text: string, positions: Positions, problems: LocatedProblem[]): unknown {
  const anchors = new Set<string>()
  let aliases = 0
  let firstAlias = 0
  let isUsable = true
  const add = (path: Path, offset: number, message: string): void => void problems.push({ path, offset, message })

  const walk = (node: unknown, path: Path, keyOffset: number): void => {
    const { range, anchor } = (node ?? {}) as { range?: [number, number, number] | null; anchor?: string }
    // An empty value, as in `key:`, has no position.
    const start = !range || range[0] === range[1] ? keyOffset : range[0]
    positions.set(JSON.stringify(path), { value: start, key: keyOffset })
    if (isAlias(node)) {
      if (++aliases === 1) firstAlias = start
      const isKnown = anchors.has(node.source)
      if (!isKnown)
        add(path, start, `expected the name of a value above that is marked with &${node.source}, got *${node.source}.`)
      if (aliases === MAX_ALIASES + 1)
        add(path, start, `expected at most ${MAX_ALIASES} aliases (*name), got more. Write the values out.`)
      if (!isKnown || aliases > MAX_ALIASES) isUsable = false
    }
    if (isSeq(node)) for (const [index, item] of node.items.entries()) walk(item, [...path, index], start)
    const names = new Set<string>()
    for (const { key, value } of isMap<{ range?: number[] } | null>(node) ? node.items : []) {
      const offset = key?.range?.[0] ?? start
      if (key !== null && !isScalar(key)) {
        isUsable = false
        const found = isAlias(key) ? 'an alias' : 'a list or map'
        const hint = text.startsWith('{', offset) ? ' Text that begins with {{ needs quotes around it.' : ''
        add(path, offset, `expected text as a key, got ${found}.${hint}`)
        continue
      }
      const name = String(key?.value ?? '')
      const child = [...path, name]
      if (names.has(name)) add(child, offset, 'expected this key once, got it a second time. Remove one.')
      if (Object.hasOwn(RESERVED, name)) add(child, offset, RESERVED[name]!)
      names.add(name)
      walk(value, child, offset)
    }
    // Added last, because an alias inside its own value would be a circle.
    if (anchor !== undefined) anchors.add(anchor)
  }

  walk(document.contents, [], 0)
  try {
    return isUsable ? document.toJS({ maxAliasCount: MAX_ALIASES }) : undefined
  } catch {
    // Only aliases of aliases that exceed the limit can still throw here.
    add(
      [],
      firstAlias,
      `expected aliases (*name) for at most ${MAX_ALIASES} values in all, got more. Write the values out.`,
    )
    return undefined
  }
}
