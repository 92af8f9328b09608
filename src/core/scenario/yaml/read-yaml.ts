/**
 * Reads YAML (JSON is YAML) as a plain value, with the position of each part: of 'description: x\nseed: 7' the value is
 * { description: 'x', seed: 7 }, and `seed` is on line 2.
 *
 * The text may come over the network, so its tokens, its depth (the composer recurses) and its aliases are limited before
 * any value is built. YAML features that scenarios do not need are refused by name: several documents, directives, tags,
 * merge keys, and keys that are not text.
 */
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  type YAMLMap,
} from 'yaml'
import type { Problem } from '../check/problem.ts'
import { childrenOf, explainSyntaxErrors } from './syntax-errors.ts'

const MAX_ERRORS = 100
const MAX_DEPTH = 40
const MAX_ALIASES = 200

type Path = Problem['path']

/** A problem at an offset of the text. */
export type LocatedProblem = Problem & { readonly offset: number }

export type YamlReading = Readonly<ReturnType<typeof readYaml>>

/** Keys that are refused everywhere, each with its problem. */
export const RESERVED: Readonly<Record<string, string>> = {
  ['__proto__']: 'expected another name: JavaScript reserves this one.',
  '<<': 'expected no merge key. Write the settings out, or use *name for a whole value.',
}

/** The offsets of each value and of its key, by the JSON of its path: `["replies",0,"say"]`. */
type Positions = Map<string, { readonly value: number; readonly key: number }>

/**
 * Reads one document. Never throws; the limits bound its time.
 * @param maxTokens the most tokens that the text may have; a million take about two seconds.
 */
export function readYaml(text: string, maxTokens = 100_000) {
  const lines = new LineCounter()
  const problems: LocatedProblem[] = []
  const positions: Positions = new Map()
  const document = compose(text, lines, maxTokens, problems)
  return {
    /** Undefined if the text has no value, or none can be built. */
    value: document && buildValue(document, text, positions, problems),
    problems,
    /** The start of a value or of its key; for a path that does not exist, of the nearest part around it. */
    offsetOf: (path: Path, isKey = false): number => {
      for (let length = path.length; length >= 0; length--) {
        const position = positions.get(JSON.stringify(path.slice(0, length)))
        if (position !== undefined) return isKey && length === path.length ? position.key : position.value
      }
      return 0
    },
    /** Line and column of an offset, counted from 1. */
    positionOf: (offset: number) => {
      const { line, col } = lines.linePos(Math.min(offset, text.length))
      return { line, column: col }
    },
  }
}

/** Parses the text; undefined if it is refused or has syntax errors, which are added to the problems. */
function compose(
  text: string,
  lines: LineCounter,
  maxTokens: number,
  problems: LocatedProblem[],
): Document.Parsed | undefined {
  const refuse = (offset: number, message: string): undefined => void problems.push({ path: [], offset, message })
  const tokens = parseTokens(text, lines, maxTokens)
  if (tokens === undefined) return refuse(0, `expected at most ${maxTokens} tokens, got more.`)

  const directive = tokens.find(({ type }) => type === 'directive')
  if (directive !== undefined)
    return refuse(directive.offset, 'expected YAML without directives, got a line that begins with %. Remove it.')
  const documents = tokens.filter(({ type }) => type === 'document')
  if (documents.length > 1) {
    const message = `expected one document, got ${documents.length}, separated by ---. Put each scenario in its own file.`
    return refuse(documents[1]!.offset, message)
  }
  const tooDeep = findTooDeep(tokens)
  if (tooDeep !== undefined)
    return refuse(tooDeep.offset, `expected at most ${MAX_DEPTH} levels of lists and maps, got more.`)

  const composer = new Composer({ schema: 'core', merge: false, uniqueKeys: false, logLevel: 'silent' })
  const document = [...composer.compose(tokens, true, text.length)][0] as Document.Parsed
  const errors = [...document.errors, ...document.warnings]
  if (errors.length === 0) return document
  const explained = explainSyntaxErrors(errors, tokens, text, (offset) => lines.linePos(offset).line)
  for (const { offset, message } of explained.slice(0, MAX_ERRORS)) refuse(offset, message)
  return undefined
}

