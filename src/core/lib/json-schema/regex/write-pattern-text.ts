/** Writes a text that a parsed regular expression matches, of a wanted length where the expression allows it. */
import type { Random } from '../../random/random.ts'
import type { RegexNode, RegexSet } from './parse-pattern.ts'

/** The characters that a class of many is written with: lower-case letters, letters and digits, or signs too. */
type Variety = 'plain' | 'mixed' | 'odd'

// Readable characters are tried before odd ones.
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const ALPHABET = [...`${LETTERS}${LETTERS.toUpperCase()}0123456789`].map((letter) => letter.charCodeAt(0))
const SIGNS = [...' -_.,:;/!?@#$%&*+=\'()[]{}<>|^~"`\\\n\t'].map((sign) => sign.charCodeAt(0))
const ANYTHING = [...ALPHABET, ...SIGNS]
const OTHERS = [0xe9, 0xdf, 0x3b1, 0x416, 0x5d0, 0x4e2d, 0x1f600, 0, 0x7f, 0x10ffff]

/** Writes a text that `node` matches, as near to `target` code points as possible. */
export function writePatternText(node: RegexNode, target: number, random: Random, variety: Variety): string {
  switch (node.kind) {
    case 'set':
      return writeCharacter(node, random, variety)
    case 'sequence':
      return writeSequence(node.nodes, target, random, variety)
    case 'choice': {
      const fitting = node.options.filter(({ shortest, longest }) => shortest <= target && target <= longest)
      const options = fitting.length > 0 ? fitting : node.options
      return writePatternText(options[random.below(options.length)]!, target, random, variety)
    }
    case 'repeat': {
      const { shortest, longest } = node.node
      if (longest === 0) return ''
      const fewest = Math.max(node.min, longest === Number.POSITIVE_INFINITY ? 0 : Math.ceil(target / longest))
      const most = Math.min(node.max, shortest === 0 ? Math.max(fewest, target) : Math.floor(target / shortest))
      const few = target > 0 && fewest === 0 ? Math.min(1, most) : fewest
      const isOpen = most > few && shortest !== longest
      const count = isOpen ? few + random.below(Math.min(most - few, 3) + 1) : Math.max(few, node.min)
      const nodes = Array.from({ length: Math.min(count, node.max) }, () => node.node)
      return writeSequence(nodes, target, random, variety)
    }
    default:
      return ''
  }
}

/** Gives each node its shortest length, and distributes the rest of the target. */
function writeSequence(nodes: readonly RegexNode[], target: number, random: Random, variety: Variety): string {
  const shares = nodes.map(({ shortest }) => shortest)
  let left = target - shares.reduce((sum, share) => sum + share, 0)
  const rooms = nodes.map(({ shortest, longest }) => longest - shortest)
  let flexible = rooms.filter((room) => room > 0).length
  // The rest that the nodes after each one can still take.
  const later = rooms.map(() => 0)
  for (let i = nodes.length - 2; i >= 0; i--) later[i] = later[i + 1]! + rooms[i + 1]!
  for (let i = 0; i < nodes.length && left > 0; i++) {
    if (rooms[i] === 0) continue
    const room = Math.min(rooms[i]!, left)
    const least = Math.min(room, Math.max(0, left - later[i]!))
    const even = Math.ceil(left / flexible--)
    const share = Math.max(least, Math.min(room, random.below(even * 2 + 1)))
    shares[i]! += share
    left -= share
  }
  return nodes.map((node, i) => writePatternText(node, shares[i]!, random, variety)).join('')
}

function writeCharacter(set: RegexSet, random: Random, variety: Variety): string {
  const { ranges, isNegated } = set
  const allows = (code: number): boolean => ranges.some(([from, to]) => from <= code && code <= to) !== isNegated
  // A negated class reads best as lower-case letters.
  const usual = variety === 'plain' && isNegated ? ALPHABET.slice(0, 26) : variety === 'odd' ? ANYTHING : ALPHABET
  const pool = [usual, ALPHABET, SIGNS, OTHERS].find((one) => one.some(allows))
  const allowed = pool?.filter(allows) ?? []
  if (allowed.length > 0) return String.fromCodePoint(allowed[random.below(allowed.length)]!)
  const [from, to] = ranges[random.below(ranges.length)] ?? [97, 97]
  return String.fromCodePoint(from + random.below(Math.min(to - from, 25) + 1))
}
