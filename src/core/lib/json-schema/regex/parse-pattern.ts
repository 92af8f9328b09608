/**
 * Parses an ECMAScript regular expression into a tree that texts can be written from.
 *
 * A malformed expression may pass: RE2, which compiles the same text to match it, reports the mistake.
 */
import { type CharacterRange, CLASSES, CONTROLS, LONG_NAMES, PROPERTIES } from './pattern-characters.ts'

/** The lengths of the texts that a node matches, in code points. */
interface TextLengths {
  readonly shortest: number
  readonly longest: number
}

/** One character of the ranges, or one of all others. */
export interface RegexSet extends TextLengths {
  readonly kind: 'set'
  readonly ranges: readonly CharacterRange[]
  readonly isNegated: boolean
}

export type RegexSequence = TextLengths & { readonly kind: 'sequence'; readonly nodes: readonly RegexNode[] }

export type RegexNode = TextLengths &
  (
    | RegexSet
    | RegexSequence
    | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
    | { readonly kind: 'repeat'; readonly node: RegexNode; readonly min: number; readonly max: number }
    | { readonly kind: 'start' | 'end' | 'boundary' }
  )

const MAX_DEPTH = 60
const MAX_CODE_POINT = 0x10ffff
const LINE_ENDS: readonly CharacterRange[] = [
  [10, 10],
  [13, 13],
]

const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y
const GROUP = /\((?:\?(?::|<[\w$]+>))?/y
const ESCAPE =
  /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|c([A-Za-z])|[pP](?:\{(?:\w+=)?(\w+)\}|([A-Z]))|(.))/suy

/** @throws Error for an expression that texts can't be written from. */
export function parsePattern(source: string): RegexSequence {
  let at = 0
  const accept = (text: string): boolean => {
    if (!source.startsWith(text, at)) return false
    at += text.length
    return true
  }
  const match = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(source) ?? undefined
    at += found?.[0].length ?? 0
    return found
  }
  const parseChoice = (depth: number): RegexNode => {
    if (depth > MAX_DEPTH) throw new Error(`groups nested more than ${MAX_DEPTH} deep`)
    const options: RegexNode[] = []
    do {
      const nodes: RegexNode[] = []
      while (at < source.length && source[at] !== '|' && source[at] !== ')') {
        const node = parseAtom(depth)
        const [quantifier, sign, least, comma, most] = match(QUANTIFIER) ?? []
        const min = least === undefined ? Number(sign === '+') : Number(least)
        const max = most ? Number(most) : sign === '?' ? 1 : comma === '' ? min : Number.POSITIVE_INFINITY
        nodes.push(quantifier === undefined ? node : repeat(node, min, max))
      }
      options.push(nodes.length === 1 ? nodes[0]! : sequence(nodes))
    } while (accept('|'))
    if (options.length === 1) return options[0]!
    const shortest = Math.min(...options.map((option) => option.shortest))
    return { kind: 'choice', options, shortest, longest: Math.max(...options.map((option) => option.longest)) }
  }
  const parseAtom = (depth: number): RegexNode => {
    if (accept('^')) return { kind: 'start', ...EMPTY }
    if (accept('$')) return { kind: 'end', ...EMPTY }
    if (accept('\\b') || accept('\\B')) return { kind: 'boundary', ...EMPTY }
    if (accept('.')) return set(LINE_ENDS, true)
    if (accept('[')) return parseClass()
    if (/^(?:[*+?]|\\[1-9k])/.test(source.slice(at, at + 2))) {
      throw new Error(source[at] === '\\' ? 'back-references are not supported' : `nothing to repeat at ${at}`)
    }
    if (match(GROUP) === undefined) return parseCharacter()
    if (source[at] === '?') {
      const group = source.slice(at - 1, at + 3)
      throw new Error(
        `'${group}' is not supported here: look-around works as look-ahead at the start only; a reply rule with 'say' can still answer`,
      )
    }
    const node = parseChoice(depth + 1)
    accept(')')
    return node
  }
  const parseClass = (): RegexSet => {
    const isNegated = accept('^')
    const ranges: CharacterRange[] = []
    while (at < source.length && !accept(']')) {
      const first = parseClassPart()
      const isRange = source[at] === '-' && source[at + 1] !== ']' && first.length === 1
      if (isRange) at += 1
      ranges.push(...(isRange ? [[first[0]![0], parseClassPart().at(-1)![1]] as const] : first))
    }
    return set(ranges, isNegated)
  }
  const parseClassPart = (): readonly CharacterRange[] => {
    if (accept('\\b')) return [[8, 8]]
    const { ranges, isNegated } = parseCharacter()
    return isNegated ? complement(ranges) : ranges
  }
  /** Parses a character that stands for itself, or an escape. */
  const parseCharacter = (): RegexSet => {
    const escaped = match(ESCAPE)
    if (escaped === undefined) {
      const code = source.codePointAt(at)!
      at += code > 0xffff ? 2 : 1
      return set([[code, code]])
    }
    const [whole, long, short, hex, control, property, initial, letter = ''] = escaped
    const name = property ?? initial
    const ranges = name === undefined ? CLASSES[letter.toLowerCase()] : PROPERTIES[LONG_NAMES[name] ?? name]
    if (name !== undefined && ranges === undefined)
      throw new Error(`unknown class \\p{${name}}; a reply rule with 'say' can still answer`)
    if (ranges !== undefined) return set(ranges, /[DWSP]/.test(whole[1]!))
    const digits = long ?? short ?? hex
    let code = CONTROLS[letter] ?? letter.codePointAt(0)!
    if (digits !== undefined) code = Number.parseInt(digits, 16)
    else if (control !== undefined) code = control.charCodeAt(0) % 32
    return set([[code, code]])
  }
  const whole = parseChoice(0)
  return whole.kind === 'sequence' ? whole : sequence([whole])
}

const EMPTY: TextLengths = { shortest: 0, longest: 0 }

const set = (ranges: readonly CharacterRange[], isNegated = false): RegexSet => ({
  ...{ kind: 'set', ranges, isNegated, shortest: 1, longest: 1 },
})

const sequence = (nodes: readonly RegexNode[]): RegexSequence => ({
  kind: 'sequence',
  nodes,
  shortest: nodes.reduce((sum, { shortest }) => sum + shortest, 0),
  longest: nodes.reduce((sum, { longest }) => sum + longest, 0),
})

const repeat = (node: RegexNode, min: number, max: number): RegexNode => ({
  ...{ kind: 'repeat', node, min, max, shortest: node.shortest * min },
  longest: node.longest === 0 || max === 0 ? 0 : node.longest * max,
})

function complement(ranges: readonly CharacterRange[]): CharacterRange[] {
  const result: CharacterRange[] = []
  let next = 0
  for (const [from, to] of [...ranges].sort((left, right) => left[0] - right[0])) {
    if (from > next) result.push([next, from - 1])
    next = Math.max(next, to + 1)
  }
  if (next <= MAX_CODE_POINT) result.push([next, MAX_CODE_POINT])
  return result
}
