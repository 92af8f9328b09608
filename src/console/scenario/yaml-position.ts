/**
 * Finds the keys around a position of a scenario that is being written. At the mark in
 *
 *     models:
 *       gpt-4o: { pri¦
 *
 * a key is written, and the path to its map is `['models', 'gpt-4o']`. The editor's YAML parser gives a tree for any text,
 * finished or not.
 */
import { yamlLanguage } from '@codemirror/lang-yaml'

type YamlNode = ReturnType<ReturnType<typeof yamlLanguage.parser.parse>['resolveInner']>

/** A key of a map, or an item of a list. */
export type PathStep = string | typeof ITEM
export const ITEM = Symbol('item')

export type YamlPosition = NonNullable<ReturnType<typeof findPosition>>

/** The keys around a position; undefined in a comment, and in a text of several lines. */
export function findPosition(text: string, position: number) {
  const marked = markPosition(text, position)
  const tree = yamlLanguage.parser.parse(marked)
  // The node that ends after the mark, which is the key or value at the position.
  const node = tree.resolveInner(position + 1, -1)
  const isQuoted = node.name === 'QuotedLiteral'
  if (node.name !== 'Literal' && !isQuoted) return undefined
  return {
    /** The keys and items from the top of the scenario to the map, or to the value, at the position. */
    path: findPath(node, marked),
    /** True for the value of the last key of the path; false for a key of a map or an item of a list. */
    isValue: node.parent?.name === 'Pair',
    /** The start of the key or value that is written so far, without an opening quote. */
    from: node.from + (isQuoted ? 1 : 0),
    isQuoted,
    siblings: readSiblings(node, marked),
    /** The keys of a map at the top of the scenario: `keysOf('states')` are the names of the states. */
    keysOf: (name: string): string[] => {
      const top = tree.topNode.getChild('Document')?.getChild('BlockMapping')
      const section = top?.getChildren('Pair').find((pair) => keyOf(pair, marked) === name)
      const map = section?.getChild('BlockMapping') ?? section?.getChild('FlowMapping')
      return map?.getChildren('Pair').map((pair) => keyOf(pair, marked)) ?? []
    },
  }
}

/**
 * The text as the parser has to see it: with a letter at the position, so that there is a key or value, and with the quote
 * and the colon that are not written yet. `con¦` becomes `con_:`.
 */
function markPosition(text: string, position: number): string {
  const lineStart = text.lastIndexOf('\n', position - 1) + 1
  const before = text.slice(lineStart, position)
  const after = /^.*/.exec(text.slice(position))![0]
  const withoutQuotedTexts = before.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '')
  const openQuote = /["']/.exec(withoutQuotedTexts)?.[0] ?? ''
  // A line with a word alone begins a key. In a flow map, such as `{ pri¦ }`, the parser needs no colon.
  const isBlockKey = /^\s*(?:- +)*["']?[\w$-]*$/.test(before) && !/^[\w$-]*["']? *:/.test(after)
  const mark = `_${after.includes(openQuote) ? '' : openQuote}${isBlockKey ? ':' : ''}`
  return text.slice(0, position) + mark + text.slice(position)
}

/** The values that are written beside a key, by key; '' for a map or a list. Empty for a node that is no key. */
function readSiblings({ parent: key }: YamlNode, text: string): ReadonlyMap<string, string> {
  const pair = key?.name === 'Key' ? key.parent : null
  const pairs = pair?.parent?.getChildren('Pair') ?? []
  const others = pairs.filter(({ from }) => from !== pair?.from)
  const entries = others.map((other): [string, string] => {
    const value = other.getChild('Literal') ?? other.getChild('QuotedLiteral')
    return [keyOf(other, text), value === null ? '' : textOf(value, text)]
  })
  return new Map(entries)
}

/** The keys and items around a node. */
function findPath(node: YamlNode, text: string): PathStep[] {
  const path: PathStep[] = []
  for (let inner = node, outer = node.parent; outer !== null; inner = outer, outer = outer.parent) {
    if (outer.name === 'Item') path.unshift(ITEM)
    if (outer.name === 'Pair' && inner.name !== 'Key') path.unshift(keyOf(outer, text))
  }
  return path
}

function keyOf(pair: YamlNode, text: string): string {
  const key = pair.getChild('Key')
  return key === null ? '' : textOf(key, text)
}

/** The text of a node, without its quotes. */
const textOf = ({ from, to }: YamlNode, text: string): string => text.slice(from, to).replace(/^(["'])(.*)\1$/s, '$2')
