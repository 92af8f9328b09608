/** Finds the keys around a position of a scenario. The editor's YAML parser gives a tree for any text, finished or not. */
import { yamlLanguage } from '@codemirror/lang-yaml'

type YamlTree = ReturnType<typeof yamlLanguage.parser.parse>
type YamlNode = ReturnType<YamlTree['resolveInner']>

/** A key of a map, or an item of a list. */
export type PathStep = string | typeof ITEM
export const ITEM = Symbol('item')

export interface YamlPosition {
  /** The keys and items from the top of the scenario to the map, or to the value, at the position. */
  readonly path: readonly PathStep[]
  /** `key`: a key of a map or an item of a list is written here. `value`: the value of the last key of the path. */
  readonly kind: 'key' | 'value'
  /** The start of the text that is written so far, without an opening quote. */
  readonly from: number
  readonly isQuoted: boolean
  /** The values that are written beside a key, by key; '' for a map or a list. */
  readonly siblings: ReadonlyMap<string, string>
  /** The keys of a map at the top of the scenario: the names of `states`. */
  readonly keysOf: (top: string) => readonly string[]
}

/** The position; undefined in a comment, and in a text of several lines. */
export function findPosition(text: string, position: number): YamlPosition | undefined {
  const start = text.lastIndexOf('\n', position - 1) + 1
  const before = text.slice(start, position)
  const after = /^.*/.exec(text.slice(position))![0]
  // The parser sees a whole key or value: a letter is added, and a quote and a colon if they are still missing.
  const open = /["']/.exec(before.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, ''))?.[0] ?? ''
  const isBlockKey = /^\s*(?:- +)*["']?[\w$-]*$/.test(before) && !/^[\w$-]*["']? *:/.test(after)
  const mark = `_${after.includes(open) ? '' : open}${isBlockKey ? ':' : ''}`
  const marked = text.slice(0, position) + mark + text.slice(position)
  const tree = yamlLanguage.parser.parse(marked)
  const node = tree.resolveInner(position + 1, -1)
  if (node.name !== 'Literal' && node.name !== 'QuotedLiteral') return undefined
  const isValue = node.parent?.name === 'Pair'
  const pair = node.parent?.name === 'Key' ? node.parent.parent : null
  const siblings = new Map<string, string>()
  for (const other of pair?.parent?.getChildren('Pair') ?? []) {
    const value = other.getChild('Literal') ?? other.getChild('QuotedLiteral')
    const written = value === null ? '' : withoutQuotes(marked.slice(value.from, value.to))
    if (other.from !== pair?.from) siblings.set(keyOf(other, marked), written)
  }
  const top = tree.topNode.getChild('Document')?.getChild('BlockMapping')
  return {
    path: findPath(node, marked),
    kind: isValue ? 'value' : 'key',
    from: node.from + (node.name === 'QuotedLiteral' ? 1 : 0),
    isQuoted: node.name === 'QuotedLiteral',
    siblings,
    keysOf: (name) => {
      const section = top?.getChildren('Pair').find((one) => keyOf(one, marked) === name)
      const map = section?.getChild('BlockMapping') ?? section?.getChild('FlowMapping')
      return map?.getChildren('Pair').map((one) => keyOf(one, marked)) ?? []
    },
  }
}

/** The key at a position with its path and its range; undefined for anything else. */
export function findKey(text: string, position: number) {
  const tree = yamlLanguage.parser.parse(text)
  for (const side of [1, -1] as const) {
    const node = tree.resolveInner(position, side)
    if (node.parent?.name !== 'Key') continue
    const key = withoutQuotes(text.slice(node.from, node.to))
    const from = node.from + text.slice(node.from, node.to).indexOf(key)
    return { path: findPath(node, text), key, from, to: from + key.length }
  }
  return undefined
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

const withoutQuotes = (text: string): string => text.replace(/^(["'])(.*)\1$/s, '$2')

function keyOf(pair: YamlNode, text: string): string {
  const key = pair.getChild('Key')
  return key === null ? '' : withoutQuotes(text.slice(key.from, key.to))
}