/** The concrete syntax tree, which the library calls tokens; undefined for a text with too many lexemes. */
function parseTokens(text: string, lines: LineCounter, maxLexemes: number): CST.Token[] | undefined {
  const parser = new Parser(lines.addNewLine)
  const tokens: CST.Token[] = []
  let lexemeCount = 0
  let errorCount = 0
  lines.addNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
    lexemeCount++
    if (lexemeCount > maxLexemes) return undefined
    for (const token of parser.next(lexeme)) {
      tokens.push(token)
      if (token.type === 'error') errorCount++
    }
    // A text with this many errors is not YAML. More errors would not help.
    if (errorCount >= MAX_ERRORS) return tokens
  }
  return [...tokens, ...parser.end()]
}

/** The first token below the deepest allowed level, found level by level, without recursion. */
function findTooDeep(tokens: readonly CST.Token[]): CST.Token | undefined {
  let level: readonly CST.Token[] = tokens
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return level[0]
    level = level.flatMap(childrenOf)
  }
  return undefined
}

/** Builds the plain value; undefined if there is none. Notes positions, and problems with YAML that scenarios can't use. */
function buildValue(document: Document, text: string, positions: Positions, problems: LocatedProblem[]): unknown {
  const anchors = new Set<string>()
  let aliasCount = 0
  let firstAliasOffset = 0
  /** False as soon as a node is found that the library could not make a value of, or that would take too long. */
  let isUsable = true
  const add = (path: Path, offset: number, message: string): void => void problems.push({ path, offset, message })

  // Notes the position of a node and of all nodes in it. A node without a key has the place of the node around it.
  const visit = (node: unknown, path: Path, keyOffset: number): void => {
    const { range, anchor } = (node ?? {}) as { range?: [number, number, number] | null; anchor?: string }
    // An empty value, as in `key:`, has no position.
    const start = !range || range[0] === range[1] ? keyOffset : range[0]
    positions.set(JSON.stringify(path), { value: start, key: keyOffset })
    if (isAlias(node)) visitAlias(node.source, path, start)
    if (isSeq(node)) for (const [index, item] of node.items.entries()) visit(item, [...path, index], start)
    if (isMap<{ range?: number[] } | null>(node)) visitMap(node, path, start)
    // Added last, because an alias inside its own value would be a circle.
    if (anchor !== undefined) anchors.add(anchor)
  }

  const visitAlias = (name: string, path: Path, offset: number): void => {
    aliasCount++
    if (aliasCount === 1) firstAliasOffset = offset
    const isKnown = anchors.has(name)
    if (!isKnown) add(path, offset, `expected the name of a value above that is marked with &${name}, got *${name}.`)
    if (aliasCount === MAX_ALIASES + 1)
      add(path, offset, `expected at most ${MAX_ALIASES} aliases (*name), got more. Write the values out.`)
    if (!isKnown || aliasCount > MAX_ALIASES) isUsable = false
  }

  const visitMap = (map: YAMLMap<{ range?: number[] } | null>, path: Path, start: number): void => {
    const names = new Set<string>()
    for (const { key, value } of map.items) {
      const offset = key?.range?.[0] ?? start
      if (key !== null && !isScalar(key)) {
        isUsable = false
        const got = isAlias(key) ? 'an alias' : 'a list or map'
        const hint = text.startsWith('{', offset) ? ' Text that begins with {{ needs quotes around it.' : ''
        add(path, offset, `expected text as a key, got ${got}.${hint}`)
        continue
      }
      const name = String(key?.value ?? '')
      const child = [...path, name]
      if (names.has(name)) add(child, offset, 'expected this key once, got it a second time. Remove one.')
      if (Object.hasOwn(RESERVED, name)) add(child, offset, RESERVED[name]!)
      names.add(name)
      visit(value, child, offset)
    }
  }

  visit(document.contents, [], 0)
  try {
    return isUsable ? document.toJS({ maxAliasCount: MAX_ALIASES }) : undefined
  } catch {
    // Only aliases of aliases that exceed the limit can still throw here.
    const message = `expected aliases (*name) for at most ${MAX_ALIASES} values in all, got more. Write the values out.`
    add([], firstAliasOffset, message)
    return undefined
  }
}
