/** Parses an ECMAScript regular expression into a tree that texts can be generated from. */

import { CLASSES, CONTROLS, LONG_NAMES, PROPERTIES, type Range } from './classes.ts'

/** One character of the ranges, or one of all others. */
export interface RegexSet {
  readonly kind: 'set'
  readonly ranges: readonly Range[]
  readonly isNegated: boolean
}

export type RegexNode =
  | RegexSet
  | { readonly kind: 'sequence'; readonly nodes: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
  | { readonly kind: 'repeat'; readonly node: RegexNode; readonly min: number; readonly max: number }
  | { readonly kind: 'start' | 'end' | 'boundary' }

export interface ParsedRegex {
  readonly nodes: readonly RegexNode[]
  /** Equivalent patterns without look-around, each of which a text must match, or must not. */
  readonly tests: readonly { readonly source: string; readonly isWanted: boolean }[]
}

const MAX_DEPTH = 60
const MAX_CODE_POINT = 0x10ffff
const LINE_ENDS = [
  [10, 10],
  [13, 13],
] as const
const LOOK_AHEAD = /^\(\?([=!])/

/** @throws Error for an expression that is malformed or not supported. */
export function parseRegex(source: string): ParsedRegex {
  const parser = new RegexParser(source)
  const tests: { source: string; isWanted: boolean }[] = []
  const anchor = source.startsWith('^') ? '^' : ''
  let rest = anchor.length
  if (anchor !== '') {
    for (let look = LOOK_AHEAD.exec(source.slice(rest)); look !== null; look = LOOK_AHEAD.exec(source.slice(rest))) {
      const end = parser.skipGroup(rest)
      tests.push({ source: `^(?:${source.slice(rest + 3, end - 1)})`, isWanted: look[1] === '=' })
      rest = end
    }
  }
  // In a top-level choice, the look-aheads belong to the first alternative only.
  const node = parser.parse(tests.length > 0 ? rest : 0)
  if (tests.length > 0 && node.kind === 'choice') throw new Error('look-ahead in one of several alternatives')
  tests.push({ source: tests.length > 0 ? anchor + source.slice(rest) : source, isWanted: true })
  const nodes = node.kind === 'sequence' ? node.nodes : [node]
  return { nodes: tests.length > 1 ? [{ kind: 'start' }, ...nodes] : nodes, tests }
}

class RegexParser {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  parse(from: number): RegexNode {
    this.#at = from
    const node = this.#choice(0)
    if (this.#at < this.#source.length) throw new Error(`unexpected ')' at ${this.#at}`)
    return node
  }

  /** The position behind the group that opens at `from`. */
  skipGroup(from: number): number {
    this.#at = from + 3
    this.#choice(1)
    if (this.#peek() !== ')') throw new Error('missing closing )')
    return this.#at + 1
  }

  #peek(): string {
    return this.#source[this.#at] ?? ''
  }

  #accept(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #choice(depth: number): RegexNode {
    if (depth > MAX_DEPTH) throw new Error(`groups nested more than ${MAX_DEPTH} deep`)
    const options: RegexNode[] = []
    do {
      const nodes: RegexNode[] = []
      while (this.#at < this.#source.length && this.#peek() !== '|' && this.#peek() !== ')') {
        nodes.push(this.#quantified(this.#atom(depth)))
      }
      options.push(nodes.length === 1 ? nodes[0]! : { kind: 'sequence', nodes })
    } while (this.#accept('|'))
    return options.length === 1 ? options[0]! : { kind: 'choice', options }
  }

  #quantified(node: RegexNode): RegexNode {
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(this.#source.slice(this.#at, this.#at + 24))
    if (found === null) return node
    this.#at += found[0].length
    this.#accept('?')
    const min = found[1] === undefined ? (found[0] === '+' ? 1 : 0) : Number(found[1])
    let max = found[0] === '?' ? 1 : Number.POSITIVE_INFINITY
    if (found[1] !== undefined && found[2] === '') max = min
    if (found[3] !== undefined && found[3] !== '') max = Number(found[3])
    if (max < min) throw new Error(`numbers out of order in ${found[0]}`)
    return { kind: 'repeat', node, min, max }
  }

  #atom(depth: number): RegexNode {
    if (this.#accept('^')) return { kind: 'start' }
    if (this.#accept('$')) return { kind: 'end' }
    if (this.#accept('.')) return set(LINE_ENDS, true)
    if (this.#accept('[')) return this.#class()
    if (this.#accept('(')) return this.#group(depth)
    if (this.#peek() !== '' && '*+?'.includes(this.#peek())) throw new Error(`nothing to repeat at ${this.#at}`)
    if (!this.#accept('\\')) return this.#literal()
    if (this.#accept('b') || this.#accept('B')) return { kind: 'boundary' }
    if (/[1-9k]/.test(this.#peek())) throw new Error('back-references are not supported')
    return this.#escape()
  }

  #literal(): RegexNode {
    const code = this.#source.codePointAt(this.#at)!
    this.#at += code > 0xffff ? 2 : 1
    return set([[code, code]])
  }

  #group(depth: number): RegexNode {
    const kind = /^\?(?::|<[A-Za-z_$][\w$]*>)/.exec(this.#source.slice(this.#at, this.#at + 80))
    if (kind !== null) this.#at += kind[0].length
    else if (this.#peek() === '?') {
      throw new Error(
        `'(${this.#source.slice(this.#at, this.#at + 3)}' is not supported here: look-around works as look-ahead at the start only`,
      )
    }
    const node = this.#choice(depth + 1)
    if (!this.#accept(')')) throw new Error('missing closing )')
    return node
  }

  /** Parses what follows a backslash. */
  #escape(): RegexSet {
    const letter = this.#peek()
    if (letter === '') throw new Error('trailing backslash')
    this.#at += 1
    const ranges = CLASSES[letter.toLowerCase()]
    if (ranges !== undefined) return set(ranges, letter !== letter.toLowerCase())
    if (letter === 'p' || letter === 'P') return this.#property(letter === 'P')
    const code = this.#code(letter)
    return set([[code, code]])
  }

  #code(letter: string): number {
    const rest = this.#source.slice(this.#at, this.#at + 12)
    const hex = /^(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/i.exec(letter + rest)
    if (hex !== null) {
      this.#at += hex[0].length - 1
      return Number.parseInt(hex[1] ?? hex[2] ?? hex[3]!, 16)
    }
    if (letter === 'c' && /^[A-Za-z]/.test(rest)) {
      this.#at += 1
      return rest.charCodeAt(0) % 32
    }
    return CONTROLS[letter] ?? letter.charCodeAt(0)
  }

  #property(isNegated: boolean): RegexSet {
    const found = /^(?:\{(?:\w+=)?(\w+)\}|([A-Z]))/.exec(this.#source.slice(this.#at, this.#at + 60))
    const name = found?.[1] ?? found?.[2] ?? ''
    const ranges = PROPERTIES[LONG_NAMES[name] ?? name]
    if (found === null || ranges === undefined) throw new Error(`unknown class \\p{${name}}`)
    this.#at += found[0].length
    return set(ranges, isNegated)
  }

  #class(): RegexNode {
    const isNegated = this.#accept('^')
    const ranges: Range[] = []
    while (!this.#accept(']')) {
      if (this.#at >= this.#source.length) throw new Error('missing closing ]')
      const from = this.#classAtom()
      const isRange = this.#peek() === '-' && this.#source[this.#at + 1] !== ']' && from.length === 1
      if (!isRange) {
        ranges.push(...from)
        continue
      }
      this.#at += 1
      const to = this.#classAtom()
      if (to[0]![0] < from[0]![0]) throw new Error('range out of order in a character class')
      ranges.push([from[0]![0], to.at(-1)![1]])
    }
    return set(ranges, isNegated)
  }

  #classAtom(): readonly Range[] {
    if (!this.#accept('\\')) return (this.#literal() as { ranges: readonly Range[] }).ranges
    if (this.#accept('b')) return [[8, 8]]
    const { ranges, isNegated } = this.#escape()
    return isNegated ? complement(ranges) : ranges
  }
}

const set = (ranges: readonly Range[], isNegated = false) => ({ kind: 'set', ranges, isNegated }) as const

function complement(ranges: readonly Range[]): Range[] {
  const result: Range[] = []
  let next = 0
  for (const [from, to] of [...ranges].sort((left, right) => left[0] - right[0])) {
    if (from > next) result.push([next, from - 1])
    next = Math.max(next, to + 1)
  }
  if (next <= MAX_CODE_POINT) result.push([next, MAX_CODE_POINT])
  return result
}
