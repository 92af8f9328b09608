/** Writes a text that a parsed regular expression matches, of a wanted length where the expression allows it. */
import type { Random } from '../../random/random.ts'
import { drawCharacter, type Variety } from './character-set.ts'
import type { RegexNode } from './parse-pattern.ts'

/** Writes a text that `node` matches, as near to `target` code points as possible. */
export function writePatternText(node: RegexNode, target: number, random: Random, variety: Variety): string {
  switch (node.kind) {
    case 'set':
      return drawCharacter(node.set, random, variety)
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
