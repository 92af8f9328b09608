/**
 * Parses an ECMAScript regular expression into a tree that texts can be written from.
 *
 * `^[A-Z]{2}-\d+$` -> a sequence of: the start, two times the set `[A-Z]`, `-`, one or more times the set `\d`, the end.
 *
 * A malformed or unsupported expression may pass: RE2, which compiles the same text to match it, reports it.
 */
import { type CharacterSet, readCharacterSet, SET } from './character-set.ts'

/** The lengths of the texts that a node matches, in code points. */
interface TextLengths {
  readonly shortest: number
  readonly longest: number
}

export type RegexSequence = TextLengths & { readonly kind: 'sequence'; readonly nodes: readonly RegexNode[] }

export type RegexNode = TextLengths &
  (
    | RegexSequence
    | { readonly kind: 'set'; readonly set: CharacterSet }
    | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
    | { readonly kind: 'repeat'; readonly node: RegexNode; readonly min: number; readonly max: number }
    | { readonly kind: 'start' | 'end' | 'boundary' }
  )

const MAX_DEPTH = 60
/** The lengths of a node that matches a place, not a text. */
const EMPTY: TextLengths = { shortest: 0, longest: 0 }

const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y
const GROUP = /\((?:\?(?::|<[\w$]+>|([=!])))?/y

/**
 * A parser by recursive descent: each function below reads one part of the expression and moves `at` behind it.
 *
 * RE2 has no look-aheads. So `^(?=.*\d)(?!a)\w+$` has the tree of `^\w+$`, and three tests: a text must match `^(?:.*\d)` and
 * `^\w+$`, and must not match `^(?:a)`.
 * @throws Error for an expression that texts can't be written from.
 */
export function parsePattern(source: string) {
  let at = 0
  const tests: { readonly source: string; readonly isWanted: boolean }[] = []
  /** The only place where a look-ahead may begin: after the `^` at the start, and after each look-ahead there. */
  let lookAheadPlace = source.startsWith('^') ? 1 : -1
  const accept = (text: string): boolean => {
    if (!source.startsWith(text, at)) return false
    at += text.length
    return true
  }
  const match = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const matched = pattern.exec(source) ?? undefined
    at += matched?.[0].length ?? 0
    return matched
  }
  const parseChoice = (depth: number): RegexNode => {
    if (depth > MAX_DEPTH) throw new Error(`groups nested more than ${MAX_DEPTH} deep`)
    const options: RegexNode[] = []
    do {
      const nodes: RegexNode[] = []
      while (at < source.length && source[at] !== '|' && source[at] !== ')') nodes.push(parseRepeat(depth))
      options.push(nodes.length === 1 ? nodes[0]! : sequence(nodes))
    } while (accept('|'))
    if (options.length === 1) return options[0]!
    const shortest = Math.min(...options.map((option) => option.shortest))
    return { kind: 'choice', options, shortest, longest: Math.max(...options.map((option) => option.longest)) }
  }
  const parseRepeat = (depth: number): RegexNode => {
    const node = parseAtom(depth)
    const [quantifier, sign, least, comma, most] = match(QUANTIFIER) ?? []
    if (quantifier === undefined) return node
    const min = least === undefined ? Number(sign === '+') : Number(least)
    const max = most ? Number(most) : sign === '?' ? 1 : comma === '' ? min : Number.POSITIVE_INFINITY
    // Infinity times 0 is not a number.
    const longest = node.longest === 0 || max === 0 ? 0 : node.longest * max
    return { kind: 'repeat', node, min, max, shortest: node.shortest * min, longest }
  }
  const parseAtom = (depth: number): RegexNode => {
    if (accept('^')) return { kind: 'start', ...EMPTY }
    if (accept('$')) return { kind: 'end', ...EMPTY }
    if (accept('\\b') || accept('\\B')) return { kind: 'boundary', ...EMPTY }
    if (source[at] === '(') return parseGroup(depth)
    const [written = ''] = match(SET) ?? []
    return { kind: 'set', set: readCharacterSet(written), shortest: 1, longest: 1 }
  }
  const parseGroup = (depth: number): RegexNode => {
    const isAtPlace = at === lookAheadPlace
    const lookAheadSign = match(GROUP)?.[1]
    if ((lookAheadSign !== undefined && !isAtPlace) || source[at] === '?') throw new Error('unsupported look-around')
    const content = at
    const node = parseChoice(depth + 1)
    const end = at
    accept(')')
    if (lookAheadSign === undefined) return node
    tests.push({ source: `^(?:${source.slice(content, end)})`, isWanted: lookAheadSign === '=' })
    lookAheadPlace = at
    return { kind: 'start', ...EMPTY }
  }
  const whole = parseChoice(0)
  const hasLookAhead = tests.length > 0
  if (hasLookAhead && whole.kind === 'choice') throw new Error('look-ahead in one of several alternatives')
  tests.push({ source: hasLookAhead ? `^${source.slice(lookAheadPlace)}` : source, isWanted: true })
  return { tree: whole.kind === 'sequence' ? whole : sequence([whole]), tests }
}

const sequence = (nodes: readonly RegexNode[]): RegexSequence => ({
  kind: 'sequence',
  nodes,
  shortest: nodes.reduce((sum, { shortest }) => sum + shortest, 0),
  longest: nodes.reduce((sum, { longest }) => sum + longest, 0),
})
