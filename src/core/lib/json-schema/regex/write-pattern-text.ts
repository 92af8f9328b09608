/** Writes a text that a parsed regular expression matches, of a wanted length where the expression allows it. */
import type { Random } from '../../random/random.ts'
import type { RegexNode, RegexSet } from './parse-pattern.ts'

/** The characters that a class of many is written with: lower-case letters, letters and digits, or signs too. */
type Variety = 'plain' | 'mixed' | 'odd'

export interface TextLengths {
  readonly min: number
  readonly max: number
}

// Readable characters are tried before odd ones.
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const ALPHABET = [...`${LETTERS}${LETTERS.toUpperCase()}0123456789`].map((letter) => letter.charCodeAt(0))
const SIGNS = [...' -_.,:;/!?@#$%&*+=\'()[]{}<>|^~"`\\\n\t'].map((sign) => sign.charCodeAt(0))
const ANYTHING = [...ALPHABET, ...SIGNS]
const OTHERS = [0xe9, 0xdf, 0x3b1, 0x416, 0x5d0, 0x4e2d, 0x1f600, 0, 0x7f, 0x10ffff]

const cache = new WeakMap<RegexNode, TextLengths>()

/** The shortest and the longest text of a node, in code points. */
export function measureLengths(node: RegexNode): TextLengths {
  const lengths = cache.get(node) ?? measure(node)
  cache.set(node, lengths)
  return lengths
}

function measure(node: RegexNode): TextLengths {
  switch (node.kind) {
    case 'set':
      return { min: 1, max: 1 }
    case 'sequence': {
      const all = node.nodes.map(measureLengths)
      return { min: all.reduce((sum, { min }) => sum + min, 0), max: all.reduce((sum, { max }) => sum + max, 0) }
    }
    case 'choice': {
      const all = node.options.map(measureLengths)
      return { min: Math.min(...all.map(({ min }) => min)), max: Math.max(...all.map(({ max }) => max)) }
    }
    case 'repeat': {
      const inner = measureLengths(node.node)
      return { min: inner.min * node.min, max: inner.max === 0 || node.max === 0 ? 0 : inner.max * node.max }
    }
    default:
      return { min: 0, max: 0 }
  }
}

/** Writes a text that `node` matches, as near to `target` code points as possible. */
export function writePatternText(node: RegexNode, target: number, random: Random, variety: Variety): string {
  switch (node.kind) {
    case 'set':
      return writeCharacter(node, random, variety)
    case 'sequence':
      return writeSequence(node.nodes, target, random, variety)
    case 'choice': {
      const fitting = node.options.filter((option) => {
        const { min, max } = measureLengths(option)
        return min <= target && target <= max
      })
      const options = fitting.length > 0 ? fitting : node.options
      return writePatternText(options[random.below(options.length)]!, target, random, variety)
    }
    case 'repeat': {
      const { min, max } = measureLengths(node.node)
      if (max === 0) return ''
      const fewest = Math.max(node.min, max === Number.POSITIVE_INFINITY ? 0 : Math.ceil(target / max))
      const most = Math.min(node.max, min === 0 ? Math.max(fewest, target) : Math.floor(target / min))
      const few = target > 0 && fewest === 0 ? Math.min(1, most) : fewest
      const count =
        most > few && min !== max ? few + random.below(Math.min(most - few, 3) + 1) : Math.max(few, node.min)
      return writeSequence(
        Array.from({ length: Math.min(count, node.max) }, () => node.node),
        target,
        random,
        variety,
      )
    }
    default:
      return ''
  }
}

/** Gives each node its shortest length, and distributes the rest of the target. */
function writeSequence(nodes: readonly RegexNode[], target: number, random: Random, variety: Variety): string {
  const lengths = nodes.map(measureLengths)
  const shares = lengths.map(({ min }) => min)
  let left = target - shares.reduce((sum, share) => sum + share, 0)
  const flexible = lengths.flatMap(({ min, max }, index) => (max > min ? [index] : []))
  // How much the nodes after each one can still take.
  const later = flexible.map(() => 0)
  for (let i = flexible.length - 2; i >= 0; i--) {
    const { min, max } = lengths[flexible[i + 1]!]!
    later[i] = later[i + 1]! + max - min
  }
  for (let i = 0; i < flexible.length && left > 0; i++) {
    const index = flexible[i]!
    const room = Math.min(lengths[index]!.max - lengths[index]!.min, left)
    const least = Math.min(room, Math.max(0, left - later[i]!))
    const even = Math.ceil(left / (flexible.length - i))
    const share = Math.max(least, Math.min(room, random.below(even * 2 + 1)))
    shares[index]! += share
    left -= share
  }
  return nodes.map((node, index) => writePatternText(node, shares[index]!, random, variety)).join('')
}

function writeCharacter(set: RegexSet, random: Random, variety: Variety): string {
  const readable = readableCharacters(set, variety)
  if (readable.length > 0) return String.fromCodePoint(readable[random.below(readable.length)]!)
  const { ranges } = set
  const [from, to] = ranges[random.below(ranges.length)] ?? [97, 97]
  return String.fromCodePoint(from + random.below(Math.min(to - from, 25) + 1))
}

const knownCharacters = new WeakMap<RegexSet, Partial<Record<Variety, readonly number[]>>>()

/** The characters to choose from; none when a set has only others. Kept, because a list of texts asks for each character. */
function readableCharacters(set: RegexSet, variety: Variety): readonly number[] {
  const known = knownCharacters.get(set) ?? {}
  knownCharacters.set(set, known)
  known[variety] ??= findReadable(set, variety)
  return known[variety]
}

function findReadable({ ranges, isNegated }: RegexSet, variety: Variety): readonly number[] {
  const allows = (code: number): boolean => ranges.some(([from, to]) => from <= code && code <= to) !== isNegated
  // A negated class reads best as lower-case letters.
  const usual = variety === 'plain' && isNegated ? ALPHABET.slice(0, 26) : variety === 'odd' ? ANYTHING : ALPHABET
  for (const pool of [usual, ALPHABET, SIGNS, OTHERS]) {
    const allowed = pool.filter(allows)
    if (allowed.length > 0) return allowed
  }
  return []
}
