/**
 * Reads YAML (JSON is YAML) as a plain value, with the position of each part.
 *
 * The text may come over the network, so its tokens, its depth (the composer recurses) and its aliases are limited before
 * any value is built. YAML features that scenarios do not need are refused by name: several documents, directives, tags,
 * merge keys, and keys that are not text.
 */
import { Composer, type CST, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, Parser } from 'yaml'
import { explainErrors, findMisreadPatterns, findUnclosed } from './syntax-errors.ts'

const MAX_ERRORS = 100
const MAX_DEPTH = 40
const MAX_ALIASES = 100

type Path = readonly (string | number)[]

/** Something wrong with the text itself. */
interface YamlProblem {
  readonly path: Path
  readonly offset: number
  readonly message: string
}

export interface YamlReading {
  /** Undefined if the text has no value, or none can be built. */
  readonly value: unknown
  readonly problems: readonly YamlProblem[]
  /** The start of a value or of its key; for a path that does not exist, of the nearest part around it. */
  readonly offsetOf: (path: Path, isKey?: boolean) => number
  /** Line and column of an offset, counted from 1. */
  readonly positionOf: (offset: number) => { readonly line: number; readonly column: number }
}

/**
 * Reads one document. Never throws; the limits bound its time.
 * @param maxTokens how many tokens it may have; a million take about two seconds.
 */
export function readYaml(text: string, maxTokens = 100_000): YamlReading {
  const lines = new LineCounter()
  const tree = new Tree(text)
  const refusal = compose(text, lines, tree, maxTokens)
  return {
    value: tree.value,
    problems: refusal === undefined ? tree.problems : [refusal],
    offsetOf: tree.offsetOf,
    positionOf: (offset) => {
      const { line, col } = lines.linePos(Math.min(offset, text.length))
      return { line, column: col }
    },
  }
}

/** Fills the tree; returns a problem if the text is refused as a whole. */
function compose(text: string, lines: LineCounter, tree: Tree, maxTokens: number): YamlProblem | undefined {
  const tokens = tokensOf(text, lines, maxTokens)
  if (!Array.isArray(tokens)) return tokens
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
  const { errors, warnings, contents } = document!
  if (errors.length + warnings.length > 0) {
    const found = [...errors, ...warnings]
    // These two explain other errors that they cause.
    const causes = [findMisreadPatterns(tokens, text, found), findUnclosed(tokens)]
    const problems =
      causes.find(({ length }) => length > 0) ?? explainErrors(found, (offset) => lines.linePos(offset).line)
    for (const { offset, message } of problems.slice(0, MAX_ERRORS)) tree.add([], offset, message)
    return undefined
  }
  tree.walk(contents, [], 0)
  if (tree.isUsable) tree.value = tryToBuild(() => document!.toJS({ maxAliasCount: MAX_ALIASES }), tree)
  return undefined
}

const refuse = (offset: number, message: string): YamlProblem => ({ path: [], offset, message })

function tokensOf(text: string, lines: LineCounter, maxTokens: number): CST.Token[] | YamlProblem {
  const parser = new Parser(lines.addNewLine)
  const tokens: CST.Token[] = []
  let count = 0
  let errors = 0
  lines.addNewLine(0)
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > maxTokens) return refuse(0, `expected at most ${maxTokens} tokens, got more.`)
    for (const token of parser.next(lexeme)) {
      tokens.push(token)
      // A text with this many errors is not YAML. More errors would not help.
      if (token.type === 'error' && ++errors === MAX_ERRORS) return tokens
    }
  }
  tokens.push(...parser.end())
  return tokens
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

function tryToBuild(build: () => unknown, tree: Tree): unknown {
  try {
    return build()
  } catch {
    // Only aliases of aliases that exceed the limit can still throw here.
    const message = `expected aliases (*name) for at most ${MAX_ALIASES} values in all, got more. Write the values out.`
    tree.add([], tree.firstAlias, message)
    return undefined
  }
}

/** The composed document, walked once: the positions of its parts, and YAML that scenarios cannot use. */
class Tree {
  value: unknown
  readonly problems: YamlProblem[] = []
  /** False when no plain value can be built. */
  isUsable = true
  firstAlias = 0
  #aliases = 0
  readonly #text: string
  readonly #anchors = new Set<string>()
  readonly #positions = new Map<string, { readonly value: number; readonly key: number }>()

  constructor(text: string) {
    this.#text = text
  }

  add(path: Path, offset: number, message: string): void {
    this.problems.push({ path, offset, message })
  }

  readonly offsetOf = (path: Path, isKey = false): number => {
    for (let length = path.length; length >= 0; length--) {
      const position = this.#positions.get(JSON.stringify(path.slice(0, length)))
      if (position !== undefined) return isKey && length === path.length ? position.key : position.value
    }
    return 0
  }

  walk(node: unknown, path: Path, keyOffset: number): void {
    const { range, anchor } = (node ?? {}) as { range?: [number, number, number] | null; anchor?: string }
    // An empty value, as in `key:`, has no position.
    const isEmpty = !range || range[0] === range[1]
    this.#positions.set(JSON.stringify(path), { value: isEmpty ? keyOffset : range[0], key: keyOffset })
    if (isAlias(node)) this.#walkAlias(node.source, path, range![0])
    if (isSeq(node)) for (const [index, item] of node.items.entries()) this.walk(item, [...path, index], range![0])
    if (isMap(node)) {
      const names = new Set<string>()
      for (const { key, value } of node.items) this.#walkPair(key, value, path, names)
    }
    // Added last, because an alias inside its own value would be a circle.
    if (anchor !== undefined) this.#anchors.add(anchor)
  }

  #walkPair(key: unknown, value: unknown, path: Path, names: Set<string>): void {
    const offset = (key as { range?: [number, number, number] | null } | null)?.range?.[0] ?? this.offsetOf(path)
    if (key !== null && !isScalar(key)) {
      this.isUsable = false
      const found = isAlias(key) ? 'an alias' : 'a list or map'
      const hint = this.#text.startsWith('{', offset) ? ' Text that begins with {{ needs quotes around it.' : ''
      this.add(path, offset, `expected text as a key, got ${found}.${hint}`)
      return
    }
    const name = String(key?.value ?? '')
    const child = [...path, name]
    if (names.has(name)) this.add(child, offset, 'expected this key once, got it a second time. Remove one.')
    if (Object.hasOwn(RESERVED, name)) this.add(child, offset, RESERVED[name]!)
    names.add(name)
    this.walk(value, child, offset)
  }

  #walkAlias(name: string, path: Path, offset: number): void {
    if (this.#aliases === 0) this.firstAlias = offset
    this.#aliases++
    const isKnown = this.#anchors.has(name)
    if (!isKnown)
      this.add(path, offset, `expected the name of a value above that is marked with &${name}, got *${name}.`)
    if (this.#aliases === MAX_ALIASES + 1)
      this.add(path, offset, `expected at most ${MAX_ALIASES} aliases (*name), got more. Write the values out.`)
    if (!isKnown || this.#aliases > MAX_ALIASES) this.isUsable = false
  }
}

/** Keys that are refused everywhere, each with its problem. */
export const RESERVED: Readonly<Record<string, string>> = {
  ['__proto__']: 'expected another name: JavaScript reserves this one.',
  '<<': 'expected no merge key. Write the settings out, or use *name for a whole value.',
}
