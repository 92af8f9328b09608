/**
 * Writes a text that a parsed regular expression matches, of a wanted length where the expression allows it.
 *
 * `^[a-z]*-[0-9]*$` and 20 -> `vvflkdjzq-1080065007`
 */
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
      // As often as the target needs, and up to 3 times more.
      const { node: repeated, min, max } = node
      const { shortest, longest } = repeated
      if (longest === 0) return ''
      const needed = Math.max(min, longest === Number.POSITIVE_INFINITY ? 0 : Math.ceil(target / longest))
      const possible = Math.min(max, shortest === 0 ? Math.max(needed, target) : Math.floor(target / shortest))
      // A text is wanted where none is needed.
      const least = target > 0 && needed === 0 ? Math.min(1, possible) : needed
      // Where all repeats have the same length, more of them would miss the target.
      const isOpen = possible > least && shortest !== longest
      const count = isOpen ? least + random.below(Math.min(possible - least, 3) + 1) : Math.max(least, min)
      return writeSequence(Array(Math.min(count, max)).fill(repeated), target, random, variety)
    }
    default:
      return ''
  }
}

/** Gives each node its shortest length, and shares the rest of the target out among those that can be longer. */
function writeSequence(nodes: readonly RegexNode[], target: number, random: Random, variety: Variety): string {
  const lengths = nodes.map(({ shortest }) => shortest)
  let missing = target - lengths.reduce((sum, length) => sum + length, 0)
  const rooms = nodes.map(({ shortest, longest }) => longest - shortest)
  /** The number of nodes, from this one on, that can be longer. */
  let flexible = rooms.filter((room) => room > 0).length
  /** The room in the nodes after each one. */
  const later = rooms.map(() => 0)
  for (let i = nodes.length - 2; i >= 0; i--) later[i] = later[i + 1]! + rooms[i + 1]!
  for (let i = 0; i < nodes.length && missing > 0; i++) {
    if (rooms[i] === 0) continue
    const most = Math.min(rooms[i]!, missing)
    // What has no room later must go here.
    const least = Math.min(most, Math.max(0, missing - later[i]!))
    const evenShare = Math.ceil(missing / flexible--)
    const share = Math.max(least, Math.min(most, random.below(evenShare * 2 + 1)))
    lengths[i]! += share
    missing -= share
  }
  return nodes.map((node, i) => writePatternText(node, lengths[i]!, random, variety)).join('')
}
